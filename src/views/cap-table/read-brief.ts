// Reads the brief cap table of a day in small steps, so that other work on this thread goes on.

import type { CalendarDate } from "../../kernel/date.ts";
import { ZERO } from "../../kernel/numbers/decimal.ts";
import { END_OF_TIME } from "../../kernel/runtime.ts";
import { giveWay } from "../../kernel/threads/give-way.ts";
import { Counting } from "../../ledger/replay/counting.ts";
import { initialState } from "../../ledger/replay/replay.ts";
import { iterateKnownEntries, listAdjustments, listTermsEntries } from "../../ledger/replay/replay-store.ts";
import { listEvery } from "../../storage/database/records.ts";
import { openSnapshot } from "../../storage/database/snapshot.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { convertedOf, Holding, isOpen } from "./holding.ts";
import { layOutSums } from "./table.ts";
import { conversionsIn, termsAt } from "./view.ts";

/** How long a step takes. */
const STEP_MS = 8;

/** The cap table of a day, by all that is recorded in the database in `file`. */
export async function readBrief(file: string, orgId: string, asOf: CalendarDate) {
  const db = openSnapshot(file);
  try {
    return await briefOf(db, orgId, asOf);
  } finally {
    db.sqlite.close();
  }
}

async function briefOf(db: Reader, orgId: string, asOf: CalendarDate) {
  const names = { classes: listEvery(db, "share_classes", orgId), plans: listEvery(db, "equity_plans", orgId) };
  const state = initialState(names.classes, names.plans, listAdjustments(db, { orgId }));
  const counted = new Counting(state, asOf);
  const moment = { asOf, knownAt: END_OF_TIME };
  await inSteps(iterateKnownEntries(db, { orgId, ...moment, after: 0 }), (row) => counted.take(row));
  const all = new Holding();
  const conversions = conversionsIn(names.classes, state, termsAt(listTermsEntries(db, { orgId }), moment));
  await inSteps(state.securities.values(), (security) => {
    if (isOpen(security)) all.add({ security, unvested: ZERO, converted: convertedOf(security, conversions) });
  });
  const { shareClasses, equityPlans, totals } = layOutSums({ moment, state, counted, names, conversions }, all);
  return { shareClasses, equityPlans, totals };
}

/** Does something with each, giving way to others after each step. */
async function inSteps<T>(each: Iterable<T>, act: (one: T) => unknown): Promise<void> {
  let until = performance.now() + STEP_MS;
  for (const one of each) {
    act(one);
    if (performance.now() < until) continue;
    await giveWay();
    until = performance.now() + STEP_MS;
  }
}
