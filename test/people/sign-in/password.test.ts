// What a password may be.
import { beforeAll, describe, expect, test } from "bun:test";
import { commonPasswords, passwordFault } from "../../../src/people/sign-in/password.ts";

const KNOWN = { email: "ada.lovelace@analytical-engines.com", names: ["Ada Lovelace", "Analytical Engines, Inc."] };
let common: ReadonlySet<string>;
beforeAll(async () => {
  common = await commonPasswords();
});

function faultOf(password: string): string | null {
  return passwordFault(password, KNOWN, common);
}

test("the list of common passwords is there", () => {
  expect(common.size).toBeGreaterThan(40_000);
  for (const word of ["password", "123456", "qwertyuiop"]) expect(common.has(word)).toBe(true);
});

describe("taken", () => {
  test.each([
    "violet rocks sing daily",
    "  spaces count  ",
    "ünïcödé ist länger",
    "😀😀😀😀😀😀😀😀😀😀😀😀",
    "x".repeat(256),
    // A common word does no harm beside six other characters.
    "password and six more",
    "Lovelace+qzjx#7",
  ])("%s", (password) => expect(faultOf(password)).toBeNull());
});

describe("refused", () => {
  test.each([
    ["elevenchars", "at least 12"],
    ["", "at least 12"],
    ["😀".repeat(11), "at least 12"],
    ["x".repeat(257), "at most 256"],
    ["\ud800 and something else", "lone surrogate"],
    ["Password12345", "tried first"],
    ["!!qwertyuiop!", "tried first"],
    ["captable-2026", "others know"],
    ["adalovelace12", "others know"],
    ["ADA LOVELACE!!", "others know"],
    ["lovelace12345", "others know"],
    ["ada.lovelace@analytical-engines.com", "others know"],
    ["analytical123", "others know"],
    ["Analytical Engines, Inc.", "others know"],
  ])("%s: %s", (password, why) => expect(faultOf(password)).toContain(why));
});
