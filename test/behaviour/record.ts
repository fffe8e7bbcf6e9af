// Records what a refactoring must leave alone: the OpenAPI document, what fixtures and random companies export, every
// answer of the reading routes over random companies (CSV, workbook, PDF, portal, compliance, exits), what hostile
// packages are told, and the hashes of the simulator's ledgers.
//   bun test/behaviour/record.ts before.json            records
//   bun test/behaviour/record.ts now.json before.json   records, and lists what differs; exit status 1 where something does
// Each value is a digest, the same in every run of one build. `CAPTABLE_BEHAVIOUR=some` records a tenth of it, in about
// two minutes.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { validatePackage } from "../../src/exchange/ocf/validate.ts";
import { accessRoutes } from "../../src/people/routes.ts";
import { buildOpenApi } from "../../src/server/http/openapi/document.ts";
import { allRoutes } from "../../src/server/routes.ts";
import { SMALL } from "../exchange/ocf/fixture.ts";
import { readPackage, readZip } from "../exchange/ocf/reading.ts";
import { archiveOf, hostileFiles } from "../fuzz/packages.ts";
import { MATERIAL } from "../kit/ocf-material.ts";
import { seeded } from "../kit/random.ts";
import { simulate } from "../sim/run.ts";
import {
  companiesRecorded,
  differingNames,
  digest,
  packageRecorded,
  type Recorded,
  under,
  withCountedIds,
} from "./recording.ts";

const PART = process.env.CAPTABLE_BEHAVIOUR === "some" ? 10 : 1;
const COMPANIES = 500 / PART;
const HOSTILE = 50_000 / PART;
const HOSTILE_IN_ONE = 500;
const SEEDS = 50 / PART;

async function packages(): Promise<Recorded> {
  const folder = join(MATERIAL, "packages-derived");
  const derived = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".zip")) : [];
  const paths = [["small", SMALL] as const, ...derived.sort().map((name) => [name, join(folder, name)] as const)];
  const recorded: Recorded = {};
  for (const [name, path] of paths) {
    Object.assign(recorded, under(`package ${name}`, await packageRecorded(await readPackage(path))));
  }
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

/** What `part` records; says how long it took. */
async function timed(name: string, part: () => Promise<Recorded>): Promise<Recorded> {
  const started = performance.now();
  const recorded = await part();
  process.stdout.write(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  return recorded;
}

async function record(): Promise<Recorded> {
  const simulated = await timed("simulations", simulations);
  return await withCountedIds(async () => ({
    document: digest(await buildOpenApi([...allRoutes("production"), ...accessRoutes])),
    ...(await timed("packages", packages)),
    ...(await timed("companies", () => companiesRecorded(COMPANIES))),
    ...(await timed("hostile packages", hostile)),
    ...simulated,
  }));
}

const [to, against] = process.argv.slice(2);
if (to === undefined) throw new Error("name the file to write");
const now = await record();
writeFileSync(to, `${JSON.stringify(now, null, 2)}\n`);
process.stdout.write(`${Object.keys(now).length} values recorded in ${to}\n`);
if (against !== undefined) {
  const before: Recorded = JSON.parse(readFileSync(against, "utf8"));
  const differing = differingNames(before, now);
  process.stdout.write(differing.map((name) => `differs: ${name}\n`).join(""));
  process.stdout.write(`${differing.length} of ${Object.keys({ ...before, ...now }).length} differ\n`);
  process.exitCode = differing.length > 0 ? 1 : 0;
}
