// Cache of cap tables and histories. That of a moment stays valid until the organization's ledger or log grows: every
// change that it shows is a row of one of them, so their heads decide.

import type { CalendarDate } from "../../kernel/date.ts";
import type { Timestamp } from "../../kernel/runtime.ts";
import type { Warning } from "../../kernel/warning.ts";
import { openLedger } from "../../ledger/past/store.ts";
import { listTermsEntries } from "../../ledger/replay/replay-store.ts";
import { findHead } from "../../ledger/store.ts";
import { findLogHead } from "../../storage/database/log/audit.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { beginningWarnings } from "./beginning.ts";
import { shownAt } from "./fold.ts";
import { historyOf } from "./history.ts";
import { type CapTable, layOutTable } from "./table.ts";
import type { Moment } from "./view.ts";

/**
 * An answer as UTF-8, around the instant at which a table is known: that of now is another each time. As bytes, because
 * the answer of a large company is megabytes, and encoding them each time took longer than all else.
 */
interface Answer {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** What was laid out, and how much of it there is. */
interface LaidOut {
  readonly answer: Answer;
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

  /** The answer of what `name` says, laid out anew only where anything was written since. The caller holds a snapshot. */
  read(db: Reader, orgId: string, name: string, layOut: () => LaidOut): Answer {
    const key = `${orgId} ${name}`;
    const heads = `${findHead(db, orgId).hash} ${findLogHead(db, orgId).hash}`;
    const kept = this.#kept.get(key);
    if (kept?.heads === heads) return kept.answer;
    const made = layOut();
    this.#keep(key, { heads, ...made });
    return made.answer;
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

const encoder = new TextEncoder();

function answerOf(table: CapTable & { readonly warnings: readonly Warning[] }): Answer {
  const text = JSON.stringify({ data: { ...table, knownAt: INSTANT } });
  // It stands before all names, so that no name can be taken for it.
  const at = text.indexOf(INSTANT_TEXT);
  return { before: encoder.encode(text.slice(0, at)), after: encoder.encode(text.slice(at + INSTANT_TEXT.length)) };
}

/** The answer with what stands between its parts: bytes of its own, which may be given away. */
function joined({ before, after }: Answer, between: string): Uint8Array<ArrayBuffer> {
  const middle = encoder.encode(between);
  const whole = new Uint8Array(before.length + middle.length + after.length);
  whole.set(before);
  whole.set(middle, before.length);
  whole.set(after, before.length + middle.length);
  return whole;
}

/** Of one database each: tests have several in a process. */
const all = new WeakMap<Reader, Remembered>();

function rememberedOf(db: Reader): Remembered {
  const known = all.get(db) ?? new Remembered();
  all.set(db, known);
  return known;
}

/** The answer of the cap table at a moment, known at the instant that it says. The caller holds a snapshot. */
export function readTable(
  db: Reader,
  orgId: string,
  { moment, knownAt }: { readonly moment: Moment; readonly knownAt: Timestamp },
  today: CalendarDate,
): Uint8Array<ArrayBuffer> {
  const answer = rememberedOf(db).read(db, orgId, `${moment.asOf} ${moment.knownAt}`, () => {
    const table = layOutTable(shownAt(db, orgId, moment, { today }));
    return { answer: answerOf({ ...table, warnings: beginningWarnings(db, orgId, moment) }), lines: linesOf(table) };
  });
  return joined(answer, JSON.stringify(knownAt));
}

/** The answer of the history of the cap table up to a day. The caller holds a snapshot. */
export function readHistory(db: Reader, orgId: string, today: CalendarDate): Uint8Array<ArrayBuffer> {
  const answer = rememberedOf(db).read(db, orgId, `history ${today}`, () => {
    const history = historyOf({ ...openLedger(db, orgId), terms: listTermsEntries(db, { orgId }) }, today);
    const before = encoder.encode(JSON.stringify({ data: history }));
    return { answer: { before, after: new Uint8Array() }, lines: 1 + history.points.length };
  });
  return joined(answer, "");
}
