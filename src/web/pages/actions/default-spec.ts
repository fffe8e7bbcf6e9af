// The form of an operation that has no spec of its own: the members of its body in order, each asked for as usual.
import { OPERATION_FIELDS } from "../../api/operation-fields.ts";
import type { ActionSpec, GuidedField } from "./spec.ts";
import { BOARD, DATE, HOLDER, NOTE, QUANTITY, REASON, STOCKHOLDERS, securityFor } from "./specs/common-specs.ts";

type Described = keyof typeof OPERATION_FIELDS;

/** Members that are asked for alike in every form. */
const USUAL: Readonly<Record<string, GuidedField>> = Object.fromEntries(
  [
    ...[DATE, HOLDER, QUANTITY, REASON, BOARD, STOCKHOLDERS, NOTE],
    { name: "toStakeholderId", kind: "holder" } as const,
    { name: "stockClassId", kind: "class", isKnown: true } as const,
    { name: "stockPlanId", kind: "plan", isKnown: true } as const,
    { name: "equityPlanId", kind: "plan", isKnown: true } as const,
    { name: "vestingTermsId", kind: "terms" } as const,
    { name: "valuationId", kind: "valuation" } as const,
    { name: "conditionId", kind: "condition" } as const,
  ].map((field) => [field.name, field]),
);

/** Who approved, and a note: the last group, in this order. */
const PAPER: readonly string[] = [BOARD, STOCKHOLDERS, NOTE].map(({ name }) => name);

/** The form. */
export function defaultSpec(operation: Described): ActionSpec {
  const members: readonly GuidedField[] = OPERATION_FIELDS[operation];
  const fields = members.map((member): GuidedField => {
    if (member.name === "securityId") return securityFor(operation);
    const usual = USUAL[member.name];
    return usual ? { ...usual, ...(member.isOptional ? { isOptional: true } : {}) } : member;
  });
  const paper = PAPER.flatMap((name) => fields.filter((field) => field.name === name));
  const when = fields.filter(({ name }) => name === DATE.name);
  const what = fields.filter((field) => !paper.includes(field) && !when.includes(field));
  const groups = [
    { name: "what", fields: what },
    { name: "when", fields: when },
    { name: "paper", fields: paper },
  ] as const;
  return { operation, groups: groups.filter((group) => group.fields.length > 0) };
}

/** Every operation with a form by default, `own` apart. */
export function defaultSpecs(own: readonly ActionSpec[]): readonly ActionSpec[] {
  const others = (Object.keys(OPERATION_FIELDS) as Described[]).filter(
    (operation) => !own.some((spec) => spec.operation === operation),
  );
  return others.map(defaultSpec);
}
