// What the recorder of behaviour asks: exports, reports and every reading route of random companies, with ids, clock and
// signing key that follow from the company's seed, so that two runs of one build record the same.
import fc from "fast-check";
import { importPackage } from "../../src/exchange/ocf/import/run.ts";
import type { OcfPackage } from "../../src/exchange/ocf/package.ts";
import { validatePackage } from "../../src/exchange/ocf/validate.ts";
import { Problem } from "../../src/kernel/problem.ts";
import { insertOrganization } from "../../src/resources/organization/store.ts";
import { isReading, loading, type Reply, type Route } from "../../src/resources/route.ts";
import { signerOf } from "../../src/safekeeping/checkpoint/note.ts";
import { allRoutes } from "../../src/server/routes.ts";
import type { Reader } from "../../src/storage/database/sql.ts";
import type { Writer } from "../../src/storage/database/writer.ts";
import type { Choice } from "../property/choosing.ts";
import { Company, newCall, setClock } from "../property/company.ts";
import { exportedFrom, packageWith } from "../property/cut.ts";
import { Home } from "../property/home.ts";
import { TODAY } from "../property/model/dates.ts";
import { seenIn } from "../property/seen.ts";
import { histories } from "../property/steps.ts";

/** A digest for each thing that was asked, by its name. */
export type Recorded = Record<string, string>;

const STEPS = 40;
const COMPANIES_IN_HOME = 50;
/** Ids and milliseconds that a company may use before it meets those of the next seed. */
const IDS_EACH = 1_000_000;
const MILLISECONDS_EACH = 100_000;
const MIDNIGHT_MS = Date.parse(`${TODAY}T00:00:00Z`);
const NOW_MS = Date.parse("2026-06-30T12:00:00Z");
/** How many holders and securities of a company are asked about one by one. */
const ASKED_ABOUT = 2;
/** Setting type takes half a second a document: only each of so many companies is asked for documents. */
const DOCUMENTS_EVERY = 10;
const SIGNER = signerOf(new Uint8Array(32).fill(7));

/** The routes that are asked, in the order in which they are served. */
export const ROUTES: readonly Route[] = allRoutes("test", { signer: SIGNER });

export const digest = (value: unknown): string =>
  new Bun.CryptoHasher("sha256").update(JSON.stringify(value)).digest("hex");

let made = 0;
function nextId(): string {
  return `01900000-0000-7000-8000-${(made++).toString(16).padStart(12, "0")}`;
}

/** Sets the ids and the clock to those of a seed. */
function startAt(seed: number): void {
  made = seed * IDS_EACH;
  setClock(MIDNIGHT_MS + seed * MILLISECONDS_EACH);
}

/** Runs something with ids that count up in place of random ones. */
export async function withCountedIds<T>(run: () => Promise<T>): Promise<T> {
  const systemId = Bun.randomUUIDv7;
  Object.assign(Bun, { randomUUIDv7: nextId });
  try {
    return await run();
  } finally {
    Object.assign(Bun, { randomUUIDv7: systemId });
  }
}

export function under(prefix: string, recorded: Recorded): Recorded {
  return Object.fromEntries(Object.entries(recorded).map(([name, value]) => [`${prefix} ${name}`, value]));
}

/** Imports a package into a new organization; returns its id and the import's report. */
async function imported(
  writer: Writer,
  ocf: OcfPackage,
  given: { readonly legalName: string; readonly isNamed: 0 | 1 },
) {
  const orgId = nextId();
  await writer.submit((tx) => insertOrganization(tx, newCall(orgId, "POST /"), given));
  // An import takes a call for each of its transactions, and how many these are depends on how fast the machine is.
  const call = newCall(orgId, "POST /");
  return { orgId, report: await importPackage({ writer, call: () => call }, ocf) };
}

/** What an organization exports, and what a copy made of that exports. */
async function roundTrip(writer: Writer, orgId: string): Promise<Recorded> {
  const exported = exportedFrom(writer.db, orgId);
  const findings = validatePackage(packageWith(exported)).problems;
  const copy = await imported(writer, packageWith(exported), { legalName: "Copy, Inc.", isNamed: 1 });
  const again = exportedFrom(writer.db, copy.orgId);
  const report = digest(copy.report);
  return { exported: digest(exported), findings: digest(findings), report, again: digest(again) };
}

/** What an OCF package's validation and import say, and what goes out again. */
export async function packageRecorded(ocf: OcfPackage): Promise<Recorded> {
  startAt(0);
  const home = await Home.open();
  try {
    const findings = digest(validatePackage(ocf));
    const { orgId, report } = await imported(home.writer, ocf, { legalName: "Model, Inc.", isNamed: 0 });
    return { ...(await roundTrip(home.writer, orgId)), findings, report: digest(report) };
  } finally {
    home.close();
  }
}

/** What the models are asked, by the route's name; where it is not here, the route's own example. */
function askedOf(route: Route, securityIds: readonly string[]): Record<string, unknown> {
  const grants = securityIds.map((securityId) => ({ securityId, fairValuePerShare: "0.84" }));
  const asked: Readonly<Record<string, Record<string, unknown>>> = {
    modelCapTable: {},
    modelWaterfall: { exitValues: ["1000000", "50000000"], detail: "HOLDERS" },
    modelExpense: { method: "STRAIGHT_LINE", from: "2026-01-01", to: "2026-12-31", period: "QUARTER", grants },
    compareScenarios: { scenarioIds: [] },
  };
  const example = "bodyExample" in route ? route.bodyExample : undefined;
  return asked[route.operationId] ?? (example as Record<string, unknown> | undefined) ?? {};
}

/** The path's record that is asked about; null for none, undefined for one of another kind, which is not asked. */
function askedAbout({ path }: Route): "stakeholders" | "securities" | null | undefined {
  if (!path.includes("/:")) return null;
  return /\/(stakeholders|securities)\/:id/.exec(path)?.[1] as "stakeholders" | "securities" | undefined;
}

/** Every answer of routes that read, by the route's name: what was asked of several records together. */
async function answersOf(db: Reader, orgId: string, routes: readonly Route[]): Promise<Recorded> {
  const idsOf = (table: "stakeholders" | "securities") =>
    (
      db.sqlite.prepare(`select id from ${table} where "orgId" = ? order by id limit ?`).all(orgId, ASKED_ABOUT) as {
        readonly id: string;
      }[]
    ).map(({ id }) => id);
  const ids = { stakeholders: idsOf("stakeholders"), securities: idsOf("securities") };
  const recorded: Recorded = {};
  for (const route of routes) {
    if (!isReading(route)) continue;
    const about = askedAbout(route);
    if (about === undefined) continue;
    await loading("ask" in route ? route.ask : route.run);
    const all: unknown[] = [];
    for (const params of about === null ? [{}] : ids[about].map((id) => ({ id }))) {
      const query = route.operationId === "getValuationInForce" ? { on: TODAY } : {};
      const request = { orgId, params, query, nowMs: NOW_MS, stakeholderIds: ids.stakeholders };
      const answer = () =>
        "ask" in route ? route.ask(db, { ...request, body: askedOf(route, ids.securities) }) : route.run(db, request);
      all.push(await answered(answer));
    }
    recorded[route.operationId] = digest(all);
  }
  return recorded;
}

/** An answer as plain data, a file as a digest of its bytes; a refusal by its name and words. Rejects for a fault. */
async function answered(ask: () => Reply): Promise<unknown> {
  try {
    const { file, bytes, ...reply } = ask();
    if (bytes !== undefined) return { ...reply, bytes: new TextDecoder().decode(bytes) };
    if (file === undefined) return reply;
    const hash = new Bun.CryptoHasher("sha256");
    for await (const piece of file.content instanceof Uint8Array ? [file.content] : file.content) hash.update(piece);
    return { ...file, content: hash.digest("hex") };
  } catch (error) {
    if (error instanceof Problem) return [error.slug, error.detail, error.errors ?? []];
    throw error;
  }
}

/** The choices of a company's history: those of a seed. */
function choicesOf(seed: number): readonly Choice[] {
  const [choices] = fc.sample(histories(STEPS), { numRuns: 1, seed });
  return choices ?? [];
}

/** Whether a route answers a PDF. */
export const isDocument = (route: Route): boolean => "fileType" in route && route.fileType === "application/pdf";

/** What the companies of seeds 1 to `count` export and answer. */
export async function companiesRecorded(count: number, routes: readonly Route[] = ROUTES): Promise<Recorded> {
  const recorded: Recorded = {};
  const others = routes.filter((route) => !isDocument(route));
  let home = await Home.open();
  for (let seed = 1; seed <= count; seed++) {
    if (seed % COMPANIES_IN_HOME === 0) {
      home.close();
      home = await Home.open();
    }
    startAt(seed);
    const orgId = await home.writer.submit((tx) => {
      const company = new Company(tx);
      for (const choose of choicesOf(seed)) {
        const step = choose(seenIn(company));
        if (step !== null) company.run(step);
      }
      return company.orgId;
    });
    const asked = seed % DOCUMENTS_EVERY === 1 ? routes : others;
    recorded[`company ${seed}`] = digest(await roundTrip(home.writer, orgId));
    Object.assign(recorded, under(`company ${seed}`, await answersOf(home.writer.db, orgId, asked)));
  }
  home.close();
  return recorded;
}

/** The names whose values are not the same in both, or that only one has. */
export function differingNames(before: Recorded, now: Recorded): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => before[name] !== now[name]);
}
