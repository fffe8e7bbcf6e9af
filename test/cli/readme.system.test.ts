// What the README tells an operator to type, typed as it is printed there, one block after the other, in a bare folder
// with nothing but the program on the PATH: so that it cannot rot.
import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { lastTable, pictureOf } from "../../.ci/picture.ts";
import { blocksOf, newDesk } from "../kit/as-typed.ts";
import { settingsTable } from "../kit/settings-table.ts";

const ROOT = join(import.meta.dir, "../..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const PACKAGE = join(ROOT, "test/fixtures/ocf/small");
const SUMMARY = /^curl -s \S+\/cap-table\/summary/;

const { cwd, type, startServer, stopServer, clear } = newDesk("readme");
afterAll(clear);
const files = readdirSync(PACKAGE).map((name) => [name, readFileSync(join(PACKAGE, name))] as const);
writeFileSync(join(cwd, "package.ocf.zip"), zipSync(Object.fromEntries(files)));

/** The blocks for a shell that use the program; those that install and build it are the build's own test. */
const blocks = blocksOf(README)
  .filter(({ language, text }) => language === "sh" && !text.includes("npx -y bun"))
  .map(({ text }) => text);

test("every command of the README works as it is printed, from the first start to a restore", async () => {
  const done: string[] = [];
  const tables: string[] = [];
  let summary = "";
  for (const block of blocks) {
    if (block === "captable serve") await startServer();
    else {
      if (block.startsWith("captable restore")) {
        await stopServer();
        rmSync(join(cwd, "data"), { recursive: true });
      }
      const shown = await type(block);
      if (/captable cap-table/.test(block)) tables.push(shown);
      if (SUMMARY.test(block.split("\n").at(-1) ?? "")) summary = shown;
      if (block.includes("captable verify")) expect(shown).toContain("No difference.");
    }
    done.push(...block.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
  }
  for (const command of ["serve", "org", "keys", "ocf", "verify", "backup", "restore"]) {
    expect(done).toContain(`captable ${command}`);
  }
  expect(tables).toHaveLength(3);
  expect(tables[0]).toContain("No holders yet.");
  const [imported, restored] = tables.slice(1).map((shown) => /^HOLDER[\s\S]+?^Total .*\d.*$/m.exec(shown)?.[0]);
  expect(imported).toBeString();
  expect(restored).toBe(imported ?? "");
  await startServer();
  const line = blocks.flatMap((block) => block.split("\n")).find((each) => SUMMARY.test(each)) ?? "";
  expect(readSummary(await type(line))).toMatchObject({ totalIssued: readSummary(summary).totalIssued });
  await stopServer();
}, 300_000);

test("every command of docs/ocf.md and docs/proofs.md works as it is printed", async () => {
  const desk = newDesk("documents");
  try {
    writeFileSync(join(desk.cwd, "package.ocf.zip"), readFileSync(join(cwd, "package.ocf.zip")));
    await desk.startServer();
    const typed: string[] = [];
    for (const name of ["docs/ocf.md", "docs/proofs.md"]) {
      const shell = blocksOf(readFileSync(join(ROOT, name), "utf8")).filter(({ language }) => language === "sh");
      for (const { text } of shell) typed.push(await desk.type(text));
    }
    expect(typed).toHaveLength(4);
    expect(typed.at(-1)).toContain("No difference.");
    await desk.stopServer();
  } finally {
    desk.clear();
  }
}, 300_000);

test("its picture is the cap table of the first hour", () => {
  expect(README).toContain("(docs/cap-table.svg)");
  expect(readFileSync(join(ROOT, "docs/cap-table.svg"), "utf8")).toBe(pictureOf(lastTable()));
});

test("it has room on a few pages", () => {
  expect(README.trimEnd().split("\n").length).toBeLessThanOrEqual(110);
});

/** The summary is the last of what was shown; curl ends no line. */
function readSummary(shown: string): { readonly totalIssued: string } {
  const { data } = JSON.parse(shown.slice(shown.lastIndexOf('{"data":')));
  expect(data.totalIssued).toMatch(/^[1-9]/);
  return data;
}

test("the settings of the documents are those of the program", () => {
  expect(readFileSync(join(ROOT, "docs/operate.md"), "utf8")).toContain(`${settingsTable()}\n\nExit statuses`);
});
