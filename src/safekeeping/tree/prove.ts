// Proofs of rows that a database has: in the newest checkpoint that witnesses cosigned, else in one signed now.
import { present } from "../../kernel/assert.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { findCosigned } from "../checkpoint/kept-store.ts";
import { readNotes, type Signer } from "../checkpoint/note.ts";
import { isSameHash } from "./merkle.ts";
import { type Chain, isTreeSignedBy, readTreeHead } from "./tree-checkpoint.ts";
import { writeTreeProof } from "./tree-proof.ts";
import { ChainTree } from "./trees.ts";

/** Which row is proven. */
export interface Proven {
  readonly orgId: string;
  readonly chain: Chain;
  readonly sequence: number;
  /** The canonical JSON that the row's hash is of; null for a proof without it. */
  readonly extra: string | null;
}

/** The proof of a row. The caller holds a snapshot. */
export function proveRow(db: Reader, { orgId, chain, sequence, extra }: Proven, signer: Signer): string {
  const tree = new ChainTree(db, orgId, chain);
  const cosigned = findCosigned(db, chain, orgId, sequence);
  const kept = cosigned !== null && isOf(tree, cosigned, signer) ? cosigned : null;
  const checkpoint = kept ?? tree.checkpoint(signer);
  const { size } = present(headOf(checkpoint), "the head of a checkpoint");
  const path = present(tree.inclusion(sequence, size), "a tree of that size");
  return writeTreeProof({ extra: extra === null ? null : Buffer.from(extra), index: sequence - 1, path, checkpoint });
}

/**
 * Whether a kept checkpoint is of the tree that the chain has now, and signed by today's key: else its proofs would not
 * hold, or not for a reader who knows that key.
 */
function isOf(tree: ChainTree, text: string, { publicKey }: Signer): boolean {
  const [note] = readNotes(text) ?? [];
  const head = note && readTreeHead(note);
  if (!head || !isTreeSignedBy(note, head, publicKey)) return false;
  const root = tree.root(head.size);
  return root !== null && isSameHash(head.root, root);
}

function headOf(text: string) {
  const [note] = readNotes(text) ?? [];
  return note ? readTreeHead(note) : null;
}
