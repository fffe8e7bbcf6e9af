// Which format a file is in: the template, a vendor's, or one that a mapping describes.
import { completeRows } from "./complete.ts";
import type { Directory } from "./directory.ts";
import type { Grid } from "./grid.ts";
import { UnreadableFile } from "./grid.ts";
import { findTables, readTable } from "./map-tables.ts";
import { FORMATS, type Mapping, mappingOf } from "./mapping.ts";
import type { SheetProblems } from "./problem.ts";
import { templateSheet } from "./template.ts";
import { type SheetRow, understand } from "./understand.ts";
import type { Ways } from "./values.ts";

/** A format by its name, with the mapping that reads it; the template has none. */
export interface Format {
  readonly name: string;
  readonly mapping: Mapping | null;
}

const TEMPLATE: Format = { name: "CAPTABLE", mapping: null };

/** The format of a file. Throws {@link UnreadableFile} where none, or several, fit. */
export function formatOf(grids: readonly Grid[], asked: string, mapping: Mapping | null): Format {
  if (mapping) return { name: "MAPPING", mapping };
  if (asked === "CAPTABLE") return TEMPLATE;
  if (asked !== "AUTO") return { name: asked, mapping: mappingOf(asked) };
  const fitting = Object.keys(FORMATS).filter((name) => {
    const { found, missing } = findTables(grids, mappingOf(name));
    return found.length > 0 && missing.length === 0;
  });
  if (grids.some(({ name }) => templateSheet(name) !== null) && !fitting.includes("PULLEY")) return TEMPLATE;
  const [only, other] = fitting;
  if (only && !other) return { name: only, mapping: mappingOf(only) };
  if (grids.length === 1 && !only) return TEMPLATE;
  const sheets = grids.map(({ name }) => name).join(", ");
  throw new UnreadableFile(
    only
      ? `The file can be of several formats (${fitting.join(", ")}): say which.`
      : `The file is in no format that is known; it has the sheets ${sheets}. Take the template, or a mapping.`,
  );
}

/** What reading rows needs besides the file. */
export interface Surroundings {
  readonly ways: Ways;
  readonly directory: Directory;
  readonly found: SheetProblems;
  readonly skipUnsupported: boolean;
  count(kind: string, what: "leftOut"): void;
}

/** The rows of a file as the template has them. */
export function rowsIn(grids: readonly Grid[], { name, mapping }: Format, around: Surroundings): SheetRow[] {
  const { ways, found } = around;
  if (mapping === null) return understand(grids, ways, found);
  const { found: tables, missing } = findTables(grids, mapping);
  for (const { sheet, headerHas = [] } of missing) {
    const detail = `has no sheet ${sheet.join(" or ")} with the headers ${headerHas.join(", ")}`;
    found.problem("missing-table", { sheet: sheet[0] ?? "" }, detail, "Export the file again, or say another format.");
  }
  if (name === "PULLEY") {
    found.warning(
      "unconfirmed",
      { sheet: "" },
      "what is known of this format has one source",
      "Look at the preview closely.",
    );
  }
  const own = { ...ways, dateOrder: ways.dateOrder ?? mapping.options?.dateOrder ?? null };
  const rows = tables.flatMap((table) => readTable(table, own, found));
  return completeRows(rows, { ...around, mapping });
}
