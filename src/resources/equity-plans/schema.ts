// Schemas of equity plans: request bodies and answers.
import { Type } from "@sinclair/typebox";
import { body, date, decimal, EXTENSION, nullable, patchOf, text } from "../../kernel/fields.ts";
import { EQUITY_PLAN_FIELDS } from "../../storage/records/equity-plan.ts";
import { RECORD_HEAD, RECORD_TAIL, shown, VERIFICATION_STATUS } from "../present.ts";

/** Members of bodies whose return in answers is an extension of the interface that this service implements. */
const ADDITIVE = [
  "planName",
  "defaultCancellationBehavior",
  "boardApprovalDate",
  "stockholderApprovalDate",
  "sourceDocumentId",
];

/** The body of `POST /equity-plans`. */
export const EquityPlanCreate = body(EQUITY_PLAN_FIELDS);
/** The body of `PATCH /equity-plans/{id}`. */
export const EquityPlanPatch = patchOf(
  body({
    ...EQUITY_PLAN_FIELDS,
    verificationStatus: {
      ...VERIFICATION_STATUS,
      ...EXTENSION,
      description: "Whether a person checked the record against its source.",
    },
  }),
);
/** An equity plan as answers show it. */
export const EquityPlan = Type.Object({
  ...RECORD_HEAD,
  name: text(100, { description: "The plan's name; `planName` in bodies.", examples: ["2026 Equity Incentive Plan"] }),
  ...shown(EQUITY_PLAN_FIELDS, ADDITIVE),
  adoptedDate: nullable(date({ description: "By default `boardApprovalDate` as it was then." })),
  initialSharesReserved: decimal({ description: "The reserve at adoption; zero if an import did not have it." }),
  currentSharesReserved: Type.String({ description: "The available reserve, a decimal.", examples: ["1500000"] }),
  totalSharesReserved: Type.String({
    description: "The whole reserve after adjustments, a decimal.",
    examples: ["1500000"],
    ...EXTENSION,
  }),
  verificationStatus: {
    ...VERIFICATION_STATUS,
    description: "Whether a person checked the record against its source.",
  },
  ...RECORD_TAIL,
});

export const EQUITY_PLAN_EXAMPLE = {
  planName: "2026 Equity Incentive Plan",
  planType: "ISO",
  initialSharesReserved: "1500000",
  stockClassIds: ["0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6f"],
  boardApprovalDate: "2026-01-15",
};
