// Schemas of share classes: request bodies and answers.
import { Type } from "@sinclair/typebox";
import { withRules } from "../../kernel/check.ts";
import { body, EXTENSION, nullable, oneOf, patchOf } from "../../kernel/fields.ts";
import { SHARE_CLASS_FIELDS } from "../../storage/records/share-class.ts";
import { RECORD_HEAD, RECORD_TAIL, shown, shownCurrency } from "../present.ts";
import { dividendFindings, PREFERRED_ONLY, type PreferredFields, preferredFindings } from "./share-class-rules.ts";

/** The body of `POST /share-classes`. */
export const ShareClassCreate = withRules(
  body(SHARE_CLASS_FIELDS),
  ...PREFERRED_ONLY.map((name) => ({
    of: ["classType", name] as const,
    findings: (given: PreferredFields) => preferredFindings(given, name),
  })),
  { of: ["dividendType", "dividendRatePercent", "dividendCompounding"], findings: dividendFindings },
);
/** The body of `PATCH /share-classes/{id}`. */
export const ShareClassPatch = patchOf(ShareClassCreate);
/** A share class as answers show it. */
export const ShareClass = Type.Object({
  ...RECORD_HEAD,
  ...shown(SHARE_CLASS_FIELDS),
  initialSharesAuthorized: Type.String({
    description: "A decimal, or `UNLIMITED` or `NOT APPLICABLE` where imported.",
  }),
  currentSharesAuthorized: Type.String({ description: "The figure after amendments.", examples: ["10000000"] }),
  currency: shownCurrency("ISO 4217, of its prices."),
  tokenizationStatus: oneOf(["NOT_STARTED", "PENDING", "DEPLOYED", "FAILED"], { description: "How far its token is." }),
  tokenAddress: nullable(Type.String({ description: "On-chain address once `DEPLOYED`." })),
  tokenError: nullable(Type.String({ description: "Why tokenization failed.", ...EXTENSION })),
  ...RECORD_TAIL,
});
/** The filters of `GET /share-classes`. */
export const ShareClassFilters = body({ classType: Type.Optional(SHARE_CLASS_FIELDS.classType) });

export const SHARE_CLASS_EXAMPLE = {
  name: "Common Stock",
  classType: "COMMON",
  defaultIdPrefix: "CS-",
  initialSharesAuthorized: "10000000",
  votesPerShare: "1",
  parValue: "0.0001",
  seniority: 2,
};
