// Balances: the outstanding quantity of a row, and what became of the rest of what was issued (mappings' `minus`): the
// two must agree, and unexplained shares are reported. Pure.
import { type Decimal, formatDecimal, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import type { SheetPlace, SheetProblems } from "../file/cell-problem.ts";
import type { Cell, GridRow } from "../file/grid.ts";
import type { TemplateColumn } from "../file/template.ts";
import type { Balance } from "../record/balance.ts";
import type { Ways } from "../rows/cell-values.ts";
import type { Field } from "../rows/fields.ts";
import { readCell } from "../rows/understand.ts";
import type { Columns, FoundTable } from "./table-columns.ts";

/** The kinds of endings of issued shares. */
const LESS: TemplateColumn = { header: "", field: "", kind: "quantity", required: false };
const LESS_MONEY: TemplateColumn = { ...LESS, kind: "money" };

/** How shares go: in this order they are taken from what was issued. */
const WAYS_OUT = ["exercised", "forfeited", "transferred"] as const;
type Out = Readonly<Record<(typeof WAYS_OUT)[number], Decimal>>;

/** The columns of what went out, and whether they are money. */
export function columnsOut({ table }: FoundTable): {
  readonly names: readonly string[];
  readonly kind: "money" | "quantity";
} {
  const { minus = [] } = table;
  const names = Array.isArray(minus) ? minus : Object.values(minus).flat();
  return { names, kind: table.to === "convertibles" ? "money" : "quantity" };
}

/** What reading a row needs of its table. */
export interface BalanceReading {
  readonly columns: Columns;
  readonly ways: Ways;
  readonly problems: SheetProblems;
}

/** A row's balance, besides the fields. */
export interface ReadBalance {
  /** The quantity issued, as the file says it; null if it does not. */
  readonly issued: string | null;
  /** Null where all that was issued is left, or nothing is known of it. */
  readonly balance: Balance | null;
  readonly isWrong: boolean;
  /** The empty cell of the outstanding quantity; null if it has a value, or there is no such column. */
  readonly unsaidAt: SheetPlace | null;
}

/** A zero as accounts are formatted: a dash, with or without a currency. */
const DASH = /^(?:[$€£¥₹]|[A-Z]{3})?[\s\u00a0]*[-–—][\s\u00a0]*(?:[$€£¥₹]|[A-Z]{3})?$/u;

/** Whether a cell says that nothing is left. */
export function isDash({ text, kind }: Cell): boolean {
  return kind === "text" && DASH.test(text.trim());
}

/**
 * Reads the balance, and puts the outstanding quantity into the fields if the file says it otherwise than by a number.
 */
export function readBalance(
  row: GridRow,
  found: FoundTable,
  reading: BalanceReading,
  fields: Map<string, Field>,
): ReadBalance {
  const [issued, unsaidAt] = [fields.get("quantity"), outstandingUnsaid(row, found, reading, fields)];
  const nothing = { issued: issued?.value ?? null, balance: null, isWrong: false, unsaidAt };
  if (issued === undefined || unsaidAt !== null) return nothing;
  const { out, isWrong, isKnown } = outOf(row, found, reading);
  if (isWrong) return { ...nothing, isWrong };
  const gone = out.exercised + out.forfeited + out.transferred;
  const stated = fields.get("outstanding");
  if (isKnown && stated === undefined) {
    const left = formatDecimal(parseDecimal(issued.value) - gone);
    fields.set("outstanding", { value: left, place: issued.place });
  }
  const left = fields.get("outstanding");
  if (left === undefined) return nothing;
  const compared = { issued, left, out, isExplained: isKnown && !Array.isArray(found.table.minus) };
  const { balance, isWrong: differs } = compareBalance(compared, found, reading.problems);
  if (differs && stated === undefined) fields.delete("outstanding");
  return { ...nothing, balance, isWrong: differs };
}

/** Where a column that the file has for what is outstanding says nothing; a dash in it is a zero. */
function outstandingUnsaid(
  row: GridRow,
  { table, grid }: FoundTable,
  { columns }: BalanceReading,
  fields: Map<string, Field>,
): SheetPlace | null {
  const names = Object.entries(table.columns).flatMap(([name, field]) => (field === "outstanding" ? [name] : []));
  const there = names.flatMap((name) => {
    const at = columns.at(name);
    return at === null ? [] : [{ at, header: name.replace(/^#/, ""), cell: row.cells.get(at) }];
  });
  const [first] = there;
  if (first === undefined || fields.has("outstanding")) return null;
  const dash = there.find(({ cell }) => cell !== undefined && isDash(cell));
  const { at, header, cell } = dash ?? first;
  const place = { sheet: grid.name, row: row.number, column: at, header, value: cell?.text ?? "" };
  if (dash === undefined) return place;
  fields.set("outstanding", { value: "0", place });
  return null;
}

interface ReadOut {
  readonly out: Out;
  readonly isWrong: boolean;
  /** Whether the file has any of the columns. */
  readonly isKnown: boolean;
}

/** The endings by the columns that the mapping names; a list does not say how, which counts as exercised. */
function outOf(row: GridRow, { table, grid }: FoundTable, { columns, ways, problems }: BalanceReading): ReadOut {
  const { minus = {} } = table;
  const named = Array.isArray(minus) ? { exercised: minus } : minus;
  const less = table.to === "convertibles" ? LESS_MONEY : LESS;
  const out = { exercised: ZERO, forfeited: ZERO, transferred: ZERO };
  let [isWrong, isKnown] = [false, false];
  for (const way of WAYS_OUT) {
    for (const name of named[way] ?? []) {
      const column = columns.at(name);
      if (column === null) continue;
      isKnown = true;
      const cell = row.cells.get(column);
      const read = cell && !isDash(cell) ? readCell(cell, less, null, ways) : null;
      if (read === null) continue;
      if ("fault" in read) {
        const place = { sheet: grid.name, row: row.number, column, header: name, value: cell?.text ?? "" };
        problems.problem(read.fault.code, place, read.fault.detail, read.fault.fix);
        isWrong = true;
      } else out[way] += parseDecimal(read.value);
    }
  }
  return { out, isWrong, isKnown };
}

interface Compared {
  readonly issued: Field;
  readonly left: Field;
  readonly out: Out;
  /** Whether the file explains the difference to what was issued. */
  readonly isExplained: boolean;
}

function compareBalance(
  { issued, left, out, isExplained }: Compared,
  { table }: FoundTable,
  problems: SheetProblems,
): Pick<ReadBalance, "balance" | "isWrong"> {
  const [first, rest] = [parseDecimal(issued.value), parseDecimal(left.value)];
  if (isExplained) {
    const gone = WAYS_OUT.filter((way) => out[way] !== ZERO).map((way) => `${formatDecimal(out[way])} ${way}`);
    const computed = first - out.exercised - out.forfeited - out.transferred;
    if (computed !== rest || computed < ZERO) {
      const less = [`${issued.value} issued`, ...gone].join(" less ");
      const detail = `${less} make ${formatDecimal(computed)}, and ${left.value} are outstanding`;
      problems.problem("balance-differs", left.place, detail, "Correct the figure that is wrong.");
      return { balance: null, isWrong: true };
    }
    const isWhole = computed === first;
    return { balance: isWhole ? null : balanceOf(first, out), isWrong: false };
  }
  if (first === rest) return { balance: null, isWrong: false };
  const missing = first > rest ? first - rest : ZERO;
  // A convertible's principal is never exercised, and endings of a closed security are not recorded.
  if (table.to !== "convertibles" && rest > ZERO) tellUnexplained(left, issued, missing, problems);
  if (rest < ZERO) return negative(left, issued, problems);
  if (missing === ZERO) return { balance: null, isWrong: false };
  return { balance: balanceOf(first, { exercised: missing, forfeited: ZERO, transferred: ZERO }), isWrong: false };
}

function negative(left: Field, issued: Field, problems: SheetProblems): Pick<ReadBalance, "balance" | "isWrong"> {
  const detail = `of ${issued.value} issued, more has ended than was issued: ${left.value} would be left`;
  problems.problem("balance-differs", left.place, detail, "Correct the figure that is wrong.");
  return { balance: null, isWrong: true };
}

function tellUnexplained(left: Field, issued: Field, missing: Decimal, problems: SheetProblems): void {
  const figures = `${issued.value} were issued and ${left.value} are outstanding`;
  const taken =
    missing === ZERO
      ? `the schedule runs over ${left.value}`
      : `the file does not say how ${formatDecimal(missing)} went, which were taken to be exercised`;
  const fix = "Name the columns of exercised, forfeited and transferred shares with minus in a mapping.";
  problems.warning("balance-unexplained", left.place, `${figures}: ${taken}`, fix);
}

function balanceOf(issued: Decimal, { exercised, forfeited, transferred }: Out): Balance {
  return {
    issued: formatDecimal(issued),
    exercised: formatDecimal(exercised),
    forfeited: formatDecimal(forfeited),
    transferred: formatDecimal(transferred),
  };
}
