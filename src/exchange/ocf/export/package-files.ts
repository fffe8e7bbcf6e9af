// Exports an organization as an OCF package: its files, their content, and the manifest, all from one snapshot. Nothing
// is built before it is read: the files are streams of objects.

import type { ZipFile } from "../../../kernel/files/zip-write.ts";
import { toTimestamp, toUtcDate, utcDayOf } from "../../../kernel/runtime.ts";
import { listCorrectedPrices } from "../../../ledger/replay/corrected-prices.ts";
import { initialState, toDraft } from "../../../ledger/replay/replay.ts";
import type { LedgerState } from "../../../ledger/replay/state.ts";
import type { VestingSubject } from "../../../ledger/vested/vesting-account.ts";
import { stopOf } from "../../../ledger/vested/vesting-stops.ts";
import type { Reader, Row } from "../../../storage/database/sql.ts";
import { FAMILY } from "../codec/issuance.ts";
import { FILE_KINDS, type FileType } from "../file-types.ts";
import type { JsonObject } from "../json.ts";
import { itemFileChunks, type ManifestHead, manifestText } from "../write.ts";
import { LaterCorrections } from "./adjustments/later-corrections.ts";
import { Blocks } from "./day-blocks.ts";
import { DayWalk } from "./day-walk.ts";
import * as entries from "./entry-store.ts";
import type { ExportKey } from "./include.ts";
import { LedgerExport } from "./ledger.ts";
import { Notes, silent } from "./notes.ts";
import { originalIssuanceOf } from "./originals.ts";
import { Records } from "./record-objects.ts";
import type { LedgerSource } from "./source.ts";
import * as store from "./store.ts";
import { ReadVesting } from "./vesting-source.ts";

/** What an export reads, and the remarks that it makes. */
interface Exporting {
  readonly db: Reader;
  readonly orgId: string;
  readonly records: Records;
  readonly notes: Notes;
  /** Makes the cap table before the first entry, afresh at each call. */
  readonly makeState: () => LedgerState;
}

function openOrganization(db: Reader, orgId: string): Exporting {
  const makeState = stateMaker(db, orgId);
  const notes = new Notes();
  return { db, orgId, records: new Records(db, orgId, makeState(), notes), notes, makeState };
}

/** The package of an organization: its files in the order in which they are written, the manifest last. */
export function packageFiles(db: Reader, orgId: string, keys: ReadonlySet<ExportKey>, nowMs: number): ZipFile[] {
  const from = openOrganization(db, orgId);
  const { notes, records } = from;
  const contents: Readonly<Record<FileType, () => Iterable<JsonObject | string>>> = {
    OCF_STAKEHOLDERS_FILE: () => records.all("stakeholders"),
    OCF_STOCK_CLASSES_FILE: () => records.all("share_classes"),
    OCF_STOCK_PLANS_FILE: () => records.all("equity_plans"),
    OCF_STOCK_LEGEND_TEMPLATES_FILE: () => records.all("stock_legends"),
    OCF_VESTING_TERMS_FILE: () => records.all("vesting_terms"),
    OCF_VALUATIONS_FILE: () => records.all("valuations"),
    OCF_TRANSACTIONS_FILE: () => ledgerObjects(from),
    OCF_FINANCINGS_FILE: () => records.financings(),
    OCF_DOCUMENTS_FILE: () => records.all("documents"),
  };
  const kinds = FILE_KINDS.filter(({ fileType }) => fileType !== "OCF_FINANCINGS_FILE" || records.hasFinancings());
  const isAskedFor = ({ fileType, exportKey }: (typeof FILE_KINDS)[number]) =>
    keys.has(fileType === "OCF_FINANCINGS_FILE" ? "transactions" : (exportKey as ExportKey));
  const files = kinds.filter(isAskedFor).map(({ fileType, exportKey }): ZipFile & { readonly fileType: FileType } => ({
    name: `${exportKey}.json`,
    fileType,
    chunks: () => itemFileChunks(fileType, contents[fileType]()),
  }));
  const { issuer } = records;
  const notAskedFor = new Set(kinds.filter((kind) => !isAskedFor(kind)).map(({ fileType }) => fileType));
  const head = { issuer, asOf: toUtcDate(nowMs), generatedAt: toTimestamp(nowMs), notAskedFor };
  return [
    ...(keys.has("issuer") ? [{ name: "issuer.json", chunks: () => [`${JSON.stringify(issuer, null, 2)}\n`] }] : []),
    ...files,
    ...(keys.has("ocf_manifest") ? [manifestFile(head, files, notes)] : []),
  ];
}

function manifestFile(
  head: Omit<ManifestHead, "comments">,
  files: readonly { readonly name: string; readonly fileType: FileType }[],
  notes: Notes,
): ZipFile {
  return {
    name: "ocf_manifest.json",
    chunks: (md5s) => [manifestText({ ...head, comments: notes.comments() }, files, md5s)],
  };
}

/** Entries read between two turns of the event loop when nothing is written. */
const TURN_EVERY = 500;

/** Replays the ledger up to its end for what its direct edits did. */
function* learnEdits(from: Exporting, order: Order, corrections: LaterCorrections): Generator<string> {
  const { db, orgId } = from;
  let read = 0;
  for (const walked of walkOf(from, order, () => null).steps()) {
    if (++read % TURN_EVERY === 0) yield "";
    if (walked.event === null) continue;
    const { entry, event, was, before, state } = walked;
    if (event.kind === "split" && before !== null) corrections.learnConcerned(event, before.securities);
    if (!was) continue;
    if (entry.isImported === 1 && state.security(was.id).status !== "ACTIVE") corrections.learnImportedEnd(was.id);
    const { takesBack } = event.said;
    if (event.kind !== "edited") continue;
    if (takesBack !== null) corrections.learnTakenBack(takesBack);
    const row = store.findSecurity(db, orgId, was.id);
    if (row) corrections.learnEdit(entry, was, state.security(was.id), row);
  }
}

/** The order of days: where it goes against that of recording, and where each entry stands in it. */
interface Order {
  readonly blocks: Blocks;
  readonly placeOf: (sequence: number) => number;
}

type FindSubject = (id: string) => VestingSubject | null;

function walkOf({ db, orgId, makeState }: Exporting, { blocks }: Pick<Order, "blocks">, findSubject: FindSubject) {
  return new DayWalk({ entries: entries.walkLedger(db, orgId), blocks, initial: makeState(), findSubject });
}

/** Learns the order of days. */
function* learnOrder(from: Exporting): Generator<string, Order> {
  const blocks = new Blocks(entries.walkDays(from.db, from.orgId));
  const places = new Map<number, number>();
  let read = 0;
  if (blocks.isAnyMoved) {
    for (const walked of walkOf(from, { blocks }, () => null).steps()) {
      if (++read % TURN_EVERY === 0) yield "";
      if (walked.event !== null && walked.recordedAs !== walked.entry.sequence) {
        places.set(walked.recordedAs, walked.entry.sequence);
      }
    }
  }
  return { blocks, placeOf: (sequence) => places.get(sequence) ?? sequence };
}

/** What is exported of a table although it was deleted: ids, and the days of that. */
function deletedOf(db: Reader, orgId: string, table: "share_classes" | "equity_plans"): Map<string, string> {
  const rows = store.listExported(db, table, orgId);
  return new Map(rows.flatMap(({ id, deletedAt }) => (deletedAt === null ? [] : [[id, utcDayOf(deletedAt)]])));
}

/** Makes the cap table before the first entry, afresh at each call. */
function stateMaker(db: Reader, orgId: string): () => LedgerState {
  const adjustments = [
    ...store.walkOfType(db, orgId, "STOCK_CLASS_ADJUSTMENT"),
    ...store.walkOfType(db, orgId, "STOCK_PLAN_ADJUSTMENT"),
  ];
  const prices = listCorrectedPrices(db, orgId);
  return () => {
    const [classes, plans] = [store.listEver(db, "share_classes", orgId), store.listEver(db, "equity_plans", orgId)];
    return initialState(classes, plans, adjustments, prices);
  };
}

/** The transactions that an export of now would hold: text where an original goes out as it came. */
export function* transactionObjects(db: Reader, orgId: string): Generator<JsonObject | string> {
  yield* ledgerObjects(openOrganization(db, orgId));
}

/**
 * The acceptances that were recorded here and hold, and whether an original is one that holds no more. The package
 * states a security as it is now, and a reader would take that for what its holder accepted.
 */
function acceptancesOf({ db, orgId, notes }: Exporting) {
  const all = store.listAcceptances(db, orgId);
  const over = all.filter(({ holds }) => holds === 0);
  if (over.length > 0) notes.add("the security was changed since an acceptance; left out");
  const imported = new Set(over.flatMap(({ id, kind }) => (kind === "IMPORTED" ? [id] : [])));
  return {
    acceptances: all.filter(({ kind, holds }) => kind !== "IMPORTED" && holds === 1),
    isOver: ({ objectType, recordId }: store.TransactionOriginal) =>
      recordId !== null && objectType.endsWith("_ACCEPTANCE") && imported.has(recordId),
  };
}

/** Imported transactions as they came, in the order of their import, then what the ledger itself recorded. */
function* ledgerObjects(from: Exporting): Generator<JsonObject | string> {
  const { db, orgId, records, notes } = from;
  const order = yield* learnOrder(from);
  const corrections = new LaterCorrections(store.walkOfType(db, orgId, "STOCK_SPLIT"), order.placeOf);
  if (store.hasEdits(db, orgId)) yield* learnEdits(from, order, corrections);
  const corrected = issuanceCorrector(from, corrections);
  const { acceptances, isOver } = acceptancesOf(from);
  for (const original of store.walkTransactions(db, orgId)) {
    if (isOver(original)) continue;
    if (original.isUnchanged === 1 && corrections.listAfter(original.recordId ?? "", 0).length === 0) {
      yield original.raw;
      continue;
    }
    const securityId = original.mapped === null ? undefined : JSON.parse(original.raw).security_id;
    const row = typeof securityId === "string" ? store.findSecurity(db, orgId, securityId) : null;
    yield row ? corrected(original, row) : original.raw;
  }
  const deletedClasses = deletedOf(db, orgId, "share_classes");
  const deletedPlans = deletedOf(db, orgId, "equity_plans");
  const isAny = acceptances.length > 0 || store.hasMilestones(db, orgId);
  const hasOwn = order.blocks.isAnyMadeHere || isAny;
  if (!hasOwn && deletedClasses.size + deletedPlans.size === 0) return;
  const vesting = new ReadVesting(db, orgId, records, order.placeOf);
  let facts = 0;
  for (const type of ["VESTING_START", "VESTING_EVENT", "STOCK_OPTION_EXERCISE"] as const) {
    for (const entry of store.walkOfType(db, orgId, type)) {
      if (type === "VESTING_START" && !isReturn(entry)) corrections.learnStart(entry);
      vesting.learn(entry);
      if (++facts % TURN_EVERY === 0) yield "";
    }
  }
  const source = { ...sourceOf({ ...from, order, vesting, corrections, corrected }), deletedClasses, deletedPlans };
  yield* new LedgerExport(source, notes, acceptances).objects();
}

/** Whether the entry starts nothing anew: a holder is back in service. */
function isReturn(entry: Row<"transactions">): boolean {
  const draft = toDraft(entry);
  return draft !== null && stopOf(draft) !== null;
}

/** Originals of issuances with what direct edits corrected. */
type Corrector = (original: Row<"ocf_objects">, row: Row<"securities">) => JsonObject;

function issuanceCorrector({ db, orgId, records }: Exporting, corrections: LaterCorrections): Corrector {
  const isRepriced = store.findFirstOriginal(db, orgId, "TX_EQUITY_COMPENSATION_REPRICING") !== null;
  const arePricesEdited = !corrections.hasSplits && !isRepriced;
  return (original, today) => {
    const row = records.terms.ofConvertible(today, 0);
    const currency = records.currencies.of(row.currency, "securities", silent);
    return originalIssuanceOf(original, {
      row,
      corrections: corrections.listAfter(row.id, 0),
      arePricesEdited,
      currency,
    });
  };
}

/** The same with what is known of the whole ledger. */
interface Learned extends Exporting {
  readonly order: Order;
  readonly vesting: ReadVesting;
  readonly corrections: LaterCorrections;
  readonly corrected: Corrector;
}

function sourceOf(from: Learned): Omit<LedgerSource, "deletedClasses" | "deletedPlans"> {
  const { db, orgId, records, order, vesting, corrections, corrected } = from;
  const findSecurity = (id: string) => store.findSecurity(db, orgId, id);
  const classPrices = new Map<string, string | null>();
  return {
    orgId,
    walk: walkOf(from, order, (id) => vesting.findSubject(id)),
    corrections,
    findSecurity,
    asOf: (row, sequence) => records.terms.ofConvertible(row, sequence),
    findOriginalIssuance: (id) => {
      const row = findSecurity(id);
      const issuance = store.findIssuance(db, orgId, id);
      if (row === null || issuance === null) return null;
      const types = [`TX_${FAMILY[row.type]}_ISSUANCE`, "TX_PLAN_SECURITY_ISSUANCE"];
      for (const type of types) {
        const original = store.findOriginal(db, orgId, type, issuance.id);
        if (original) return corrected(original, row);
      }
      return null;
    },
    hasPlan: (id) => records.findPlan(id) !== null,
    returnsByDefault: (id) => records.findPlan(id)?.defaultCancellationBehavior === "RETURN_TO_POOL",
    onlyClassOf: (id) => {
      const [only, ...others] = records.classesOfPlan(id);
      return others.length === 0 ? (only ?? null) : null;
    },
    classPrice: (id) => {
      if (id === null) return null;
      if (!classPrices.has(id)) {
        classPrices.set(id, store.findRow(db, "share_classes", orgId, id)?.pricePerShare ?? null);
      }
      return classPrices.get(id) ?? null;
    },
    currencyOfClass: (id) =>
      records.currencies.of(store.findRow(db, "share_classes", orgId, id)?.currency ?? null, "share classes", silent),
    currencyOf: (row, note) => records.currencies.of(row?.currency ?? null, "securities", note),
    conditionsOf: (id) => records.conditionsOf(id),
    findSubject: (id) => vesting.findSubject(id),
    factsOf: (id) => vesting.factsOf(id),
    isMovedByImport: (id, sequence) =>
      store.listImportedMoves(db, orgId, id).some((place) => order.placeOf(place) > sequence) ||
      corrections.isSplitByImport(id, sequence),
    stopsOf: (id) => vesting.stopsOf(id),
    hasWordless: (id) => vesting.hasWordless(id),
    nextReissue: (id, sequence) => vesting.nextReissue(id, sequence),
    lastImported: (id) => {
      const last = store.findLastImported(db, orgId, id);
      return last === null ? null : order.placeOf(last);
    },
    nextSplit: (id, sequence) => {
      const row = findSecurity(id);
      return row && corrections.nextSplit(row, sequence);
    },
    rulesInCopy: (id) => vesting.rulesInCopy(id),
  };
}
