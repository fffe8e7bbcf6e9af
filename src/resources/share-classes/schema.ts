// Share classes on the wire (API.md, "Share class").
import { Type } from "@sinclair/typebox";
import { withRules } from "../../kernel/check.ts";
import {
  body,
  date,
  decimal,
  defaulted,
  EXTENSION,
  freeText,
  integer,
  listOf,
  name,
  nullable,
  oneOf,
  optional,
  patchOf,
  text,
} from "../../kernel/fields.ts";
import { refersTo } from "../../records/reference.ts";
import { RECORD_HEAD, RECORD_TAIL, shown, shownCurrency } from "../present.ts";
import { PREFERRED_ONLY, type PreferredFields, preferredFindings } from "./rules.ts";

const classType = oneOf(["COMMON", "PREFERRED"]);

const fields = {
  name: name(100),
  classType,
  defaultIdPrefix: text(20, { description: "Prefix of generated certificate ids.", examples: ["CS-"] }),
  initialSharesAuthorized: decimal(),
  votesPerShare: decimal({ description: '`"0"` means non-voting.', examples: ["1"] }),
  parValue: optional(decimal()),
  pricePerShare: optional(decimal({ description: "Issuance price." })),
  seniority: integer(1, { description: "1 is most senior." }),
  liquidationPreferenceMultiple: optional(decimal({ description: "Preferred classes only." })),
  participationCapMultiple: optional(decimal({ description: "Preferred classes only." })),
  isParticipating: defaulted(Type.Boolean(), false),
  boardApprovalDate: optional(date()),
  stockholderApprovalDate: optional(date()),
  comments: optional(freeText()),
  sourceDocumentId: optional(refersTo("documents")),
  stockLegendIds: defaulted(listOf(refersTo("stock_legends"), EXTENSION), []),
};

/** The body of `POST /share-classes`. */
export const ShareClassCreate = withRules(
  body(fields),
  ...PREFERRED_ONLY.map((name) => ({
    of: ["classType", name] as const,
    findings: (given: PreferredFields) => preferredFindings(given, name),
  })),
);
/** The body of `PATCH /share-classes/{id}`. */
export const ShareClassPatch = patchOf(ShareClassCreate);
/** A share class as answers show it. */
export const ShareClass = Type.Object({
  ...RECORD_HEAD,
  ...shown(fields),
  initialSharesAuthorized: Type.String({
    description: "A decimal, or `UNLIMITED` or `NOT APPLICABLE` where imported.",
  }),
  currentSharesAuthorized: Type.String({ description: "The figure after amendments.", examples: ["10000000"] }),
  currency: shownCurrency("ISO 4217, of its prices."),
  tokenizationStatus: oneOf(["NOT_STARTED", "PENDING", "DEPLOYED", "FAILED"]),
  tokenAddress: nullable(Type.String({ description: "On-chain address once `DEPLOYED`." })),
  tokenError: nullable(Type.String({ description: "Why tokenization failed.", ...EXTENSION })),
  ...RECORD_TAIL,
});
/** The filters of `GET /share-classes`. */
export const ShareClassFilters = body({ classType: Type.Optional(classType) });

export const SHARE_CLASS_EXAMPLE = {
  name: "Common Stock",
  classType: "COMMON",
  defaultIdPrefix: "CS-",
  initialSharesAuthorized: "10000000",
  votesPerShare: "1",
  parValue: "0.0001",
  seniority: 2,
};
