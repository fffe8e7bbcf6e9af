// Class names: one name for each class that a workbook calls differently in several places: in a summary `Common (CS)`,
// on a sheet of its own `CS Ledger`. Names are the same class if one contains the other's prefix, or the records say
// so. Pure.
import { foldName } from "../../../kernel/text/names.ts";
import type { Directory } from "../rows/directory.ts";
import { listed, said } from "../rows/read-field.ts";
import type { SheetRow } from "../rows/understand.ts";
import type { MappedRow } from "./map-tables.ts";

const WITH_PREFIX = /^(.+?)(?<!\s)\s*\(([^()\s]{1,20})\)$/;

/** What a text says of a class: its name and, in parentheses, its prefix. */
function parsed(text: string): { readonly name: string; readonly prefix: string | null } {
  const match = WITH_PREFIX.exec(text.trim());
  return match ? { name: match[1] ?? "", prefix: match[2] ?? "" } : { name: text, prefix: null };
}

/** A prefix without the sign between it and the number: `CS` of `CS-`. */
function bare(prefix: string): string {
  return prefix.replace(/(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/u, "");
}

/** A text's key for comparison, without the sign after a prefix. */
function loose(text: string): string {
  const { name, prefix } = parsed(text);
  return foldName(prefix === null ? bare(text) : `${name} (${bare(prefix)})`);
}

/** All names of a class with this name and prefix. */
function labels(text: string, stated: string | null): readonly string[] {
  const own = parsed(text);
  const prefix = stated ?? own.prefix;
  // A text in parentheses that is not the prefix belongs to the name.
  const name = own.prefix !== null && prefix !== null && bare(own.prefix) === bare(prefix) ? own.name : text;
  return [text, name, ...(prefix === null ? [] : [prefix, `${name} (${prefix})`])].map(loose);
}

/** The rows with their classes by the names that are recorded, or else stand in the file's table of classes. */
export function withClassNames(rows: readonly MappedRow[], directory: Directory): readonly MappedRow[] {
  const described = rows.filter(({ to }) => to === "share-classes");
  const recorded = directory.classes().map(({ name, prefix }) => ({ name, labels: labels(name, prefix) }));
  const own = described.flatMap((row) => {
    const text = said(row, "class");
    return text === undefined ? [] : [{ name: text, labels: labels(text, said(row, "prefix") ?? null) }];
  });
  const byText = Map.groupBy(rows, (row) => said(row, "class") ?? "");
  const known = new Map<string, string>();
  const resolve = (text: string): string => {
    const before = known.get(text);
    if (before !== undefined) return before;
    known.set(text, text);
    const found = nameOf(text, { directory, recorded, own, numbers: () => numbersOf(byText.get(text) ?? []) });
    const name = found === text ? text : resolve(found);
    known.set(text, name);
    return name;
  };
  return rows.map((row) => renamed(row, resolve));
}

interface Labelled {
  readonly name: string;
  readonly labels: readonly string[];
}

interface Names {
  readonly directory: Directory;
  /** The recorded classes, and those of the file's own table. */
  readonly recorded: readonly Labelled[];
  readonly own: readonly Labelled[];
  /** The prefixes of the numbers of the class's securities. */
  numbers(): ReadonlySet<string>;
}

/** The name of a class that the file calls so: itself, if that is ambiguous. */
function nameOf(text: string, { directory, recorded, own, numbers }: Names): string {
  if (directory.stockClass(text) !== "unknown") return text;
  const known = only(recorded, text);
  if (known !== null) return known;
  const same = own.find(({ name }) => foldName(name) === foldName(text));
  if (same) return same.name;
  const described = only(own, text);
  if (described !== null) return described;
  // Common (CS) is Common where the numbers say so: CS-1.
  const { name, prefix } = parsed(text);
  if (prefix === null || !numbers().has(foldName(bare(prefix)))) return text;
  return own.find((each) => foldName(each.name) === foldName(name))?.name ?? text;
}

/** The only class that may have this name; null if there is no such class, or several. */
function only(classes: readonly Labelled[], text: string): string | null {
  const names = new Set(classes.filter((each) => each.labels.includes(loose(text))).map(({ name }) => name));
  const [first] = names;
  return names.size === 1 ? (first ?? null) : null;
}

function numbersOf(rows: readonly SheetRow[]): ReadonlySet<string> {
  return new Set(
    rows
      .flatMap((row) => /^(.*?)(?<!\d)\d+$/.exec(said(row, "certificate") ?? "")?.[1] ?? [])
      .map(bare)
      .map(foldName),
  );
}

function renamed(row: MappedRow, resolve: (text: string) => string): MappedRow {
  const changes = (["class", "classes"] as const).flatMap((field) => {
    const before = row.fields.get(field);
    if (!before) return [];
    const value = field === "class" ? resolve(before.value) : listed(row, field).map(resolve).join(";");
    return value === before.value ? [] : [[field, { value, place: before.place }] as const];
  });
  return changes.length === 0 ? row : { ...row, fields: new Map([...row.fields, ...changes]) };
}
