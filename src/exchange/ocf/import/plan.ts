// Plans an import before anything is written: which objects can be imported at all, in which order they apply
// (story/order.ts), and what later objects determine about earlier ones. Pure; yields now and then, so that a large
// package does not hold up the event loop.
import { type CurrencyCounts, countCurrencies } from "../codec/codec-currencies.ts";
import { relatedObjects } from "../codec/document.ts";
import { RECORD_TYPES } from "../codec/registry.ts";
import { seniorityRanks } from "../codec/stock-class.ts";
import { refusalOf } from "../codec/usable.ts";
import { faultOfId } from "../codec/values.ts";
import { textOf, textsOf } from "../json.ts";
import { issuerIn, type OcfPackage } from "../package.ts";
import { canonicalType, objectType } from "../schemas/schema-registry.ts";
import type { EntryFault } from "../story/entry-faults.ts";
import { isKnown, type OcfObject } from "../story/object.ts";
import { type Story, type Told, tell } from "../story/read-story.ts";
import { isEvent, type StoryEvent } from "../story/story-event.ts";
import type { ReportBuilder } from "./report.ts";

/** One object with an id of its own, ready to be applied. */
export type Step = OcfObject & { readonly id: string };

/** One of them that applies by date. */
export type EventStep = StoryEvent & { readonly id: string };

/** A package in the order of its application, and what its transactions have to do with each other. */
export interface ImportPlan extends Told<EventStep> {
  readonly issuer: Step | null;
  readonly steps: readonly Step[];
  /** The service's seniority of each class. */
  readonly seniority: ReadonlyMap<string, number>;
  /** By canonical object type and id (`STOCK_CLASS c1`): the first document that belongs to it. */
  readonly documents: ReadonlyMap<string, string>;
  /** How many of its amounts are in each currency. */
  readonly currencies: CurrencyCounts;
}

const YIELD_EVERY = 1000;

/** Plans the import of a package; objects that cannot be imported go to the report's errors. */
export function* planImport(ocf: OcfPackage, story: Story, report: ReportBuilder): Generator<void, ImportPlan> {
  const steps: Step[] = [];
  for (const item of story.items) {
    const [fault] = story.faults.get(item) ?? [];
    if (fault) refuse(fault, report);
    else if (isKnown(item) && hasId(item)) steps.push(item);
    if (steps.length % YIELD_EVERY === 0) yield;
  }
  const byType = Map.groupBy(steps, (step) => step.objectType);
  const records = RECORD_TYPES.flatMap((type) => byType.get(type) ?? []);
  const known = new Set(RECORD_TYPES);
  const events = steps.filter(isEvent);
  const others = steps.filter((step) => !known.has(step.objectType) && !isEvent(step));
  yield;
  const told = isOf(story.told, events) ? story.told : yield* tell(events);
  return {
    ...told,
    issuer: issuerOf(ocf, report),
    steps: [...records, ...others, ...told.transactions],
    seniority: seniorityRanks((byType.get("STOCK_CLASS") ?? []).map(({ value }) => value)),
    documents: documentsOf(byType.get("DOCUMENT") ?? []),
    currencies: yield* currenciesOf(steps),
  };
}

/** Whether what the package tells is of these events alone: what is refused tells nothing to an import. */
function isOf(told: Told, events: readonly EventStep[]): told is Told<EventStep> {
  return told.transactions.length === events.length;
}

/** What cannot be an id is no id of a refusal, either. */
function refuse(fault: EntryFault, report: ReportBuilder): void {
  const place = fault.code === "wrong-id" ? { ...fault, id: null } : fault;
  report.refuse(fault.code, place, fault.detail, fault.fix);
}

function hasId(object: OcfObject): object is Step {
  return object.id !== null;
}

/** The issuer's step; null without one, or if it was refused. */
function issuerOf(ocf: OcfPackage, report: ReportBuilder): Step | null {
  const [type, at] = [objectType("ISSUER"), issuerIn(ocf)];
  if (!type || at === null) return null;
  const { file, pointer, value } = at;
  const id = textOf(value, "id");
  const place = { file, fileType: null, index: null, objectType: "ISSUER", id };
  const fault = faultOfId(id);
  if (id === null || fault !== null) {
    report.refuse("wrong-id", { ...place, id: null, pointer: `${pointer}/id` }, fault ?? "", "Give the issuer an id.");
    return null;
  }
  const refusal = refusalOf(type, value);
  if (refusal === null) return { ...place, id, pointer, type, value };
  const fix = "Correct the issuer and import again: the rest of the package is in, and is not taken in twice.";
  report.refuse("refused", { ...place, pointer: pointer + refusal.pointer.slice(1) }, refusal.detail, fix);
  return null;
}

/** The securities that transactions act on. */
export function* namedSecurities(steps: readonly Step[]): Generator<void, ReadonlySet<string>> {
  const named = new Set<string>();
  for (const [i, { type, value }] of steps.entries()) {
    if (i % YIELD_EVERY === 0) yield;
    if (type.action === "ISSUANCE") continue;
    for (const id of [textOf(value, "security_id"), ...textsOf(value, "security_ids")]) if (id) named.add(id);
  }
  return named;
}

function* currenciesOf(steps: readonly Step[]): Generator<void, CurrencyCounts> {
  const counts = new Map<string, number>();
  for (const [i, { value }] of steps.entries()) {
    if (i % YIELD_EVERY === 0) yield;
    countCurrencies(value, counts);
  }
  return counts;
}

function documentsOf(steps: readonly Step[]): Map<string, string> {
  const documents = new Map<string, string>();
  for (const { id, value } of steps) {
    for (const related of relatedObjects(value)) {
      const key = `${canonicalType(related.objectType)} ${related.objectId}`;
      if (!documents.has(key)) documents.set(key, id);
    }
  }
  return documents;
}
