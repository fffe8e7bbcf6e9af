// The records of an organization as OCF objects, kind by kind: imported originals first, in the order of their import,
// then what was made here. Lazily, so that the memory of an export does not grow with the organization.
import { NOUNS } from "../../database/logged-tables.ts";
import type { Reader, Row } from "../../database/sql.ts";
import { formatDecimal, parseDecimal } from "../../kernel/decimal.ts";
import { textOf } from "../../ledger/effects.ts";
import { toDraft } from "../../ledger/replay.ts";
import type { LedgerState } from "../../ledger/state.ts";
import { findEntry } from "../../ledger/store.ts";
import type { JsonObject } from "../json.ts";
import { toDecimal } from "../json.ts";
import { documentToOcf, type RelatedObject } from "../mapping/document-to-ocf.ts";
import { issuerToOcf } from "../mapping/issuer-to-ocf.ts";
import { stakeholderToOcf } from "../mapping/stakeholder-to-ocf.ts";
import { seniorityFigures, stockClassToOcf } from "../mapping/stock-class-to-ocf.ts";
import { stockLegendToOcf } from "../mapping/stock-legend-to-ocf.ts";
import { stockPlanToOcf } from "../mapping/stock-plan-to-ocf.ts";
import { valuationToOcf, whyNoValuation } from "../mapping/valuation-to-ocf.ts";
import type { Note } from "../mapping/values-to-ocf.ts";
import { type NamedConditions, namedConditions, vestingTermsToOcf } from "../mapping/vesting-terms-to-ocf.ts";
import { Currencies } from "./currencies.ts";
import { type Notes, silent } from "./notes.ts";
import { importedRow, originalOf } from "./originals.ts";
import * as store from "./store.ts";

/** How the rows of a table become objects: null for one that has no OCF form. */
interface Kind<T extends store.RecordTable> {
  readonly table: T;
  toOcf(row: Row<T>, note: Note): JsonObject | null;
  /** The form in which an imported row is compared with today's, where it is another. */
  readonly comparable?: (row: Row<T>) => JsonObject;
}

/** Entries that are one OCF transaction with the entry's id. */
const OWN_FORM = /_ISSUANCE$|_TRANSFER$|^STOCK_OPTION_EXERCISE$|^STOCK_REPURCHASE$/;

/** The records of one organization as they go out. */
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
  readonly issuer: JsonObject;
  readonly currencies: Currencies;

  constructor(db: Reader, orgId: string, initial: LedgerState, notes: Notes) {
    this.#db = db;
    this.#orgId = orgId;
    this.#notes = notes;
    this.#initial = initial;
    const classes = store.listExported(db, "share_classes", orgId);
    this.#seniority = this.#rank(classes);
    const common = classes.find(({ classType, deletedAt }) => classType === "COMMON" && deletedAt === null);
    this.#defaultClassId = (common ?? classes[0])?.id ?? null;
    this.issuer = this.#issuer();
    this.currencies = new Currencies(store.findOrganization(db, orgId));
  }

  *stakeholders(): Generator<JsonObject> {
    yield* this.#all({ table: "stakeholders", toOcf: stakeholderToOcf });
  }

  *stockClasses(): Generator<JsonObject> {
    yield* this.#all({
      table: "share_classes",
      toOcf: (row, note) => {
        const seniority = this.#seniority.get(row.id) ?? "1";
        const currency = this.#currencyOfClass(row, note);
        return stockClassToOcf(row, { seniority, initialAuthorized: this.#initialAuthorized(row), currency });
      },
      comparable: (row) => {
        const currency = this.#currencyOfClass(row, silent);
        return stockClassToOcf(row, { seniority: String(row.seniority), initialAuthorized: "", currency });
      },
    });
  }

  *stockPlans(): Generator<JsonObject> {
    yield* this.#all({
      table: "equity_plans",
      toOcf: (row, note) => this.#plan(row, note),
      comparable: (row) => stockPlanToOcf(row, "", this.#defaultClassId ?? ""),
    });
  }

  *stockLegends(): Generator<JsonObject> {
    yield* this.#all({ table: "stock_legends", toOcf: stockLegendToOcf });
  }

  *vestingTerms(): Generator<JsonObject> {
    yield* this.#all({ table: "vesting_terms", toOcf: vestingTermsToOcf });
  }

  *valuations(): Generator<JsonObject> {
    yield* this.#all({
      table: "valuations",
      toOcf: (row, note) => {
        const why = whyNoValuation(row);
        if (why === null) return valuationToOcf(row, this.#currencyOfValuation(row, note));
        note(why);
        return null;
      },
      comparable: (row) => valuationToOcf(row, this.#currencyOfValuation(row, silent)),
    });
  }

  *documents(): Generator<JsonObject> {
    yield* this.#all({
      table: "documents",
      toOcf: (row, note) => {
        if (row.md5 !== null && (row.path !== null || row.uri !== null)) {
          return documentToOcf(row, this.#related(row));
        }
        note("a document without an MD5 checksum, or without a place, cannot stand in OCF; left out");
        return null;
      },
    });
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
      plan = row && this.#plan(row, silent) ? row : null;
      this.#plans.set(id, plan);
    }
    return plan;
  }

  /** Vesting terms as they are exported; null where the export holds none. */
  findVestingTerms(id: string): JsonObject | null {
    return this.#one({ table: "vesting_terms", toOcf: vestingTermsToOcf }, id);
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

  *#all<T extends store.RecordTable>(kind: Kind<T>): Generator<JsonObject> {
    for (const original of store.walkOriginals(this.#db, this.#orgId, store.FILE_KEYS[kind.table])) {
      const object = this.#original(kind, original, this.#notes.add);
      if (object) yield object;
    }
    for (const row of store.walkMade(this.#db, kind.table, this.#orgId)) {
      const object = kind.toOcf(row, this.#notes.add);
      if (object === null) continue;
      noteDeleted(kind.table, row, this.#notes.add);
      yield object;
    }
  }

  /** An original whose record is there, or was never one; a deleted record takes its original along. */
  #original<T extends store.RecordTable>(kind: Kind<T>, original: Row<"ocf_objects">, note: Note): JsonObject | null {
    if (original.recordId === null) return JSON.parse(original.raw);
    const row = store.findExported(this.#db, kind.table, this.#orgId, original.recordId);
    if (row === null) return null;
    const imported = importedRow(original, row);
    const isChanged = !Bun.deepEquals(imported, row);
    if (isChanged && hasLostForm(kind, imported, row, note)) return null;
    noteDeleted(kind.table, row, note);
    if (!isChanged) return JSON.parse(original.raw);
    const patched = originalOf(original, row, kind.comparable ?? ((each) => kind.toOcf(each, silent) ?? {}));
    return this.#settle(kind.table, original, patched);
  }

  /** What a patch cannot know by comparing: a changed rank's figure, and OCF's older name for a plan's class. */
  #settle(table: store.RecordTable, original: Row<"ocf_objects">, patched: JsonObject): JsonObject {
    const raw: JsonObject = JSON.parse(original.raw);
    if (table === "share_classes" && patched.seniority !== raw.seniority) {
      return { ...patched, seniority: this.#seniority.get(original.id) ?? raw.seniority };
    }
    if (table !== "equity_plans" || patched.stock_class_ids === raw.stock_class_ids) return patched;
    const { stock_class_id: older, ...rest } = patched;
    return older === undefined || Bun.deepEquals(patched.stock_class_ids, raw.stock_class_ids) ? patched : rest;
  }

  #one<T extends store.RecordTable>(kind: Kind<T>, id: string): JsonObject | null {
    const row = store.findRow(this.#db, kind.table, this.#orgId, id);
    const original = store.findOriginal(this.#db, this.#orgId, store.RECORD_TABLES[kind.table], id);
    if (original) return this.#original(kind, original, silent);
    return row && kind.toOcf(row, silent);
  }

  #issuer(): JsonObject {
    const row = store.findOrganization(this.#db, this.#orgId);
    if (row === null) throw new Error("the organization is gone");
    const original = store.findFirstOriginal(this.#db, this.#orgId, "ISSUER");
    return original
      ? originalOf(original, row, (each) => issuerToOcf(each, silent))
      : issuerToOcf(row, this.#notes.add);
  }

  #plan(row: Row<"equity_plans">, note: Note): JsonObject | null {
    const names = row.stockClassIds !== "[]";
    if (!names && this.#defaultClassId === null) {
      note("a plan names no class and there is none, which OCF requires; left out");
      return null;
    }
    if (!names) note("a plan names no class, which OCF requires; the first common class exported");
    return stockPlanToOcf(row, this.#initialReserve(row), this.#defaultClassId ?? "");
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

  /** What a document is about: what it says itself, and the records that name it as their source. */
  #related(row: Row<"documents">): RelatedObject[] {
    const said: RelatedObject[] = JSON.parse(row.relatedObjects);
    const naming = (["stakeholders", "share_classes", "equity_plans", "valuations"] as const).flatMap((table) =>
      store
        .listNaming(this.#db, table, this.#orgId, row.id)
        .map((objectId) => ({ objectType: store.RECORD_TABLES[table], objectId })),
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

  /** A transaction that goes out under its own id; what OCF has no form for, or says by other objects, is left out. */
  #transactionReference(id: string): RelatedObject[] {
    const entry = findEntry(this.#db, this.#orgId, id);
    const draft = entry && toDraft(entry);
    if (!draft || draft.recordOnly || draft.metadata.directEdit === true || draft.metadata.conversion === true)
      return [];
    const imported = textOf(draft.metadata, "ocfObjectType");
    if (imported !== null) return [{ objectType: imported, objectId: id }];
    if (!OWN_FORM.test(draft.type)) return [];
    return [{ objectType: `TX_${draft.type.replace("STOCK_OPTION", "EQUITY_COMPENSATION")}`, objectId: id }];
  }

  /** The reference, where the package holds what it names; the issuer goes by the id that it has there. */
  #resolved({ objectType, objectId }: RelatedObject): RelatedObject[] {
    if (objectType === "ISSUER") return [{ objectType, objectId: String(this.issuer.id) }];
    if (objectType.startsWith("TX_")) return [{ objectType, objectId }];
    const found = Object.entries(store.RECORD_TABLES).find(([, type]) => type === objectType);
    const table = found?.[0] as store.RecordTable | undefined;
    const row = table && store.findExported(this.#db, table, this.#orgId, objectId);
    if (!table || !row) return [];
    const isHeld =
      (table !== "valuations" || whyNoValuation(row as Row<"valuations">) === null) &&
      (table !== "equity_plans" || this.findPlan(objectId) !== null) &&
      (table !== "documents" || (row as Row<"documents">).md5 !== null);
    return isHeld ? [{ objectType, objectId }] : [];
  }
}

function noteDeleted(table: store.RecordTable, row: object, note: Note): void {
  const isDeleted = "deletedAt" in row && row.deletedAt !== null;
  if (isDeleted) note(`exported although it was deleted, because entries name it: ${NOUNS[table]}`);
}

/** Whether an imported record has become one for which OCF has no form; says so. */
function hasLostForm<T extends store.RecordTable>(kind: Kind<T>, imported: Row<T>, row: Row<T>, note: Note): boolean {
  const isLost = kind.toOcf(imported, silent) !== null && kind.toOcf(row, silent) === null;
  if (isLost) kind.toOcf(row, note);
  return isLost;
}
