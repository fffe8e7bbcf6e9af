// Checkpoints of Merkle trees as C2SP defines them (https://c2sp.org/tlog-checkpoint): the head of the tree whose leaves
// are the hashes of a ledger's entries or of a log's rows, signed under the tree's origin. Pure.
import { isSignedBy, type Note, readBase64, type Signer, signNote } from "../checkpoint/note.ts";
import { HASH_BYTES, type Hash } from "./merkle.ts";

/** The two chains of an organization. */
export const CHAINS = ["ledger", "log"] as const;
export type Chain = (typeof CHAINS)[number];

/** The head of a tree, as a checkpoint tells it. */
export interface TreeHead {
  readonly origin: string;
  readonly size: number;
  readonly root: Hash;
}

/** What an origin names. */
export interface Origin {
  readonly orgId: string;
  readonly chain: Chain;
  /** The first 8 digits of the hash of the row that tells of the last restore; null before the first. */
  readonly restore: string | null;
}

/**
 * The origin of a tree. After a restore it is another one: what was signed before is not contradicted by a shorter
 * history, and who keeps a witness hears of the restore.
 */
export function writeOrigin({ orgId, chain, restore }: Origin): string {
  return `captable/${orgId}/${chain}${restore === null ? "" : `/${restore}`}`;
}

/** Reads an origin; null if it is not one of ours. */
export function readOrigin(origin: string): Origin | null {
  const [, orgId = "", word, restore = null] =
    /^captable\/([^\s+/]+)\/(ledger|log)(?:\/([0-9a-f]{8}))?$/.exec(origin) ?? [];
  const chain = CHAINS.find((each) => each === word);
  return chain === undefined ? null : { orgId, chain, restore };
}

/** Writes the head of a tree as a signed note. */
export function writeTreeCheckpoint({ origin, size, root }: TreeHead, signer: Signer): string {
  return signNote(`${origin}\n${size}\n${Buffer.from(root).toString("base64")}\n`, origin, signer);
}

const TEXT = /^([^\n]+)\n(0|[1-9]\d{0,14})\n(\S{44})\n$/;

/** Reads the head of a note, without a look at its signatures; null for another note, or one with more lines. */
export function readTreeHead({ text }: Pick<Note, "text">): TreeHead | null {
  const [, origin, size, encoded = ""] = TEXT.exec(text) ?? [];
  const root = readBase64(encoded);
  if (origin === undefined || root?.length !== HASH_BYTES) return null;
  return { origin, size: Number(size), root };
}

/** Whether a checkpoint of a tree bears a good signature by a key, under the tree's origin. */
export function isTreeSignedBy(note: Note, { origin }: TreeHead, publicKey: Uint8Array): boolean {
  return isSignedBy(note, { name: origin, publicKey });
}
