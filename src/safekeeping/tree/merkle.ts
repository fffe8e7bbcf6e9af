// Merkle trees (RFC 6962): hashes of leaves and nodes, roots, and checks of inclusion and consistency proofs. Pure.

/** A SHA-256, 32 bytes. */
export type Hash = Uint8Array;

export const HASH_BYTES = 32;
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

function sha256(...parts: readonly Uint8Array[]): Hash {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const part of parts) hasher.update(part);
  return hasher.digest();
}

/** The hash of a leaf with this content. */
export function leafHash(content: Uint8Array): Hash {
  return sha256(LEAF, content);
}

/** The hash of a node with these children. */
export function nodeHash(left: Hash, right: Hash): Hash {
  return sha256(NODE, left, right);
}

/** The root of a tree without leaves. */
export function emptyRoot(): Hash {
  return sha256();
}

export function isSameHash(one: Hash, other: Hash): boolean {
  return Buffer.from(one.buffer, one.byteOffset, one.length).equals(other);
}

/** The largest power of two below a size of at least 2: where a tree of that size is divided. */
export function splitOf(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

/** The root of a whole tree, from the hashes of its leaves. */
export function rootOf(leaves: readonly Hash[]): Hash {
  return leaves.length === 0 ? emptyRoot() : foldRange(leaves, 0, leaves.length);
}

function foldRange(leaves: readonly Hash[], from: number, to: number): Hash {
  const [only] = to - from === 1 ? leaves.slice(from, to) : [];
  if (only) return only;
  const middle = from + splitOf(to - from);
  return nodeHash(foldRange(leaves, from, middle), foldRange(leaves, middle, to));
}

/** Where a leaf stands, and in a tree of which size and root. */
export interface Place {
  readonly index: number;
  readonly size: number;
  readonly root: Hash;
}

/** Whether a proof shows that a leaf, by its hash, stands at this place of the tree. */
export function verifyInclusion(leaf: Hash, { index, size, root }: Place, proof: readonly Hash[]): boolean {
  if (!isCount(index) || !isCount(size) || index >= size) return false;
  let [place, last, hash] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0 || sibling.length !== HASH_BYTES) return false;
    if (isOdd(place) || place === last) {
      hash = nodeHash(sibling, hash);
      while (!isOdd(place) && place !== 0) [place, last] = [half(place), half(last)];
    } else hash = nodeHash(hash, sibling);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && isSameHash(hash, root);
}

/** The heads of one tree at two moments. */
export interface Growth {
  readonly oldSize: number;
  readonly oldRoot: Hash;
  readonly size: number;
  readonly root: Hash;
}

/** Whether a proof shows that the tree of the old head is the beginning of the tree of the new one. */
export function verifyConsistency({ oldSize, oldRoot, size, root }: Growth, proof: readonly Hash[]): boolean {
  if (!isCount(oldSize) || !isCount(size) || oldSize > size) return false;
  if (proof.some(({ length }) => length !== HASH_BYTES)) return false;
  if (oldSize === size) return proof.length === 0 && isSameHash(oldRoot, root);
  if (oldSize === 0) return proof.length === 0 && isSameHash(oldRoot, emptyRoot());
  let [place, last] = [oldSize - 1, size - 1];
  while (isOdd(place)) [place, last] = [half(place), half(last)];
  // The old tree is one whole node of the new one where its size is a power of two: its root then is not sent.
  const hashes = place === 0 ? [oldRoot, ...proof] : [...proof];
  const first = hashes.shift();
  if (first === undefined) return false;
  let [old, now] = [first, first];
  for (const sibling of hashes) {
    if (last === 0) return false;
    if (isOdd(place) || place === last) {
      [old, now] = [nodeHash(sibling, old), nodeHash(sibling, now)];
      while (!isOdd(place) && place !== 0) [place, last] = [half(place), half(last)];
    } else now = nodeHash(now, sibling);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && isSameHash(old, oldRoot) && isSameHash(now, root);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

// Sizes may be above 32 bits, so no bit operators.
function isOdd(value: number): boolean {
  return value % 2 === 1;
}

function half(value: number): number {
  return Math.floor(value / 2);
}
