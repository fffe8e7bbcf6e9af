// Parses cells as people write them: figures, days, words of a list. An unclear one is reported, never guessed. Pure.
import { isCalendarDate } from "../../../kernel/date.ts";
import type { Cell } from "../file/grid.ts";
import { dayOfSerial } from "../file/serial-days.ts";
import { monthOf } from "./months.ts";

/** How a file writes figures and days. */
export interface Ways {
  readonly decimal: "POINT" | "COMMA";
  /** Whether the user did not say it, and the file does not show it: then 1.000 can be one, or a thousand. */
  readonly isDecimalAssumed?: boolean;
  /** Null: by the values of each column. */
  readonly dateOrder: DateOrder | null;
  /** The company's. */
  readonly currency: string;
}
export type DateOrder = "MDY" | "DMY";

/** A value, or its fault: a stable code, and words. */
export type Understood = { readonly value: string; readonly warning?: Fault } | { readonly fault: Fault };
export interface Fault {
  readonly code: string;
  readonly detail: string;
  readonly fix: string;
}

/** A fault of a cell. */
export function wrong(code: string, detail: string, fix: string): Understood {
  return { fault: { code, detail, fix } };
}

const NOTHING = /^(?:|-|–|—|n\/a|unknown)$/i;

/** The same of a figure or day: one leading apostrophe, by which spreadsheets keep a text a text, is removed. */
export function unquoted(cell: Cell): string | null {
  const text = textIn(cell);
  return text?.startsWith("'") ? textIn({ ...cell, text: text.slice(1) }) : text;
}

/** The text of a cell without outer white space; null for an empty one. */
export function textIn({ text }: Cell): string | null {
  const trimmed = text.trim();
  return NOTHING.test(trimmed) ? null : trimmed;
}

const WEEKDAY = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+|^(?:mon|tue|wed|thu|fri|sat|sun),?\s+/i;
const SERIAL_MIN = 10_000;
const SERIAL_MAX = 80_000;

/** The parts of `n/n/YYYY`; null for another form. */
function slashed(text: string): readonly [string, string, string] | null {
  const match = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:[ T].*)?$/.exec(text);
  return match ? [match[1] ?? "", match[2] ?? "", match[3] ?? ""] : null;
}

/** The order in which a column writes days and months, by its values; null if no value shows it. */
export function dateOrderOf(texts: Iterable<string>): DateOrder | "CONTRADICTS" | null {
  let found: DateOrder | null = null;
  for (const text of texts) {
    const parts = slashed(text.replace(/^'/, ""));
    if (!parts) continue;
    const order = Number(parts[0]) > 12 ? "DMY" : Number(parts[1]) > 12 ? "MDY" : null;
    if (order !== null && found !== null && order !== found) return "CONTRADICTS";
    found ??= order;
  }
  return found;
}

/** A day. `order` is that of the column. */
export function dateIn(cell: Cell, order: DateOrder | "CONTRADICTS" | null): Understood {
  const text = unquoted(cell) ?? "";
  const bad = (detail = "is not a day of the calendar") => wrong("bad-date", detail, "Write it as 2026-01-31.");
  if (cell.kind === "date") return isCalendarDate(text) ? { value: text } : bad();
  if (cell.kind === "number") return serialDay(cell, bad);
  const plain = text.replace(WEEKDAY, "");
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[ T].*)?$/.exec(plain);
  if (iso) return day(iso[1], iso[2], iso[3], bad);
  const named = DAY_FIRST.exec(plain) ?? flipped(MONTH_FIRST.exec(plain));
  if (named) {
    const month = monthOf(named[2] ?? "");
    return month === null ? bad() : day(named[3], String(month), named[1], bad);
  }
  const parts = slashed(plain);
  if (!parts) return bad("is not a day in a known form");
  const [one, other, year] = parts;
  if (order === "CONTRADICTS") return bad("contradicts other days of its column: which part is the month is not clear");
  if (order === null && one !== other) {
    return wrong(
      "ambiguous-date",
      "can be two days",
      "Write it as 2026-01-31, or say with dateOrder which part comes first.",
    );
  }
  return order === "DMY" ? day(year, other, one, bad) : day(year, one, other, bad);
}

/** `15-Jan-2024`, `15. Januar 2024`: between the parts a blank, a point, a slash or a hyphen. */
const DAY_FIRST = /^(\d{1,2})(?:\.? |[./-])([\p{L}\p{M}]+)(?:\.?,? |[./-])(\d{4})$/u;
/** `Jan 15, 2024`. */
const MONTH_FIRST = /^([\p{L}\p{M}]+)\.? (\d{1,2}),? (\d{4})$/u;

function flipped(match: RegExpExecArray | null): readonly (string | undefined)[] | null {
  return match && [match[0], match[2], match[1], match[3]];
}

function day(year = "", month = "", date = "", bad: () => Understood): Understood {
  const text = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
  return isCalendarDate(text) ? { value: text } : bad();
}

function serialDay({ text, is1904 }: Cell, bad: (detail?: string) => Understood): Understood {
  const serial = Number(text);
  const found = serial >= SERIAL_MIN && serial <= SERIAL_MAX ? dayOfSerial(text, is1904) : null;
  if (found === null) return bad("is a number, not a day");
  const detail = `is a number; it was taken for the day ${found}`;
  return { value: found, warning: { code: "number-as-date", detail, fix: "Format the cell as a date." } };
}

/** The key of a word for comparison: letters and digits alone. */
export function folded(word: string): string {
  return word
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/** A word of a list, as the API writes it. */
export function wordIn(text: string, allowed: readonly string[]): Understood {
  const found = allowed.find((word) => folded(word) === folded(text));
  if (found !== undefined) return { value: asApiWord(found) };
  return wrong("unknown-word", `is not one of ${allowed.join(", ")}`, "Write one of these.");
}

/** `Ex-advisor` is `EX_ADVISOR`. */
export function asApiWord(word: string): string {
  return word.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
}

const YES = /^(?:yes|y|true|1)$/i;
const NO = /^(?:no|n|false|0)$/i;

/** Yes or no, as `true` or `false`. */
export function yesNoIn(text: string): Understood {
  if (YES.test(text)) return { value: "true" };
  if (NO.test(text)) return { value: "false" };
  return wrong("unknown-word", "is neither yes nor no", "Write Yes or No.");
}
