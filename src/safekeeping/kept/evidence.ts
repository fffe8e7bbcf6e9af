// A file of evidence: checkpoints of captable and of its trees, one after the other, with time stamps and cosignatures;
// and what of it holds against data, roots and witnesses.
import { toTimestamp } from "../../kernel/runtime.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { describeContradiction } from "../checkpoint/against.ts";
import {
  CheckpointError,
  CheckpointFormError,
  readCheckpoint,
  type SignedCheckpoint,
} from "../checkpoint/checkpoint.ts";
import { type Note, type NoteSignature, readNotes, type Verifier } from "../checkpoint/note.ts";
import { findName } from "../checkpoint/store.ts";
import { isSameHash } from "../tree/merkle.ts";
import { isTreeSignedBy, type Origin, readOrigin, readTreeHead, type TreeHead } from "../tree/tree-checkpoint.ts";
import { ChainTree } from "../tree/trees.ts";
import { isCosignedBy, isOfWitness, readCosignature } from "../witness/cosignature.ts";

const SECOND_MS = 1000;

/** A checkpoint whose own signature is good, with its note. */
export type NotedCheckpoint = SignedCheckpoint & { readonly note: Note };

/** A checkpoint of a tree; its signature is not checked yet, since it does not hold its key. */
export interface TreeCheckpoint extends Origin {
  readonly note: Note;
  readonly head: TreeHead;
}

/** What a file holds. */
export interface Evidence {
  readonly checkpoints: readonly NotedCheckpoint[];
  readonly trees: readonly TreeCheckpoint[];
}

/** Reads a file of evidence. Throws {@link CheckpointError}. */
export function readEvidence(text: string): Evidence {
  const notes = readNotes(text);
  if (notes === null || notes.length === 0)
    throw new CheckpointFormError("it holds no checkpoint, or something else beside");
  const evidence = { checkpoints: [] as NotedCheckpoint[], trees: [] as TreeCheckpoint[] };
  for (const note of notes) {
    const head = readTreeHead(note);
    const origin = head && readOrigin(head.origin);
    if (head && origin) evidence.trees.push({ ...origin, note, head });
    else evidence.checkpoints.push({ ...readCheckpoint(note), note });
  }
  return evidence;
}

/**
 * The key that signed a tree's checkpoint: of the file's checkpoints of its organization, else one of `others`. Throws
 * {@link CheckpointError} where none of them did.
 */
export function findTreeKey(
  { note, head, orgId }: TreeCheckpoint,
  checkpoints: readonly NotedCheckpoint[],
  others: readonly Pick<Verifier, "publicKey">[],
): Pick<Verifier, "publicKey"> {
  const own = checkpoints.filter((each) => each.orgId === orgId).map(({ signedBy }) => signedBy);
  const found = (own.length > 0 ? own : others).find(({ publicKey }) => isTreeSignedBy(note, head, publicKey));
  if (found) return found;
  const why =
    own.length === 0 && others.length === 0
      ? "is of an unknown key: a checkpoint of captable beside it, or --signed-by, names one"
      : "is wrong: it was changed";
  throw new CheckpointError(`the signature of the checkpoint of ${head.origin} at ${head.size} ${why}`);
}

/** The removed or rewritten part since a tree's checkpoint, in one line; null if nothing was changed. */
export function findTreeContradiction(db: Reader, { orgId, chain, head }: TreeCheckpoint): string | null {
  const name = findName(db, { orgId });
  if (name === null) return `the organization ${orgId}, of which there is a checkpoint, no longer exists`;
  const tree = new ChainTree(db, orgId, chain);
  const root = tree.root(head.size);
  if (root && isSameHash(root, head.root)) return null;
  const whose = `the ${chain} of ${name}`;
  // A root says that something before it is other, and not what.
  if (root) return `${whose} was written anew: its first ${head.size} are not those of the checkpoint`;
  return describeContradiction(whose, chain, { size: head.size, head: "" }, tree.size);
}

/** A cosignature, and what became of its check: `unknown` of a witness whose key is not known, `unchecked` of its kind. */
export interface CheckedCosignature {
  readonly witness: string;
  readonly time: string;
  readonly outcome: "good" | "wrong" | "unknown" | "unchecked";
}

/** Checks each cosignature of a note against the known witnesses. */
export function checkCosignatures(note: Note, witnesses: readonly Verifier[]): CheckedCosignature[] {
  return note.signatures.flatMap((signature) => {
    const read = readCosignature(signature);
    if (read === null) return [];
    const outcome = read.kind === "ED25519" ? outcomeOf(note, signature, witnesses) : "unchecked";
    return [{ witness: read.witness, time: toTimestamp(read.time * SECOND_MS), outcome }];
  });
}

function outcomeOf(
  note: Note,
  signature: NoteSignature,
  witnesses: readonly Verifier[],
): CheckedCosignature["outcome"] {
  const known = witnesses.filter((witness) => isOfWitness(signature, witness));
  if (known.length === 0) return "unknown";
  return known.some((witness) => isCosignedBy(note, signature, witness)) ? "good" : "wrong";
}

/** How many different witnesses cosigned well. */
export function countGood(cosignatures: readonly CheckedCosignature[]): number {
  return new Set(cosignatures.filter(({ outcome }) => outcome === "good").map(({ witness }) => witness)).size;
}
