// What is loaded before the first answer: the modules that the command line, `serve` and the service import at once.
// What another thread does, or a request that may never come, is loaded with that.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../..");
const START = ["cli/main.ts", "cli/run.ts", "cli/operating/serve.ts", "src/server/app.ts"];
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** The files and packages that are loaded together with some files; types are loaded by none. */
function loadedWith(entries: readonly string[]): ReadonlySet<string> {
  const loaded = new Set<string>();
  const files = [...entries];
  for (let file = files.pop(); file !== undefined; file = files.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    if (!file.endsWith(".ts")) continue;
    for (const { kind, path } of transpiler.scanImports(readFileSync(join(ROOT, file), "utf8"))) {
      if (kind === "dynamic-import") continue;
      if (path.startsWith(".")) files.push(relative(ROOT, resolve(ROOT, dirname(file), path)));
      else loaded.add(path);
    }
  }
  return loaded;
}

/** What other threads and processes do, and what waits for a request of its own. */
const LATER: readonly RegExp[] = [
  /^src\/views\/models\/(exit|round|read)\/(?!.*(schema|body)\.ts)/,
  /^src\/views\/models\/(model|closing\/close|compliance\/reads|scenarios\/compute)\.ts/,
  /^src\/views\/health\/(checks\/|findings|read|store)/,
  /^src\/views\/reports\/(pdf|sheets|xlsx)\//,
  /^src\/views\/reports\/(report-(company|file)|store)\.ts/,
  /^src\/views\/reports\/documents\/(?!routes\.ts)/,
  /^src\/views\/cap-table\/(fold|history|position|read-brief|remembered|table|view)\.ts/,
  /^src\/views\/portal\/(entries|holdings|own-vesting)\.ts/,
  /^src\/exchange\/ocf\/(checks|codec|schemas|story)\//,
  /^src\/exchange\/ocf\/(export\/(package-files|store)|import\/(apply|plan|run|dry-run)|zip-read)\.ts/,
  /^src\/exchange\/spreadsheet\/(codec|compare|record)\//,
  /^src\/exchange\/spreadsheet\/file\/(import-files|template-file|terms-file)\.ts/,
  /^src\/tokens\/jobs\/(loop|mirror|sender)\.ts/,
  /^src\/tokens\/chain\/embedded\/(?!open\.ts)/,
  /^src\/safekeeping\/(backup\/(take|restore|check)|verify\/(verify|ledger|log))\.ts/,
  /^src\/safekeeping\/(encryption\/(?!errors)|offsite\/(bucket|copies|mark))/,
  /^src\/safekeeping\/(timestamp\/|tree\/(merkle|prove|read-proofs|trees)|kept\/(keeper|notes|outside|sources|stamp-now))/,
  /^src\/exchange\/webhooks\/(connection|dispatcher|lane|signed)\.ts/,
  /^src\/resources\/webhook-endpoints\/(addresses|changes)\.ts/,
  /^src\/server\/service\/writing\.ts/,
  /^src\/server\/threads\/(read\/reading|write\/write-thread|import\/importing|follow\/following)\.ts/,
  /^(age-encryption|asn1js|fflate|pdfkit|fontkit|saxes|csv-parse|ipaddr\.js|standardwebhooks|openid-client|@simplewebauthn|@zxcvbn-ts|@ethereumjs|@scure|@elysiajs|@modelcontextprotocol)/,
];

const tooEarly = (entries: readonly string[]) =>
  [...loadedWith(entries)].filter((file) => LATER.some((later) => later.test(file))).sort();

test("nothing is loaded before the first answer that only a later request or another thread needs", () => {
  expect(tooEarly(START)).toEqual([]);
});

test("each of these rules is about something that is there", () => {
  const all = new Set([
    ...new Bun.Glob("src/**/*.ts").scanSync(ROOT),
    ...Object.keys(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).dependencies),
  ]);
  for (const rule of LATER)
    expect([rule.source, [...all].some((name) => rule.test(name))]).toEqual([rule.source, true]);
});

test("a static import of one of them is found, at however many removes; a lazy one and a type are not", () => {
  expect(loadedWith(START)).toContain("src/views/models/routes.ts");
  expect(tooEarly([...START, "src/views/models/scenarios/compute.ts"])).toContain("src/views/models/round/round.ts");
  expect(tooEarly([...START, "src/views/reports/report-file.ts"])).toContain("fflate");
});
