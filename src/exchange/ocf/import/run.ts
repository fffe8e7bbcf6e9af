// Runs an import, for the API and the command line: in chunks of a few milliseconds, each a transaction of its own, so
// that neither this program's requests nor another process on the database wait for it.

import type { Call } from "../../../kernel/call.ts";
import { giveWay } from "../../../kernel/threads/give-way.ts";
import { organizationCurrency } from "../../../ledger/store.ts";
import { refuseClosed, refuseClosedIn } from "../../../storage/database/closed.ts";
import { PendingLog } from "../../../storage/database/log/log-rows.ts";
import { notePackageImport } from "../../../storage/database/package-imports.ts";
import { NeedsSavepoint } from "../../../storage/database/savepoint.ts";
import { openSnapshot } from "../../../storage/database/snapshot.ts";
import type { Tx } from "../../../storage/database/sql.ts";
import type { Writer } from "../../../storage/database/writer.ts";
import { isEmpty, type OcfPackage } from "../package.ts";
import { readStory } from "../story/read-story.ts";
import { isEvent } from "../story/story-event.ts";
import { applyHealing, applyStep } from "./apply.ts";
import { type OwnObjects, ownObjectsIn } from "./changed/own-objects.ts";
import { Refused } from "./changed/refused.ts";
import { LedgerWatch } from "./changed/watch.ts";
import { adoptCurrency, warnOfCurrencies, warnOfIssuer } from "./changed/whose.ts";
import { GarbageWatch } from "./collect-garbage.ts";
import { type Faults, faultsOf } from "./faults.ts";
import { importIssuer } from "./issuer-step.ts";
import { haveOwnIds, Known } from "./known.ts";
import { type LeftOut, leftOutBefore } from "./late/heal.ts";
import { type LateCharges, multiplyLateCharges } from "./late/late-charges.ts";
import { LimitWatch } from "./limit-watch.ts";
import { type ImportPlan, namedSecurities, planImport, type Step } from "./plan.ts";
import { type ImportReport, ReportBuilder } from "./report.ts";
import { warnOfVotes } from "./warnings.ts";

/** How long a transaction takes beside a server's requests, its commit included. */
const CHUNK_MS = 12;
/** The shortest chunk, however long commits take: with less an import would not progress. */
const WORK_MS_MIN = 10;

/** The database of an import, and its author. */
export interface ImportTarget {
  readonly writer: Writer;
  /** How long a transaction may take, its commit included. By default short, for the requests that wait meanwhile. */
  readonly chunkMs?: number;
  /** Makes the call of the next transaction: each carries its own instant. */
  call(): Call;
  /** Called after each transaction. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Findings of reading that mean unreadable objects, which no check saw; the others are warnings. */
const UNREADABLE: ReadonlySet<string> = new Set([
  "broken-zip",
  "zip-too-large",
  "folder-too-large",
  "unsafe-name",
  "duplicate-file",
  "unreadable-file",
  "not-utf8",
  "not-json",
  "no-items",
  "unknown-file-type",
]);

/**
 * Imports a package. Objects that cannot be imported are in the report's `errors`, the rest is in the database when the
 * promise settles; it rejects only if nothing can be written at all, and what was reported as progress stays.
 */
export async function importPackage(target: ImportTarget, ocf: OcfPackage): Promise<ImportReport> {
  const report = new ReportBuilder();
  const { orgId } = target.call();
  refuseClosed(target.writer.db, orgId);
  warnOfIssuer(target.writer.db, orgId, ocf, report);
  reportReading(ocf, report);
  const garbage = new GarbageWatch(countOf(ocf));
  // Reading leaves more behind than the package itself takes.
  garbage.collect();
  const prepared = await prepare(target, ocf, report, garbage);
  const work = new Work(prepared, report, target.chunkMs ?? CHUNK_MS);
  garbage.collect();
  while (!work.isDone) {
    await submitChunk(target, work);
    garbage.look();
    target.onProgress?.(work.done, prepared.steps.length);
    // A request that has waited meanwhile gets a commit before the next chunk, and need not wait for that one too.
    await giveWay();
  }
  setImmediate(() => garbage.collect());
  return report.told();
}

function countOf({ files }: OcfPackage): number {
  return files.reduce((count, { items }) => count + items.length, 0);
}

/** Has a chunk written; one that was undone because an object needs care is what the next one begins with. */
async function submitChunk({ writer, call }: ImportTarget, work: Work): Promise<void> {
  const made = call();
  try {
    const advance = (tx: Tx) => {
      refuseClosedIn(tx, made.orgId);
      work.advance(tx, made);
      notePackageImport(tx, made.orgId, work.isAtEnd ? null : made.at);
    };
    await writer.submit(advance, work.usesSavepoints ? "repeatable" : "waiting");
    work.keep();
  } catch (error) {
    if (!(error instanceof NeedsSavepoint)) throw error;
  }
}

/** Runs a long calculation, giving way to others wherever it yields. */
async function finish<T>(calculation: Generator<void, T>, garbage: GarbageWatch): Promise<T> {
  for (;;) {
    const step = calculation.next();
    if (step.done) return step.value;
    garbage.look();
    await giveWay();
  }
}

function reportReading(ocf: OcfPackage, report: ReportBuilder): void {
  for (const finding of ocf.findings.list) {
    const { code, detail, fix } = finding;
    if (finding.severity === "problem" && UNREADABLE.has(code)) report.refuse(code, finding, detail, fix);
    else report.warn(code, finding, detail, fix);
  }
  if (!isEmpty(ocf)) return;
  const fix = "Give the zip or folder that holds the package's JSON files itself.";
  report.refuse("empty-package", {}, "There is no object of OCF in the package.", fix);
}

/** The state of a package before anything of it is written. */
interface Prepared {
  readonly plan: ImportPlan;
  /**
   * The package's steps, between its records and its transactions what earlier imports left out, and at its end what
   * the splits of earlier imports passed by.
   */
  readonly steps: readonly (Step | LeftOut | LateCharges)[];
  readonly faults: Faults;
  /**
   * What this organization exports itself, where the package is an export of it: among its transactions are some that
   * exist in OCF only, and coming back they must not count twice.
   */
  readonly own: OwnObjects;
  readonly watch: LedgerWatch;
  readonly known: Known;
}

/** Looks through a package, and at the organization as it is before. */
async function prepare(
  { writer, call }: ImportTarget,
  ocf: OcfPackage,
  report: ReportBuilder,
  garbage: GarbageWatch,
): Promise<Prepared> {
  const { orgId } = call();
  const db = openSnapshot(writer.db.sqlite.name);
  try {
    const story = await finish(readStory(ocf), garbage);
    const faults = await finish(faultsOf({ db, orgId, ocf, story }, report), garbage);
    garbage.collect();
    const plan = await finish(planImport(ocf, story, report), garbage);
    warnOfCurrencies(db, orgId, plan.currencies, report);
    const watch = await finish(
      LedgerWatch.open(db, orgId, () => namedSecurities(plan.steps)),
      garbage,
    );
    const own = await finish(ownObjectsIn(db, orgId, plan, watch), garbage);
    const leftOut = await finish(leftOutBefore(db, orgId, plan), garbage);
    const late = watch.importedSplits().map((split): LateCharges => ({ split, isLateCharges: true }));
    const known = new Known(orgId, await finish(haveOwnIds(plan.steps), garbage));
    return { plan, steps: [...withHealing(plan.steps, leftOut), ...late], faults, own, watch, known };
  } finally {
    db.sqlite.close();
  }
}

/** Transactions act on what was healed, and healing needs the package's records. */
function withHealing(steps: readonly Step[], leftOut: readonly LeftOut[]): readonly (Step | LeftOut)[] {
  const first = steps.findIndex(isEvent);
  const at = first === -1 ? steps.length : first;
  return [...steps.slice(0, at), ...leftOut, ...steps.slice(at)];
}

/**
 * The remaining work. A savepoint for each object costs a quarter of an import, and few objects are refused. So a chunk
 * runs without; if one of its objects is refused, it is undone as a whole and runs again with savepoints.
 */
class Work {
  done = 0;
  isDone = false;
  readonly #prepared: Prepared;
  readonly #report: ReportBuilder;
  readonly #limits: LimitWatch;
  readonly #refused = new Refused();
  readonly #chunkMs: number;
  #isIssuerDone = false;
  #usesSavepoints = false;
  /** How far the chunk got that is being written, and when it ended. */
  #reached = 0;
  #endedMs = 0;
  #commitMs = 0;
  /** Removes the remarks of the current chunk from the report. */
  #takeBack: () => void;

  constructor(prepared: Prepared, report: ReportBuilder, chunkMs: number) {
    this.#prepared = prepared;
    this.#report = report;
    this.#chunkMs = chunkMs;
    this.#limits = new LimitWatch(report);
    this.#takeBack = this.#mark();
  }

  /** Whether the chunk that was written last got to the end, be it kept or not. */
  get isAtEnd(): boolean {
    return this.#reached === this.#prepared.steps.length;
  }

  /** Whether each object of the next chunk gets a savepoint. */
  get usesSavepoints(): boolean {
    return this.#usesSavepoints;
  }

  /** Does as much as fits into one transaction. May be undone and run again, as long as `keep` was not called. */
  advance(tx: Tx, call: Call): void {
    const [prepared, report, limits] = [this.#prepared, this.#report, this.#limits];
    const { plan, steps, watch, known } = prepared;
    this.#takeBack();
    this.#reached = this.done;
    const mine = {
      tx: { ...tx, pending: new PendingLog() },
      freeIds: new Set<string>(),
      usesSavepoints: this.#usesSavepoints,
    };
    watch.begin(mine.tx);
    known.begin(mine.tx);
    if (!this.#isIssuerDone) adoptCurrency(mine.tx, call, plan);
    const currency = organizationCurrency(tx, call.orgId);
    const context = { call, currency, ...prepared, report, limits, refused: this.#refused, ...mine };
    const until = performance.now() + Math.max(WORK_MS_MIN, this.#chunkMs - this.#commitMs);
    try {
      if (!this.#isIssuerDone && plan.issuer) importIssuer(context, plan.issuer);
      while (this.#reached < steps.length && performance.now() < until) {
        const step = steps[this.#reached];
        if (step && "isLeftOut" in step) applyHealing(context, step);
        else if (step && "isLateCharges" in step) {
          if (!multiplyLateCharges(context, step)) break;
        } else if (step && !applyStep(context, step)) break;
        this.#reached++;
      }
      if (this.#reached === steps.length) warnOfVotes(context);
    } catch (error) {
      this.#usesSavepoints ||= error instanceof NeedsSavepoint;
      throw error;
    }
    mine.tx.pending.tell(tx, call);
    if (this.#reached === steps.length) limits.endDay();
    watch.end(tx);
    known.end(tx);
    this.#endedMs = performance.now();
  }

  /** What the last run of `advance` did is on disk. */
  keep(): void {
    this.#commitMs = performance.now() - this.#endedMs;
    this.done = this.#reached;
    this.isDone = this.done === this.#prepared.steps.length;
    this.#isIssuerDone = true;
    this.#usesSavepoints = false;
    this.#prepared.watch.keep();
    this.#prepared.known.keep();
    this.#takeBack = this.#mark();
  }

  #mark(): () => void {
    const marks = [this.#report.mark(), this.#limits.mark(), this.#refused.mark()];
    return () => {
      for (const takeBack of marks) takeBack();
    };
  }
}
