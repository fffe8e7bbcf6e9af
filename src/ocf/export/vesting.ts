// Vesting entries as OCF transactions. OCF names a condition of the security's terms in each, and a security that an
// operation left over or made starts vesting by an object of its own.
import type { Row } from "../../database/sql.ts";
import { parseDecimal } from "../../kernel/decimal.ts";
import { textOf } from "../../ledger/effects.ts";
import type { JsonObject } from "../json.ts";
import * as tx from "../mapping/transaction-to-ocf.ts";
import { derivedId } from "../mapping/values-to-ocf.ts";
import { later } from "./holdings.ts";
import type { LedgerExport, Step } from "./ledger.ts";

/** The starts of vesting of a security that was just issued. */
export function* startVesting(
  ledger: LedgerExport,
  row: Row<"securities">,
  as: { readonly objectId: string; readonly openId: string; readonly start: string | null },
): Generator<JsonObject> {
  const conditions = ledger.source.conditionsOf(row.vestingTermsId);
  if (conditions === null || as.start === null || row.type === "CONVERTIBLE") return;
  for (const condition of conditions.starts) {
    const id = derivedId(as.objectId, `vesting-start ${condition}`);
    const on = { id, date: as.start, securityId: as.openId, type: row.type, comments: [] };
    yield tx.vestingOf(on, "START", condition);
  }
}

/**
 * The objects of one vesting entry; none, and a comment, where OCF has no form for it. A count that vested without a
 * condition shows in what is issued anew after it.
 */
export function* vestingObjects(ledger: LedgerExport, { entry, draft }: Step): Generator<JsonObject> {
  const row = draft.securityId === null ? null : ledger.source.findSecurity(draft.securityId);
  if (row === null) return;
  const holding = ledger.holdings.of(row.id, row.grantDate);
  const isStart = draft.type === "VESTING_START";
  const date = isStart ? draft.effectiveDate : later(draft.effectiveDate, holding.since);
  const comments = [textOf(draft.metadata, "description"), ledger.moved(draft, date)];
  const on = { id: entry.id, date, securityId: holding.openId, type: row.type, comments };
  if (!isStart) ledger.holdings.put(row.id, { ...holding, since: date });
  const mayName = row.type !== "CONVERTIBLE" && holding.hasTerms;
  const conditions = mayName ? ledger.source.conditionsOf(row.vestingTermsId) : null;
  const named = textOf(draft.metadata, "conditionId");
  if (draft.type === "VESTING_ACCELERATION" && draft.quantity !== null) {
    yield tx.accelerationOf(on, draft.quantity, textOf(draft.metadata, "reason") ?? "Acceleration");
    ledger.vesting.note(row.id, { kind: "ACCELERATED", date, quantity: parseDecimal(draft.quantity) });
  } else if (isStart && conditions && (named === null || conditions.starts.includes(named))) {
    if (named === null) ledger.holdings.put(row.id, { ...holding, vestingStart: date });
    const starts = named === null ? conditions.starts : [named];
    ledger.vesting.note(row.id, { kind: "STARTED", date, conditionId: named });
    for (const [n, condition] of starts.entries()) {
      yield tx.vestingOf({ ...on, id: n === 0 ? on.id : derivedId(on.id, condition) }, "START", condition);
    }
  } else if (draft.type === "VESTING_EVENT" && named !== null && conditions?.events.includes(named)) {
    yield tx.vestingOf(on, "EVENT", named);
    ledger.vesting.note(row.id, { kind: "HAPPENED", date, conditionId: named });
  } else if (!ledger.source.hasWordless(row.id)) {
    ledger.notes.add("a vesting entry names no condition that OCF could name; left out");
  }
}
