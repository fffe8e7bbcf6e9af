// Refusals of a closing before its first step: members that it needs and a model does not, a day that it may not have,
// and a round that was closed already.
import type { Static } from "@sinclair/typebox";
import type { Call } from "../../../kernel/call.ts";
import { addDays, type CalendarDate } from "../../../kernel/date.ts";
import { ZERO } from "../../../kernel/numbers/decimal.ts";
import { type Finding, problem, refuse } from "../../../kernel/problem.ts";
import { refuseEarlier } from "../../../ledger/rules/dates.ts";
import { listEvery } from "../../../storage/database/records.ts";
import type { Tx } from "../../../storage/database/sql.ts";
import { isForNothing, type RoundOutcome } from "../round/round.ts";
import type { CloseBody } from "./schema.ts";

const OPERATIONS_MAX = 500;
/** What the corporate action of a closing is. */
export const FINANCING = "Financing Round";

type Body = Static<typeof CloseBody>;

/** Throws `422` for a day after tomorrow, before a digest is compared: nothing that is modelled makes it right. */
export function refuseDistant({ model: { closingDate } }: Body, { today }: Call): void {
  const tomorrow = addDays(today, 1);
  if (closingDate > tomorrow) refuse([["#/model/closingDate", `must not be later than tomorrow, ${tomorrow}`]]);
}

/** Throws `409 invalid-state` for a round that was closed already; else its class would be one whose name is taken. */
export function refuseClosed(tx: Tx, { orgId }: Call, body: Body): void {
  const { newClass, closingDate } = body.model;
  const isThere = listEvery(tx, "share_classes", orgId).some(
    ({ name, deletedAt }) => name === newClass.name && deletedAt === null,
  );
  if (!isThere) return;
  const closed = listEvery(tx, "corporate_actions", orgId).find(
    ({ type, title, effectiveDate, deletedAt }) =>
      type === FINANCING && title === titleOf(body) && effectiveDate === closingDate && deletedAt === null,
  );
  if (!closed) return;
  throw problem(
    "invalid-state",
    `The round was closed already: ${newClass.name} is there, and so is the corporate action ${closed.id} of that day.`,
  );
}

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

/**
 * Throws `409 invalid-state` for a day before a split of the classes that a round's classes and its pool are for: what
 * a closing makes stands behind the splits that are in the ledger, and would stay as it was before them.
 */
export function refuseBeforeSplits(
  tx: Tx,
  { orgId, today }: Call,
  { classIds, closingDate: date }: { readonly classIds: Iterable<string | null>; readonly closingDate: CalendarDate },
): void {
  for (const splitsOf of new Set(classIds)) {
    if (splitsOf !== null) refuseEarlier(tx, orgId, { splitsOf }, { date, today });
  }
}

/** The title of a closing's corporate action. */
export function titleOf({ title, model }: Body): string {
  return title ?? `${model.newClass.name} financing`;
}
