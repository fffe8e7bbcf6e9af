// Exports vesting entries as OCF transactions, each of which names a condition of the security's terms.
import { parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { textOf } from "../../../ledger/types.ts";
import { accelerationOf, vestingOf } from "../codec/event-codec.ts";
import { derivedId } from "../codec/values-to-ocf.ts";
import type { JsonObject } from "../json.ts";
import { later } from "./holdings.ts";
import type { Step } from "./source.ts";
import type { OcfWriter } from "./writer.ts";

/**
 * The objects of one vesting entry; none, and a comment, where OCF has no form for it. A count that vested without a
 * condition shows in what is issued anew after it.
 */
export function* vestingObjects(writer: OcfWriter, { entry, event }: Step): Generator<JsonObject> {
  const { how, entry: draft, said } = event;
  const row = draft.securityId === null ? null : writer.source.findSecurity(draft.securityId);
  if (row === null) return;
  // The days of the issuance say it, or those of what it is issued anew as.
  if (said.vestingStopped !== null) return;
  const holding = writer.holdings.of(row.id, row.grantDate);
  const isStart = how === "start";
  // A later start of the whole stands in its place: a reader would take the one of the latest day.
  const isTold = writer.source.factsOf(row.id).some(({ sequence }) => sequence === entry.sequence);
  if (isStart && said.conditionId === null && !isTold) return;
  const date = isStart ? draft.effectiveDate : later(draft.effectiveDate, holding.since);
  const comments = [textOf(draft.metadata, "description"), writer.moved(draft, date)];
  const on = { id: entry.id, date, securityId: holding.openId, type: row.type, comments };
  if (!isStart) writer.holdings.put(row.id, { ...holding, since: date });
  const mayName = row.type !== "CONVERTIBLE" && holding.hasTerms;
  const conditions = mayName ? writer.source.conditionsOf(row.vestingTermsId) : null;
  const named = said.conditionId;
  if (how === "acceleration" && draft.quantity !== null) {
    yield accelerationOf(on, draft.quantity, textOf(draft.metadata, "reason") ?? "Acceleration");
    writer.vesting.note(row.id, { kind: "ACCELERATED", date, quantity: parseDecimal(draft.quantity) });
  } else if (isStart && conditions && (named === null || conditions.starts.includes(named))) {
    if (named === null) writer.holdings.put(row.id, { ...holding, vestingStart: date });
    const starts = named === null ? conditions.starts : [named];
    writer.vesting.note(row.id, { kind: "STARTED", date, conditionId: named });
    for (const [n, condition] of starts.entries()) {
      yield vestingOf({ ...on, id: n === 0 ? on.id : derivedId(on.id, condition) }, "START", condition);
    }
  } else if (how === "event" && named !== null && conditions?.events.includes(named)) {
    yield vestingOf(on, "EVENT", named);
    writer.vesting.note(row.id, { kind: "HAPPENED", date, conditionId: named });
  } else if (!writer.source.hasWordless(row.id)) {
    writer.notes.add("a vesting entry names no condition that OCF could name; left out");
  }
}
