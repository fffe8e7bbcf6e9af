// Short ways to write vesting terms and histories in tests, and arbitrary ones for properties.

import fc from "fast-check";
import type { AllocationMethod } from "../../../src/kernel/allocation-method.ts";
import { addDays } from "../../../src/kernel/date.ts";
import { formatDecimal, parseDecimal } from "../../../src/kernel/numbers/decimal.ts";
import type {
  ParcelChange,
  VestingCondition,
  VestingEntry,
  VestingHistory,
  VestingRules,
  VestingStatus,
  VestingTrigger,
} from "../../../src/ledger/vesting/vesting-types.ts";

export const METHODS = [
  "CUMULATIVE_ROUNDING",
  "CUMULATIVE_ROUND_DOWN",
  "FRONT_LOADED",
  "BACK_LOADED",
  "FRONT_LOADED_TO_SINGLE_TRANCHE",
  "BACK_LOADED_TO_SINGLE_TRANCHE",
  "FRACTIONAL",
] as const satisfies readonly AllocationMethod[];

type Links = Pick<VestingCondition, "cliffConditionId" | "nextConditionId"> & Pick<VestingTrigger, "occurrences">;

function condition(id: string, portion: string, trigger: VestingTrigger, links: Links): VestingCondition {
  const [numerator, denominator] = portion.split("/").map(Number);
  const { occurrences, ...rest } = links;
  return {
    id,
    portion: { numerator: numerator ?? 0, denominator: denominator ?? 1 },
    trigger: { ...trigger, occurrences },
    ...rest,
  };
}

/** `timed("c1", "12/48", "12 MONTHS")` */
export function timed(id: string, portion: string, period: string, links: Links = {}): VestingCondition {
  const [length, type] = period.split(" ");
  const periodType = type === "DAYS" || type === "YEARS" ? type : "MONTHS";
  return condition(id, portion, { type: "TIME_BASED", periodLength: Number(length), periodType }, links);
}

/** `onEvent("sale", "1/2")` */
export function onEvent(id: string, portion: string, links: Links = {}): VestingCondition {
  return condition(id, portion, { type: "EVENT_BASED", eventDescription: "Sale of the company" }, links);
}

export function rules(
  conditions: readonly VestingCondition[],
  allocationMethod: AllocationMethod = "CUMULATIVE_ROUNDING",
): VestingRules {
  return { allocationMethod, vestingConditions: conditions };
}

/** A grant of `quantity` shares on `start`, from which it vests. */
export function granted(quantity: string, start: string, ...entries: readonly VestingEntry[]): VestingHistory {
  const issued: VestingEntry = { kind: "ISSUED", date: start, quantity: parseDecimal(quantity) };
  return { grantDate: start, vestingStartDate: start, entries: [issued, ...entries], milestones: [] };
}

/** The same grant, to which this happened. */
export function changed(history: VestingHistory, ...changes: readonly ParcelChange[]): VestingHistory {
  return { ...history, changes };
}

/** The events as `["2024-01-31 5 c1", …]`. */
export function told({ events }: VestingStatus): readonly string[] {
  return events.map(({ date, quantity, conditionId }) => `${date} ${formatDecimal(quantity)} ${conditionId}`);
}

const someDate = fc.oneof(
  fc.integer({ min: 0, max: 3_000 }).map((days) => addDays("2019-01-01", days)),
  fc.constantFrom("2020-02-29", "2021-01-31", "2021-08-31", "2023-12-31", "2024-01-30"),
);
const someQuantity = fc.oneof(
  fc.bigInt(0n, 200n).map((n) => n * 10_000_000_000n),
  fc.bigInt(0n, 2_000_000n).map((n) => n * 10_000_000_000n),
  fc.bigInt(0n, 10n ** 13n),
  fc.bigInt(0n, 30n),
);

/** Valid terms of one to four conditions, linked forward in every way that is allowed. */
export const someRules: fc.Arbitrary<VestingRules> = fc
  .record({
    method: fc.constantFrom(...METHODS),
    drafts: fc.array(
      fc.record({
        weight: fc.integer({ min: 0, max: 12 }),
        isTimed: fc.boolean(),
        length: fc.integer({ min: 0, max: 14 }),
        unit: fc.constantFrom("DAYS", "MONTHS", "MONTHS", "YEARS"),
        occurrences: fc.option(fc.integer({ min: 1, max: 9 })),
        next: fc.option(fc.nat(3)),
        cliff: fc.option(fc.nat(3)),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    spare: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 })),
    totalMonths: fc.option(fc.integer({ min: 1, max: 72 })),
  })
  .map(({ method, drafts, spare, totalMonths }) => {
    const denominator = Math.max(
      1,
      drafts.reduce((sum, draft) => sum + draft.weight * (draft.occurrences ?? 1), spare),
    );
    const conditions = drafts.map((draft, i) => {
      // The next one is never earlier and the cliff never later, so that no circle can arise.
      const next = draft.next !== null && draft.next >= i && draft.next < drafts.length ? `c${draft.next}` : null;
      const cliff = draft.cliff !== null && draft.cliff < i ? `c${draft.cliff}` : null;
      const links = { nextConditionId: next, cliffConditionId: cliff, occurrences: draft.occurrences };
      const portion = `${draft.weight}/${denominator}`;
      return draft.isTimed
        ? timed(`c${i}`, portion, `${draft.length} ${draft.unit}`, links)
        : onEvent(`c${i}`, portion, links);
    });
    const schedule =
      totalMonths === null
        ? null
        : { totalMonths, cliffMonths: 0, cliffPercent: 0, vestingFrequency: "MONTHLY" as const };
    return { allocationMethod: method, vestingConditions: conditions, schedule };
  });

const conditionId = fc.constantFrom("c0", "c1", "c2", "c3");
const startOrEvent: fc.Arbitrary<VestingEntry> = fc.oneof(
  fc.record({ kind: fc.constant("STARTED" as const), date: someDate, conditionId: fc.option(conditionId) }),
  fc.record({ kind: fc.constant("HAPPENED" as const), date: someDate, conditionId }),
  fc.record({ kind: fc.constant("HAPPENED" as const), date: someDate, conditionId }),
);
const change: fc.Arbitrary<ParcelChange> = fc.oneof(
  fc.record({ kind: fc.constant("ACCELERATED" as const), date: someDate, quantity: someQuantity }),
  fc.record({
    kind: fc.constant("CANCELLED" as const),
    date: someDate,
    quantity: someQuantity,
    vested: fc.constant(null),
  }),
);
const exercise: fc.Arbitrary<ParcelChange> = fc.record({
  kind: fc.constant("EXERCISED" as const),
  date: someDate,
  quantity: someQuantity,
});
const NOTHING: fc.Arbitrary<ParcelChange[]> = fc.constant([]);

function histories(changes: fc.Arbitrary<ParcelChange[]>, milestonesMax: number): fc.Arbitrary<VestingHistory> {
  const milestone = fc.record({ quantity: someQuantity, completedOn: fc.option(someDate) });
  return fc
    .record({
      date: someDate,
      start: fc.option(someDate, { freq: 9 }),
      quantity: someQuantity,
      entries: fc.array(startOrEvent, { maxLength: 6 }),
      changes,
      milestones: fc.array(milestone, { maxLength: milestonesMax }),
    })
    .map(({ date, start, quantity, entries, changes, milestones }) => ({
      grantDate: date,
      vestingStartDate: start,
      entries: [{ kind: "ISSUED", date, quantity }, ...entries],
      milestones,
      changes,
    }));
}

/** Any history: starts, events, accelerations, cancellations, milestones. */
export const someHistory = histories(fc.array(change, { maxLength: 6 }), 2);
/** A history in which nothing moves shares: only starts and events. */
export const somePlainHistory = histories(NOTHING, 0);
/** A history with exercises as well. */
export const someExercisedHistory = histories(fc.array(fc.oneof(change, exercise), { maxLength: 6 }), 2);
export { someDate };
