// Open Cap Format in and out, and verifying what came in: commands of the program, each in a process of its own, beside
// bare scripts that insert the same rows and pack the same files. The program's seconds include its start.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_FILE } from "../../src/storage/database/open.ts";
import { GENERATOR } from "../kit/ocf-material.ts";
import { beside } from "./beside.ts";
import type { Bench } from "./part.ts";
import { captable, type Done, makeKey, ROOT, run, script, startService } from "./programs.ts";
import type { Aim } from "./report.ts";
import { fetched } from "./reports.ts";

const PART = "packages";
const TRANSACTIONS = 100_000;
const SEED = "7";
const ROUNDS_MAX = 3;
/** The longest that a read may take beside an import. */
const LONGEST_MS = 20;
const MEMORY = { atMost: 300 };

/** Measures import, export and verify. */
export async function measurePackages(bench: Bench): Promise<void> {
  const { folder, report } = bench;
  const size = bench.size(TRANSACTIONS);
  const path = await makePackage(folder, size);
  const of = `of ${size.toLocaleString("en")} transactions of all kinds`;
  const note = (what: string, { seconds, cpuMs }: Done, bare: { readonly seconds: number } | null, aim: Aim) => {
    report.note(PART, `${what} ${of}`, seconds, "s", bare === null ? aim : {});
    report.note(PART, `${what} ${of}, processor time`, cpuMs / 1000, "s");
    if (bare !== null) report.note(PART, `${what} ${of} / bare script, time`, seconds / bare.seconds, "×", aim);
  };
  const atStart = (await captable("version")).peakMegabytes;
  for (let round = 0; round < Math.min(bench.rounds, ROUNDS_MAX); round++) {
    const [data, bareFile, out] = ["imported", "bare.db", "exported.zip"].map((name) => join(folder, name)) as Paths;
    const imported = await captable("ocf", "import", path, "--data-dir", data);
    const inserted = await script("bare-package.ts", "insert", join(data, DATABASE_FILE), bareFile);
    note("import", imported, inserted, { atMost: 1.8 });
    const exported = await captable("ocf", "export", "--out", out, "--data-dir", data);
    const zipped = await script("bare-package.ts", "zip", out);
    note("export", exported, zipped, { atMost: 2 });
    const verified = await captable("verify", "--data-dir", data);
    note("verify", verified, null, { atMost: 7 });
    const grown = verified.peakMegabytes - atStart;
    report.note(PART, `verify ${of}, memory over that of a command that does nothing`, grown, "MB", MEMORY);
    await makeKey(data);
    await measureExportOverHttp(bench, data, zipped.seconds);
    for (const used of [data, bareFile, out]) rmSync(used, { recursive: true });
  }
  await measureReadsBeside(bench, path, `import ${of} over HTTP`);
}

/** An export by a server that has started already. */
async function measureExportOverHttp({ report }: Bench, data: string, bareSeconds: number): Promise<void> {
  await using service = await startService(data);
  const { seconds } = await fetched(service, "/cap-table/ocf-export");
  report.note(PART, "export over HTTP / bare script, time", seconds / bareSeconds, "×", { atMost: 1.7 });
}

/** Reads while a server takes the package in, and the memory that it takes; the process that reads files is another. */
async function measureReadsBeside(bench: Bench, path: string, name: string): Promise<void> {
  await using service = await startService(join(bench.folder, "serving"));
  const idle = service.peakMegabytes();
  const work = async () => {
    const headers = { "content-type": "application/zip" };
    const answer = await service.fetch("/cap-table/ocf-import", { method: "POST", headers, body: Bun.file(path) });
    await answer.arrayBuffer();
  };
  await beside(bench, PART, service, name, work, LONGEST_MS);
  bench.report.note(PART, `${name}, memory over idle`, service.peakMegabytes() - idle, "MB", MEMORY);
}

type Paths = [data: string, bareFile: string, out: string];

/**
 * Makes a package of about so many transactions of all kinds, spread over twelve years, a seventh of them dated before one
 * that is recorded earlier.
 */
export async function makePackage(folder: string, size: number): Promise<string> {
  const path = join(folder, "package.zip");
  await run([process.execPath, GENERATOR, String(size), SEED, path], { NODE_PATH: join(ROOT, "node_modules") });
  return path;
}
