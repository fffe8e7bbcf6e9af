// docs/first-hour.md: its commands typed as they are printed there, in one shell on a new server, and its answers and
// figures compared with what came.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, isAsPrinted, newDesk } from "../kit/as-typed.ts";

setDefaultTimeout(120_000);

const DOCUMENT = readFileSync(join(import.meta.dir, "../../docs/first-hour.md"), "utf8");
const CALLS_MAX = 25;
/** A line that a shell prints after each block, so that its answers can be told apart. */
const END = "-- end of the block --";

const { type, startServer, stopServer, clear } = newDesk("first-hour");
afterAll(clear);

const blocks = blocksOf(DOCUMENT);
const commands = blocks.filter(({ language, text }) => language === "sh" && text !== "captable serve");

/** What the document prints below each block of commands, "" where it prints nothing. */
const printed = commands.map((block) => {
  const next = blocks[blocks.indexOf(block) + 1];
  return next?.language === "text" ? next.text : "";
});

test("a founder's first hour goes as it is written, in at most 25 calls", async () => {
  const calls = commands.flatMap(({ text }) => text.match(/^(call (POST|PATCH)|curl) /gm) ?? []);
  expect(calls.length).toBeGreaterThan(20);
  expect(calls.length).toBeLessThanOrEqual(CALLS_MAX);
  await startServer();
  const shown = await type(commands.map(({ text }) => `${text}\necho "${END}"`).join("\n"));
  await stopServer();
  const answers = shown.split(`${END}\n`).slice(0, -1);
  expect(answers).toHaveLength(commands.length);
  for (const [at, expected] of printed.entries()) {
    if (expected === "") continue;
    const lines = (answers[at] ?? "").trim().split("\n");
    const wanted = expected.split("\n");
    expect(lines.length).toBe(wanted.length);
    for (const [line, want] of wanted.entries()) {
      if (!isAsPrinted(lines[line] ?? "", want)) expect(lines[line]).toBe(want);
    }
  }
});

test("the figures that were worked out by hand are those that are printed", () => {
  const byHand = [...DOCUMENT.matchAll(/^\| [^|]+ \| ([\d,]+) \|/gm)].map(([, figure = ""]) => figure);
  expect(byHand.length).toBeGreaterThan(5);
  const words = new Set(printed.flatMap((text) => text.split(/\s+/)));
  expect(byHand.filter((figure) => !words.has(figure))).toEqual([]);
});

test("each step of the document shows its answers, and the comparison bites", () => {
  const steps = commands.filter(({ text }) => /^(call (POST|PATCH)|captable (cap-table|holder)) /m.test(text));
  for (const block of steps) expect(printed[commands.indexOf(block)]).not.toBe("");
  expect(isAsPrinted('{"id":"x","quantity":"42000"}', '{"id":"…","quantity":"42000"}')).toBe(true);
  expect(isAsPrinted('{"id":"x","quantity":"42001"}', '{"id":"…","quantity":"42000"}')).toBe(false);
  expect(isAsPrinted("Total  1", "Total  1,000")).toBe(false);
});
