// The fields of an equity plan.
import { Type } from "@sinclair/typebox";
import {
  date,
  defaulted,
  EXTENSION,
  freeText,
  listOf,
  name,
  oneOf,
  optional,
  positiveDecimal,
  text,
} from "../../kernel/fields.ts";
import { refersTo } from "./reference.ts";

/** The body of an equity plan. */
export const EQUITY_PLAN_FIELDS = {
  planName: name(100, { description: "The plan's name." }),
  planType: optional(text(20, { description: "A label.", examples: ["ISO"], ...EXTENSION })),
  initialSharesReserved: positiveDecimal({
    description: "The reserve at adoption. Changing it moves `currentSharesReserved` by the same difference.",
  }),
  stockClassIds: defaulted(
    listOf(refersTo("share_classes"), { description: "The classes that grants are exercised into." }),
    [],
  ),
  defaultCancellationBehavior: defaulted(
    oneOf(["RETURN_TO_POOL", "RETIRE"], {
      description: "What becomes of cancelled grants unless the cancellation says otherwise.",
    }),
    "RETURN_TO_POOL",
  ),
  adoptedDate: Type.Optional(date({ description: "By default `boardApprovalDate`.", ...EXTENSION })),
  expirationDate: optional(date({ description: "The day on which the plan ends.", ...EXTENSION })),
  boardApprovalDate: optional(date({ description: "When the board approved." })),
  stockholderApprovalDate: optional(date({ description: "When the stockholders approved." })),
  comments: optional(freeText(2000, { description: "Free text, for people." })),
  sourceDocumentId: optional(refersTo("documents", { description: "The document that proves it." })),
};
