// Codec of VESTING_TERMS ↔ vesting terms. OCF's conditions form a graph, without repetition by edges, which starts at a
// condition of its own: a repeated condition states its count. The service's conditions link to each other and start by
// themselves. Pure.

import { ALLOCATION_METHODS } from "../../../kernel/allocation-method.ts";
import { divideHalfEven, greatestCommonDivisor, ONE, ZERO } from "../../../kernel/numbers/decimal.ts";
import { predecessors } from "../../../ledger/vesting/graph.ts";
import { type PlannedCondition, planOf } from "../../../ledger/vesting/plan.ts";
import { CONDITIONS_MAX } from "../../../ledger/vesting/validate.ts";
import type { VestingCondition, VestingRules, VestingTrigger } from "../../../ledger/vesting/vesting-types.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { isObject, type JsonObject, objectsOf, textOf, textsOf, toDecimal } from "../json.ts";
import type { ObjectContext, RecordCodec } from "./record-codec.ts";
import { commentsText, Refusal, requiredText } from "./values.ts";
import { commentsOf, compact, type Note } from "./values-to-ocf.ts";

/** Vesting terms in OCF. */
export const VESTING_TERMS: RecordCodec<"vesting_terms"> = {
  objectType: "VESTING_TERMS",
  table: "vesting_terms",
  noun: "vesting terms",
  counted: "vestingTerms",
  columns: ["name", "description", "allocationMethod", "vestingConditions", "comments"],
  references: [],
  fromOcf: vestingTermsFromOcf,
  toOcf: vestingTermsToOcf,
};

const NOTHING = { numerator: 0, denominator: 1 };
const MILLION = 1_000_000;

/** What OCF vesting terms become. Throws `Refusal` without a name, or with too many conditions. */
export function vestingTermsFromOcf(value: JsonObject) {
  const given = objectsOf(value, "vesting_conditions");
  if (given.length > CONDITIONS_MAX) {
    throw new Refusal("#/vesting_conditions", `The terms have more than ${CONDITIONS_MAX} conditions.`);
  }
  const conditions = conditionsFromOcf(given);
  const types = new Set(conditions.map(({ trigger }) => trigger.type));
  return {
    name: requiredText(value, "name"),
    description: textOf(value, "description") ?? "",
    allocationMethod: ALLOCATION_METHODS.find((method) => method === value.allocation_type) ?? "CUMULATIVE_ROUNDING",
    triggerType: types.size > 1 ? "HYBRID" : ([...types][0] ?? "TIME_BASED"),
    vestingConditions: JSON.stringify(conditions),
    comments: commentsText(value),
  } as const;
}

/** Whether `conditionId` means the start of the whole: OCF's start condition, which is dropped or vests at once. */
export function startsWhole(conditions: readonly VestingCondition[], conditionId: string | null): boolean {
  const named = conditions.find(({ id }) => id === conditionId);
  return !named || (named.trigger.type === "TIME_BASED" && named.trigger.periodLength === 0);
}

/** The start condition is left out unless shares vest at it; links to it, and to nothing, go with it. */
function conditionsFromOcf(given: readonly JsonObject[]): VestingCondition[] {
  const kept = given.filter((each) => !isStart(each) || portionFromOcf(each.portion).numerator > 0);
  const ids = new Set(kept.map((each) => textOf(each, "id")));
  const known = (id: string | null | undefined) => (typeof id === "string" && ids.has(id) ? id : null);
  const predecessors = new Map<string, string | null>();
  for (const each of kept) {
    for (const next of textsOf(each, "next_condition_ids")) predecessors.set(next, textOf(each, "id"));
  }
  return kept.flatMap((each) => {
    const id = textOf(each, "id");
    if (id === null) return [];
    const relativeTo = isObject(each.trigger) ? known(textOf(each.trigger, "relative_to_condition_id")) : null;
    const cliffConditionId = relativeTo ?? known(predecessors.get(id));
    const nextConditionId = textsOf(each, "next_condition_ids").find((next) => known(next) !== null);
    return [
      {
        id,
        trigger: triggerFromOcf(each),
        portion: portionFromOcf(each.portion),
        ...(cliffConditionId === null ? {} : { cliffConditionId }),
        ...(nextConditionId === undefined ? {} : { nextConditionId }),
      },
    ];
  });
}

function isStart({ trigger }: JsonObject): boolean {
  return isObject(trigger) && trigger.type === "VESTING_START_DATE";
}

/** Everything happens as often as OCF says, once where it says nothing. */
function triggerFromOcf(condition: JsonObject): VestingTrigger {
  const trigger = isObject(condition.trigger) ? condition.trigger : {};
  const period = isObject(trigger.period) ? trigger.period : {};
  if (trigger.type === "VESTING_START_DATE") {
    return { type: "TIME_BASED", periodLength: 0, periodType: "MONTHS", occurrences: 1 };
  }
  if (trigger.type === "VESTING_SCHEDULE_RELATIVE") {
    const periodType = period.type === "DAYS" || period.type === "YEARS" ? period.type : "MONTHS";
    const [periodLength, occurrences] = [wholeFrom(period.length, 0), wholeFrom(period.occurrences, 1)];
    return { type: "TIME_BASED", periodLength, periodType, occurrences };
  }
  const date = textOf(trigger, "date");
  const eventDescription = date === null ? textOf(condition, "description") : `on ${date}`;
  return { type: "EVENT_BASED", ...(eventDescription === null ? {} : { eventDescription }), occurrences: 1 };
}

function wholeFrom(value: unknown, minimum: number): number {
  const number = typeof value === "string" ? Number(value) : value;
  return Number.isSafeInteger(number) ? Math.max(Number(number), minimum) : minimum;
}

/** A portion in whole numbers. A fixed quantity in its place has no form here: the original keeps it. */
function portionFromOcf(portion: unknown): VestingCondition["portion"] {
  if (!isObject(portion)) return NOTHING;
  const [numerator, denominator] = [toDecimal(portion.numerator), toDecimal(portion.denominator)];
  if (numerator === null || denominator === null || numerator < ZERO || denominator <= ZERO) return NOTHING;
  const isWhole = numerator % ONE === ZERO && denominator % ONE === ZERO;
  const unit = isWhole ? ONE : greatestCommonDivisor(numerator, denominator);
  const whole = { numerator: Number(numerator / unit), denominator: Number(denominator / unit) };
  if (Number.isSafeInteger(whole.numerator) && Number.isSafeInteger(whole.denominator)) return whole;
  return { numerator: Number(divideHalfEven(numerator * BigInt(MILLION), denominator)), denominator: MILLION };
}

/** The condition that stands for the start of vesting under terms that this service made. */
function startConditionId(termsId: string): string {
  return `${termsId}:start`;
}

/** Vesting terms as OCF writes them. */
function vestingTermsToOcf(row: Row<"vesting_terms">, { note }: ObjectContext): JsonObject {
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

/** A condition that time meets, as OCF writes it. */
interface Timed {
  readonly id: string;
  readonly occurrences: bigint;
  readonly portion: bigint;
  /** The condition that it counts from. */
  readonly after: string;
  readonly next: readonly string[];
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
      return [this.#timed(planned, { id: condition.id, occurrences: count, portion: part, after, next })];
    }
    const { id } = condition;
    if (count === 1n) return [this.#timed(planned, { id, occurrences: 1n, portion: lastPortion, after, next })];
    const last = lastIdOf(id);
    return [
      this.#timed(planned, { id, occurrences: count - 1n, portion, after, next: [last] }),
      this.#timed(planned, { id: last, occurrences: 1n, portion: lastPortion, after: id, next }),
    ];
  }

  /** The condition that what follows `i` counts from. */
  #endOf(i: number): string {
    const planned = this.#planned[i];
    if (!planned) return this.#start;
    const isParted = planned.lastPortion !== planned.portion && planned.occurrences > 1n && this.#isTimed(i);
    return isParted ? lastIdOf(planned.condition.id) : planned.condition.id;
  }

  #timed({ condition }: PlannedCondition, { id, occurrences, portion, after, next }: Timed): JsonObject {
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
