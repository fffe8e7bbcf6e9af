// Schemas of securities: request bodies and answers.
import { Type } from "@sinclair/typebox";
import { withRules } from "../../kernel/check.ts";
import {
  body,
  date,
  decimal,
  defaulted,
  EXTENSION,
  freeText,
  id,
  listOf,
  name,
  nullable,
  oneOf,
  optional,
  patchOf,
  positiveDecimal,
  text,
  total,
} from "../../kernel/fields.ts";
import { TRANSACTION_TYPES } from "../../ledger/types.ts";
import {
  ConvertibleTermsBody,
  ConvertibleTermsShown,
  type GivenTerms,
} from "../../storage/records/convertible-terms.ts";
import { termsFindings } from "../../storage/records/terms-form.ts";
import { RECORD_HEAD, RECORD_TAIL, shownCurrency, timestamp, VERIFICATION_STATUS } from "../present.ts";
import { CONDITIONAL, type Conditional, missingMember } from "./security-rules.ts";

/** The types of security. */
export const SECURITY_TYPES = ["STOCK", "STOCK_OPTION", "WARRANT", "CONVERTIBLE"] as const;
const SECURITY_STATUSES = ["ACTIVE", "CANCELLED", "EXERCISED", "CONVERTED", "REPURCHASED", "TRANSFERRED"] as const;
const type = oneOf(SECURITY_TYPES);
const status = oneOf(SECURITY_STATUSES);
const optionType = oneOf(["ISO", "NSO"]);
const tokenStatus = oneOf(["NOT_APPLICABLE", "PENDING_APPROVAL", "PENDING", "MINTED", "FAILED"], EXTENSION);

/** How far its acceptance is. */
export const ACCEPTANCE_STATUSES = ["NOT_ASKED", "PENDING", "ACCEPTED"] as const;
const acceptanceStatus = oneOf(ACCEPTANCE_STATUSES, EXTENSION);
const asksAcceptance = Type.Boolean({
  description: "Whether its holder is asked to accept it in the portal.",
  ...EXTENSION,
});

const fields = {
  type: { ...type, description: "The kind of security." },
  status: defaulted({ ...status, description: "Whether the security is active, or what ended it." }, "ACTIVE"),
  stakeholderId: id({ description: "The holder." }),
  stockClassId: optional(id({ description: "Required for stock; an option takes its plan's only class." })),
  stockPlanId: optional(id({ description: "The equity plan; required for options. Answered as `equityPlanId`." })),
  vestingTermsId: optional(id({ description: "The vesting terms; null: vested at once." })),
  certificateId: name(50, {
    description: "The certificate number, unique in the organization.",
  }),
  quantity: positiveDecimal({ description: "How many shares; of a convertible, the principal." }),
  pricePerShare: optional(decimal({ description: "The price that was paid for one share." })),
  totalConsideration: optional(decimal({ description: "The total paid. Answered as `purchasePrice`." })),
  exercisePrice: optional(decimal({ description: "The strike price of options and warrants." })),
  optionType: optional({ ...optionType, description: "Required for options." }),
  grantDate: date({ description: "When it was granted or issued." }),
  expirationDate: optional(date({ description: "Options and warrants." })),
  vestingStartDate: Type.Optional(date({ description: "Defaults to `grantDate`." })),
  valuationId: optional(id({ description: "The valuation in effect at the grant." })),
  boardApprovalDate: optional(date({ description: "When the board approved." })),
  comments: optional(freeText(2000, { description: "Free text, for people." })),
  approvalId: optional(
    id({ description: "The approval that gates its tokens; it must be for such a security.", ...EXTENSION }),
  ),
  stockLegendIds: defaulted(listOf(id(), { description: "The legends that it carries.", ...EXTENSION }), []),
  convertibleTerms: optional(ConvertibleTermsBody),
};

/** The terms of a convertible fit each other. */
export const TERMS_RULE = {
  of: ["convertibleTerms"] as const,
  findings: ({ convertibleTerms }: { readonly convertibleTerms?: GivenTerms | null }) =>
    convertibleTerms ? termsFindings(convertibleTerms, "#/convertibleTerms") : [],
};

/** The body of `POST /securities`. */
export const SecurityCreate = withRules(
  body({
    ...fields,
    sourceDocumentId: optional(id({ description: "The document that proves it." })),
    asksAcceptance: Type.Optional({
      ...asksAcceptance,
      description: "Whether its holder is asked to accept it in the portal; by default as the organization says.",
    }),
  }),
  ...CONDITIONAL.map((name) => ({
    of: ["type", name] as const,
    findings: (given: Conditional) => missingMember(given, name),
  })),
  TERMS_RULE,
  {
    of: ["type", "convertibleTerms"],
    findings: ({ type, convertibleTerms }) =>
      convertibleTerms && type !== "CONVERTIBLE" ? [["#/convertibleTerms", `is not for ${type}`]] : [],
  },
);
/** The body of `PATCH /securities/{id}`. */
export const SecurityPatch = withRules(
  patchOf(
    body({
      ...fields,
      type: { ...type, description: "Does not change: the same one, or none." },
      status: { ...status, description: "Whether the security is active, or what ended it." },
      stockLegendIds: listOf(id(), { description: "The legends that it carries.", ...EXTENSION }),
      verificationStatus: {
        ...VERIFICATION_STATUS,
        ...EXTENSION,
        description: "Whether a person checked the record against its source.",
      },
      asksAcceptance,
    }),
  ),
  TERMS_RULE,
);

/** A security as answers show it. */
export const SecurityColumns = Type.Object({
  ...RECORD_HEAD,
  type: { ...type, description: "The kind of security." },
  status: { ...status, description: "Whether the security is active, or what ended it." },
  stakeholderId: nullable(id({ description: "Who holds it." })),
  stockClassId: nullable(id({ description: "The share class." })),
  equityPlanId: nullable(id({ description: "The plan that it is issued under." })),
  vestingTermsId: nullable(id({ description: "The vesting terms; null: vested at once." })),
  planCharge: nullable(
    Type.String({ description: "Its charge on its plan's reserve.", examples: ["1500"], ...EXTENSION }),
  ),
  certificateId: nullable(text(50, { description: "The certificate number, unique in the organization." })),
  // An imported split may give more digits than the API accepts.
  quantity: total({ description: "The quantity outstanding now." }),
  pricePerShare: nullable(decimal({ description: "The price that was paid for one share." })),
  // A computed price × quantity may have more digits than the API accepts.
  purchasePrice: nullable(Type.String({ description: "Total consideration paid.", examples: ["1500"] })),
  exercisePrice: nullable(decimal({ description: "The strike price for one share.", ...EXTENSION })),
  currency: shownCurrency("ISO 4217, of its prices and amounts."),
  optionType: nullable({ ...optionType, ...EXTENSION, description: "Incentive (`ISO`) or non-qualified (`NSO`)." }),
  grantDate: date({ description: "When it was granted or issued." }),
  expirationDate: nullable(date({ description: "The last day on which it can be exercised." })),
  vestingStartDate: nullable(date({ description: "The day from which vesting counts.", ...EXTENSION })),
  vestingStoppedOn: nullable(date({ description: "The day on which vesting of its shares stopped.", ...EXTENSION })),
  valuationId: nullable(id({ description: "The valuation in effect at the grant.", ...EXTENSION })),
  boardApprovalDate: nullable(date({ description: "When the board approved.", ...EXTENSION })),
  stockholderApprovalDate: nullable(date({ description: "When the stockholders approved.", ...EXTENSION })),
  comments: nullable(freeText(2000, { description: "Free text, for people." })),
  sourceDocumentId: nullable(id({ description: "The document that proves it.", ...EXTENSION })),
  approvalId: nullable(id({ description: "The approval that gates its tokens.", ...EXTENSION })),
  originSecurityId: nullable(id({ description: "The security that this one came from.", ...EXTENSION })),
  stockLegendIds: listOf(id(), { description: "The legends that it carries.", ...EXTENSION }),
  convertibleTerms: nullable({
    ...ConvertibleTermsShown,
    description: "Cap, discount, interest and maturity of a convertible; null for other securities.",
  }),
  tokenStatus: { ...tokenStatus, description: "How far its tokens are." },
  tokenTransactionHash: nullable(
    Type.String({ description: "The chain transaction that minted its tokens.", ...EXTENSION }),
  ),
  tokenError: nullable(
    Type.String({ description: "Why its token operation failed; null when it did not.", ...EXTENSION }),
  ),
  verificationStatus: {
    ...VERIFICATION_STATUS,
    description: "Whether a person checked the record against its source.",
  },
  asksAcceptance,
  acceptanceStatus: {
    ...acceptanceStatus,
    description:
      "`ACCEPTED` while its holder's acceptance holds, which a direct edit or other terms end; else `PENDING` where it " +
      "is asked for.",
  },
  acceptanceAskedAt: nullable(timestamp({ description: "When its holder was last asked to accept it.", ...EXTENSION })),
  acceptedAt: nullable(timestamp({ description: "When its holder accepted it, where that holds.", ...EXTENSION })),
  ...RECORD_TAIL,
});

/** A security as answers show it. */
export const Security = Type.Object({
  ...SecurityColumns.properties,
  ahead: Type.Array(
    Type.Object({
      transactionId: id({ description: "The ledger entry." }),
      type: oneOf(TRANSACTION_TYPES, { description: "The kind of entry." }),
      effectiveDate: date({
        description: "The day from which it counts.",
      }),
    }),
    { description: "Entries on it that are dated after today, by day.", ...EXTENSION },
  ),
});
/** The filters of `GET /securities`. */
export const SecurityFilters = body({
  type: Type.Optional(type),
  stakeholderId: Type.Optional(id()),
  status: Type.Optional({ ...status, ...EXTENSION }),
  stockClassId: Type.Optional(id(EXTENSION)),
  equityPlanId: Type.Optional(id(EXTENSION)),
  vestingTermsId: Type.Optional(id(EXTENSION)),
  approvalId: Type.Optional(id(EXTENSION)),
  certificateId: Type.Optional(freeText(255, EXTENSION)),
  valuationId: Type.Optional(id(EXTENSION)),
  tokenStatus: Type.Optional(tokenStatus),
  acceptanceStatus: Type.Optional(acceptanceStatus),
  q: Type.Optional(
    freeText(50, { description: "Part of the certificate number; A to Z in whatever case.", ...EXTENSION }),
  ),
});

/** How a security vests, as of a day. */
export const SecurityVestingStatus = Type.Object({
  quantity: total({ description: "The grant, less cancelled and transferred shares." }),
  vested: total({ description: "Up to and including `asOf`." }),
  unvested: total({ description: "What has not vested." }),
  unscheduled: total({ description: "The part of `unvested` that has no date." }),
  exercised: total({ description: "What was bought by exercise." }),
  earlyExercised: total({
    description: "The part of `exercised` that was exercised unvested; no other figure includes it.",
    ...EXTENSION,
  }),
  vestingStoppedOn: nullable(
    date({
      description: "The day on which vesting stopped, if service has ended; stopped shares have no date.",
      ...EXTENSION,
    }),
  ),
  grantSecurityId: id({
    description: "The grant that this security came from, or the security itself.",
    ...EXTENSION,
  }),
  events: Type.Array(
    Type.Object({
      date: date({ description: "The day on which the shares vest." }),
      quantity: total({ description: "How many shares vest." }),
      conditionId: nullable(id({ description: "Null if no condition of the terms made them vest." })),
    }),
    { description: "By date, past and to come." },
  ),
  parcels: Type.Array(
    Type.Object({
      date: nullable(date({ description: "Null while they wait for a condition without a day." })),
      conditionId: nullable(id({ description: "Null if no condition of the terms makes them vest." })),
      occurrence: Type.Integer({ description: "Of the condition, from 1; 0 if no condition makes them vest." }),
      milestoneId: nullable(id({ description: "The milestone that they wait for, or vested by." })),
      quantity: total({ description: "How many shares." }),
    }),
    { description: "The outstanding shares, by the day on which they vest.", ...EXTENSION },
  ),
});
/** The query of `GET /securities/{id}/vesting`. */
export const VestingQuery = body({ asOf: Type.Optional(date({ description: "Today in UTC by default." })) });

export const SECURITY_EXAMPLE = {
  type: "STOCK",
  stakeholderId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e",
  stockClassId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6f",
  certificateId: "CS-1",
  quantity: "10000",
  pricePerShare: "0.0001",
  totalConsideration: "1",
  grantDate: "2026-01-15",
};
