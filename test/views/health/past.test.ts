// The views of all days at once against `GET /cap-table` of each day, over random histories of every operation.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { formatDecimal } from "../../../src/kernel/numbers/decimal.ts";
import type { Ledger } from "../../../src/ledger/past/ledger.ts";
import { orderOf } from "../../../src/ledger/past/order.ts";
import { findPastLimits, viewEachDay } from "../../../src/ledger/past/past-limits.ts";
import { openLedger } from "../../../src/ledger/past/store.ts";
import { Counting } from "../../../src/ledger/replay/counting.ts";
import { initialState } from "../../../src/ledger/replay/replay.ts";
import type { Tx } from "../../../src/storage/database/sql.ts";
import type { CapTable } from "../../kit/cap-table.ts";
import { firstSeed } from "../../kit/proof.ts";
import { RELEASE } from "../../kit/release.ts";
import { Company } from "../../property/company.ts";
import { decide } from "../../property/model/decide.ts";
import { newModel } from "../../property/model/start.ts";
import { openPlace, type Place } from "../../property/place.ts";
import { histories } from "../../property/steps.ts";
import { BEGINNING, type RandomEntry, randomLedgers } from "./random-ledger.ts";

setDefaultTimeout(1_200_000);

const HISTORIES = RELEASE ? 5_000 : 10;
const LEDGERS = RELEASE ? 20_000 : 250;
const STEPS = 40;

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

/** Figures by the id of a class or plan. */
type Figures = Readonly<Record<string, string>>;

/** What the views of all days say, in one pass. */
function viewedTogether(tx: Tx, orgId: string, replayedMax: number): readonly (readonly [day: string, Figures])[] {
  return Array.from(viewEachDay(openLedger(tx, orgId), replayedMax), (view) => {
    const classes = [...view.classes()].map(({ id, issued, authorized }) => [
      id,
      `${formatDecimal(issued)} of ${formatDecimal(authorized)}`,
    ]);
    const plans = [...view.plans()].map(({ id, available }) => [id, formatDecimal(available)]);
    return [view.day, Object.fromEntries([...classes, ...plans])];
  });
}

/** What the table of a day says, which leaves out the classes and plans that do not count yet. */
function viewedAlone(company: Company, day: string): Figures {
  const { data } = company.read("/cap-table", { asOf: day }) as { readonly data: CapTable };
  const { shareClasses, equityPlans } = data;
  const classes = shareClasses.map(({ id, issued, authorized }) => [id, `${issued} of ${authorized}`]);
  return Object.fromEntries([...classes, ...equityPlans.map(({ id, available }) => [id, available])]);
}

function expectSame(company: Company, views: ReturnType<typeof viewedTogether>): void {
  for (const [day, figures] of views) {
    const alone = viewedAlone(company, day);
    const together = Object.fromEntries(Object.keys(alone).map((id) => [id, figures[id]]));
    expect({ day, ...together }).toEqual({ day, ...alone });
  }
}

test(`${HISTORIES} histories over the real write path: all days at once are each day by itself`, async () => {
  const property = fc.asyncProperty(histories(STEPS), (choices) =>
    place.writer.submit((tx) => {
      const company = new Company(tx);
      let model = newModel();
      for (const choose of choices) {
        const step = choose(model);
        const decided = step === null ? null : decide(model, step);
        if (step !== null && decided !== null && company.run(step).isDone && "after" in decided) model = decided.after;
      }
      const { days } = orderOf(openLedger(tx, company.orgId).marks());
      const views = viewedTogether(tx, company.orgId, Number.POSITIVE_INFINITY);
      expect(views.map(([day]) => day)).toEqual([...days]);
      expectSame(company, views);
    }),
  );
  await fc.assert(property, { numRuns: HISTORIES, seed: firstSeed() });
});

function ledgerOf(stored: readonly RandomEntry[]): Ledger {
  const marks = stored.map(({ type, securityId, effectiveDate, metadata }) => {
    const { newSecurityId } = JSON.parse(metadata ?? "{}");
    return { type, securityId, effectiveDate, others: newSecurityId === undefined ? [] : [newSecurityId] };
  });
  return { ...BEGINNING, adjustments: [], marks: () => marks, entries: () => stored };
}

/** Classes and plans as one replay of the entries up to a day has them. */
function replayed(stored: readonly RandomEntry[], day: string): readonly (readonly [id: string, figure: bigint])[] {
  const state = initialState(BEGINNING.classes, BEGINNING.plans, []);
  const counting = new Counting(state, day);
  for (const entry of stored) counting.take(entry);
  return [
    ...[...state.classes.values()].map(({ id, issued, authorized }) => [id, (authorized ?? 0n) - issued] as const),
    ...[...state.plans.values()].map(({ id, available }) => [id, available] as const),
  ];
}

function viewed(ledger: Ledger, replayedMax: number) {
  return Array.from(viewEachDay(ledger, replayedMax), (view) => ({
    day: view.day,
    figures: [
      ...Array.from(view.classes(), ({ id, issued, authorized }) => [id, authorized - issued] as const),
      ...Array.from(view.plans(), ({ id, available }) => [id, available] as const),
    ],
  }));
}

test(`${LEDGERS} ledgers in whatever order, splits among them: each day is what its own replay gives`, () => {
  const seen = { unordered: 0, backdatedSplits: 0, over: 0, passedOver: 0 };
  const property = fc.property(randomLedgers, (stored) => {
    const ledger = ledgerOf(stored);
    const { days, unordered } = orderOf(ledger.marks());
    const views = viewed(ledger, Number.POSITIVE_INFINITY);
    expect(views.map(({ day }) => day)).toEqual([...days]);
    for (const { day, figures } of views)
      expect({ day, figures }).toEqual({ day, figures: [...replayed(stored, day)] });
    const fewer = viewed(ledger, 30);
    for (const view of fewer) expect(views).toContainEqual(view);
    expect(fewer.at(-1)).toEqual(views.at(-1));
    const past = findPastLimits(ledger);
    for (const [id, { day }] of [...past.classes, ...past.plans]) {
      const first = views.find(({ figures }) => figures.some(([of, left]) => of === id && left < 0n));
      expect({ id, day }).toEqual({ id, day: first?.day ?? "" });
    }
    const isOver = (id: string) => views.some(({ figures }) => figures.some(([of, left]) => of === id && left < 0n));
    expect([...past.classes.keys(), ...past.plans.keys()].sort()).toEqual(["A", "B", "P", "Q"].filter(isOver));
    seen.unordered += unordered.size;
    seen.over += past.classes.size + past.plans.size;
    seen.passedOver += views.length - fewer.length;
    const splits = stored.filter(({ type }) => type === "STOCK_SPLIT");
    const isBackdated = ({ sequence, effectiveDate }: RandomEntry) =>
      stored.some((entry) => entry.sequence < sequence && entry.effectiveDate > effectiveDate);
    seen.backdatedSplits += splits.filter(isBackdated).length;
  });
  fc.assert(property, { numRuns: LEDGERS, seed: firstSeed() });
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(LEDGERS / 2);
});
