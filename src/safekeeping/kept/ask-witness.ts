// Asks a witness to cosign a checkpoint of a tree (https://c2sp.org/tlog-witness): with the proof that the tree has only
// grown since the checkpoint that it last signed. It sees hashes, and nothing of what they are of.
import { type Note, type NoteSignature, readSignature, writeNote } from "../checkpoint/note.ts";
import type { Hash } from "../tree/merkle.ts";
import { isCosignedBy, readCosignature } from "../witness/cosignature.ts";
import type { Witness } from "../witness/witness-file.ts";
import { OutsideError, post } from "./outside.ts";

const OK = 200;
const CONFLICT = 409;

/** The tree of a checkpoint, as far as a witness has to be shown it. */
export interface ShownTree {
  readonly note: Note;
  readonly size: number;
  /** The proof from an earlier size. */
  prove(oldSize: number): readonly Hash[];
}

/** The cosignatures that a witness gave; the first is good, and those behind it are of a kind that is not checked. */
export type Cosigned = readonly [NoteSignature, ...NoteSignature[]];

/**
 * Asks a witness that last signed at `oldSize`, as far as is known. Throws {@link OutsideError} with the reason where
 * it gives no good cosignature, as for a history that is shorter than the one that it knows.
 */
export async function askWitness(
  witness: Witness,
  tree: ShownTree,
  { oldSize, signal }: { readonly oldSize: number; readonly signal?: AbortSignal | undefined },
): Promise<Cosigned> {
  const first = await addCheckpoint(witness, tree, oldSize, signal);
  // It names the size that it last signed, and is asked from there, once.
  const { status, bytes } =
    first.status === CONFLICT ? await askFrom(witness, tree, { first, oldSize, signal }) : first;
  if (status === OK) return cosignaturesIn(bytes, tree.note, witness);
  if (status === CONFLICT) throw new OutsideError("it has signed another history than this one");
  throw new OutsideError(`it does not cosign: status ${status}`);
}

interface Again {
  readonly first: { readonly bytes: Uint8Array };
  readonly oldSize: number;
  readonly signal?: AbortSignal | undefined;
}

function askFrom(witness: Witness, tree: ShownTree, { first, oldSize, signal }: Again) {
  const size = sizeIn(first.bytes);
  if (size > tree.size) {
    throw new OutsideError(`it has signed a history of ${size}, and this one has ${tree.size}: it was rolled back`);
  }
  if (size === oldSize) throw new OutsideError("it has signed another history than this one");
  return addCheckpoint(witness, tree, size, signal);
}

function addCheckpoint({ prefix }: Witness, { note, size, prove }: ShownTree, oldSize: number, signal?: AbortSignal) {
  // Nothing is proven from the empty tree.
  const proof = oldSize === 0 || oldSize === size ? [] : prove(oldSize);
  const lines = [`old ${oldSize}`, ...proof.map((hash) => Buffer.from(hash).toString("base64")), "", ""];
  // Cosignatures of others are of no use to it.
  const own = writeNote({ ...note, signatures: note.signatures.filter((each) => readCosignature(each) === null) });
  return post({ url: `${prefix}/add-checkpoint`, contentType: "text/plain", body: lines.join("\n") + own }, signal);
}

function sizeIn(bytes: Uint8Array): number {
  const [, size] = /^(0|[1-9]\d{0,14})\n$/.exec(Buffer.from(bytes).toString("latin1")) ?? [];
  if (size === undefined) throw new OutsideError("it does not say at which size it last signed");
  return Number(size);
}

/** Signatures under other keys are passed by. */
function cosignaturesIn(bytes: Uint8Array, note: Note, { key }: Witness): Cosigned {
  const given = Buffer.from(bytes).toString("utf8").split("\n").flatMap(readSignature);
  const good = given.find((each) => isCosignedBy(note, each, key));
  const unchecked = given.find((each) => each.name === key.name && readCosignature(each)?.kind === "ML_DSA_44");
  if (good === undefined) throw new OutsideError("its cosignature is wrong");
  return [good, ...(unchecked ? [unchecked] : [])];
}
