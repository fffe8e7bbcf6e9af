// Entries dated ahead: those on a security after today, so that lists and pages can show the day from which it counts.

import type { CalendarDate } from "../../kernel/date.ts";
import { problem } from "../../kernel/problem.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { membersOf } from "../members.ts";
import { readEntry } from "../replay/event.ts";
import { FamilyState } from "../replay/family-state.ts";
import { toDraft } from "../replay/replay.ts";
import { listAhead, listSplits } from "../replay/replay-store.ts";
import { Story } from "../replay/story.ts";
import { listLineEntries } from "../vested/vesting-store.ts";

/** An entry dated after today. */
export interface AheadEntry {
  readonly transactionId: string;
  readonly type: string;
  readonly effectiveDate: CalendarDate;
}

/** Entries of an organization dated after today, by the security that each is on, or makes; by day. */
export function aheadBySecurity(
  db: Reader,
  orgId: string,
  today: CalendarDate,
): ReadonlyMap<string, readonly AheadEntry[]> {
  const bySecurity = new Map<string, AheadEntry[]>();
  for (const row of listAhead(db, { orgId, today })) {
    const draft = toDraft(row);
    const { id: transactionId, type, effectiveDate, securityId } = row;
    for (const id of [securityId, draft && membersOf(draft).newSecurityId]) {
      if (id === null) continue;
      const entries = bySecurity.get(id) ?? [];
      entries.push({ transactionId, type, effectiveDate });
      bySecurity.set(id, entries);
    }
  }
  for (const entries of bySecurity.values()) {
    entries.sort((a, b) => (a.effectiveDate < b.effectiveDate ? -1 : a.effectiveDate > b.effectiveDate ? 1 : 0));
  }
  return bySecurity;
}

/**
 * The first entry dated ahead that takes shares of a security or gives it some; null without such an entry. The entry
 * that creates the security is not meant: entries recorded now wait for it, and count with it.
 */
export function findMoveAhead(db: Reader, orgId: string, id: string, today: CalendarDate): Row<"transactions"> | null {
  const moves = listAhead(db, { orgId, today }).filter((row) => row.securityId === id && isMove(row));
  const [first] = moves.sort((a, b) => (a.effectiveDate < b.effectiveDate ? -1 : 1));
  return first ?? null;
}

/**
 * The first split dated ahead that concerned a security, in its state at the split's place in the ledger; null without
 * such a split. A security that was closed or moved to another class since then counts: on today's cap table the
 * closing waits for the shares that the split gives. One closed before the split was recorded does not.
 */
export function findSplitAhead(
  db: Reader,
  security: Row<"securities">,
  today: CalendarDate,
): Row<"transactions"> | null {
  const { orgId, id } = security;
  const splits = new Map(listSplits(db, orgId, today).map((row) => [row.sequence, row]));
  if (splits.size === 0) return null;
  const state = new FamilyState();
  const story = new Story(state);
  for (const event of listLineEntries(db, orgId, security)) {
    const [split, held] = [splits.get(event.sequence), state.securities.get(id)];
    if (split && held && event.kind === "split" && event.concerns(held)) return split;
    story.take(event);
  }
  return null;
}

/** Whether an entry takes shares of its security, or gives it some. */
export function isMove(row: Row<"transactions">): boolean {
  const draft = row.securityId === null ? null : toDraft(row);
  if (draft === null) return false;
  const { kind, said } = readEntry(draft);
  return kind !== "issued" && kind !== "fact" && !said.isCorrection;
}

/** The refusal of a change that would be wrong on every day, because of an entry dated ahead. */
export function besideAhead({ type, effectiveDate, id }: Row<"transactions">) {
  return problem(
    "invalid-state",
    `The ledger has a ${type} of ${effectiveDate} on it (${id}), which the record counts and the cap table of today ` +
      `does not, so the change cannot be right in both. From ${effectiveDate} on it is possible; until then cancel, ` +
      "transfer or issue the shares that should change.",
  );
}
