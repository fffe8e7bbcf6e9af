// Open Cap Format in and out, and verifying what came in: commands of the program, each in a process of its own, beside
// bare scripts that insert the same rows and pack the same files. The program's seconds include its start.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_FILE } from "../../src/storage/database/open.ts";
import { GENERATOR } from "../kit/ocf-material.ts";
import { beside } from "./beside.ts";
import type { Bench } from "./part.ts";
import { captable, type Done, ROOT, run, script, startService } from "./programs.ts";
import type { Aim } from "./report.ts";

const PART = "packages";
const TRANSACTIONS = 100_000;
const SEED = "7";
const ROUNDS_MAX = 3;
/** The longest that a read may take beside an import. */
const LONGEST_MS = 20;

/** Measures import, export and verify. */
export async function measurePackages(bench: Bench): Promise<void> {
  const size = bench.size(TRANSACTIONS);
  const path = await makePackage(bench.folder, size);
  const note = (name: string, seconds: number, bareSeconds: number | null, done: Done, aim: Aim = {}) => {
    const what = `${name} of ${size.toLocaleString("en")}`;
    bench.report.note(PART, what, seconds, "s");
    if (bareSeconds !== null) bench.report.note(PART, `time of bare script / ${what}`, bareSeconds / seconds, "×", aim);
    bench.report.note(PART, `${what}, most memory`, done.peakMegabytes, "MB");
  };
  for (let round = 0; round < Math.min(bench.rounds, ROUNDS_MAX); round++) {
    const [data, bareData, out] = ["imported", "bare", "exported.zip"].map((name) => join(bench.folder, name)) as Paths;
    const imported = await captable("ocf", "import", path, "--data-dir", data);
    const inserted = await script("bare-package.ts", "insert", join(data, DATABASE_FILE), bareData);
    note("import", imported.seconds, inserted.seconds, imported, { atLeast: 0.3 });
    const exported = await captable("ocf", "export", "--out", out, "--data-dir", data);
    const zipped = await script("bare-package.ts", "zip", out);
    note("export", exported.seconds, zipped.seconds, exported);
    const verified = await captable("verify", "--data-dir", data);
    note("verify", verified.seconds, null, verified);
    for (const used of [data, bareData, out]) rmSync(used, { recursive: true });
  }
  await measureReadsBeside(bench, path, `import of ${size.toLocaleString("en")} over HTTP`);
}

/** Reads while a server takes the package in. */
async function measureReadsBeside(bench: Bench, path: string, name: string): Promise<void> {
  await using service = await startService(join(bench.folder, "serving"));
  const work = async () => {
    const headers = { "content-type": "application/zip" };
    const answer = await service.fetch("/cap-table/ocf-import", { method: "POST", headers, body: Bun.file(path) });
    await answer.arrayBuffer();
  };
  await beside(bench, PART, service, name, work, LONGEST_MS);
}

type Paths = [data: string, bareData: string, out: string];

/** Makes a package of about so many transactions: by the generator, or by exporting a cap table of issuances. */
export async function makePackage(folder: string, size: number): Promise<string> {
  const path = join(folder, "package.zip");
  await run([process.execPath, GENERATOR, String(size), SEED, path], { NODE_PATH: join(ROOT, "node_modules") });
  return path;
}
