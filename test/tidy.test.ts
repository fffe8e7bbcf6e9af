// The rules of the house that no tool checks for us. A rule that is broken names the file and says what to do.
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { LOGGED } from "../src/database/logged-tables.ts";

const SOURCE = [...new Glob("{src,cli,migrations}/**/*.ts").scanSync(".")].sort();
const TEXTS = new Map(await Promise.all(SOURCE.map(async (file) => [file, await Bun.file(file).text()] as const)));

const LINES_MAX = 400;
const LINE_LENGTH_MAX = 120;
const EMBEDDED_TEXT = /\.sol$|assets\//;

/** Every file that breaks a rule; the files named in `except` may. */
function breaking(rule: (text: string, file: string) => boolean, except: readonly RegExp[] = []): string[] {
  return [...TEXTS]
    .filter(([file, text]) => !except.some((allowed) => allowed.test(file)) && rule(text, file))
    .map(([file]) => file);
}

/** The text without comments and string contents, so that words in prose do not count. */
function code(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
}

test("files stay under 400 lines, lines under 120 characters", () => {
  expect(breaking((text) => text.split("\n").length > LINES_MAX + 1)).toEqual([]);
  const isLong = (line: string) =>
    line.length > LINE_LENGTH_MAX && !/^\s*(?:"|'|`|\/\/|return "|description: ).*$/.test(line);
  expect(
    breaking((text) =>
      text.split("\n").some((line) => isLong(line) && !/"[^"]{60,}"|`[^`]{60,}`|\/.{60,}\//.test(line)),
    ),
  ).toEqual([]);
});

test("a module says in its first line why it exists", () => {
  expect(breaking((text) => !/^(#!.*\n)?\/[/*]/.test(text))).toEqual([]);
});

test("nothing is left to do, and no type is forced", () => {
  expect(
    breaking((text) =>
      /\b(TODO|FIXME|HACK|XXX)\b|@ts-(ignore|expect-error|nocheck)|as unknown as|: any\b|as any\b/.test(code(text)),
    ),
  ).toEqual([]);
});

test("time, randomness, environment and console each enter in one place", () => {
  expect(breaking((text) => /\bDate\.now\(|new Date\(/.test(code(text)), [/^src\/kernel\/runtime\.ts$/])).toEqual([]);
  expect(breaking((text) => /Math\.random\(/.test(code(text)))).toEqual([]);
  expect(breaking((text) => /process\.env\b/.test(code(text)), [/^src\/config\.ts$/])).toEqual([]);
  expect(breaking((text) => /\bconsole\./.test(code(text)))).toEqual([]);
});

test("what is printed goes through the places that escape it", () => {
  // What goes down a pipe as a file is no text for a terminal, and never goes to one.
  const allowed = [/^cli\/(command|progress|standard-output)\.ts$/, /^cli\/serve\.ts$/, /^src\/app\.ts$/];
  expect(breaking((text) => /process\.std(out|err)\.write\(/.test(code(text)), allowed)).toEqual([]);
});

test("SQL stands in stores, the database folder and migrations only", () => {
  const allowed = [
    /store\.ts$/,
    /^src\/database\//,
    /^migrations\//,
    /^src\/chain\/embedded\//,
    /^src\/bootstrap\.ts$/,
    /^src\/app\.ts$/,
  ];
  expect(
    breaking((text) => /from "kysely|from "better-sqlite3|\.sqlite\.(prepare|exec|pragma)\(/.test(code(text)), allowed),
  ).toEqual([]);
});

test("what the log tells of is written by database/logged.ts alone", () => {
  const tables = Object.keys(LOGGED).join("|");
  const built = new RegExp(`(insertInto|replaceInto|updateTable|deleteFrom)\\(\\s*"(${tables})"`);
  const raw = new RegExp(
    `(insert( or \\w+)? into|replace into|update( or \\w+)?|delete from)\\s+"?(${tables})\\b`,
    "i",
  );
  expect([built.test('build.updateTable("securities")'), raw.test("UPDATE OR IGNORE api_keys")]).toEqual([true, true]);
  const allowed = [/^src\/database\/(logged|sql)\.ts$/, /^migrations\//];
  expect(breaking((text) => built.test(code(text)) || raw.test(code(text)), allowed)).toEqual([]);
  expect(breaking((text) => /\binsertColumns\b/.test(code(text)), allowed)).toEqual([]);
});

test("the pure core is synchronous", () => {
  const pure = /^src\/(kernel|vesting)\/|^src\/ledger\/(?!routes)|\/(rules|store|schema)\.ts$|^src\/ocf\/codec\//;
  expect(
    breaking((text, file) => pure.test(file) && /\basync\b|\bawait\b|Promise</.test(code(text)), [/^src\/chain\//]),
  ).toEqual([]);
});

/** Who may not import whom, as src/README.md says. */
const FORBIDDEN: readonly (readonly [importer: RegExp, imported: RegExp, why: string])[] = [
  [/^src\/kernel\//, /^src\/(?!kernel\/)/, "the kernel imports nothing of ours"],
  [/^src\/vesting\//, /^src\/(?!kernel\/|vesting\/)/, "the vesting engine is pure"],
  [/^src\/ledger\/operations\//, /^src\/(http|chain|jobs|resources|app)/, "operations are pure"],
  [/^src\/database\//, /^src\/(?!kernel\/|database\/)/, "the database knows no resource"],
  [/\/store\.ts$/, /^src\/(http|app)/, "a store knows no request"],
  [/^src\/jobs\//, /^src\/(http|chain\/(rpc|embedded))/, "jobs know the chain's port only"],
  [/^src\/(?!app\.ts|http\/|web\/)/, /^src\/http\//, "only the composition root serves"],
  [/^src\/(?!app\.ts|web\/)/, /^src\/web\//, "nothing depends on the pages"],
  [/^src\/web\//, /^src\/(?!web\/|http\/(page|public)\.ts|kernel\/)/, "the start page knows no data"],
  [/^src\/health\//, /^src\/(chain|jobs|ocf|verify|cap-table)\//, "the report reads rows and the ledger"],
  [/^src\/health\/(checks|past)\/(?!store)/, /store\.ts$|^src\/(database|resources)\//, "the checks are pure"],
  [/^src\/(?!health\/|app\.ts)/, /^src\/health\//, "nothing is decided by what stands out"],
  [/^src\//, /^cli\//, "the program knows no command"],
];

test("imports go one way", () => {
  const wrong: string[] = [];
  for (const [file, text] of TEXTS) {
    for (const [, target = ""] of text.matchAll(/(?:from |import\()"(\.[^"]+)"/g)) {
      const imported = new URL(target, `file:///${file}`).pathname.slice(1);
      const isTypeOnly = new RegExp(`import type [^;]*from "${RegExp.escape(target)}"`).test(text);
      for (const [importer, forbidden, why] of FORBIDDEN) {
        if (importer.test(file) && forbidden.test(imported) && !isTypeOnly)
          wrong.push(`${file} imports ${imported}: ${why}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test("nothing that ships points outside the checkout", () => {
  expect(breaking((text) => /\.\.\/shared|\/work\//.test(text) && !EMBEDDED_TEXT.test(text))).toEqual([]);
});

test("installing runs no package's script, and no package needs one to be of use", async () => {
  const { trustedDependencies, devDependencies } = await Bun.file("package.json").json();
  expect(trustedDependencies).toEqual([]);
  expect(await Bun.file("bun.lock").text()).toContain('"trustedDependencies": [],');
  // Without its script that package is a stub which fails, and which `npx bun` and the scripts here would run.
  expect(devDependencies.bun).toBeUndefined();
});
