// Schemas of closing a round: the body and the answer.
import { Type } from "@sinclair/typebox";
import { withRules } from "../../../kernel/check.ts";
import {
  body,
  date,
  decimal,
  freeText,
  id,
  matching,
  nullable,
  oneOf,
  optional,
  positiveDecimal,
  text,
} from "../../../kernel/fields.ts";
import { warningsMember } from "../../../kernel/warning.ts";
import { dryRun } from "../../../ledger/operations/parts.ts";
import { roundFindings } from "../rules.ts";
import { ClosingModelBody } from "../schema.ts";

export const CloseBody = withRules(
  body({
    model: ClosingModelBody,
    digest: matching("^[0-9a-f]{64}$", "the digest of the accepted model", 64),
    newClassAuthorized: Type.Optional(
      Type.Array(body({ name: text(100), sharesAuthorized: positiveDecimal() }), {
        maxItems: 400,
        description: "By default what is issued of each.",
      }),
    ),
    authorizedShares: Type.Optional(
      Type.Array(body({ stockClassId: id(), newSharesAuthorized: decimal() }), { maxItems: 100 }),
    ),
    title: optional(text(200)),
    boardApprovalDate: optional(date()),
    stockholderApprovalDate: optional(date()),
    description: optional(freeText()),
    dryRun,
  }),
  { of: ["model"], findings: ({ model }) => roundFindings(model, "#/model") },
);

const madeId = () => nullable(id());

export const ClosedAnswer = Type.Object({
  data: Type.Object({
    corporateActionId: id(),
    transactionIds: Type.Array(id()),
    shareClasses: Type.Array(Type.Object({ id: id(), name: text(100) })),
    securities: Type.Array(
      Type.Object({
        securityId: id(),
        stakeholderId: nullable(id()),
        stockClassId: id(),
        quantity: decimal(),
        certificateId: nullable(text(50)),
        kind: oneOf(["CONVERSION", "NEW_MONEY", "PRO_RATA"]),
        originSecurityId: madeId(),
      }),
    ),
    digest: Type.String(),
    warnings: warningsMember(),
  }),
});
