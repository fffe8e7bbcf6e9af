// Keeps a row's `vestingStoppedOn` in step with the ledger: after every write that touches a stop, the day is read from
// the shares that the ledger leaves.

import type { Call } from "../../kernel/call.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { ZERO } from "../../kernel/numbers/decimal.ts";
import { changeLogged } from "../../storage/database/log/logged.ts";
import { findAny } from "../../storage/database/records.ts";
import { ofOrganization, type Params, type Reader, statement, type Tx } from "../../storage/database/sql.ts";
import { membersOf } from "../members.ts";
import type { Decision } from "../operation.ts";
import type { LedgerState } from "../replay/state.ts";
import { editedDifference } from "../rules/charges.ts";
import type { EntryDraft } from "../types.ts";
import { stoppedOn } from "./vesting-stops.ts";
import { loadVesting } from "./vesting-store.ts";

const stopped = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("securities", param).select("id").where("vestingStoppedOn", "is not", null),
);

/** A write: its entries, the new securities, and all securities after it. */
interface Written {
  readonly entries: readonly EntryDraft[];
  readonly after: LedgerState;
  readonly decision: Decision;
}

/** Writes the day if it changed; returns the number of changes. The entries are stored already. */
export function writeStops(tx: Tx, call: Call, written: Written): number {
  const { entries, after, decision } = written;
  // Only writes on existing securities need the lookup: most issuances create one and no more.
  const ids = new Set(touchesOthers(written) ? stopped.all(tx, { orgId: call.orgId }).map(({ id }) => id) : []);
  for (const { id, originSecurityId, vestings } of decision.newSecurities ?? []) {
    if (ids.has(originSecurityId ?? "") || vestings?.includes('"stopped"')) ids.add(id);
  }
  for (const entry of entries) {
    if (entry.securityId !== null && (membersOf(entry).vestingStopped !== null || isRise(entry)))
      ids.add(entry.securityId);
  }
  // The decision's own value of it is written with the rest of the description.
  for (const { id, field } of decision.described ?? []) if (field === "vestingStoppedOn") ids.delete(id);
  let changes = 0;
  for (const id of ids) {
    if ((after.securities.has(id) || isNamed(entries, id)) && rewriteStop(tx, call, id)) changes++;
  }
  return changes;
}

/** Writes the day of one security by all recorded entries; returns whether it changed. */
export function rewriteStop(tx: Tx, call: Call, id: string): boolean {
  const row = findAny(tx, "securities", call.orgId, id);
  if (row === null) return false;
  const vestingStoppedOn = dayOf(tx, call.orgId, row);
  if (vestingStoppedOn === row.vestingStoppedOn) return false;
  return changeLogged(tx, call, "securities", id, { vestingStoppedOn, updatedAt: call.at });
}

/** Whether a write concerns more than newly issued securities, none of whose shares has stopped. */
function touchesOthers({ entries, after, decision: { newSecurities = [] } }: Written): boolean {
  const made = newSecurities.filter(({ originSecurityId }) => originSecurityId === null);
  if (after.securities.size > made.length) return true;
  return entries.some(({ securityId }) => securityId !== null && !made.some(({ id }) => id === securityId));
}

/** A manual rise gives an empty security its last shares again, and those may have stopped. */
function isRise(entry: EntryDraft): boolean {
  const said = membersOf(entry);
  return said.isDirectEdit && (editedDifference(said) ?? ZERO) > ZERO;
}

function isNamed(entries: readonly EntryDraft[], id: string): boolean {
  return entries.some(({ securityId }) => securityId === id);
}

/** The day by all recorded entries. */
function dayOf(db: Reader, orgId: string, row: Parameters<typeof loadVesting>[2]): CalendarDate | null {
  return stoppedOn(loadVesting(db, orgId, row));
}
