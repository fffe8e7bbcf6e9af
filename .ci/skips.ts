// What a run of tests skipped, by what was missing: from the report of `bun test` (JUnit), which has each test's place, and
// from what `skipIf` asks there.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");

/** What is missing where a test is skipped, by the name that its `skipIf` asks. */
export const MISSING: Readonly<Record<string, string>> = {
  HAS_CHROMIUM: "browser",
  IS_LINUX: "Linux",
  LIBFAKETIME: "libfaketime",
  OFFICE: "LibreOffice",
  QUICK: "time in this tier",
  HAS_OPENPYXL: "openpyxl",
  PDFTOPPM: "pdftoppm",
  PDFTOTEXT: "pdftotext",
  QPDF: "qpdf",
  RELEASE: "release counts",
  STRACE: "strace",
  anvilMissing: "anvil",
  asNobody: "root",
  canChange: "sources of the program",
  canMount: "root",
  canSee: "procfs",
  canTrace: "strace",
  canWeaken: "strace",
  hasAge: "age",
  hasLitestream: "litestream",
  hasOpenssl: "openssl",
  hasScript: "script",
  hasSwift: "OpenStack Swift",
  cannotBuild: "build for this machine",
  cannotRun: "browser",
  isAlone: "root",
  isRoot: "root",
  missing: "anvil",
  reason: "root",
  CAPTABLE_BINARY: "CAPTABLE_BINARY",
};

/** A reason that has no name here. */
export const OTHER = "other";
/** Where `skipIf` is asked within so many lines of a test's place. */
const LINES = 3;

const texts = new Map<string, readonly string[]>();
function linesOf(file: string): readonly string[] {
  const known = texts.get(file) ?? readFileSync(join(ROOT, file), "utf8").split("\n");
  texts.set(file, known);
  return known;
}

/** What the `skipIf` at a line of a file asks for; null without one. */
function missingAt(file: string, line: number): string | null {
  const text = linesOf(file)
    .slice(line - 1, line - 1 + LINES)
    .join("\n");
  return missingIn(text);
}

/** What the `skipIf` at the beginning of a text asks for; null without one, `other` where it is not known here. */
export function missingIn(text: string): string | null {
  const condition = /^\s*(?:test|describe)\s*\.skipIf\(([\s\S]*?)\)(?:\(|\.)/.exec(text)?.[1];
  if (condition === undefined) return null;
  const program = /Bun\.which\("([\w-]+)/.exec(condition)?.[1];
  const names: readonly string[] = condition.match(/\w+/g) ?? [];
  return program ?? names.map((name) => MISSING[name]).find((tool) => tool !== undefined) ?? OTHER;
}

/** How many tests a JUnit report says were skipped, by what was missing. */
export function countSkips(report: string): Map<string, number> {
  const skips = new Map<string, number>();
  /** The suites around, each with its file and line. */
  const around: (readonly [file: string, line: number])[] = [];
  let testcase: readonly [file: string, line: number] | null = null;
  for (const [tag, closing, name, attributes = ""] of report.matchAll(
    /<(\/?)(testsuite|testcase|skipped)\b([^>]*)>/g,
  )) {
    const file = /\bfile="([^"]*)"/.exec(attributes)?.[1] ?? "";
    const place = [file, Number(/\bline="(\d+)"/.exec(attributes)?.[1] ?? 0)] as const;
    if (name === "testsuite") {
      if (closing === "/") around.pop();
      else if (!tag.endsWith("/>")) around.push(place);
    } else if (name === "testcase") testcase = closing === "/" ? null : place;
    else if (testcase !== null) {
      const places = [testcase, ...around.toReversed()].filter(([, line]) => line > 0);
      const missing = places.map(([at, line]) => missingAt(at, line)).find((each) => each !== null) ?? OTHER;
      skips.set(missing, (skips.get(missing) ?? 0) + 1);
    }
  }
  return skips;
}

/** Counts in words, the most frequent first: `skipped 34: browser 20, strace 14`. */
export function inWords(skips: ReadonlyMap<string, number>): string {
  const sorted = [...skips].sort(([one, many], [other, more]) => more - many || one.localeCompare(other));
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  return `skipped ${total}: ${sorted.map(([tool, count]) => `no ${tool} ${count}`).join(", ")}`;
}
