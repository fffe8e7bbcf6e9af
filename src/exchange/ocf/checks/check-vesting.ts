// Checks vesting terms as a graph, and the transactions that start, complete or accelerate vesting. Objects that failed
// the check of shape are skipped. Pure.
import { formatDecimal, sum } from "../../../kernel/numbers/decimal.ts";
import { isWaitingComment } from "../codec/vestings.ts";
import { type Findings, pointerTo, shown } from "../finding.ts";
import { isObject, type JsonObject, listOf, objectsOf, textOf, textsOf, toDecimal } from "../json.ts";
import { type OcfObject, YIELD_EVERY } from "../story/object.ts";
import type { Story } from "../story/read-story.ts";

/** Checks all vesting terms, the vesting amounts of issuances, and the vesting transactions. */
export function* checkVesting(story: Story, findings: Findings): Generator<void> {
  const context = { story, findings, started: new Set<string>() };
  for (const [i, at] of story.objects.entries()) {
    if (i % YIELD_EVERY === 0) yield;
    if (at.objectType === "VESTING_TERMS") checkTerms(at, findings);
    else if (at.type.action === "ISSUANCE") checkAmounts(at, findings);
    else if (at.objectType === "TX_VESTING_START") checkCondition(at, "VESTING_START_DATE", context);
    else if (at.objectType === "TX_VESTING_EVENT") checkCondition(at, "VESTING_EVENT", context);
    else if (at.objectType === "TX_VESTING_ACCELERATION") checkAcceleration(at, context);
  }
}

/** What the checks of vesting transactions need. */
interface Context {
  readonly story: Story;
  readonly findings: Findings;
  /** Securities and conditions of which vesting was started. */
  readonly started: Set<string>;
}

/** The vesting terms that are checked. */
interface Terms {
  readonly at: OcfObject;
  readonly conditions: ReadonlyMap<string, JsonObject>;
  readonly findings: Findings;
}

function checkTerms(at: OcfObject, findings: Findings): void {
  const conditions = new Map<string, JsonObject>();
  for (const [i, condition] of listOf(at.value, "vesting_conditions").entries()) {
    const id = isObject(condition) ? textOf(condition, "id") : null;
    if (!isObject(condition) || id === null) continue;
    if (conditions.has(id)) {
      const detail = `Two conditions of the vesting terms have the id ${shown(id)}.`;
      const place = { ...at, pointer: pointerTo("vesting_conditions", i, "id") };
      findings.problem("duplicate-condition", place, detail, "Give each condition an id of its own.");
    } else conditions.set(id, condition);
  }
  for (const [i, condition] of listOf(at.value, "vesting_conditions").entries()) {
    if (isObject(condition)) checkLinks(condition, i, { at, conditions, findings });
  }
  const cycle = findCycle(conditions);
  if (cycle !== null) {
    const detail = `The vesting conditions form a circle through ${shown(cycle)}: vesting would never end.`;
    const fix = "Remove the link back; what repeats is said by the period's occurrences.";
    findings.problem("vesting-cycle", { ...at, pointer: "#/vesting_conditions" }, detail, fix);
  } else checkWhole(at, conditions, findings);
}

function checkLinks(condition: JsonObject, i: number, { at, conditions: known, findings }: Terms): void {
  const pointTo = (...steps: (string | number)[]) => ({ ...at, pointer: pointerTo("vesting_conditions", i, ...steps) });
  const fix = "Write the id of a condition of these vesting terms.";
  for (const [n, next] of listOf(condition, "next_condition_ids").entries()) {
    if (typeof next !== "string" || known.has(next)) continue;
    const detail = `The next condition ${shown(next)} does not exist in these vesting terms.`;
    findings.problem("dangling-reference", pointTo("next_condition_ids", n), detail, fix);
  }
  const base = isObject(condition.trigger) ? textOf(condition.trigger, "relative_to_condition_id") : null;
  if (base !== null && !known.has(base)) {
    const detail = `The condition counts from ${shown(base)}, which does not exist in these vesting terms.`;
    findings.problem("dangling-reference", pointTo("trigger", "relative_to_condition_id"), detail, fix);
  } else if (base !== null && base === textOf(condition, "id")) {
    const detail = "The condition counts from itself.";
    findings.problem("vesting-cycle", pointTo("trigger", "relative_to_condition_id"), detail, fix);
  }
  if (isObject(condition.portion) && toDecimal(condition.portion.denominator) === 0n) {
    const place = pointTo("portion", "denominator");
    findings.problem("zero-denominator", place, "The portion divides by zero.", "Write the whole, such as 48.");
  }
}

/** A condition from which a chain of next conditions leads back to it, or null. Walks without recursion. */
function findCycle(conditions: ReadonlyMap<string, JsonObject>): string | null {
  const done = new Set<string>();
  for (const start of conditions.keys()) {
    const path = new Set<string>();
    const pending: { id: string; leave: boolean }[] = [{ id: start, leave: false }];
    for (let step = pending.pop(); step; step = pending.pop()) {
      if (step.leave) {
        path.delete(step.id);
        done.add(step.id);
      } else if (path.has(step.id)) return step.id;
      else if (!done.has(step.id)) {
        path.add(step.id);
        pending.push({ id: step.id, leave: true });
        const condition = conditions.get(step.id);
        for (const id of condition ? textsOf(condition, "next_condition_ids") : []) pending.push({ id, leave: false });
      }
    }
  }
  return null;
}

/** A fraction of the grant, exact. */
interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** No real terms need a denominator beyond this; a package that makes one is not followed further. */
const DENOMINATOR_MAX = 10n ** 200n;
const NOTHING: Fraction = { numerator: 0n, denominator: 1n };

/** Warns where one way through the conditions vests more than the whole grant. The graph has no circle. */
function checkWhole(at: OcfObject, conditions: ReadonlyMap<string, JsonObject>, findings: Findings): void {
  const along = new Map<string, Fraction>();
  for (const id of inOrder(conditions)) {
    const condition = conditions.get(id);
    if (!condition) continue;
    const before = along.get(id) ?? NOTHING;
    const total = add(before, portionOf(condition));
    if (total.denominator > DENOMINATOR_MAX) return;
    if (total.numerator > total.denominator) {
      const detail = `By the condition ${shown(id)} more than the whole grant would have vested.`;
      const fix = "Correct the portions or occurrences, so that they add up to one.";
      findings.problem("vests-too-much", { ...at, pointer: "#/vesting_conditions" }, detail, fix);
      return;
    }
    for (const next of textsOf(condition, "next_condition_ids")) {
      along.set(next, larger(along.get(next) ?? NOTHING, total));
    }
  }
}

/** The conditions so that each comes after all that lead to it. */
function inOrder(conditions: ReadonlyMap<string, JsonObject>): string[] {
  const waitingFor = new Map<string, number>();
  const nexts = (id: string) => textsOf(conditions.get(id) ?? {}, "next_condition_ids");
  for (const id of conditions.keys()) for (const n of nexts(id)) waitingFor.set(n, (waitingFor.get(n) ?? 0) + 1);
  const order = [...conditions.keys()].filter((id) => !waitingFor.has(id));
  for (let i = 0; i < order.length; i++) {
    for (const next of nexts(order[i] ?? "")) {
      const left = (waitingFor.get(next) ?? 0) - 1;
      waitingFor.set(next, left);
      if (left === 0) order.push(next);
    }
  }
  return order;
}

/** What a condition vests of the whole, all its occurrences together; a share of the remainder counts as nothing. */
function portionOf(condition: JsonObject): Fraction {
  const { portion, trigger } = condition;
  if (!isObject(portion) || portion.remainder === true) return NOTHING;
  const [numerator, denominator] = [toDecimal(portion.numerator), toDecimal(portion.denominator)];
  if (numerator === null || denominator === null || denominator <= 0n || numerator < 0n) return NOTHING;
  const period = isObject(trigger) && isObject(trigger.period) ? trigger.period : {};
  const times = Number.isSafeInteger(period.occurrences) ? BigInt(Number(period.occurrences)) : 1n;
  return { numerator: numerator * times, denominator };
}

function add(a: Fraction, b: Fraction): Fraction {
  const numerator = a.numerator * b.denominator + b.numerator * a.denominator;
  return reduced({ numerator, denominator: a.denominator * b.denominator });
}

function reduced({ numerator, denominator }: Fraction): Fraction {
  let [a, b] = [numerator, denominator];
  while (b !== 0n) [a, b] = [b, a % b];
  return a > 1n ? { numerator: numerator / a, denominator: denominator / a } : { numerator, denominator };
}

function larger(a: Fraction, b: Fraction): Fraction {
  return a.numerator * b.denominator >= b.numerator * a.denominator ? a : b;
}

function checkAmounts(at: OcfObject, findings: Findings): void {
  const amounts = objectsOf(at.value, "vestings").map((vesting) => toDecimal(vesting.amount));
  const quantity = toDecimal(at.value.quantity);
  if (quantity === null || amounts.length === 0) return;
  const total = sum(amounts.map((amount) => amount ?? 0n));
  if (amounts.includes(null) || total === quantity) return;
  // The terms say how the rest vests, or our own comment does.
  const isRestSaid =
    textOf(at.value, "vesting_terms_id") !== null || textsOf(at.value, "comments").some(isWaitingComment);
  if (total < quantity && isRestSaid) return;
  const place = { ...at, pointer: pointerTo("vestings") };
  const detail = `The vestings add up to ${formatDecimal(total)}, the quantity is ${formatDecimal(quantity)}.`;
  const fix = "Correct the vestings or the quantity.";
  if (total > quantity) findings.problem("vests-too-much", place, detail, fix);
  else findings.warning("vests-too-little", place, detail, fix);
}

function issuanceOf(at: OcfObject, story: Story): JsonObject | null {
  return story.listedIssuances.get(textOf(at.value, "security_id") ?? "")?.value ?? null;
}

function checkCondition(at: OcfObject, wanted: "VESTING_START_DATE" | "VESTING_EVENT", context: Context): void {
  const { story, findings, started } = context;
  const issuance = issuanceOf(at, story);
  const conditionId = textOf(at.value, "vesting_condition_id");
  if (issuance === null || conditionId === null) return;
  const place = { ...at, pointer: pointerTo("vesting_condition_id") };
  const termsId = textOf(issuance, "vesting_terms_id");
  if (termsId === null) {
    const detail = `The security ${shown(at.value.security_id)} has no vesting terms, so it has no condition to meet.`;
    findings.problem("no-vesting-terms", place, detail, "Add vesting_terms_id to its issuance, or remove this object.");
    return;
  }
  const terms = story.byType.get("VESTING_TERMS")?.get(termsId)?.value;
  if (!terms) return;
  const condition = objectsOf(terms, "vesting_conditions").find((each) => each.id === conditionId);
  const trigger = condition && isObject(condition.trigger) ? condition.trigger.type : undefined;
  if (!condition) {
    const detail = `The vesting terms ${shown(termsId)} of the security have no condition ${shown(conditionId)}.`;
    findings.problem("dangling-reference", place, detail, "Write the id of one of their conditions.");
  } else if (trigger !== wanted && trigger !== undefined) {
    const detail = `${at.objectType} names the condition ${shown(conditionId)}, whose trigger is ${shown(trigger)}.`;
    findings.problem("wrong-condition", place, detail, `Name a condition whose trigger is ${wanted}.`);
  } else if (wanted === "VESTING_START_DATE") {
    const key = JSON.stringify([at.value.security_id, conditionId]);
    const detail = "Vesting was started before under the same condition; the later object counts.";
    if (started.has(key)) findings.warning("started-twice", place, detail, "Keep one of the two.");
    started.add(key);
  }
}

/** Whether the security's class was split: its issuance then no longer says how much it holds. */
function isSplit(issuance: JsonObject | null | undefined, story: Story): boolean {
  const splits = [...(story.byType.get("TX_STOCK_CLASS_SPLIT")?.values() ?? [])];
  return splits.some(({ value }) => value.stock_class_id === issuance?.stock_class_id);
}

function checkAcceleration(at: OcfObject, { story, findings }: Context): void {
  const issuance = issuanceOf(at, story);
  const [quantity, whole] = [toDecimal(at.value.quantity), toDecimal(issuance?.quantity)];
  if (quantity === null || whole === null || quantity <= whole || isSplit(issuance, story)) return;
  const [sooner, issued] = [formatDecimal(quantity), formatDecimal(whole)];
  const detail = `${sooner} are accelerated of a security that was issued for ${issued}.`;
  const fix = "Correct the quantity: at most what had not vested.";
  findings.problem("more-than-held", { ...at, pointer: pointerTo("quantity") }, detail, fix);
}
