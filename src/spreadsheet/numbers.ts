// Securities to which a file gives no number: each has that of what an earlier import made of an equal row, else the next
// free one. What the import makes of such a row says so in its entry, with what the row is known by: whatever happens to
// the security later, its entry stays.
import { formatDecimal, isDecimalText, parseDecimal } from "../kernel/decimal.ts";
import { foldName } from "../kernel/names.ts";
import { digestJson } from "../ledger/hash.ts";
import type { Directory, NumberedThere } from "./directory.ts";
import type { Field } from "./fields.ts";
import { NEXT } from "./mapping.ts";
import type { SheetProblems } from "./problem.ts";
import { soughtIn } from "./row.ts";
import { placeIn, said } from "./said.ts";
import type { SheetRow } from "./understand.ts";

/** The types of securities by the kind of row. */
export const TYPES: Readonly<Record<string, string>> = {
  stock: "STOCK",
  options: "STOCK_OPTION",
  warrants: "WARRANT",
  convertibles: "CONVERTIBLE",
};

/** Whom and what a row of a security names. */
interface Named {
  readonly holderId: string;
  readonly classId: string | undefined;
  readonly planId: string | undefined;
}

/** What a row without a number is known by in later imports: all by which rows with one are compared. */
export function keyWithoutNumber(row: SheetRow, { holderId, classId, planId }: Named): string {
  const figures = [row.issued ?? said(row, "quantity"), said(row, row.to === "stock" ? "price" : "exercisePrice")];
  const day = said(row, "issueDate") ?? null;
  return digestJson([row.to, holderId, classId ?? null, planId ?? null, day, ...figures.map(figure)]);
}

function figure(text: string | undefined): string | null {
  if (text === undefined) return null;
  return isDecimalText(text) ? formatDecimal(parseDecimal(text)) : text;
}

/** What numbering rows needs. */
interface Numbering {
  readonly directory: Directory;
  readonly found: SheetProblems;
  /** The numbers that the file gives, also to what is left out. */
  readonly given: ReadonlySet<string>;
  /** The rows of the classes that the file makes. */
  readonly classes: readonly SheetRow[];
}

/** The rows with a number each, where the file leaves it to us. Of equal rows the n-th is the n-th that was made of such. */
export function numberRows(rows: readonly SheetRow[], numbering: Numbering): SheetRow[] {
  const { directory, given } = numbering;
  const waiting = rows.filter((row) => said(row, "certificate") === NEXT);
  if (waiting.length === 0) return [...rows];
  const free = directory.numberedThere().filter(({ security }) => !given.has(security.certificateId ?? ""));
  const there = Map.groupBy(free, ({ key }) => key);
  const taken = new Map<SheetRow, NumberedThere>();
  for (const row of waiting) {
    const named = namedBy(row, directory);
    const [first] = (named && there.get(keyWithoutNumber(row, named))?.splice(0, 1)) ?? [];
    if (first) taken.set(row, first);
  }
  const left = Map.groupBy([...there.values()].flat(), ({ security }) => security.stakeholderId);
  const numbers = new Numbers([...given, ...directory.numbers()]);
  const classes = new Map(numbering.classes.map((row) => [foldName(said(row, "class") ?? ""), said(row, "prefix")]));
  const prefixOf = (row: SheetRow) => {
    const text = row.to === "stock" ? (said(row, "class") ?? "") : "";
    return directory.prefixOf(text) ?? classes.get(foldName(text)) ?? PREFIXES[row.to] ?? "";
  };
  return rows.map((row) => {
    if (said(row, "certificate") !== NEXT) return row;
    const before = taken.get(row);
    if (before) return recorded(row, before);
    tellLike(row, left, numbering);
    return withNumber(row, numbers.next(prefixOf(row)));
  });
}

/** Whom and what a row names of what is there already; null where that is not all of it. */
function namedBy(row: SheetRow, directory: Directory): Named | null {
  const idOf = (field: "class" | "plan") => {
    const text = said(row, field);
    if (text === undefined) return undefined;
    const meant = field === "class" ? directory.stockClass(text) : directory.plan(text);
    return typeof meant === "object" ? meant.id : null;
  };
  const holder = directory.holders.find(soughtIn(row));
  const [classId, planId] = [idOf("class"), idOf("plan")];
  if (typeof holder !== "object" || classId === null || planId === null) return null;
  return { holderId: holder.id, classId, planId };
}

/** The row of what is recorded already, whatever its number is by now. */
function recorded(row: SheetRow, { security }: NumberedThere): SheetRow {
  const { certificateId } = security;
  if (certificateId !== null) return { ...withNumber(row, certificateId), recorded: security };
  return { ...row, fields: withoutNumber(row), recorded: security };
}

function withoutNumber(row: SheetRow): Map<string, Field> {
  const fields = new Map<string, Field>(row.fields);
  fields.delete("certificate");
  return fields;
}

function withNumber(row: SheetRow, number: string): SheetRow {
  const fields = withoutNumber(row);
  const place = placeIn({ ...row, fields }, "certificate");
  return { ...row, fields: fields.set("certificate", { value: number, place }), isNumbered: true };
}

/** What numbers begin with; of stock it is its class that says so. */
const PREFIXES: Readonly<Record<string, string>> = {
  stock: "CS-",
  options: "ES-",
  warrants: "W-",
  convertibles: "CN-",
};

/** Numbers that are taken, and the last of each prefix: those of the file, and those that were recorded before. */
class Numbers {
  readonly #taken: Set<string>;
  readonly #last = new Map<string, number>();

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
    for (const number of this.#taken) {
      const [, prefix = "", digits = ""] = ENDS_IN_DIGITS.exec(number) ?? [];
      if (digits !== "") this.#last.set(prefix, Math.max(this.#last.get(prefix) ?? 0, Number(digits)));
    }
  }

  /** The number after the highest of the prefix. */
  next(prefix: string): string {
    let number = (this.#last.get(prefix) ?? 0) + 1;
    while (this.#taken.has(`${prefix}${number}`)) number++;
    this.#last.set(prefix, number);
    this.#taken.add(`${prefix}${number}`);
    return `${prefix}${number}`;
  }
}

/** A prefix and up to 9 digits: what is longer is no count. */
const ENDS_IN_DIGITS = /^(.*?(?<!\d))(\d{1,9})$/s;

/** What was made of rows without a number that the file has no more, by holder. */
type Left = ReadonlyMap<string | null, readonly NumberedThere[]>;

/** Warns of a row that may be one that came in before and was corrected since: it comes in besides. */
function tellLike(row: SheetRow, left: Left, { directory, found }: Numbering): void {
  const named = left.size === 0 ? null : namedBy(row, directory);
  if (named === null) return;
  const like = left
    .get(named.holderId)
    ?.find(
      ({ security: { type, stockClassId, equityPlanId } }) =>
        type === TYPES[row.to] &&
        (named.classId === undefined || stockClassId === named.classId) &&
        equityPlanId === (named.planId ?? null),
    );
  if (like === undefined) return;
  found.warning(
    "like-existing",
    placeIn(row, "quantity"),
    `comes besides ${like.security.certificateId ?? "one"} of the same holder, which an import brought before without a number and that is not in this file`,
    "If it is that one corrected, leave it out here, and correct what is recorded.",
  );
}
