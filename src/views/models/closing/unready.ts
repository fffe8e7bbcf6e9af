// Refusals of a closing for members that it needs and a model does not. Pure.
import type { Static } from "@sinclair/typebox";
import { ZERO } from "../../../kernel/numbers/decimal.ts";
import { type Finding, refuse } from "../../../kernel/problem.ts";
import { isForNothing, type RoundOutcome } from "../round/round.ts";
import type { CloseBody } from "./schema.ts";

const OPERATIONS_MAX = 500;

type Body = Static<typeof CloseBody>;

/** Throws `422` where something lacks that closing needs and a model does not. */
export function refuseUnready(
  { made, investments, conversions, adjustments, increase, plan }: RoundOutcome,
  body: Body,
): void {
  const findings: Finding[] = [];
  for (const [index, { holder }] of plan.investors.entries()) {
    if (holder.id === null) findings.push([`#/model/investors/${index}/stakeholderId`, "is required to close"]);
  }
  for (const [index, investment] of investments.slice(0, plan.investors.length).entries()) {
    if (isForNothing(investment)) findings.push([`#/model/investors/${index}/amount`, "buys no share at this price"]);
  }
  for (const [index, { holder }] of plan.participants.entries()) {
    if (holder.id === null)
      findings.push([`#/model/proRata/participants/${index}/stakeholderId`, "is required to close"]);
  }
  findings.push(...authorizing(made, body));
  if (increase > ZERO && plan.pool.plan?.id == null)
    findings.push(["#/model/pool/equityPlanId", "is required to close"]);
  const issued = investments.filter(({ shares }) => shares > ZERO);
  const each = [made, issued, conversions, adjustments, body.authorizedShares ?? []];
  const count = each.reduce((sum, { length }) => sum + length, increase > ZERO ? 1 : 0);
  if (count > OPERATIONS_MAX)
    findings.push(["#/model", `needs ${count} operations, and ${OPERATIONS_MAX} is the most`]);
  refuse(findings);
}

/** Shares are authorized once for a class, and for those only that the round makes. */
function authorizing(made: RoundOutcome["made"], { newClassAuthorized = [], authorizedShares = [] }: Body): Finding[] {
  const names = new Set(made.map((each) => each.class.name));
  const isRepeated = <T>(list: readonly T[], index: number) => list.indexOf(list[index] as T) < index;
  const given = newClassAuthorized.map(({ name }) => name);
  const classes = authorizedShares.map(({ stockClassId }) => stockClassId);
  return [
    ...given.flatMap((name, index): Finding[] => {
      const at = `#/newClassAuthorized/${index}/name`;
      if (!names.has(name)) return [[at, "names no class that the round makes"]];
      return isRepeated(given, index) ? [[at, "is in the list already"]] : [];
    }),
    ...classes.flatMap((_id, index): Finding[] =>
      isRepeated(classes, index) ? [[`#/authorizedShares/${index}/stockClassId`, "is in the list already"]] : [],
    ),
  ];
}
