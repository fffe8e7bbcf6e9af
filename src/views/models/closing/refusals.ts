// Refusals of a closing before its first step: a day that it may not have, and a round that was closed already.
import type { Static } from "@sinclair/typebox";
import type { Call } from "../../../kernel/call.ts";
import { addDays, type CalendarDate } from "../../../kernel/date.ts";
import { problem, refuse } from "../../../kernel/problem.ts";
import { refuseEarlier } from "../../../ledger/rules/dates.ts";
import { listEvery } from "../../../storage/database/records.ts";
import type { Tx } from "../../../storage/database/sql.ts";
import type { CloseBody } from "./schema.ts";

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
