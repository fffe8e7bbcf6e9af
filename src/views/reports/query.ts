// Query parameters of a report: its day and instant, the whole of its percentages, its sheets, and the format of CSV.
import { Type } from "@sinclair/typebox";
import { present } from "../../kernel/assert.ts";
import { date, instant, oneOf } from "../../kernel/fields.ts";
import { type CsvOptions, DECIMAL_SIGNS, SEPARATORS } from "../../kernel/files/csv.ts";
import { readInstant } from "../../kernel/instant.ts";
import { problem } from "../../kernel/problem.ts";
import { toUtcDate } from "../../kernel/runtime.ts";
import type { Query } from "../../resources/route.ts";
import { BASES, type Basis, SHEET_KEYS, type SheetKey, WORKBOOK_KEYS } from "./keys.ts";
import type { Asked } from "./report-company.ts";

const flag = (description: string) => Type.Optional(oneOf(["true", "false"], { description }));

/** The moment that a report shows. */
export const MOMENT = {
  asOf: Type.Optional(date({ description: "Defaults to today in UTC." })),
  knownAt: Type.Optional(instant({ description: "Defaults to now." })),
};

export const BASIS = {
  basis: Type.Optional(
    oneOf(BASES, {
      description:
        "The whole that the second percentage is of: stock, options, warrants and what plans have available; without " +
        "the latter; or stock only. Defaults to `FULLY_DILUTED`.",
    }),
  ),
};

export const SHEETS = {
  sheets: Type.Optional(
    Type.String({
      pattern: `^(?:${WORKBOOK_KEYS.join("|")})(?:,(?:${WORKBOOK_KEYS.join("|")}))*$`,
      description: `The sheets, joined by commas: ${WORKBOOK_KEYS.join(", ")}. All by default; notes always come along.`,
      examples: ["summary,cap-table"],
    }),
  ),
};

export const CSV = {
  bom: flag("Whether it begins with the mark by which Excel knows UTF-8. Defaults to `true`."),
  guard: flag(
    "Whether text that a spreadsheet would take for a formula, a number or a day has an apostrophe before it, also behind " +
      "each comma, semicolon, tab and line break in it. Defaults to `true`.",
  ),
  separator: Type.Optional(
    oneOf(Object.keys(SEPARATORS), { description: "What stands between fields. Defaults to `COMMA`." }),
  ),
  decimal: Type.Optional(
    oneOf(Object.keys(DECIMAL_SIGNS), { description: "What parts the places of a figure. Defaults to `POINT`." }),
  ),
};

/** The moment of a checked query. */
export function readAsked({ asOf, knownAt }: Query, nowMs: number): Asked {
  return {
    asOf: asOf ?? toUtcDate(nowMs),
    knownAt: knownAt === undefined ? null : present(readInstant(knownAt), "a checked timestamp"),
  };
}

export function readBasis({ basis }: Query): Basis {
  return BASES.find((each) => each === basis) ?? "FULLY_DILUTED";
}

/** How the CSV of a checked query is written. */
export function readCsvOptions({ bom, guard, separator, decimal }: Query): CsvOptions {
  return {
    bom: bom !== "false",
    guard: guard !== "false",
    separator: separator === "SEMICOLON" || separator === "TAB" ? separator : "COMMA",
    decimal: decimal === "COMMA" ? decimal : "POINT",
  };
}

/** The sheets besides the notes, in the order of the workbook. Throws `422` for one that there is not, and one that is named twice. */
export function readSheets(text: string | undefined): readonly SheetKey[] {
  if (text === undefined) return SHEET_KEYS;
  const words = text.split(",");
  const isKey = (word: string) => (WORKBOOK_KEYS as readonly string[]).includes(word);
  if (words.every(isKey) && new Set(words).size === words.length) {
    return SHEET_KEYS.filter((key) => words.includes(key));
  }
  const detail = `must be a comma-separated list of ${WORKBOOK_KEYS.join(", ")}, each once`;
  throw problem("validation-failed", "The workbook has no such sheets.", [{ parameter: "sheets", detail }]);
}
