// The conditions of vesting terms as rows that are typed, templates of them, and what vests when by the engine itself. Pure.
import { formatDecimal, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { LAST_DAY, vestingStatus } from "../../../ledger/vesting/schedule.ts";
import { conditionFindings } from "../../../ledger/vesting/validate.ts";
import type { VestingCondition, VestingRules } from "../../../ledger/vesting/vesting-types.ts";

/** One condition as it is typed. */
export interface Row {
  readonly id: string;
  readonly type: "TIME_BASED" | "EVENT_BASED";
  readonly length: string;
  readonly unit: "DAYS" | "MONTHS" | "YEARS";
  readonly event: string;
  readonly numerator: string;
  readonly denominator: string;
  /** How often; empty: until all has vested. */
  readonly times: string;
  /** The id of the row that comes before; empty: counted from the start. */
  readonly after: string;
}

/** The templates, in the order in which they are offered. */
export const TEMPLATES = ["CLIFF", "QUARTERLY", "THREE", "ONCE", "MILESTONES"] as const;
export type Template = (typeof TEMPLATES)[number];

const MONTHS: Row = {
  ...{ id: "1", type: "TIME_BASED", length: "1", unit: "MONTHS", event: "" },
  ...{ numerator: "1", denominator: "48", times: "", after: "" },
};

/** A row that is added. */
export function newRow(rows: readonly Row[]): Row {
  const taken = new Set(rows.map(({ id }) => id));
  const id = Array.from({ length: rows.length + 1 }, (_, i) => String(i + 1)).find((each) => !taken.has(each)) ?? "";
  return { ...MONTHS, id, times: "1", after: rows.at(-1)?.id ?? "" };
}

/** The rows of a template; `happens` says what has to happen, by number. */
export function rowsOf(template: Template, happens: (number: number) => string): readonly Row[] {
  const cliff = (months: string): Row[] => [
    { ...MONTHS, id: "cliff", length: "12", numerator: "12", denominator: months, times: "1" },
    { ...MONTHS, id: "monthly", denominator: months, times: String(BigInt(months) - 12n), after: "cliff" },
  ];
  const milestone = (number: number): Row => ({
    ...{ ...MONTHS, id: `event-${number}`, type: "EVENT_BASED", length: "", event: happens(number) },
    ...{ denominator: "2", times: "1" },
  });
  switch (template) {
    case "CLIFF":
      return cliff("48");
    case "THREE":
      return cliff("36");
    case "QUARTERLY":
      return [{ ...MONTHS, id: "quarterly", length: "3", denominator: "16", times: "16" }];
    case "ONCE":
      return [{ ...MONTHS, id: "once", length: "0", unit: "DAYS", denominator: "1", times: "1" }];
    case "MILESTONES":
      return [milestone(1), milestone(2)];
  }
}

const WHOLE = /^\d{1,9}$/;

function whole(text: string): number | null {
  return WHOLE.test(text.trim()) ? Number.parseInt(text, 10) : null;
}

/** The conditions of rows; null while a figure cannot be read. `known` are those that the terms have already. */
export function conditionsOf(
  rows: readonly Row[],
  known: readonly VestingCondition[] = [],
): readonly VestingCondition[] | null {
  const triggers = rows.map(triggerOf);
  const portions = rows.map(portionOf);
  const kept = keptLinks(rows, known);
  const conditions = rows.map((row, index): VestingCondition | null => {
    const [trigger, portion] = [triggers[index] ?? null, portions[index] ?? null];
    if (trigger === null || portion === null) return null;
    const next = kept.get(row.id) ?? null;
    const isEnd = next === null && [...kept.values()].includes(row.id);
    const repeats = next === row.id || isEnd;
    // What has no number of times repeats where it names itself, or where a chain ends.
    const nextConditionId = row.times.trim() === "" && !repeats ? row.id : next;
    const links = { cliffConditionId: row.after || null, nextConditionId };
    return { id: row.id, trigger, portion, ...links };
  });
  return conditions.every((condition) => condition !== null) ? conditions : null;
}

function triggerOf({ type, length, unit, times, event }: Row): VestingCondition["trigger"] | null {
  const occurrences = whole(times);
  if (times.trim() !== "" && occurrences === null) return null;
  if (type === "EVENT_BASED") return { type, eventDescription: event.trim() || null, occurrences };
  const periodLength = whole(length);
  return periodLength === null ? null : { type, periodLength, periodType: unit, occurrences };
}

function portionOf(row: Row): VestingCondition["portion"] | null {
  const [numerator, denominator] = [whole(row.numerator), whole(row.denominator)];
  return numerator === null || denominator === null || denominator === 0 ? null : { numerator, denominator };
}

/** Which condition was written as the next of which, as far as the rows leave that as it was. */
function keptLinks(rows: readonly Row[], known: readonly VestingCondition[]): ReadonlyMap<string, string> {
  const before = new Map(rowsFrom(known).map((row) => [row.id, row]));
  const isAsBefore = (id: string) => {
    const row = rows.find((each) => each.id === id);
    return row !== undefined && row.after === before.get(id)?.after;
  };
  return new Map(
    known.flatMap(({ id, nextConditionId }): [string, string][] => {
      const row = rows.find((each) => each.id === id);
      const isKept = nextConditionId && row && isAsBefore(nextConditionId);
      // One that hands on to another happens once; one that is to repeat cannot.
      const isBroken = row?.times.trim() === "" && nextConditionId !== id;
      return isKept && !isBroken ? [[id, nextConditionId]] : [];
    }),
  );
}

/** Conditions as rows. */
export function rowsFrom(conditions: readonly VestingCondition[]): readonly Row[] {
  return conditions.map((condition) => {
    const { id, trigger, portion, cliffConditionId, nextConditionId = null } = condition;
    const named = conditions.find((other) => other.nextConditionId === id && other.id !== id);
    const isLone = conditions.length === 1 && trigger.type === "TIME_BASED";
    const repeats = nextConditionId === id || (named !== undefined && nextConditionId === null) || isLone;
    return {
      ...{ id, type: trigger.type, length: String(trigger.periodLength ?? ""), unit: trigger.periodType ?? "MONTHS" },
      ...{ event: trigger.eventDescription ?? "", times: String(trigger.occurrences ?? (repeats ? "" : "1")) },
      ...{ numerator: String(portion.numerator), denominator: String(portion.denominator) },
      after: cliffConditionId ?? named?.id ?? "",
    };
  });
}

/** What is wrong with the conditions as a graph, by the row's place; empty where nothing is. */
export function rowFaults(conditions: readonly VestingCondition[]): ReadonlyMap<number, string> {
  const faults = new Map<number, string>();
  for (const [pointer, detail] of conditionFindings({ vestingConditions: conditions })) {
    const place = /^#\/vestingConditions\/(\d+)/.exec(pointer)?.[1];
    if (place !== undefined) faults.set(Number.parseInt(place, 10), detail);
  }
  return faults;
}

/** What terms say as a whole of when things vest. */
export function triggerTypeOf(conditions: readonly VestingCondition[]): "TIME_BASED" | "EVENT_BASED" | "HYBRID" {
  const types = new Set(conditions.map(({ trigger }) => trigger.type));
  const [only] = types;
  return types.size === 1 && only !== undefined ? only : "HYBRID";
}

/** What vests when of a grant to which nothing else happens. */
export interface Schedule {
  readonly events: readonly { readonly date: string; readonly quantity: string }[];
  /** What waits for something without a date. */
  readonly unscheduled: string;
}

/** The dates of a grant by rules that have no faults. */
export function scheduleOf(rules: VestingRules, quantity: string, start: string): Schedule {
  const issued = { kind: "ISSUED", date: start, quantity: parseDecimal(quantity) } as const;
  const history = { grantDate: start, vestingStartDate: start, entries: [issued], milestones: [] };
  const { events, unscheduled } = vestingStatus(rules, history, LAST_DAY);
  return {
    events: events.map((event) => ({ date: event.date, quantity: formatDecimal(event.quantity) })),
    unscheduled: formatDecimal(unscheduled),
  };
}
