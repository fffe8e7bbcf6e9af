// Cap tables that were laid out already. One of a moment stays the same until the organization's ledger or log goes on:
// every change that it shows is a row of one of them, so their heads say whether it still holds.
import { findLogHead } from "../database/audit.ts";
import type { Reader } from "../database/sql.ts";
import { findHead } from "../ledger/store.ts";
import { layOutTable } from "./table.ts";
import { type Moment, readView } from "./view.ts";

type Table = ReturnType<typeof layOutTable>;

interface Kept {
  readonly heads: string;
  readonly table: Table;
}

/** Lines of tables kept in all, of holders, classes and notes: some ten megabytes. */
const LINES_MAX = 20_000;

/** The cap tables of one process, by organization and moment. */
class RememberedTables {
  readonly #tables = new Map<string, Kept>();
  #lines = 0;

  /** The table of a moment, laid out anew only where anything was written since. The caller holds a snapshot. */
  read(db: Reader, orgId: string, moment: Moment): Table {
    const key = `${orgId} ${moment.asOf} ${moment.knownAt}`;
    const heads = `${findHead(db, orgId).hash} ${findLogHead(db, orgId).hash}`;
    const kept = this.#tables.get(key);
    if (kept?.heads === heads) return kept.table;
    const table = layOutTable(readView(db, orgId, moment));
    this.#keep(key, { heads, table });
    return table;
  }

  #keep(key: string, kept: Kept): void {
    const before = this.#tables.get(key);
    if (before) this.#lines -= linesOf(before);
    this.#tables.delete(key);
    const lines = linesOf(kept);
    if (lines > LINES_MAX) return;
    if (this.#lines + lines > LINES_MAX) {
      this.#tables.clear();
      this.#lines = 0;
    }
    this.#tables.set(key, kept);
    this.#lines += lines;
  }
}

function linesOf({ table }: Kept): number {
  return 1 + table.shareClasses.length + table.stakeholders.length + table.convertibles.length;
}

/** Of one database each: tests have several in a process. */
const all = new WeakMap<Reader, RememberedTables>();

/** The cap table at a moment as the API shows it. The caller holds a snapshot. */
export function readTable(db: Reader, orgId: string, moment: Moment): Table {
  let tables = all.get(db);
  if (!tables) {
    tables = new RememberedTables();
    all.set(db, tables);
  }
  return tables.read(db, orgId, moment);
}
