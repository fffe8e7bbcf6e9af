// Files that a page makes of what it shows: their records, and what they are called.
import { type Field, figureField, textField } from "../../../kernel/files/csv.ts";

/** What of a table's column a file needs. */
interface FileColumn<T> {
  readonly label: unknown;
  readonly name?: string;
  readonly isFigure?: boolean;
  readonly isDay?: boolean;
  readonly sortBy?: (row: T) => string | null | undefined;
}

/** The exact texts of columns that sort, as records of a file, their heads first. */
export function csvRows<T>(columns: readonly FileColumn<T>[], rows: readonly T[]): readonly (readonly Field[])[] {
  const written = columns.filter(({ sortBy }) => sortBy !== undefined);
  const head = written.map(({ name, label }) => textField(name ?? String(label)));
  const fieldOf = ({ sortBy, isFigure, isDay }: FileColumn<T>, row: T) =>
    (isFigure || isDay ? figureField : textField)(sortBy?.(row) ?? "");
  return [head, ...rows.map((row) => written.map((column) => fieldOf(column, row)))];
}

/** The name of a file about an organization: `securities-acme-inc-2026-01-15.csv`. */
export function csvName(what: string, organization: string, day: string): string {
  const plain = organization
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return `${what}-${plain}-${day}.csv`;
}
