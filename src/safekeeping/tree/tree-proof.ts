// Proofs that a ledger's entry or a log's row is in a signed history, as one text (https://c2sp.org/tlog-proof). Pure.
import { type Note, readBase64, readNotes } from "../checkpoint/note.ts";
import { HASH_BYTES, type Hash, leafHash, verifyInclusion } from "./merkle.ts";
import { readTreeHead, type TreeHead } from "./tree-checkpoint.ts";

const FIRST_LINE = "c2sp.org/tlog-proof@v1";
/** A path longer than that is of no tree. */
const PATH_MAX = 63;

/** A proof. */
export interface TreeProof {
  /** What the leaf is the SHA-256 of; null where the reader has to know it. */
  readonly extra: Uint8Array | null;
  /** The place of the leaf, from 0. */
  readonly index: number;
  /** From the leaf's sibling upwards. */
  readonly path: readonly Hash[];
  /** The checkpoint, as a signed note. */
  readonly checkpoint: string;
}

/** Writes a proof. */
export function writeTreeProof({ extra, index, path, checkpoint }: TreeProof): string {
  const lines = [
    FIRST_LINE,
    ...(extra === null ? [] : [`extra ${Buffer.from(extra).toString("base64")}`]),
    `index ${index}`,
    ...path.map((hash) => Buffer.from(hash).toString("base64")),
  ];
  return `${lines.join("\n")}\n\n${checkpoint}`;
}

/** A proof that was read; nothing of it is checked yet. */
export interface ReadProof extends Omit<TreeProof, "checkpoint"> {
  readonly note: Note;
  readonly head: TreeHead;
}

const HEAD = /^c2sp\.org\/tlog-proof@v1\n(?:extra (\S+)\n)?index (0|[1-9]\d{0,14})\n((?:[^\n]+\n)*)\n/;

/** Reads a proof; null for any other text. */
export function readTreeProof(text: string): ReadProof | null {
  const [whole, encoded, index, lines = ""] = HEAD.exec(text) ?? [];
  if (whole === undefined) return null;
  const extra = encoded === undefined ? null : readBase64(encoded);
  const path = lines.split("\n").slice(0, -1).map(readBase64);
  const isPath = path.length <= PATH_MAX && path.every((hash) => hash?.length === HASH_BYTES);
  if ((encoded !== undefined && extra === null) || !isPath) return null;
  const [note, more] = readNotes(text.slice(whole.length)) ?? [];
  const head = note && more === undefined ? readTreeHead(note) : null;
  if (!note || head === null) return null;
  return { extra, index: Number(index), path: path.filter((hash) => hash !== null), note, head };
}

/** Whether the leaf with this content, the row's hash, is where the proof says in the tree that its checkpoint names. */
export function isProven({ index, path, head }: Omit<ReadProof, "note">, content: Hash): boolean {
  return verifyInclusion(leafHash(content), { index, size: head.size, root: head.root }, path);
}
