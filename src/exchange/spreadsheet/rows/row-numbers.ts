// Numbers for securities without one in the file: each gets that of an earlier import's equal row, else the next free
// one. The entry of such a row says so, with the row's key: the entry stays whatever happens to the security later.
import { foldName } from "../../../kernel/text/names.ts";
import type { Row } from "../../../storage/database/sql.ts";
import type { SheetProblems } from "../file/cell-problem.ts";
import { NEXT } from "../mapping/mapping.ts";
import type { Directory, NumberedThere } from "./directory.ts";
import type { Field } from "./fields.ts";
import { placeIn, said } from "./read-field.ts";
import { findRenamed } from "./renamed.ts";
import { soughtIn } from "./row.ts";
import { keyWithoutNumber, type Named, namedAs } from "./row-keys.ts";
import type { SheetRow } from "./understand.ts";

/** The types of securities by the kind of row. */
export const TYPES: Readonly<Record<string, Row<"securities">["type"]>> = {
  stock: "STOCK",
  options: "STOCK_OPTION",
  warrants: "WARRANT",
  convertibles: "CONVERTIBLE",
};

/** What numbering rows needs. */
interface Numbering {
  readonly directory: Directory;
  readonly found: SheetProblems;
  /** The numbers that the file gives, also to rows that are left out. */
  readonly given: ReadonlySet<string>;
  /** The rows of the classes that the file makes. */
  readonly classes: readonly SheetRow[];
}

/** The rows with a number each, if the file gives none. Of equal rows the n-th is the n-th that was made of such. */
export function numberRows(rows: readonly SheetRow[], numbering: Numbering): SheetRow[] {
  const { directory, given } = numbering;
  const waiting = rows.filter((row) => said(row, "certificate") === NEXT);
  if (waiting.length === 0) return [...rows];
  const free = directory.numberedThere().filter(({ security }) => !given.has(security.certificateId ?? ""));
  findRenamed(waiting, free, numbering, (row) => classAndPlanOf(row, directory));
  const there = Map.groupBy(free, ({ key }) => key);
  const taken = new Map<SheetRow, NumberedThere>();
  for (const row of waiting) {
    const named = namedBy(row, directory);
    const [first] = (named && there.get(keyWithoutNumber(row, named))?.splice(0, 1)) ?? [];
    if (first) taken.set(row, first);
  }
  const left = leftOf([...there.values()].flat());
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

/** The existing records that a row names; null unless all of them exist. */
function namedBy(row: SheetRow, directory: Directory): Named | null {
  const holder = directory.holders.find(soughtIn(row));
  const of = classAndPlanOf(row, directory);
  return typeof holder !== "object" || of === null ? null : { holderId: holder.id, ...of };
}

/** The class and plan of a row; null if one does not exist. */
function classAndPlanOf(row: SheetRow, directory: Directory): Omit<Named, "holderId"> | null {
  const idOf = (field: "class" | "plan") => {
    const text = said(row, field);
    if (text === undefined) return undefined;
    const meant = field === "class" ? directory.stockClass(text) : directory.plan(text);
    return typeof meant === "object" ? meant.id : null;
  };
  const [classId, planId] = [idOf("class"), idOf("plan")];
  return classId === null || planId === null ? null : { classId, planId };
}

/** The row of a recorded security, under its current number. */
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

/** The prefix of new numbers; of stock its class decides. */
const PREFIXES: Readonly<Record<string, string>> = {
  stock: "CS-",
  options: "ES-",
  warrants: "W-",
  convertibles: "CN-",
};

/** Taken numbers, and the last of each prefix: those of the file, and those that were recorded before. */
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

/** A prefix and up to 9 digits: a longer number is not a count. */
const ENDS_IN_DIGITS = /^(.*?(?<!\d))(\d{1,9})$/s;

/** Records of rows without a number that the file no longer has. */
interface Left {
  readonly byHolder: ReadonlyMap<string | null, readonly NumberedThere[]>;
  /** By the row with the name that it gave the holder. */
  readonly byName: ReadonlyMap<string, NumberedThere>;
}

function leftOf(there: readonly NumberedThere[]): Left {
  return {
    byHolder: Map.groupBy(there, ({ security }) => security.stakeholderId),
    byName: new Map(there.map((each) => [firstOf(each.named ?? ""), each])),
  };
}

function firstOf(named: string): string {
  return named.split(" ")[0] ?? "";
}

/** Warns of a row that may be a corrected version of an earlier imported one: both count. */
function tellLike(row: SheetRow, left: Left, { directory, found }: Numbering): void {
  const named = left.byHolder.size === 0 ? null : namedBy(row, directory);
  if (named === null) return;
  const same = left.byHolder
    .get(named.holderId)
    ?.find(
      ({ security: { type, stockClassId, equityPlanId } }) =>
        type === TYPES[row.to] &&
        (named.classId === undefined || stockClassId === named.classId) &&
        equityPlanId === (named.planId ?? null),
    );
  // Another holder has the name now.
  const like = same ?? left.byName.get(firstOf(namedAs(row, named)));
  if (like === undefined) return;
  const whose = same ? "the same holder" : directory.nameOf(like.security.stakeholderId ?? "");
  found.warning(
    "like-existing",
    placeIn(row, "quantity"),
    `comes besides ${like.security.certificateId ?? "one"} of ${whose}, which an import brought before without a number and that is not in this file`,
    "If it is a correction of that one, leave it out here, and correct the record.",
  );
}
