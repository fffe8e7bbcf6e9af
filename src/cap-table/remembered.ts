// Cap tables and histories that were laid out already. One of a moment stays the same until the organization's ledger or
// log goes on: every change that it shows is a row of one of them, so their heads say whether it still holds.
import { findLogHead } from "../database/audit.ts";
import type { Reader } from "../database/sql.ts";
import type { CalendarDate } from "../kernel/date.ts";
import type { Warning } from "../kernel/warning.ts";
import { openLedger } from "../ledger/past/store.ts";
import { listTermsEntries } from "../ledger/replay-store.ts";
import { findHead } from "../ledger/store.ts";
import { beginningWarnings } from "./beginning.ts";
import { viewOf } from "./fold.ts";
import { historyOf } from "./history.ts";
import { type CapTable, layOutTable } from "./table.ts";
import type { Moment } from "./view.ts";

/** A table as JSON text, around the instant at which it is known: that of now is another each time. */
export interface TableText {
  readonly before: string;
  readonly after: string;
}

/** What was laid out, and how much of it there is. */
interface LaidOut {
  readonly text: TableText;
  /** Its holders, classes and notes, or points. */
  readonly lines: number;
}

interface Kept extends LaidOut {
  readonly heads: string;
}

/** Stands for the instant while a table is written as text. */
const INSTANT = "the instant";
const INSTANT_TEXT = JSON.stringify(INSTANT);

/** Lines kept in all: some ten megabytes. */
const LINES_MAX = 20_000;

/** What was laid out in one process, by organization and moment. */
class Remembered {
  readonly #kept = new Map<string, Kept>();
  #lines = 0;

  /** The text of what `name` says, laid out anew only where anything was written since. The caller holds a snapshot. */
  read(db: Reader, orgId: string, name: string, layOut: () => LaidOut): TableText {
    const key = `${orgId} ${name}`;
    const heads = `${findHead(db, orgId).hash} ${findLogHead(db, orgId).hash}`;
    const kept = this.#kept.get(key);
    if (kept?.heads === heads) return kept.text;
    const made = layOut();
    this.#keep(key, { heads, ...made });
    return made.text;
  }

  #keep(key: string, kept: Kept): void {
    const before = this.#kept.get(key);
    if (before) this.#lines -= before.lines;
    this.#kept.delete(key);
    const { lines } = kept;
    if (lines > LINES_MAX) return;
    if (this.#lines + lines > LINES_MAX) {
      this.#kept.clear();
      this.#lines = 0;
    }
    this.#kept.set(key, kept);
    this.#lines += lines;
  }
}

function linesOf({ shareClasses, stakeholders, convertibles }: CapTable): number {
  return 1 + shareClasses.length + stakeholders.length + convertibles.length;
}

function asText(table: CapTable & { readonly warnings: readonly Warning[] }): TableText {
  const text = JSON.stringify({ ...table, knownAt: INSTANT });
  // It stands before all names, so that no name can be taken for it.
  const at = text.indexOf(INSTANT_TEXT);
  return { before: text.slice(0, at), after: text.slice(at + INSTANT_TEXT.length) };
}

/** Of one database each: tests have several in a process. */
const all = new WeakMap<Reader, Remembered>();

function rememberedOf(db: Reader): Remembered {
  const known = all.get(db) ?? new Remembered();
  all.set(db, known);
  return known;
}

/** The cap table at a moment as the API shows it, as JSON text. The caller holds a snapshot. */
export function readTable(db: Reader, orgId: string, moment: Moment, today: CalendarDate): TableText {
  return rememberedOf(db).read(db, orgId, `${moment.asOf} ${moment.knownAt}`, () => {
    const table = layOutTable(viewOf(db, orgId, moment, today));
    return { text: asText({ ...table, warnings: beginningWarnings(db, orgId, moment) }), lines: linesOf(table) };
  });
}

/** The history of the cap table up to a day as JSON text. The caller holds a snapshot. */
export function readHistory(db: Reader, orgId: string, today: CalendarDate): string {
  const { before } = rememberedOf(db).read(db, orgId, `history ${today}`, () => {
    const history = historyOf({ ...openLedger(db, orgId), terms: listTermsEntries(db, { orgId }) }, today);
    return { text: { before: JSON.stringify(history), after: "" }, lines: 1 + history.points.length };
  });
  return before;
}
