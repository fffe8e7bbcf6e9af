// Records what a change of the code's shape must leave alone: the API's document, what fixtures and random companies
// export, every answer that reads of random companies (CSV, workbook, paper, portal, compliance, exits), what hostile
// packages are told, and the hashes of the simulator's ledgers.
//   bun test/behaviour/record.ts before.json            records
//   bun test/behaviour/record.ts now.json before.json   records, and lists what differs; exit status 1 where something does
// Each value is a digest; `CAPTABLE_BEHAVIOUR=some` records a tenth of it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { accessRoutes } from "../../src/access/routes.ts";
import type { Reader } from "../../src/database/sql.ts";
import type { Writer } from "../../src/database/writer.ts";
import { buildOpenApi } from "../../src/http/openapi.ts";
import { importPackage } from "../../src/ocf/import/run.ts";
import { validatePackage } from "../../src/ocf/validate.ts";
import { insertOrganization } from "../../src/resources/organization/store.ts";
import { isReading, type Reply } from "../../src/route.ts";
import { allRoutes } from "../../src/routes.ts";
import { archiveOf, hostileFiles } from "../fuzz/packages.ts";
import { MATERIAL } from "../kit/ocf-material.ts";
import { seeded } from "../kit/random.ts";
import { SMALL } from "../ocf/fixture.ts";
import { readPackage, readZip } from "../ocf/reading.ts";
import type { Choice } from "../property/choosing.ts";
import { Company, newCall } from "../property/company.ts";
import { exportedFrom, packageWith } from "../property/cut.ts";
import { Home } from "../property/home.ts";
import { seenIn } from "../property/seen.ts";
import { histories } from "../property/steps.ts";
import { simulate } from "../sim/run.ts";

const PART = process.env.CAPTABLE_BEHAVIOUR === "some" ? 10 : 1;
const COMPANIES = 500 / PART;
const STEPS = 40;
const HOSTILE = 50_000 / PART;
const HOSTILE_IN_ONE = 500;
const SEEDS = 50 / PART;
const COMPANIES_IN_HOME = 50;

type Recorded = Record<string, string>;

const digest = (value: unknown) => new Bun.CryptoHasher("sha256").update(JSON.stringify(value)).digest("hex");

/** Ids that are the same in every run, and in the order in which they were made. */
let made = 0;
function nextId(): string {
  const number = (made++).toString(16).padStart(12, "0");
  return `01900000-0000-7000-8000-${number}`;
}

/** A package as it goes out, without what tells when. */
async function roundTrip(writer: Writer, orgId: string): Promise<Recorded> {
  const exported = exportedFrom(writer.db, orgId);
  const findings = validatePackage(packageWith(exported)).problems;
  const copy = nextId();
  await writer.submit((tx) => insertOrganization(tx, newCall(copy, "POST /"), { legalName: "Copy, Inc.", isNamed: 1 }));
  const report = await importPackage({ writer, call: () => newCall(copy, "POST /") }, packageWith(exported));
  const again = exportedFrom(writer.db, copy);
  return { exported: digest(exported), findings: digest(findings), report: digest(report), again: digest(again) };
}

function under(prefix: string, recorded: Recorded): Recorded {
  return Object.fromEntries(Object.entries(recorded).map(([name, value]) => [`${prefix} ${name}`, value]));
}

async function packages(): Promise<Recorded> {
  const folder = join(MATERIAL, "packages-derived");
  const derived = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".zip")) : [];
  const paths = [["small", SMALL] as const, ...derived.map((name) => [name, join(folder, name)] as const)];
  const recorded: Recorded = {};
  for (const [name, path] of paths) {
    made = 0;
    const home = await Home.open();
    try {
      const ocf = await readPackage(path);
      recorded[`package ${name} findings`] = digest(validatePackage(ocf));
      const orgId = nextId();
      await home.writer.submit((tx) =>
        insertOrganization(tx, newCall(orgId, "POST /"), { legalName: "Model, Inc.", isNamed: 0 }),
      );
      const report = await importPackage({ writer: home.writer, call: () => newCall(orgId, "POST /") }, ocf);
      recorded[`package ${name} report`] = digest(report);
      Object.assign(recorded, under(`package ${name}`, await roundTrip(home.writer, orgId)));
    } finally {
      home.close();
    }
  }
  return recorded;
}

const ROUTES = allRoutes("test");
const ASKED: Readonly<Record<string, Record<string, unknown>>> = {
  modelCapTable: {},
  modelWaterfall: { exitValues: ["1000000", "50000000"], detail: "HOLDERS" },
};
const NOW_MS = Date.parse("2026-06-30T12:00:00Z");
/** How many holders and securities of a company are asked about one by one. */
const ASKED_ABOUT = 2;

/** Every answer of routes that read, by the route's name: what was asked of several records together. */
async function answersOf(db: Reader, orgId: string): Promise<Recorded> {
  const idsOf = (table: "stakeholders" | "securities") =>
    db.sqlite.prepare(`select id from ${table} where "orgId" = ? order by id limit ?`).all(orgId, ASKED_ABOUT);
  const records = { stakeholders: idsOf("stakeholders"), securities: idsOf("securities") } as const;
  const stakeholderIds = records.stakeholders.map((row) => (row as { readonly id: string }).id);
  const recorded: Recorded = {};
  for (const route of ROUTES) {
    if (!isReading(route)) continue;
    const about = /\/(stakeholders|securities)\/:id/.exec(route.path)?.[1] as keyof typeof records | undefined;
    if (about === undefined && route.path.includes("/:")) continue;
    const ids = about === undefined ? [{}] : records[about];
    const all: unknown[] = [];
    for (const params of ids as readonly Readonly<Record<string, string>>[]) {
      const request = { orgId, params, query: {}, nowMs: NOW_MS, stakeholderIds };
      all.push(
        await answered(() =>
          "ask" in route ? route.ask(db, { ...request, body: ASKED[route.operationId] ?? {} }) : route.run(db, request),
        ),
      );
    }
    recorded[route.operationId] = digest(all);
  }
  return recorded;
}

/** An answer as plain data, a file as a digest of its bytes; what is thrown by its name and words. */
async function answered(ask: () => Reply): Promise<unknown> {
  try {
    const { file, ...reply } = ask();
    if (file === undefined) return reply;
    const hash = new Bun.CryptoHasher("sha256");
    for await (const piece of file.content instanceof Uint8Array ? [file.content] : file.content) hash.update(piece);
    return { ...file, content: hash.digest("hex") };
  } catch (error) {
    return error instanceof Error ? `${error.name} ${error.message}` : String(error);
  }
}

/** The choices of a company's history: those of a seed. */
function choicesOf(seed: number): readonly Choice[] {
  const [choices] = fc.sample(histories(STEPS), { numRuns: 1, seed });
  return choices ?? [];
}

async function companies(): Promise<Recorded> {
  const recorded: Recorded = {};
  let home = await Home.open();
  for (let seed = 1; seed <= COMPANIES; seed++) {
    if (seed % COMPANIES_IN_HOME === 0) {
      home.close();
      home = await Home.open();
    }
    made = seed * 1_000_000;
    const orgId = await home.writer.submit((tx) => {
      const company = new Company(tx);
      for (const choose of choicesOf(seed)) {
        const step = choose(seenIn(company));
        if (step !== null) company.run(step);
      }
      return company.orgId;
    });
    recorded[`company ${seed}`] = digest(await roundTrip(home.writer, orgId));
    Object.assign(recorded, under(`company ${seed}`, await answersOf(home.writer.db, orgId)));
  }
  home.close();
  return recorded;
}

/** What validating a hostile package says; a package that cannot be read says why. */
async function findingsOf(seed: number): Promise<unknown> {
  const pick = seeded(seed);
  try {
    return validatePackage(await readZip(archiveOf(hostileFiles(pick), pick)));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function hostile(): Promise<Recorded> {
  const recorded: Recorded = {};
  for (let from = 1; from <= HOSTILE; from += HOSTILE_IN_ONE) {
    const all: unknown[] = [];
    for (let seed = from; seed < from + HOSTILE_IN_ONE; seed++) all.push(await findingsOf(seed));
    recorded[`hostile packages from ${from}`] = digest(all);
  }
  return recorded;
}

async function simulations(): Promise<Recorded> {
  const recorded: Recorded = {};
  for (let seed = 1; seed <= SEEDS; seed++) recorded[`simulation ${seed}`] = (await simulate(seed)).digest;
  return recorded;
}

async function record(): Promise<Recorded> {
  const systemId = Bun.randomUUIDv7;
  const simulated = await simulations();
  Object.assign(Bun, { randomUUIDv7: nextId });
  try {
    const document = { document: digest(await buildOpenApi([...allRoutes("production"), ...accessRoutes])) };
    return { ...document, ...(await packages()), ...(await companies()), ...(await hostile()), ...simulated };
  } finally {
    Object.assign(Bun, { randomUUIDv7: systemId });
  }
}

const [to, against] = process.argv.slice(2);
if (to === undefined) throw new Error("name the file to write");
const now = await record();
writeFileSync(to, `${JSON.stringify(now, null, 2)}\n`);
process.stdout.write(`${Object.keys(now).length} values recorded in ${to}\n`);
if (against !== undefined) {
  const before: Recorded = JSON.parse(readFileSync(against, "utf8"));
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const differing = names.filter((name) => before[name] !== now[name]);
  process.stdout.write(differing.map((name) => `differs: ${name}\n`).join(""));
  process.stdout.write(`${differing.length} of ${names.length} differ\n`);
  process.exitCode = differing.length > 0 ? 1 : 0;
}
