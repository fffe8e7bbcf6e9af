// What people write into cells, understood or told: figures, days, words of a list. Nothing is guessed. Pure.
import { isCalendarDate } from "../kernel/date.ts";
import type { Cell } from "./grid.ts";
import { dayOfSerial } from "./xlsx-read.ts";

/** How a file writes figures and days. */
export interface Ways {
  readonly decimal: "POINT" | "COMMA";
  /** Whether nobody said so: then 1.000 can be one, or a thousand. */
  readonly isDecimalAssumed?: boolean;
  /** Null: by the values of each column. */
  readonly dateOrder: DateOrder | null;
  /** The company's. */
  readonly currency: string;
}
export type DateOrder = "MDY" | "DMY";

/** A value, or what is wrong with it: a stable code, and words. */
export type Understood = { readonly value: string; readonly warning?: Fault } | { readonly fault: Fault };
export interface Fault {
  readonly code: string;
  readonly detail: string;
  readonly fix: string;
}

function wrong(code: string, detail: string, fix: string): Understood {
  return { fault: { code, detail, fix } };
}

const NOTHING = /^(?:|-|–|—|n\/a|unknown)$/i;

/** The text of a cell without outer white space; null where it says that there is nothing. */
export function textIn({ text }: Cell): string | null {
  const trimmed = text.replace(/^[\s\u00a0]+|[\s\u00a0]+$/g, "");
  return NOTHING.test(trimmed) ? null : trimmed;
}

const SIGNIFICANT = 15;

/** A number as a file of Excel's writes it, as plain digits; null for none. More than 15 digits are rounded, as Excel shows. */
export function plainNumber(text: string): string | null {
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?$/i.test(text)) return null;
  const digits = text.replace(/e.*$/i, "").replace(/[-+.]/g, "").replace(/^0+/, "");
  if (digits.length <= SIGNIFICANT && !/e/i.test(text)) return trimmed(text.replace(/^\+/, ""));
  const rounded = Number(text).toPrecision(SIGNIFICANT);
  return trimmed(expanded(rounded));
}

/** Without an exponent. */
function expanded(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?e([-+]\d+)$/.exec(text);
  if (!match) return text;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return `${sign}${digits.slice(0, point).padEnd(point, "0")}${digits.length > point ? `.${digits.slice(point)}` : ""}`;
}

function trimmed(text: string): string {
  const [whole = "", fraction = ""] = text.split(".");
  const places = fraction.replace(/0+$/, "");
  const plain = whole.replace(/^(-?)0+(?=\d)/, "$1") || "0";
  return places === "" ? plain : `${plain}.${places}`;
}

const SIGNS: Readonly<Record<string, RegExp>> = {
  $: /^(USD|CAD|AUD|NZD|SGD|HKD|MXN)$/,
  "€": /^EUR$/,
  "£": /^GBP$/,
  "¥": /^(JPY|CNY)$/,
  "₹": /^INR$/,
};

/** Takes a currency before or behind a figure away; says when it is another one. */
function withoutCurrency(text: string, currency: string): { readonly text: string } | { readonly foreign: string } {
  const match =
    /^(?<before>[$€£¥₹]|[A-Z]{3}\s?)(?<rest>.*)$/u.exec(text) ??
    /^(?<rest>.*?)\s?(?<after>[$€£¥₹]|[A-Z]{3})$/u.exec(text);
  if (!match?.groups) return { text };
  const sign = (match.groups.before ?? match.groups.after ?? "").trim();
  const isOurs = sign === currency || SIGNS[sign]?.test(currency) === true;
  return isOurs ? { text: (match.groups.rest ?? "").trim() } : { foreign: sign };
}

const WHOLE_MAX = 15;
const PLACES_MAX = 10;

/** How figures are written. */
function writing(point: string, comma: string) {
  return {
    grouped: new RegExp(
      `^\\d{1,3}(?:(?:${comma}\\d{3})+|(?:[ \\u00a0\\u202f]\\d{3})+|(?:['’]\\d{3})+)(?:${point}\\d+)?$`,
    ),
    plain: new RegExp(`^\\d+(?:${point}\\d+)?$`),
    /** What sets thousands apart. */
    apart: new RegExp(`[ \\u00a0\\u202f'’]|${comma}`, "g"),
  };
}

const WRITTEN = { POINT: writing("\\.", ","), COMMA: writing(",", "\\.") } as const;

/** A figure. */
export function figureIn(
  cell: Cell,
  { decimal, isDecimalAssumed = false, currency }: Ways,
  isMoney: boolean,
): Understood {
  const text = textIn(cell) ?? "";
  const bad = () =>
    wrong(
      "bad-number",
      "is no number",
      decimal === "COMMA" ? "Write it as 1.234.567,89." : "Write it as 1,234,567.89.",
    );
  if (/^\(.*\)$|^[-–−]/.test(text))
    return wrong("negative", "is negative", "Write what there is; nothing is negative.");
  if (cell.kind === "number") {
    const plain = plainNumber(text);
    return plain === null ? bad() : bounded(plain);
  }
  const money = isMoney ? withoutCurrency(text, currency) : { text };
  if ("foreign" in money) {
    return wrong(
      "foreign-currency",
      `is in ${money.foreign}, and the company's currency is ${currency}`,
      `Write it in ${currency}.`,
    );
  }
  if (isDecimalAssumed && /^[1-9]\d{0,2}\.\d{3}$/.test(money.text)) return readTwoWays(money.text, isMoney);
  const { grouped, plain, apart } = WRITTEN[decimal];
  if (!grouped.test(money.text) && !plain.test(money.text)) return bad();
  const digits = money.text.replace(apart, "");
  return bounded(trimmed(digits.replace(",", ".")));
}

/** A price of three decimals is an ordinary one, and told of; a number of shares is more likely one of thousands. */
function readTwoWays(text: string, isMoney: boolean): Understood {
  const code = "ambiguous-number";
  const [whole, places] = text.split(".");
  const fix = "Write it without thousands, or say with decimal what parts decimals.";
  if (!isMoney) return wrong(code, `can be ${whole}${places}, or ${trimmed(text)}`, fix);
  const value = trimmed(text);
  return { value, warning: { code, detail: `was taken for ${value}, and can be ${whole}${places}`, fix } };
}

/** How a column writes figures: by its values, where nobody said. */
export function columnWays(texts: Iterable<string>, ways: Ways): Ways {
  if (ways.isDecimalAssumed !== true) return ways;
  for (const text of texts) if (HAS_POINT.test(text)) return { ...ways, isDecimalAssumed: false };
  return ways;
}

/** What only somebody writes who parts decimals by a point. */
const HAS_POINT = /^\D{0,4}(?:0\.\d+|\d+\.(?:\d{1,2}|\d{4,})|\d{4,}\.\d{3}|\d{1,3}(?:,\d{3})+(?:,\d{3}|\.\d+))\D{0,4}$/;

function bounded(figure: string): Understood {
  const [whole = "", places = ""] = figure.split(".");
  if (whole.length <= WHOLE_MAX && places.length <= PLACES_MAX) return { value: figure };
  return wrong("too-many-digits", "has more than 15 digits, or more than 10 places", "Write a shorter figure.");
}

/** A percentage: `12`, `12%`, or a number that its cell shows as one. */
export function percentIn(cell: Cell, ways: Ways): Understood {
  const read = plainPercent(cell, ways);
  if ("fault" in read || cell.isPercent === true || !/^0\.0*[1-9]/.test(read.value)) return read;
  if (/%\s*$/.test(cell.text)) return read;
  const detail = `was taken for ${read.value} %, which is less than one per cent`;
  return { ...read, warning: { code: "small-percent", detail, fix: "Write 20 or 20% where 0.2 means that." } };
}

function plainPercent(cell: Cell, ways: Ways): Understood {
  if (cell.isPercent === true) return hundredfold(figureIn(cell, ways, false));
  // Nobody means thousands of per cent.
  const sure = { ...ways, isDecimalAssumed: false };
  const text = textIn(cell) ?? "";
  return figureIn({ ...cell, text: text.replace(/\s*%$/, "") }, sure, false);
}

/** A part of one as a percentage: 0.12 is twelve per cent; what has the sign is one already. */
export function fractionIn(cell: Cell, ways: Ways): Understood {
  if (cell.kind === "text" && /%\s*$/.test(cell.text)) return percentIn(cell, ways);
  return hundredfold(figureIn(cell, { ...ways, isDecimalAssumed: false }, false));
}

/** The point moves by two places. */
function hundredfold(read: Understood): Understood {
  if ("fault" in read) return read;
  const [whole = "0", places = ""] = read.value.split(".");
  const digits = `${whole}${places.padEnd(2, "0")}`;
  return bounded(trimmed(`${digits.slice(0, whole.length + 2)}.${digits.slice(whole.length + 2)}`));
}

const MONTHS = "january february march april may june july august september october november december".split(" ");
const WEEKDAY = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+|^(?:mon|tue|wed|thu|fri|sat|sun),?\s+/i;
const SERIAL_MIN = 10_000;
const SERIAL_MAX = 80_000;

/** The parts of `n/n/YYYY`; null for another form. */
function slashed(text: string): readonly [string, string, string] | null {
  const match = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:[ T].*)?$/.exec(text);
  return match ? [match[1] ?? "", match[2] ?? "", match[3] ?? ""] : null;
}

/** In which order a column writes days and months, by its values; null where none says so. */
export function dateOrderOf(texts: Iterable<string>): DateOrder | "CONTRADICTS" | null {
  let found: DateOrder | null = null;
  for (const text of texts) {
    const parts = slashed(text);
    if (!parts) continue;
    const order = Number(parts[0]) > 12 ? "DMY" : Number(parts[1]) > 12 ? "MDY" : null;
    if (order !== null && found !== null && order !== found) return "CONTRADICTS";
    found ??= order;
  }
  return found;
}

/** A day. `order` is that of the column. */
export function dateIn(cell: Cell, order: DateOrder | "CONTRADICTS" | null): Understood {
  const text = textIn(cell) ?? "";
  const bad = (detail = "is no day that there is") => wrong("bad-date", detail, "Write it as 2026-01-31.");
  if (cell.kind === "date") return isCalendarDate(text) ? { value: text } : bad();
  if (cell.kind === "number") return serialDay(text, bad);
  const plain = text.replace(WEEKDAY, "");
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[ T].*)?$/.exec(plain);
  if (iso) return day(iso[1], iso[2], iso[3], bad);
  const named =
    /^(\d{1,2})\.? ([a-z]+)\.?,? (\d{4})$/i.exec(plain) ?? flipped(/^([a-z]+)\.? (\d{1,2}),? (\d{4})$/i.exec(plain));
  if (named) {
    const word = (named[2] ?? "").toLowerCase();
    const month = MONTHS.findIndex((each) => each === word || (word.length === 3 && each.startsWith(word)));
    return month === -1 ? bad() : day(named[3], String(month + 1), named[1], bad);
  }
  const parts = slashed(plain);
  if (!parts) return bad("is no day in a form that is known");
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

function flipped(match: RegExpExecArray | null): readonly (string | undefined)[] | null {
  return match && [match[0], match[2], match[1], match[3]];
}

function day(year = "", month = "", date = "", bad: () => Understood): Understood {
  const text = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
  return isCalendarDate(text) ? { value: text } : bad();
}

function serialDay(text: string, bad: (detail?: string) => Understood): Understood {
  const serial = Number(text);
  const found = serial >= SERIAL_MIN && serial <= SERIAL_MAX ? dayOfSerial(text) : null;
  if (found === null) return bad("is a number and no day");
  const detail = `is a number; it was taken for the day ${found}`;
  return { value: found, warning: { code: "number-as-date", detail, fix: "Format the cell as a date." } };
}

/** What of two words is compared: letters and digits alone. */
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
  return wrong("unknown-word", `is none of ${allowed.join(", ")}`, "Write one of these.");
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
