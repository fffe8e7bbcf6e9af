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
import type { Register } from "./register.ts";

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

/** How equity plans are listed and asked for. */
export const EQUITY_PLAN_REGISTER = {
  title: "Equity plans",
  none: "No equity plan yet. Add one to grant options.",
  list: {
    name: "Plan",
    reserved: "Reserved",
    granted: "Granted",
    exercised: "Exercised",
    available: "Available",
    use: "Used",
    adopted: "Adopted",
    expires: "Expires",
  },
  form: {
    basics: {
      planName: { label: "Name", hint: "Such as 2026 Equity Incentive Plan" },
      initialSharesReserved: { label: "Reserved shares", unit: "shares", isForNew: true },
      planType: { label: "Kind", hint: "Such as ISO or NSO", isBeside: true },
      stockClassIds: { label: "Share classes of its options", isOptional: false },
      defaultCancellationBehavior: { label: "Cancelled grants" },
    },
    paper: {
      adoptedDate: { label: "Adopted" },
      expirationDate: { isBeside: true },
      boardApprovalDate: {},
      stockholderApprovalDate: { isBeside: true },
      comments: { label: "Note" },
    },
  },
} as const satisfies Register;
