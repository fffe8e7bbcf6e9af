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
    digest: matching("^[0-9a-f]{64}$", "the digest of the accepted model", 64, {
      description: "The digest of the model's answer that was accepted.",
    }),
    newClassAuthorized: Type.Optional(
      Type.Array(
        body({
          name: text(100, { description: "The class's name." }),
          sharesAuthorized: positiveDecimal({ description: "The shares to authorize." }),
        }),
        {
          maxItems: 400,
          description: "By default what is issued of each.",
        },
      ),
    ),
    authorizedShares: Type.Optional(
      Type.Array(
        body({
          stockClassId: id({ description: "The share class." }),
          newSharesAuthorized: decimal({ description: "The shares authorized afterwards." }),
        }),
        { description: "The shares authorized afterwards, by class.", maxItems: 100 },
      ),
    ),
    title: optional(text(200, { description: "The title of the corporate action." })),
    boardApprovalDate: optional(date({ description: "When the board approved." })),
    stockholderApprovalDate: optional(date({ description: "When the stockholders approved." })),
    description: optional(freeText(2000, { description: "Free text, for people." })),
    dryRun,
  }),
  { of: ["model"], findings: ({ model }) => roundFindings(model, "#/model") },
);

const madeId = () => nullable(id());

export const ClosedAnswer = Type.Object({
  data: Type.Object({
    corporateActionId: id({ description: "The corporate action that records the closing." }),
    transactionIds: Type.Array(id(), { description: "The ledger entries." }),
    shareClasses: Type.Array(
      Type.Object({
        id: id({ description: "Identifies the class." }),
        name: text(100, { description: "The class's name." }),
      }),
      { description: "The classes that were made." },
    ),
    securities: Type.Array(
      Type.Object({
        securityId: id({ description: "The security." }),
        stakeholderId: nullable(id({ description: "The holder." })),
        stockClassId: id({ description: "The share class." }),
        quantity: decimal({ description: "How many shares; of a convertible, the principal." }),
        certificateId: nullable(text(50, { description: "The certificate number, unique in the organization." })),
        kind: oneOf(["CONVERSION", "NEW_MONEY", "PRO_RATA"], { description: "What it was issued for." }),
        originSecurityId: madeId(),
      }),
      { description: "The securities that were issued." },
    ),
    digest: Type.String({ description: "The digest of the model's answer." }),
    warnings: warningsMember(),
  }),
});
