// The one way by which packages come in, for the API and the command line: in chunks of a few milliseconds, each a
// transaction of its own, so that neither this program's requests nor another process on the database wait for it.

import { openSnapshot } from "../../database/snapshot.ts";
import type { Tx } from "../../database/sql.ts";
import type { Writer } from "../../database/writer.ts";
import type { Call } from "../../kernel/call.ts";
import type { OcfPackage } from "../package.ts";
import { applyStep } from "./apply.ts";
import { importIssuer } from "./issuer.ts";
import { LimitWatch } from "./limit-watch.ts";
import { isIssuerOf, ownTransactions } from "./own-objects.ts";
import { type ImportPlan, planImport } from "./plan.ts";
import { type ImportReport, ReportBuilder } from "./report.ts";

/** How long a chunk may hold the writer (DECISIONS section 19), less its commit. */
const CHUNK_MS = 10;

/** Where an import writes, and in whose name. */
export interface ImportTarget {
  readonly writer: Writer;
  /** Makes the call of the next transaction: each carries its own instant. */
  call(): Call;
  /** Told after each transaction. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** From how many steps on a package counts as large: its garbage is collected at once. */
const LARGE_STEPS = 20_000;

/** Findings of reading that mean objects nobody could look at; the others are warnings. */
const UNREADABLE: ReadonlySet<string> = new Set([
  "broken-zip",
  "zip-bomb",
  "zip-too-large",
  "folder-too-large",
  "file-too-large",
  "unsafe-name",
  "duplicate-file",
  "unreadable-file",
  "not-utf8",
  "not-json",
  "too-deep",
  "no-items",
  "unknown-file-type",
]);

/**
 * Imports a package. What cannot be taken in is in the report's `errors`, the rest is in the database when the promise
 * settles; it rejects only where nothing can be written at all, and what was reported as progress stays.
 */
export async function importPackage(target: ImportTarget, ocf: OcfPackage): Promise<ImportReport> {
  const report = new ReportBuilder();
  reportReading(ocf, report);
  const plan = await finish(planImport(ocf, report));
  const own = await findOwnObjects(target, plan);
  const work = new Work(plan, report, own);
  // Reading a large package leaves as much behind as it made, and so does applying it; both are worth a moment.
  const isLarge = plan.steps.length > LARGE_STEPS;
  if (isLarge) Bun.gc(true);
  while (!work.isDone) {
    const call = target.call();
    await target.writer.submit((tx) => work.advance(tx, call));
    target.onProgress?.(work.done, plan.steps.length);
    // Whoever has waited meanwhile gets a commit before the next chunk, and need not wait for that one too.
    await giveWay();
  }
  if (isLarge) setImmediate(() => Bun.gc(true));
  return report;
}

/** Runs a long calculation, giving way to others wherever it yields. */
async function finish<T>(calculation: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = calculation.next();
    if (step.done) return step.value;
    await giveWay();
  }
}

function giveWay(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}

function reportReading(ocf: OcfPackage, report: ReportBuilder): void {
  for (const finding of ocf.findings.list) {
    const { code, detail, fix } = finding;
    if (finding.severity === "problem" && UNREADABLE.has(code)) report.refuse(code, finding, detail, fix);
    else report.warn(code, finding, detail, fix);
  }
}

/**
 * What this organization exports itself, where the package is an export of it: among its transactions are some that
 * exist in OCF only, and coming back they must not count twice.
 */
async function findOwnObjects({ writer, call }: ImportTarget, { issuer }: ImportPlan): Promise<ReadonlySet<string>> {
  const { orgId } = call();
  const file = await writer.submit((tx) => (issuer && isIssuerOf(tx, orgId, issuer) ? tx.sqlite.name : null));
  if (file === null) return new Set();
  const db = openSnapshot(file);
  try {
    return await finish(ownTransactions(db, orgId));
  } finally {
    db.sqlite.close();
  }
}

/** What is left to do. */
class Work {
  done = 0;
  isDone = false;
  #isIssuerDone = false;
  readonly #plan: ImportPlan;
  readonly #report: ReportBuilder;
  readonly #limits: LimitWatch;

  readonly #own: ReadonlySet<string>;

  constructor(plan: ImportPlan, report: ReportBuilder, own: ReadonlySet<string>) {
    this.#plan = plan;
    this.#report = report;
    this.#own = own;
    this.#limits = new LimitWatch(report);
  }

  /** Does as much as fits into one transaction. */
  advance(tx: Tx, call: Call): void {
    const [plan, report, limits] = [this.#plan, this.#report, this.#limits];
    const scene = { tx, call, plan, report, limits, own: this.#own, seen: new Set<string>() };
    const started = performance.now();
    if (!this.#isIssuerDone && plan.issuer) importIssuer(scene, plan.issuer);
    this.#isIssuerDone = true;
    while (this.done < plan.steps.length && performance.now() - started < CHUNK_MS) {
      const step = plan.steps[this.done];
      if (!step || applyStep(scene, step)) this.done++;
      else return;
    }
    if (this.done < plan.steps.length) return;
    limits.finish();
    this.isDone = true;
  }
}
