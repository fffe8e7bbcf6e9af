// Document check: compares a code, or a document's file, with the ledger; its facts are recomputed from the entries up
// to its own.

import { Problem } from "../../../kernel/problem.ts";
import { inSnapshot } from "../../../storage/database/snapshot.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import { readHead } from "../report-company.ts";
import { findEntryAt } from "../store.ts";
import { COPY } from "./certificate.ts";
import { type Code, codeOf, digestOf, factsText, readCode } from "./code.ts";
import { timeOf } from "./document-file.ts";
import { isOnLedger, isVesting, type Line, type PaperDocument } from "./document-model.ts";
import {
  type DocumentAsked,
  draw,
  lastConcerning,
  lastNaming,
  type MadeDocument,
  makeDocument,
  PRODUCER,
} from "./make.ts";
import { type FileFacts, readDocumentFile } from "./read-pdf.ts";
import { withStatement } from "./rewrite.ts";

/** A line that reads otherwise now; null where it is not there at all. */
export interface ChangedLine {
  readonly label: string;
  /** Whether it follows from vesting terms, and was not simply written so. */
  readonly isComputed: boolean;
  readonly was: string | null;
  readonly now: string | null;
}

/** What came of it. */
export interface Checked {
  readonly agrees: boolean;
  /** Whether the ledger has another entry in the place that the document names. */
  readonly isLedgerOther: boolean;
  /** What else there is to say, in sentences. */
  readonly notes: readonly string[];
  /** The statement as it is now, to be compared with paper. */
  readonly statement: readonly Line[];
  readonly changed: readonly ChangedLine[];
}

const MAY_HAVE_CHANGED =
  "The digest differs: names, legends or terms may have changed since, or the paper was changed.";

function differs(...notes: readonly string[]): Checked {
  return { agrees: false, isLedgerOther: false, notes, statement: [], changed: [] };
}

/** What a code does not say of its document. */
type Remaking = Pick<DocumentAsked, "today" | "knownAt"> & { readonly isCopy: boolean };

/** The document of a code as it is recomputed; null where its subject was never there. */
function remade(db: Reader, code: Code, how: Remaking): MadeDocument | null {
  const { kind, orgId, subjectId, asOf, sequence, basis } = code;
  if (isBeyond(db, code)) return null;
  const of = { kind, orgId, subjectId, asOf, upTo: sequence, basis: basis ?? "FULLY_DILUTED" };
  try {
    return makeDocument(db, { ...of, ...how });
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** The entry that a later document would name; nothing where this is the latest. */
function supersededBy(db: Reader, { kind, orgId, subjectId, sequence }: Code, isCopy: boolean): string[] {
  const last = () => {
    if (kind === "C") return lastConcerning(db, orgId, subjectId);
    return (isCopy ? lastNaming(db, { orgId, subjectId }) : readHead(db, orgId, { knownAt: null })).sequence;
  };
  const found = last();
  return found > sequence ? [`superseded by entry ${found}`] : [];
}

const OTHER_NUMBER = "The code names an entry that is not this document's: check the number, or the paper was changed.";
const OTHER_ENTRY = "The ledger has another entry in this document's place.";

/** Holds a code that was typed from paper against the ledger. The caller holds a snapshot. */
export function checkCode(db: Reader, text: string, today: string): Checked {
  const code = readCode(text);
  if (code === null) return differs("This is not a code of this program.");
  const hasDigest = (made: MadeDocument | null) => made !== null && digestOf(factsText(made.facts)) === code.digest;
  const isOf = (made: MadeDocument | null) => hasDigest(made) && made?.facts.sequence === code.sequence;
  const of = { today, knownAt: null };
  const made = remade(db, code, { ...of, isCopy: false });
  // A code does not say whether it stands on a holder's own copy.
  const copy = code.kind === "S" || isOf(made) ? null : remade(db, code, { ...of, isCopy: true });
  const isCopy = isOf(copy);
  const found = isCopy ? copy : made;
  if (found === null) return differs("The ledger has no record that matches this code.");
  const agrees = isCopy || isOf(made);
  const { statement, sequence } = found.facts;
  // A code that was typed wrong names another entry, too: only the ledger's own chain tells that it was rewritten.
  const isOther = sequence !== code.sequence && copy?.facts.sequence !== code.sequence;
  const trouble = isOther ? OTHER_NUMBER : MAY_HAVE_CHANGED;
  const notes = [...(agrees ? [] : [trouble]), ...supersededBy(db, code, isCopy)];
  return { agrees, isLedgerOther: false, notes, statement, changed: [] };
}

function isBeyond(db: Reader, { orgId, sequence }: Code): boolean {
  return sequence > 0 && findEntryAt(db, { orgId, sequence }) === null;
}

/** Holds a file against the ledger, and where the same version drew it also the whole of it. */
export async function checkDocument(
  db: Reader,
  bytes: Uint8Array,
  { today, fontFolder }: { readonly today: string; readonly fontFolder: string | null },
): Promise<Checked> {
  const { facts: file } = readDocumentFile(bytes);
  if (file === null) return differs("The file is not a document of this program.");
  if (!file.isOwn) return differs("The file was changed: its facts are not those of its code.");
  const { code, producer } = file;
  const was = file.facts.statement;
  const isCopy = was.some(([label, value]) => label === COPY[0] && value === COPY[1]);
  const found = inSnapshot(db, () => {
    const made = remade(db, code, { today, knownAt: file.knownAt, isCopy });
    return made && { made, time: timeOf(db, made), notes: supersededBy(db, code, isCopy) };
  });
  if (found === null) return differs("The ledger has no record that matches this document.");
  const { made, time, notes } = found;
  const { statement } = made.facts;
  if (made.facts.hash !== file.facts.hash || made.facts.sequence !== file.facts.sequence) {
    return { agrees: false, isLedgerOther: true, notes: [OTHER_ENTRY], statement, changed: [] };
  }
  const changed = changedLines(was, statement);
  if (made.code !== codeOf(file.facts) && !sameOnLedger(was, statement)) {
    return { agrees: false, isLedgerOther: false, notes: [...notes, NOT_COMPARED], statement, changed };
  }
  const drawing = await compareDrawing(asItWas(made, file), { time, bytes, producer, fontFolder });
  return { ...drawing, isLedgerOther: false, notes: [...drawing.notes, ...notes], statement, changed };
}

/** The document as the file's facts have it, to be drawn: null for facts that no document of ours could have. */
function asItWas(made: MadeDocument, { facts }: FileFacts): MadeDocument | null {
  if (made.code === codeOf(facts)) return made;
  const document = withStatement(made.document, facts.statement);
  return document && { ...made, document, facts, code: codeOf(facts), isLetter: isLetterOf(made, document) };
}

/** The paper that the file was drawn on, where the company was formed elsewhere by then. */
function isLetterOf({ document: now, isLetter }: MadeDocument, { formedIn }: PaperDocument): boolean {
  return formedIn === now.formedIn ? isLetter : /(?:^|, )(?:US|CA)$/.test(formedIn ?? "");
}

const NOT_COMPARED = "The drawing was not compared.";

interface Drawing {
  readonly time: string;
  readonly bytes: Uint8Array;
  readonly producer: string;
  readonly fontFolder: string | null;
}

/** Compares the file with one made anew, byte for byte. */
async function compareDrawing(made: MadeDocument | null, { time, bytes, producer, fontFolder }: Drawing) {
  if (producer !== PRODUCER) {
    return { agrees: true, notes: [`${NOT_COMPARED} It was made by ${producer}, and this is ${PRODUCER}.`] };
  }
  const drawn = made && (await draw(made, time, fontFolder));
  const isSame = drawn !== null && Buffer.compare(drawn.bytes, bytes) === 0;
  return { agrees: isSame, notes: isSame ? [] : ["The file was changed: what it draws is not what its facts say."] };
}

function sameOnLedger(was: readonly Line[], now: readonly Line[]): boolean {
  return JSON.stringify(was.filter(isOnLedger)) === JSON.stringify(now.filter(isOnLedger));
}

/** The lines that differ, label by label and in their order. */
function changedLines(was: readonly Line[], now: readonly Line[]): ChangedLine[] {
  const labels = [...new Set([...was, ...now].map(([label]) => label))];
  return labels.flatMap((label) => {
    const of = (lines: readonly Line[]) => lines.filter(([name]) => name === label).map(([, value]) => value);
    const [before, after] = [of(was), of(now)];
    const count = Math.max(before.length, after.length);
    return Array.from({ length: count }, (_, at) => ({
      label,
      isComputed: isVesting(label),
      was: before[at] ?? null,
      now: after[at] ?? null,
    })).filter((line) => line.was !== line.now);
  });
}
