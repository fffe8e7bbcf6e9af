// Looks through a whole package before anything is written: which objects can be taken in at all, in which order they
// apply (ledger-order.ts), and what has to be known of later ones to apply an earlier one. Pure; yields now and then,
// so that a large package does not hold up the event loop.
import { type Place, shown } from "../finding.ts";
import { isObject, type JsonObject, textOf, textsOf } from "../json.ts";
import { inLedgerOrder } from "../ledger-order.ts";
import { type CurrencyCounts, countCurrencies } from "../mapping/currencies.ts";
import { relatedObjects } from "../mapping/document.ts";
import { seniorityRanks } from "../mapping/stock-class.ts";
import { madeBy } from "../mapping/transaction.ts";
import { refusalOf } from "../mapping/usable.ts";
import { faultOfId } from "../mapping/values.ts";
import { issuerIn, itemsOf, type OcfItem, type OcfPackage } from "../package.ts";
import { canonicalType, type ObjectType, objectType } from "../schemas/registry.ts";
import type { ReportBuilder } from "./report.ts";

/** One object with an id of its own, ready to be applied. */
export interface Step extends Place {
  readonly file: string;
  readonly index: number | null;
  readonly objectType: string;
  readonly id: string;
  readonly type: ObjectType;
  readonly value: JsonObject;
}

/** What made a security: another transaction, of which it is a result or the balance. */
export interface Maker {
  readonly transactionId: string;
  /** The type of the transaction. */
  readonly type: ObjectType;
  /** The security that it acted on. */
  readonly sourceId: string | null;
  readonly step: Step;
}

/** A package in the order of its application. */
export interface ImportPlan {
  readonly issuer: Step | null;
  readonly steps: readonly Step[];
  /** The issuance of each security; the first of several. */
  readonly issuances: ReadonlyMap<string, Step>;
  /** By the security's id. */
  readonly makers: ReadonlyMap<string, Maker>;
  /** By the security's id: the transactions that make it together. */
  readonly madeTogether: ReadonlyMap<string, readonly Step[]>;
  /** The splits of each class. */
  readonly splits: ReadonlyMap<string, readonly Step[]>;
  /** By the id of a split: the securities whose new certificates the package issues itself. */
  readonly reissued: ReadonlyMap<string, ReadonlySet<string>>;
  /** Securities whose return to the pool the package states itself. */
  readonly returned: ReadonlySet<string>;
  /** The service's seniority of each class. */
  readonly seniority: ReadonlyMap<string, number>;
  /** By canonical object type and id (`STOCK_CLASS c1`): the first document that belongs to it. */
  readonly documents: ReadonlyMap<string, string>;
  /** How many of its amounts are in each currency. */
  readonly currencies: CurrencyCounts;
}

const YIELD_EVERY = 1000;

/** Records in an order in which whatever is referred to comes first. Transactions follow by date. */
const RECORD_ORDER = [
  "DOCUMENT",
  "STOCK_LEGEND_TEMPLATE",
  "STAKEHOLDER",
  "STOCK_CLASS",
  "STOCK_PLAN",
  "VESTING_TERMS",
  "VALUATION",
];

/** Plans the import of a package; what cannot be taken in goes to the report's errors. */
export function* planImport(ocf: OcfPackage, report: ReportBuilder): Generator<void, ImportPlan> {
  const steps: Step[] = [];
  const seen = new Set<string>();
  for (const item of itemsOf(ocf)) {
    const step = stepOf(item, seen, report);
    if (step) steps.push(step);
    if (steps.length % YIELD_EVERY === 0) yield;
  }
  const byType = Map.groupBy(steps, (step) => step.objectType);
  const links = yield* linksOf(steps);
  const splits = byType.get("TX_STOCK_CLASS_SPLIT") ?? [];
  const records = RECORD_ORDER.flatMap((type) => byType.get(type) ?? []);
  const known = new Set(RECORD_ORDER);
  const others = steps.filter((step) => !known.has(step.objectType) && !isTransaction(step));
  yield;
  const { transactions, issuances } = yield* inLedgerOrder(steps.filter(isTransaction));
  return {
    issuer: issuerOf(ocf, report),
    steps: [...records, ...others, ...transactions],
    ...links,
    splits: Map.groupBy(splits, ({ value }) => textOf(value, "stock_class_id") ?? ""),
    issuances,
    seniority: seniorityRanks((byType.get("STOCK_CLASS") ?? []).map(({ value }) => value)),
    documents: documentsOf(byType.get("DOCUMENT") ?? []),
    currencies: yield* currenciesOf(steps),
  };
}

/** Whether the object is a transaction or an event, which apply by date. */
export function isTransaction({ type }: Pick<Step, "type">): boolean {
  return type.fileType === "OCF_TRANSACTIONS_FILE";
}

function stepOf({ file, index, value }: OcfItem, seen: Set<string>, report: ReportBuilder): Step | null {
  if (!isObject(value)) {
    const detail = `This entry is no object but ${shown(value)}.`;
    report.refuse("not-an-object", { file, index }, detail, "Replace it by an OCF object in braces, or remove it.");
    return null;
  }
  const [type, id] = [objectType(value.object_type), textOf(value, "id")];
  const place = { file, index, id, objectType: textOf(value, "object_type") };
  if (!type || type.fileType === null) {
    const detail = `OCF has no object type ${shown(value.object_type)} in files.`;
    const fix = "Write the object type that the object has, such as STAKEHOLDER or TX_STOCK_ISSUANCE.";
    report.refuse("unknown-type", { ...place, pointer: "#/object_type" }, detail, fix);
    return null;
  }
  const fault = faultOfId(id);
  if (id === null || fault !== null) {
    report.refuse("wrong-id", { ...place, id: null, pointer: "#/id" }, fault ?? "", "Give the object an id.");
    return null;
  }
  const key = `${type.objectType} ${id}`;
  if (seen.has(key)) {
    const detail = `The package has another ${type.objectType} with the id ${shown(id)}; the first one counts.`;
    report.refuse("duplicate-id", { ...place, pointer: "#/id" }, detail, "Give each object an id of its own.");
    return null;
  }
  seen.add(key);
  return { file, index, objectType: type.objectType, id, type, value };
}

/** The issuer's step; null without one, or where it was refused. */
function issuerOf(ocf: OcfPackage, report: ReportBuilder): Step | null {
  const [type, at] = [objectType("ISSUER"), issuerIn(ocf)];
  if (!type || at === null) return null;
  const { file, pointer, value } = at;
  const id = textOf(value, "id");
  const place = { file, index: null, objectType: "ISSUER", id };
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

/** What transactions say of securities that others issue. */
function* linksOf(steps: readonly Step[]) {
  const makers = new Map<string, Maker>();
  const madeTogether = new Map<string, Step[]>();
  const reissued = new Map<string, Set<string>>();
  const returned = new Set<string>();
  for (const [i, step] of steps.entries()) {
    const { objectType, id, type, value } = step;
    if (i % YIELD_EVERY === 0) yield;
    if (objectType === "TX_STOCK_PLAN_RETURN_TO_POOL") returned.add(textOf(value, "security_id") ?? "");
    if (type.action === null || type.action === "ISSUANCE") continue;
    const sourceId = textOf(value, "security_id") ?? textsOf(value, "security_ids")[0] ?? null;
    const made = madeBy(value);
    for (const securityId of made) {
      const first = makers.get(securityId);
      if (!first) makers.set(securityId, { transactionId: id, type, sourceId, step });
      else madeTogether.set(securityId, [...(madeTogether.get(securityId) ?? [first.step]), step]);
    }
    const split = textOf(value, "split_transaction_id");
    if (split === null || type.action !== "REISSUANCE") continue;
    const spared = reissued.get(split) ?? new Set();
    for (const securityId of [...made, sourceId]) if (securityId !== null) spared.add(securityId);
    reissued.set(split, spared);
  }
  return { makers, madeTogether, reissued, returned };
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
