// What the README tells an operator to type, typed as it is printed there, one block after the other, in a bare folder
// with nothing but the program on the PATH: so that it cannot rot.
import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { blocksOf, newDesk } from "../support/as-typed.ts";
import { settingsTable } from "../support/settings-table.ts";

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
  const summaries: string[] = [];
  const done: string[] = [];
  const summary = blocks.flatMap((block) => block.split("\n")).find((line) => SUMMARY.test(line)) ?? "";
  for (const block of blocks) {
    if (block === "captable serve") await startServer();
    else {
      if (block.startsWith("captable restore")) {
        await stopServer();
        rmSync(join(cwd, "data"), { recursive: true });
      }
      const shown = await type(block);
      if (SUMMARY.test(block.split("\n").at(-1) ?? "")) summaries.push(shown);
      if (block.startsWith("captable cap-table")) {
        expect(shown).toMatch(/^Total .*\d/m);
        summaries.push(await type(summary));
      }
      if (block.includes("captable verify")) expect(shown).toContain("No difference.");
    }
    done.push(...block.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
  }
  for (const command of ["serve", "org", "keys", "ocf", "verify", "backup", "restore"]) {
    expect(done).toContain(`captable ${command}`);
  }
  expect(summaries).toHaveLength(2);
  const [before, imported] = summaries.map(readSummary);
  expect(imported).not.toEqual(before);
  await startServer();
  expect(readSummary(await type(summary))).toEqual(imported ?? {});
  await stopServer();
}, 60_000);

/** The summary is the last line of what was shown. */
function readSummary(shown: string): object {
  const { data } = JSON.parse(shown.split("\n").at(-1) ?? "");
  expect(data).toHaveProperty("totalIssued");
  return data;
}

test("the settings of the README are those of the program", () => {
  expect(README).toContain(`${settingsTable()}\n\nExit statuses`);
});
