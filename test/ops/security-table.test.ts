// docs/security.md has a line for each requirement of OWASP ASVS 5.0, levels 1 and 2, and each test that it names is there.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const TEXT = readFileSync(join(ROOT, "docs/security.md"), "utf8");
const STATES = ["met", "partly", "not met", "no such part"];

/** How many requirements of levels 1 and 2 each section has, by number; those left out are of level 3. */
const REQUIREMENTS: Readonly<Record<string, number>> = {
  "1.1": 2,
  "1.2": 9,
  "1.3": 11,
  "1.4": 3,
  "1.5": 2,
  "2.1": 3,
  "2.2": 3,
  "2.3": 4,
  "2.4": 1,
  "3.2": 2,
  "3.3": 4,
  "3.4": 6,
  "3.5": 5,
  "3.7": 2,
  "4.1": 3,
  "4.2": 1,
  "4.3": 2,
  "4.4": 4,
  "5.1": 1,
  "5.2": 3,
  "5.3": 2,
  "5.4": 3,
  "6.1": 3,
  "6.2": 12,
  "6.3": 4,
  "6.4": 4,
  "6.5": 5,
  "6.6": 3,
  "6.8": 4,
  "7.1": 3,
  "7.2": 4,
  "7.3": 2,
  "7.4": 5,
  "7.5": 2,
  "7.6": 2,
  "8.1": 2,
  "8.2": 3,
  "8.3": 1,
  "8.4": 1,
  "9.1": 3,
  "9.2": 4,
  "10.1": 2,
  "10.2": 2,
  "10.3": 4,
  "10.4": 11,
  "10.5": 5,
  "10.6": 2,
  "10.7": 3,
  "11.1": 2,
  "11.2": 3,
  "11.3": 3,
  "11.4": 4,
  "11.5": 1,
  "11.6": 1,
  "12.1": 3,
  "12.2": 2,
  "12.3": 4,
  "13.1": 1,
  "13.2": 5,
  "13.3": 2,
  "13.4": 5,
  "14.1": 2,
  "14.2": 4,
  "14.3": 3,
  "15.1": 3,
  "15.2": 3,
  "15.3": 7,
  "16.1": 1,
  "16.2": 5,
  "16.3": 4,
  "16.4": 3,
  "16.5": 3,
  "17.1": 1,
  "17.2": 4,
  "17.3": 2,
};

interface Line {
  readonly ids: readonly string[];
  readonly state: string;
  readonly how: string;
}

/** The lines of the table, as a reader sees them. */
function linesOf(text: string): Line[] {
  const rows = text.matchAll(/^\| (\d+\.\d+\.\d+(?:, \d+\.\d+\.\d+)*) \| ([^|]*) \| (.*) \|$/gm);
  return [...rows].map(([, ids = "", state = "", how = ""]) => ({ ids: ids.split(", "), state, how }));
}

/** What is wrong with a table, one text each. */
function faultsOf(text: string): string[] {
  const wanted = Object.entries(REQUIREMENTS).flatMap(([section, last]) =>
    Array.from({ length: last }, (_, at) => `${section}.${at + 1}`),
  );
  const lines = linesOf(text);
  const found = lines.flatMap(({ ids }) => ids);
  const tests = lines.flatMap(({ how }) =>
    [...how.matchAll(/`(tidy|[a-z-]+(?:\/[a-z-]+)+)`/g)].map(([, name]) => `${name}`),
  );
  return [
    ...wanted.filter((id) => !found.includes(id)).map((id) => `${id} is missing`),
    ...found.filter((id, at) => !wanted.includes(id) || found.indexOf(id) !== at).map((id) => `${id} is one too many`),
    ...lines
      .filter(({ state, how }) => !STATES.includes(state) || how.trim() === "")
      .map(({ ids }) => `${ids} says nothing`),
    ...tests.filter((name) => !isTest(name)).map((name) => `no test ${name}`),
  ];
}

/** Whether there is a test file of that name, in either tier. */
function isTest(name: string): boolean {
  return ["test.ts", "system.test.ts"].some((ending) => existsSync(join(ROOT, `test/${name}.${ending}`)));
}

test("each requirement has one line, with its state and why, and the tests it names are there", () => {
  expect(Object.values(REQUIREMENTS).reduce((sum, last) => sum + last, 0)).toBe(253);
  expect(faultsOf(TEXT)).toEqual([]);
});

test("control: a line left out, one twice, an unknown state and a missing test are found", () => {
  const [line = ""] = /^\| 6\.2\.4 .*$/m.exec(TEXT) ?? [];
  expect(faultsOf(TEXT.replace(line, ""))).toEqual(["6.2.4 is missing"]);
  expect(faultsOf(TEXT.replace(line, `${line}\n${line}`))).toEqual(["6.2.4 is one too many"]);
  expect(faultsOf(TEXT.replace(line, line.replace("| met |", "| yes |")))).toEqual(["6.2.4 says nothing"]);
  expect(faultsOf(TEXT.replace(line, line.replace("people/sign-in/password", "people/gone")))).toEqual([
    "no test people/gone",
  ]);
});
