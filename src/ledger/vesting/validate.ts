// Faults of vesting terms beyond what their schema checks member by member: of the conditions as a graph, portions
// beyond the whole, figures that contradict each other. All faults are found at once.
import type { Finding } from "../../kernel/problem.ts";
import { indexById, predecessors } from "./graph.ts";
import { commonDenominator, portionOf } from "./plan.ts";
import type { VestingCondition, VestingSchedule } from "./vesting-types.ts";

/** The most conditions of one terms record; it bounds the work with the common denominator of their portions. */
export const CONDITIONS_MAX = 1_000;

/** The conditions of a terms body, or of what a `PATCH` makes of the record. They fit the schema already. */
export interface CheckedConditions {
  readonly vestingConditions: readonly VestingCondition[];
}

/** The figures of the same. */
export interface CheckedFigures {
  readonly schedule?: VestingSchedule | null | undefined;
  readonly totalVestingMonths?: number | null | undefined;
  readonly cliffMonths?: number | null | undefined;
}

const LINKS = ["cliffConditionId", "nextConditionId"] as const;

function idFindings(conditions: readonly VestingCondition[]): readonly Finding[] {
  const first = indexById(conditions);
  return conditions.flatMap(({ id }, i): Finding[] => {
    const other = first.get(id);
    return other === i ? [] : [[`#/vestingConditions/${i}/id`, `Condition ${other} has this id already.`]];
  });
}

function triggerFindings(conditions: readonly VestingCondition[]): readonly Finding[] {
  return conditions.flatMap(({ trigger }, i): Finding[] => {
    const at = `#/vestingConditions/${i}/trigger`;
    const { periodLength = null, periodType = null, occurrences = null } = trigger;
    const findings: Finding[] = [];
    if (trigger.type === "TIME_BASED") {
      if (periodLength === null) findings.push([`${at}/periodLength`, "A time-based trigger needs it."]);
      if (periodType === null) findings.push([`${at}/periodType`, "A time-based trigger needs it."]);
    }
    if (periodLength !== null && !(Number.isInteger(periodLength) && periodLength >= 0)) {
      findings.push([`${at}/periodLength`, "Must be a whole number, zero or more."]);
    }
    if (occurrences !== null && !(Number.isInteger(occurrences) && occurrences >= 1)) {
      findings.push([`${at}/occurrences`, "Must be a whole number, one or more."]);
    }
    return findings;
  });
}

function linkFindings(conditions: readonly VestingCondition[]): readonly Finding[] {
  const index = indexById(conditions);
  return conditions.flatMap((condition, i) =>
    LINKS.flatMap((link): Finding[] => {
      const id = condition[link] ?? null;
      const dangling = id !== null && !index.has(id);
      return dangling ? [[`#/vestingConditions/${i}/${link}`, "No condition of these terms has this id."]] : [];
    }),
  );
}

/**
 * Removes conditions without a predecessor, again and again; then the same from the other end. Those that stay are on
 * cycles.
 */
function onCycles(before: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  const after = before.map(() => new Set<number>());
  for (const [i, earlier] of before.entries()) for (const j of earlier) after[j]?.add(i);
  const staying = new Set(before.keys());
  for (const [sources, targets] of [
    [before, after],
    [after, before],
  ] as const) {
    const open = sources.map((edges) => [...edges].filter((i) => staying.has(i)).length);
    const free = [...staying].filter((i) => open[i] === 0);
    for (const i of free) {
      staying.delete(i);
      for (const j of targets[i] ?? []) {
        open[j] = (open[j] ?? 0) - 1;
        if (open[j] === 0 && staying.has(j)) free.push(j);
      }
    }
  }
  return staying;
}

function cycleFindings(conditions: readonly VestingCondition[]): readonly Finding[] {
  const index = indexById(conditions);
  const staying = onCycles(predecessors(conditions));
  return conditions.flatMap((condition, i) =>
    LINKS.flatMap((link): Finding[] => {
      const target = index.get(condition[link] ?? "");
      if (target === undefined || !staying.has(i) || !staying.has(target)) return [];
      if (link === "nextConditionId" && target === i) return [];
      return [[`#/vestingConditions/${i}/${link}`, "The conditions wait for each other in a circle."]];
    }),
  );
}

function portionFindings(conditions: readonly VestingCondition[]): readonly Finding[] {
  const whole = commonDenominator(conditions);
  let given = 0n;
  for (const [i, condition] of conditions.entries()) {
    const { occurrences } = condition.trigger;
    const times = BigInt(Number.isInteger(occurrences) ? (occurrences ?? 1) : 1);
    given += portionOf(condition, whole) * times;
    if (given > whole) return [[`#/vestingConditions/${i}/portion`, "With it the portions exceed the whole."]];
  }
  return [];
}

/** The figures that contradict the schedule's own. */
export function scheduleFindings(terms: CheckedFigures): readonly Finding[] {
  const { schedule = null, totalVestingMonths = null, cliffMonths = null } = terms;
  if (schedule === null) return [];
  const findings: Finding[] = [];
  if (totalVestingMonths !== null && totalVestingMonths !== schedule.totalMonths) {
    findings.push(["#/totalVestingMonths", `Contradicts schedule.totalMonths, ${schedule.totalMonths}.`]);
  }
  if (cliffMonths !== null && cliffMonths !== schedule.cliffMonths) {
    findings.push(["#/cliffMonths", `Contradicts schedule.cliffMonths, ${schedule.cliffMonths}.`]);
  }
  return findings;
}

/** All faults of vesting terms; an empty list if they can be stored. */
export function vestingFindings(terms: CheckedConditions & CheckedFigures): readonly Finding[] {
  return [...conditionFindings(terms), ...scheduleFindings(terms)];
}

/** All faults of the conditions of vesting terms. */
export function conditionFindings({ vestingConditions: conditions }: CheckedConditions): readonly Finding[] {
  if (conditions.length > CONDITIONS_MAX) return [["#/vestingConditions", `At most ${CONDITIONS_MAX} conditions.`]];
  return [
    ...idFindings(conditions),
    ...triggerFindings(conditions),
    ...linkFindings(conditions),
    ...cycleFindings(conditions),
    ...portionFindings(conditions),
  ];
}
