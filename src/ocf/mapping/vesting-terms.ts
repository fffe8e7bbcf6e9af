// VESTING_TERMS as vesting terms (OCF.md section 7.5). OCF's conditions form a graph that starts at a condition of its
// own; the service's conditions link to each other and start by themselves. Pure.
import type { Row } from "../../database/sql.ts";
import { divideHalfEven, ONE, ZERO } from "../../kernel/decimal.ts";
import type { AllocationMethod, VestingCondition, VestingTrigger } from "../../vesting/types.ts";
import { CONDITIONS_MAX } from "../../vesting/validate.ts";
import { isObject, type JsonObject, objectsOf, textOf, textsOf, toDecimal } from "../json.ts";
import { commentsText, Refusal, requiredText } from "./values.ts";

/** The columns that OCF carries. */
export const VESTING_TERMS_COLUMNS = [
  "name",
  "description",
  "allocationMethod",
  "vestingConditions",
  "comments",
] as const satisfies readonly (keyof Row<"vesting_terms">)[];

const METHODS: readonly AllocationMethod[] = [
  "CUMULATIVE_ROUNDING",
  "CUMULATIVE_ROUND_DOWN",
  "FRONT_LOADED",
  "BACK_LOADED",
  "FRONT_LOADED_TO_SINGLE_TRANCHE",
  "BACK_LOADED_TO_SINGLE_TRANCHE",
  "FRACTIONAL",
];
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
    allocationMethod: METHODS.find((method) => method === value.allocation_type) ?? "CUMULATIVE_ROUNDING",
    triggerType: types.size > 1 ? "HYBRID" : ([...types][0] ?? "TIME_BASED"),
    vestingConditions: JSON.stringify(conditions),
    comments: commentsText(value),
  } as const;
}

/** Whether `conditionId` means the start of the whole: OCF's start condition, which is none of ours or vests at once. */
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

/** The greatest integer that divides both; `a` or `b` is not zero. */
export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [high, low] = [a, b];
  while (low !== 0n) [high, low] = [low, high % low];
  return high;
}
