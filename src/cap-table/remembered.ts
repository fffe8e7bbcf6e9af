// Cap tables that were laid out already. One of a moment stays the same until the organization's ledger or log goes on:
// every change that it shows is a row of one of them, so their heads say whether it still holds.
import { findLogHead } from "../database/audit.ts";
import type { Reader } from "../database/sql.ts";
import { findHead } from "../ledger/store.ts";
import { type CapTable, layOutTable } from "./table.ts";
import { type Moment, readView } from "./view.ts";

/** A table as JSON text, around the instant at which it is known: that of now is another each time. */
export interface TableText {
  readonly before: string;
  readonly after: string;
}

interface Kept {
  readonly heads: string;
  readonly text: TableText;
  /** Its holders, classes and notes. */
  readonly lines: number;
}

/** Stands for the instant while a table is written as text. */
const INSTANT = "the instant";
const INSTANT_TEXT = JSON.stringify(INSTANT);

/** Lines of tables kept in all, of holders, classes and notes: some ten megabytes. */
const LINES_MAX = 20_000;

/** The cap tables of one process, by organization and moment. */
class RememberedTables {
  readonly #tables = new Map<string, Kept>();
  #lines = 0;

  /** The table of a moment, laid out anew only where anything was written since. The caller holds a snapshot. */
  read(db: Reader, orgId: string, moment: Moment): TableText {
    const key = `${orgId} ${moment.asOf} ${moment.knownAt}`;
    const heads = `${findHead(db, orgId).hash} ${findLogHead(db, orgId).hash}`;
    const kept = this.#tables.get(key);
    if (kept?.heads === heads) return kept.text;
    const table = layOutTable(readView(db, orgId, moment));
    const text = asText(table);
    this.#keep(key, { heads, text, lines: linesOf(table) });
    return text;
  }

  #keep(key: string, kept: Kept): void {
    const before = this.#tables.get(key);
    if (before) this.#lines -= before.lines;
    this.#tables.delete(key);
    const { lines } = kept;
    if (lines > LINES_MAX) return;
    if (this.#lines + lines > LINES_MAX) {
      this.#tables.clear();
      this.#lines = 0;
    }
    this.#tables.set(key, kept);
    this.#lines += lines;
  }
}

function linesOf({ shareClasses, stakeholders, convertibles }: CapTable): number {
  return 1 + shareClasses.length + stakeholders.length + convertibles.length;
}

function asText(table: CapTable): TableText {
  const text = JSON.stringify({ ...table, knownAt: INSTANT });
  // It stands before all names, so that no name can be taken for it.
  const at = text.indexOf(INSTANT_TEXT);
  return { before: text.slice(0, at), after: text.slice(at + INSTANT_TEXT.length) };
}

/** Of one database each: tests have several in a process. */
const all = new WeakMap<Reader, RememberedTables>();

/** The cap table at a moment as the API shows it, as JSON text. The caller holds a snapshot. */
export function readTable(db: Reader, orgId: string, moment: Moment): TableText {
  let tables = all.get(db);
  if (!tables) {
    tables = new RememberedTables();
    all.set(db, tables);
  }
  return tables.read(db, orgId, moment);
}
