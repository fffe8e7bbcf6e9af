// Vesting terms and OCF's VESTING_TERMS. OCF's conditions are a graph without repetition by edges: what repeats says how
// often, and what counts from the start of vesting hangs on a condition of its own for that start. Pure.
import type { Row } from "../../database/sql.ts";
import { predecessors } from "../../vesting/graph.ts";
import { type PlannedCondition, planOf } from "../../vesting/plan.ts";
import type { VestingRules } from "../../vesting/types.ts";
import { type JsonObject, objectsOf, textOf } from "../json.ts";
import { commentsOf, compact, type Note } from "./values-to-ocf.ts";

/** The condition that stands for the start of vesting under terms that this service made. */
function startConditionId(termsId: string): string {
  return `${termsId}:start`;
}

/** Vesting terms as OCF writes them. */
export function vestingTermsToOcf(row: Row<"vesting_terms">, note: Note): JsonObject {
  return compact({
    object_type: "VESTING_TERMS",
    id: row.id,
    name: row.name,
    description: row.description,
    allocation_type: row.allocationMethod,
    vesting_conditions: conditionsToOcf(row, note),
    comments: commentsOf(row.comments),
  });
}

/** What a transaction may name of vesting terms, read from the object that is exported for them. */
export interface NamedConditions {
  /** Conditions whose trigger is the start of vesting. */
  readonly starts: readonly string[];
  /** Conditions whose trigger is an event. */
  readonly events: readonly string[];
}

/** Lists the conditions of an exported VESTING_TERMS that vesting transactions may name. */
export function namedConditions(terms: JsonObject): NamedConditions {
  const ofType = (type: string) =>
    objectsOf(terms, "vesting_conditions").flatMap((condition) => {
      const trigger = condition.trigger as JsonObject | undefined;
      const id = textOf(condition, "id");
      return trigger?.type === type && id !== null ? [id] : [];
    });
  return { starts: ofType("VESTING_START_DATE"), events: ofType("VESTING_EVENT") };
}

function conditionsToOcf(row: Row<"vesting_terms">, note: Note): JsonObject[] {
  const rules: VestingRules = {
    allocationMethod: row.allocationMethod as VestingRules["allocationMethod"],
    vestingConditions: JSON.parse(row.vestingConditions),
    schedule: row.schedule === null ? null : JSON.parse(row.schedule),
  };
  const graph = new Graph(row.id, rules, note);
  return graph.conditions();
}

/** The conditions with the edges between them. */
class Graph {
  readonly #planned: readonly PlannedCondition[];
  readonly #whole: bigint;
  readonly #before: readonly ReadonlySet<number>[];
  readonly #start: string;
  readonly #note: Note;

  constructor(termsId: string, rules: VestingRules, note: Note) {
    const plan = planOf(rules, null);
    this.#planned = plan.conditions;
    this.#whole = plan.whole;
    this.#before = predecessors(rules.vestingConditions);
    this.#start = startConditionId(termsId);
    this.#note = note;
  }

  conditions(): JsonObject[] {
    const roots = [...this.#planned.keys()].filter((i) => this.#isTimed(i) && this.#before[i]?.size === 0);
    const written = this.#planned.flatMap((_, i) => this.#write(i));
    if (!this.#planned.some((_, i) => this.#isTimed(i))) return written;
    const start = {
      id: this.#start,
      quantity: "0",
      trigger: { type: "VESTING_START_DATE" },
      next_condition_ids: roots.map((i) => this.#id(i)),
    };
    return [start, ...written];
  }

  #id(i: number): string {
    return this.#planned[i]?.condition.id ?? "";
  }

  #isTimed(i: number): boolean {
    return this.#planned[i]?.condition.trigger.type === "TIME_BASED";
  }

  /** One condition, or two where the last occurrence vests another part than the others. */
  #write(i: number): JsonObject[] {
    const planned = this.#planned[i];
    if (!planned) return [];
    const { condition, portion, lastPortion } = planned;
    const next = [...this.#planned.keys()].filter((j) => this.#before[j]?.has(i)).map((j) => this.#id(j));
    if (condition.trigger.type === "EVENT_BASED") return [this.#event(planned, next)];
    const count = planned.occurrences < 1n ? 1n : planned.occurrences;
    const [first] = this.#before[i] ?? [];
    const after = first === undefined ? this.#start : this.#endOf(first);
    if (lastPortion === portion || planned.occurrences < 1n) {
      const part = planned.occurrences < 1n ? 0n : portion;
      return [this.#timed(planned, condition.id, count, part, after, next)];
    }
    if (count === 1n) return [this.#timed(planned, condition.id, 1n, lastPortion, after, next)];
    const last = lastIdOf(condition.id);
    return [
      this.#timed(planned, condition.id, count - 1n, portion, after, [last]),
      this.#timed(planned, last, 1n, lastPortion, condition.id, next),
    ];
  }

  /** The condition that what follows `i` counts from. */
  #endOf(i: number): string {
    const planned = this.#planned[i];
    if (!planned) return this.#start;
    const isParted = planned.lastPortion !== planned.portion && planned.occurrences > 1n && this.#isTimed(i);
    return isParted ? lastIdOf(planned.condition.id) : planned.condition.id;
  }

  #timed(
    { condition }: PlannedCondition,
    id: string,
    occurrences: bigint,
    portion: bigint,
    after: string,
    next: readonly string[],
  ): JsonObject {
    const { periodLength, periodType } = condition.trigger;
    const isYears = periodType === "YEARS";
    const period = {
      length: (periodLength ?? 0) * (isYears ? 12 : 1),
      type: periodType === "DAYS" ? "DAYS" : "MONTHS",
      occurrences: Number(occurrences),
      ...(periodType === "DAYS" ? {} : { day_of_month: "VESTING_START_DAY_OR_LAST_DAY_OF_MONTH" }),
    };
    return {
      id,
      portion: this.#portion(condition.portion, portion),
      trigger: { type: "VESTING_SCHEDULE_RELATIVE", period, relative_to_condition_id: after },
      next_condition_ids: next,
    };
  }

  #event({ condition, occurrences, portion }: PlannedCondition, next: readonly string[]): JsonObject {
    if (occurrences > 1n) this.#note("an event that may vest shares several times; OCF takes it once");
    return compact({
      id: condition.id,
      description: condition.trigger.eventDescription,
      portion: this.#portion(condition.portion, portion),
      trigger: { type: "VESTING_EVENT" },
      next_condition_ids: next,
    });
  }

  /** As it was written where it is that, else over the terms' common denominator. */
  #portion(written: { readonly numerator: number; readonly denominator: number }, units: bigint): JsonObject {
    const isAsWritten = BigInt(written.numerator) * this.#whole === units * BigInt(written.denominator);
    const [numerator, denominator] = isAsWritten ? [written.numerator, written.denominator] : [units, this.#whole];
    return { numerator: String(numerator), denominator: String(denominator) };
  }
}

function lastIdOf(conditionId: string): string {
  return `${conditionId}:last`;
}
