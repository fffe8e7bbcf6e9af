// Holds a code, or a document's file, against the ledger: its facts are recomputed from the entries up to its own.
import { inSnapshot } from "../../database/snapshot.ts";
import type { Reader } from "../../database/sql.ts";
import { Problem } from "../../kernel/problem.ts";
import { readHead } from "../company.ts";
import { findEntryAt } from "../store.ts";
import { type Code, digestOf, factsText, readCode } from "./code.ts";
import { timeOf } from "./file.ts";
import { draw, lastConcerning, type MadeDocument, makeDocument, PRODUCER } from "./make.ts";
import { isOnLedger, type Line } from "./model.ts";
import { type FileFacts, readDocumentFile } from "./read-pdf.ts";

/** A line that reads otherwise now; null where it is not there at all. */
export interface ChangedLine {
  readonly label: string;
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

/** The document of a code as it is recomputed; null where its subject was never there. */
function remade(db: Reader, code: Code, today: string): MadeDocument | null {
  const { kind, orgId, subjectId, asOf, sequence, basis } = code;
  const of = { kind, orgId, subjectId, asOf, today, knownAt: null, upTo: sequence, basis: basis ?? "FULLY_DILUTED" };
  try {
    return makeDocument(db, of);
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** The entry that a later document would name; null where this is the latest. */
function supersededBy(db: Reader, { kind, orgId, subjectId, sequence }: Code): string[] {
  const last = kind === "C" ? lastConcerning(db, orgId, subjectId) : readHead(db, orgId, { knownAt: null }).sequence;
  return last > sequence ? [`superseded by entry ${last}`] : [];
}

/** Holds a code that was typed from paper against the ledger. The caller holds a snapshot. */
export function checkCode(db: Reader, text: string, today: string): Checked {
  const code = readCode(text);
  if (code === null) return differs("This is no code of ours.");
  const made = remade(db, code, today);
  if (made === null || isBeyond(db, code)) return differs("The ledger has nothing that this code could be of.");
  const agrees = digestOf(factsText(made.facts)) === code.digest;
  const notes = [...(agrees ? [] : [MAY_HAVE_CHANGED]), ...supersededBy(db, code)];
  return { agrees, isLedgerOther: false, notes, statement: made.facts.statement, changed: [] };
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
  if (file === null) return differs("The file is no document of ours.");
  if (!file.isOwn) return differs("The file was changed: its facts are not those of its code.");
  const { code } = file;
  const found = inSnapshot(db, () => {
    const made = isBeyond(db, code) ? null : remade(db, code, today);
    return made && { made, time: timeOf(db, made), notes: supersededBy(db, code) };
  });
  if (found === null) return differs("The ledger has nothing that this document could be of.");
  const { made, time, notes } = found;
  const { statement } = made.facts;
  if (made.facts.hash !== file.facts.hash || made.facts.sequence !== file.facts.sequence) {
    const other = "The ledger has another entry in this document's place.";
    return { agrees: false, isLedgerOther: true, notes: [other], statement, changed: [] };
  }
  if (made.code === codeText(file)) {
    const drawing = await compareDrawing(made, { time, bytes, producer: file.producer, fontFolder });
    return {
      agrees: drawing.agrees,
      isLedgerOther: false,
      notes: [...drawing.notes, ...notes],
      statement,
      changed: [],
    };
  }
  const agrees = sameOnLedger(file.facts.statement, statement);
  const changed = changedLines(file.facts.statement, statement);
  return { agrees, isLedgerOther: false, notes: [...notes, NOT_COMPARED], statement, changed };
}

const NOT_COMPARED = "The drawing was not compared.";

function codeText({ facts: { kind, orgId, subjectId, asOf, sequence, basis }, code }: FileFacts): string {
  const parts = [
    "captable",
    "1",
    kind,
    encodeURIComponent(orgId),
    encodeURIComponent(subjectId),
    asOf,
    String(sequence),
  ];
  return [...parts, ...(basis === undefined ? [] : [basis]), code.digest].join(":");
}

interface Drawing {
  readonly time: string;
  readonly bytes: Uint8Array;
  readonly producer: string;
  readonly fontFolder: string | null;
}

/** Compares the file with one made anew, byte for byte. */
async function compareDrawing(made: MadeDocument, { time, bytes, producer, fontFolder }: Drawing) {
  if (producer !== PRODUCER) {
    return { agrees: true, notes: [`${NOT_COMPARED} It was made by ${producer}, and this is ${PRODUCER}.`] };
  }
  const drawn = await draw(made, time, fontFolder);
  const isSame = Buffer.compare(drawn.bytes, bytes) === 0;
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
      was: before[at] ?? null,
      now: after[at] ?? null,
    })).filter((line) => line.was !== line.now);
  });
}
