// What the vesting operations check of the conditions that they name. Pure.
import type { Finding } from "../../kernel/problem.ts";
import type { Facts } from "../operation.ts";

const WORDS = { TIME_BASED: "a time-based condition", EVENT_BASED: "an event-based condition" } as const;

/** What is wrong with naming this condition of the security's terms; it must be of the kind given. */
export function conditionFindings(
  facts: Facts,
  securityId: string,
  conditionId: string | null,
  kind: keyof typeof WORDS,
): Finding[] {
  if (conditionId === null) return [];
  const conditions = facts.vesting.get(securityId)?.rules?.vestingConditions ?? [];
  const condition = conditions.find(({ id }) => id === conditionId);
  if (!condition) return [["#/conditionId", "is no condition of the security's vesting terms"]];
  return condition.trigger.type === kind ? [] : [["#/conditionId", `must be ${WORDS[kind]}`]];
}
