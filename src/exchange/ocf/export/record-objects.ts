// Exports the records of an organization as OCF objects, kind by kind: imported originals first, in the order of their
// import, then records made here. Lazily, so that the memory of an export does not grow with the organization.

import { formatDecimal, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { membersOf } from "../../../ledger/members.ts";
import { toDraft } from "../../../ledger/replay/replay.ts";
import type { LedgerState } from "../../../ledger/replay/state.ts";
import { findEntry } from "../../../ledger/store.ts";
import { NOUNS } from "../../../storage/database/log/logged-tables.ts";
import type { Reader, Row } from "../../../storage/database/sql.ts";
import { issuerToOcf } from "../codec/issuer.ts";
import type { CodecTable, ObjectContext, RecordCodec, RelatedObject } from "../codec/record-codec.ts";
import { CODECS, codecOf, fileKeyOf } from "../codec/registry.ts";
import { seniorityFigures } from "../codec/stock-class.ts";
import type { Note } from "../codec/values-to-ocf.ts";
import { type NamedConditions, namedConditions } from "../codec/vesting-terms.ts";
import { type JsonObject, toDecimal } from "../json.ts";
import { TermsBefore } from "./adjustments/terms-before.ts";
import { Currencies } from "./exported-currencies.ts";
import { type Notes, silent } from "./notes.ts";
import { importedRow, originalOf } from "./originals.ts";
import * as store from "./store.ts";

/** Entries that are one OCF transaction with the entry's id. */
const OWN_FORM = /_ISSUANCE$|_TRANSFER$|^STOCK_OPTION_EXERCISE$|^STOCK_REPURCHASE$/;

/** The exported records of one organization. */
export class Records {
  readonly #db: Reader;
  readonly #orgId: string;
  readonly #notes: Notes;
  /** The figures at creation of classes and plans. */
  readonly #initial: LedgerState;
  readonly #seniority: ReadonlyMap<string, string>;
  readonly #defaultClassId: string | null;
  readonly #conditions = new Map<string, NamedConditions | null>();
  readonly #plans = new Map<string, Row<"equity_plans"> | null>();
  readonly #noting: ObjectContext;
  readonly #silent: ObjectContext;
  /** In which an imported row is compared with today's: figures at creation go out as they came. */
  readonly #comparing: ObjectContext;
  readonly issuer: JsonObject;
  readonly currencies: Currencies;
  /** Prices and rights go out as they were before the splits and adjustments that go out too. */
  readonly terms: TermsBefore;

  constructor(db: Reader, orgId: string, initial: LedgerState, notes: Notes) {
    this.#db = db;
    this.#orgId = orgId;
    this.#notes = notes;
    this.#initial = initial;
    const classes = store.listExported(db, "share_classes", orgId);
    this.#seniority = this.#rank(classes);
    this.terms = new TermsBefore(store.listTermsEntries(db, orgId), classes);
    const common = classes.find(({ classType, deletedAt }) => classType === "COMMON" && deletedAt === null);
    this.#defaultClassId = (common ?? classes[0])?.id ?? null;
    this.#noting = this.#context(notes.add);
    this.#silent = this.#context(silent);
    const seniorityOf = ({ seniority }: Row<"share_classes">) => String(seniority);
    this.#comparing = { ...this.#silent, seniorityOf, initialAuthorized: () => "", initialReserve: () => "" };
    this.issuer = this.#issuer();
    this.currencies = new Currencies(store.findOrganization(db, orgId));
  }

  /** The objects of a table. */
  *all<T extends CodecTable>(table: T): Generator<JsonObject> {
    const codec = CODECS[table];
    for (const original of store.walkOriginals(this.#db, this.#orgId, fileKeyOf(table))) {
      const object = this.#original(codec, original, this.#notes.add);
      if (object) yield object;
    }
    for (const made of store.walkMade(this.#db, table, this.#orgId)) {
      const row = this.#asCreated(table, made);
      const object = this.#toOcf(codec, row, this.#noting);
      if (object === null) continue;
      noteDeleted(table, row, this.#notes.add);
      yield object;
    }
  }

  *financings(): Generator<JsonObject> {
    for (const original of store.walkOriginals(this.#db, this.#orgId, "financings")) yield JSON.parse(original.raw);
  }

  /** Whether any financing was imported: only then has the export a file of them. */
  hasFinancings(): boolean {
    return store.findFirstOriginal(this.#db, this.#orgId, "FINANCING") !== null;
  }

  /** The plan's row where the export holds the plan, else null. */
  findPlan(id: string): Row<"equity_plans"> | null {
    let plan = this.#plans.get(id);
    if (plan === undefined) {
      const row = store.findExported(this.#db, "equity_plans", this.#orgId, id);
      plan = row && this.#toOcf(CODECS.equity_plans, row, this.#silent) ? row : null;
      this.#plans.set(id, plan);
    }
    return plan;
  }

  /** The classes that the export has a plan for: another one stands in for none. */
  classesOfPlan(id: string): readonly (string | null)[] {
    const named: string[] = JSON.parse(this.findPlan(id)?.stockClassIds ?? "[]");
    return named.length > 0 ? named : [this.#defaultClassId];
  }

  /** Vesting terms as they are exported; null where the export holds none. */
  findVestingTerms(id: string): JsonObject | null {
    const row = store.findRow(this.#db, "vesting_terms", this.#orgId, id);
    const original = store.findOriginal(this.#db, this.#orgId, CODECS.vesting_terms.objectType, id);
    if (original) return this.#original(CODECS.vesting_terms, original, silent);
    return row && this.#toOcf(CODECS.vesting_terms, row, this.#silent);
  }

  /** The conditions of vesting terms that transactions may name; null where the export holds no such terms. */
  conditionsOf(id: string | null): NamedConditions | null {
    if (id === null) return null;
    let named = this.#conditions.get(id);
    if (named === undefined) {
      const terms = this.findVestingTerms(id);
      named = terms && namedConditions(terms);
      this.#conditions.set(id, named);
    }
    return named;
  }

  /** The object of a record; null, after saying why, for one that has no OCF form. */
  #toOcf<T extends CodecTable>(codec: RecordCodec<T>, row: Row<T>, context: ObjectContext): JsonObject | null {
    const why = codec.whyNot?.(row, context) ?? null;
    if (why === null) return codec.toOcf(row, context);
    context.note(why);
    return null;
  }

  /** A class with its terms of before all that goes out about it; another record as it is. */
  #asCreated<T extends CodecTable>(table: T, row: Row<T>): Row<T> {
    return table === "share_classes" ? (this.terms.ofClass(row as Row<"share_classes">) as Row<T>) : row;
  }

  #context(note: Note): ObjectContext {
    return {
      note,
      defaultClassId: this.#defaultClassId,
      seniorityOf: ({ id }) => this.#seniority.get(id) ?? "1",
      initialAuthorized: (row) => this.#initialAuthorized(row),
      initialReserve: (row) => this.#initialReserve(row),
      currencyOfClass: (row) => this.#currencyOfClass(row, note),
      currencyOfValuation: (row) => this.#currencyOfValuation(row, note),
      relatedTo: (row) => this.#related(row),
    };
  }

  /** Whether the export holds a record. */
  #isHeld<T extends CodecTable>(table: T, id: string): boolean {
    const row = store.findExported(this.#db, table, this.#orgId, id);
    return row !== null && (CODECS[table].whyNot?.(row, this.#silent) ?? null) === null;
  }

  /** An original whose record exists, or never did; a deleted record takes its original along. */
  #original<T extends CodecTable>(codec: RecordCodec<T>, original: Row<"ocf_objects">, note: Note): JsonObject | null {
    if (original.recordId === null) return JSON.parse(original.raw);
    const found = store.findExported(this.#db, codec.table, this.#orgId, original.recordId);
    if (found === null) return null;
    const row = this.#asCreated(codec.table, found);
    const imported = importedRow(original, row);
    const isChanged = !Bun.deepEquals(imported, row);
    const whyLost = isChanged ? this.#whyLost(codec, imported, row) : null;
    if (whyLost !== null) {
      note(whyLost);
      return null;
    }
    noteDeleted(codec.table, row, note);
    if (!isChanged) return JSON.parse(original.raw);
    const patched = originalOf(original, row, (each) => codec.toOcf(each, this.#comparing));
    return this.#settle(codec.table, original, patched);
  }

  /** Why an imported record has become one for which OCF has no form; null where it has one, or never had. */
  #whyLost<T extends CodecTable>(codec: RecordCodec<T>, imported: Row<T>, row: Row<T>): string | null {
    const whyNot = (each: Row<T>) => codec.whyNot?.(each, this.#silent) ?? null;
    return whyNot(imported) === null ? whyNot(row) : null;
  }

  /** What a patch cannot know by comparing: a changed rank's figure, and OCF's older name for a plan's class. */
  #settle(table: CodecTable, original: Row<"ocf_objects">, patched: JsonObject): JsonObject {
    const raw: JsonObject = JSON.parse(original.raw);
    if (table === "share_classes" && patched.seniority !== raw.seniority) {
      return { ...patched, seniority: this.#seniority.get(original.id) ?? raw.seniority };
    }
    if (table !== "equity_plans" || patched.stock_class_ids === raw.stock_class_ids) return patched;
    const { stock_class_id: older, ...rest } = patched;
    return older === undefined || Bun.deepEquals(patched.stock_class_ids, raw.stock_class_ids) ? patched : rest;
  }

  #issuer(): JsonObject {
    const row = store.findOrganization(this.#db, this.#orgId);
    if (row === null) throw new Error("the organization is gone");
    const original = store.findFirstOriginal(this.#db, this.#orgId, "ISSUER");
    return original
      ? originalOf(original, row, (each) => issuerToOcf(each, silent))
      : issuerToOcf(row, this.#notes.add);
  }

  #currencyOfClass({ currency, parValue, pricePerShare }: Row<"share_classes">, note: Note): string {
    const hasAmount = parValue !== null || pricePerShare !== null;
    return this.currencies.of(currency, "share classes", hasAmount ? note : silent);
  }

  /** A valuation says what a share of its class is worth. */
  #currencyOfValuation({ stockClassId }: Row<"valuations">, note: Note): string {
    const ofClass = stockClassId === null ? null : store.findRow(this.#db, "share_classes", this.#orgId, stockClassId);
    return this.currencies.of(ofClass?.currency ?? null, "valuations", note);
  }

  #initialAuthorized({ id, initialSharesAuthorized: text }: Row<"share_classes">): string {
    const figure = this.#initial.classes.get(id)?.authorized ?? null;
    return figure === null || parseDecimal(text) === figure ? text : formatDecimal(figure);
  }

  #initialReserve({ id, initialSharesReserved: text }: Row<"equity_plans">): string {
    const figure = this.#initial.plans.get(id)?.reserved ?? null;
    return figure === null || parseDecimal(text) === figure ? text : formatDecimal(figure);
  }

  /** Imported figures stay where the rank is still the one that they were imported as. */
  #rank(classes: readonly Row<"share_classes">[]): ReadonlyMap<string, string> {
    return seniorityFigures(
      classes.map(({ id, seniority }) => {
        const original = store.findOriginal(this.#db, this.#orgId, "STOCK_CLASS", id);
        const mapped = original?.mapped ? JSON.parse(original.mapped) : {};
        const isKept = original !== null && (mapped.seniority ?? seniority) === seniority;
        return { id, seniority, figure: isKept ? toDecimal(JSON.parse(original.raw).seniority) : null };
      }),
    );
  }

  /** The subjects of a document: those that it names itself, and the records that name it as their source. */
  #related(row: Row<"documents">): RelatedObject[] {
    const said: RelatedObject[] = JSON.parse(row.relatedObjects);
    const naming = (["stakeholders", "share_classes", "equity_plans", "valuations"] as const).flatMap((table) =>
      store
        .listNaming(this.#db, table, this.#orgId, row.id)
        .map((objectId) => ({ objectType: CODECS[table].objectType, objectId })),
    );
    const issuances = store
      .listNaming(this.#db, "securities", this.#orgId, row.id)
      .flatMap((id) => this.#issuanceReference(id));
    const named = said.flatMap((each) => {
      if (each.objectType === "SECURITY") return this.#issuanceReference(each.objectId);
      return each.objectType === "TRANSACTION" ? this.#transactionReference(each.objectId) : [each];
    });
    const all = [...named, ...naming, ...issuances].flatMap((each) => this.#resolved(each));
    return [...new Map(all.map((each) => [`${each.objectType} ${each.objectId}`, each])).values()];
  }

  #issuanceReference(securityId: string): RelatedObject[] {
    const issuance = store.findIssuance(this.#db, this.#orgId, securityId);
    if (issuance === null) return [];
    const objectType = `TX_${issuance.type.replace("STOCK_OPTION", "EQUITY_COMPENSATION")}`;
    return [{ objectType, objectId: issuance.id }];
  }

  /**
   * A transaction that is exported under its own id; those without an OCF form, or expressed by other objects, are left
   * out.
   */
  #transactionReference(id: string): RelatedObject[] {
    const entry = findEntry(this.#db, this.#orgId, id);
    const draft = entry && toDraft(entry);
    if (!draft || draft.recordOnly) return [];
    const { isDirectEdit, isConversion, imported } = membersOf(draft);
    if (isDirectEdit || isConversion) return [];
    if (imported.objectType !== null) return [{ objectType: imported.objectType, objectId: id }];
    if (!OWN_FORM.test(draft.type)) return [];
    return [{ objectType: `TX_${draft.type.replace("STOCK_OPTION", "EQUITY_COMPENSATION")}`, objectId: id }];
  }

  /** The reference, where the package holds what it names; the issuer goes by the id that it has there. */
  #resolved({ objectType, objectId }: RelatedObject): RelatedObject[] {
    if (objectType === "ISSUER") return [{ objectType, objectId: String(this.issuer.id) }];
    if (objectType.startsWith("TX_")) return [{ objectType, objectId }];
    const table = codecOf(objectType)?.table;
    return table && this.#isHeld(table, objectId) ? [{ objectType, objectId }] : [];
  }
}

function noteDeleted(table: CodecTable, row: object, note: Note): void {
  const isDeleted = "deletedAt" in row && row.deletedAt !== null;
  if (isDeleted) note(`exported although it was deleted, because entries name it: ${NOUNS[table]}`);
}
