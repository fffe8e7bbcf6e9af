// Approval rules: the states of an approval and the moves between them. Pure.

import { type Finding, problem } from "../../kernel/problem.ts";
import type { SecurityType } from "../../storage/database/schema.ts";
import type { Row } from "../../storage/database/sql.ts";

type State = Row<"approvals">["state"];
type Approval = Pick<Row<"approvals">, "state">;
type Step = Pick<Row<"approval_steps">, "status">;

/** The states in which steps can be added, renamed and removed. */
export const OPEN: readonly State[] = ["Draft", "Submitted"];

/** Throws `409 invalid-state` unless the approval is in one of the `allowed` states. */
export function requireState(approval: Approval, ...allowed: readonly State[]): void {
  if (allowed.includes(approval.state)) return;
  throw problem("invalid-state", `The approval is ${approval.state}; this needs it to be ${allowed.join(" or ")}.`);
}

/** Throws `409 invalid-state` for a step that was decided: a decision is final. */
export function requireUndecided(step: Step): void {
  if (step.status !== "PENDING") throw problem("invalid-state", `The step is already ${step.status}.`);
}

/**
 * The state that follows from the steps: one rejection rejects the approval; all steps approved, at least one, approve
 * it.
 */
export function stateAfter({ state }: Approval, steps: readonly Step[]): State {
  if (state !== "Submitted") return state;
  if (steps.some(({ status }) => status === "REJECTED")) return "Rejected";
  return steps.length > 0 && steps.every(({ status }) => status === "APPROVED") ? "Approved" : state;
}

/** The purposes of an approval that can release a security of the type. */
const RELEASING: Readonly<Record<SecurityType, readonly string[]>> = {
  STOCK: ["Stock Issuance", "Stock Transfer", "Exercise", "Conversion", "Other"],
  STOCK_OPTION: ["Option Grant", "RSU Grant", "Other"],
  WARRANT: ["Warrant Issuance", "Other"],
  CONVERTIBLE: ["Convertible Issuance", "Other"],
};

/** The fault of a security of this type that newly names an approval for this purpose. */
export function approvalFindings(type: SecurityType, entityType: string): readonly Finding[] {
  if (RELEASING[type].includes(entityType)) return [];
  const fitting = RELEASING[type].join(", ");
  return [["#/approvalId", `names an approval for ${entityType}; one for a ${type} is for one of ${fitting}`]];
}

/** The fault of an approval's new purpose, given the types of the securities that name it. */
export function purposeFindings(entityType: string, types: readonly SecurityType[]): readonly Finding[] {
  const unfit = types.find((type) => !RELEASING[type].includes(entityType));
  return unfit === undefined ? [] : [["#/entityType", `does not fit the ${unfit} security that names the approval`]];
}

/** The body of a step's PATCH. */
export interface StepChange {
  readonly name?: string;
  readonly status?: "APPROVED" | "REJECTED";
  readonly comment?: string | null;
}

/** The faults of a decision and a name in one body, and of a comment without a decision. */
export function mixtureFindings({ name, status, comment }: StepChange): readonly Finding[] {
  if (status !== undefined && name !== undefined) return [["#/name", "cannot change together with the decision"]];
  if (status === undefined && comment !== undefined) return [["#/comment", "goes with a decision, in `status`"]];
  return [];
}
