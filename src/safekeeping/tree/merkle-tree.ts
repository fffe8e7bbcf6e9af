// A growing Merkle tree in little memory: of each 256 leaves one node is kept, and what lies below is read anew. Gives
// roots, inclusion proofs and consistency proofs of any of its sizes. Pure but for its source of leaves.
import { present } from "../../kernel/assert.ts";
import { emptyRoot, type Hash, leafHash, nodeHash, rootOf, splitOf } from "./merkle.ts";

/** How many leaves one kept node stands for. */
export const KEPT_LEAVES = 256;

/** Reads the contents of the leaves from index `from` up to, not including, `to`, in order. */
export type ReadLeaves = (from: number, to: number) => Iterable<Uint8Array>;

/** The leaves have another number than they must have. */
export class TreeError extends Error {
  override readonly name = "TreeError";
}

/** A tree, and what it remembers between calls. */
export class MerkleTree {
  /** The node of each whole block of leaves, from the first on. */
  readonly #kept: Hash[] = [];

  /** How many leaves have a kept node. */
  get keptSize(): number {
    return this.#kept.length * KEPT_LEAVES;
  }

  /** Keeps the nodes of all whole blocks below a size; reads each leaf once in the tree's life. */
  grow(size: number, read: ReadLeaves): void {
    const [from, to] = [this.keptSize, size - (size % KEPT_LEAVES)];
    if (to <= from) return;
    let block: Hash[] = [];
    let count = 0;
    for (const content of read(from, to)) {
      block.push(leafHash(content));
      count += 1;
      if (block.length < KEPT_LEAVES) continue;
      this.#kept.push(rootOf(block));
      block = [];
    }
    if (count !== to - from) throw new TreeError(`of the leaves ${from} to ${to} there are ${count}`);
  }

  /** The root at a size. */
  root(size: number, read: ReadLeaves): Hash {
    this.grow(size, read);
    return size === 0 ? emptyRoot() : this.#node(0, size, read);
  }

  /** The proof that the leaf at `index` is in the tree of a size, which is larger. From the leaf's sibling upwards. */
  inclusion(index: number, size: number, read: ReadLeaves): Hash[] {
    this.grow(size, read);
    const proof: Hash[] = [];
    let [from, to] = [0, size];
    while (to - from > 1) {
      const middle = from + splitOf(to - from);
      const isLeft = index < middle;
      proof.push(isLeft ? this.#node(middle, to, read) : this.#node(from, middle, read));
      [from, to] = isLeft ? [from, middle] : [middle, to];
    }
    return proof.reverse();
  }

  /** The proof that the tree of `oldSize` is the beginning of that of `size`, at least as large. */
  consistency(oldSize: number, size: number, read: ReadLeaves): Hash[] {
    this.grow(size, read);
    const proof: Hash[] = [];
    let [from, to, old] = [0, size, oldSize];
    let isWhole = true;
    if (old === 0) return proof;
    while (old < to - from) {
      const middle = splitOf(to - from);
      if (old <= middle) {
        proof.push(this.#node(from + middle, to, read));
        to = from + middle;
      } else {
        proof.push(this.#node(from, from + middle, read));
        [from, old, isWhole] = [from + middle, old - middle, false];
      }
    }
    if (!isWhole) proof.push(this.#node(from, to, read));
    return proof.reverse();
  }

  /** The node over a range that the division of a tree gives: it begins at a multiple of a power of two. */
  #node(from: number, to: number, read: ReadLeaves): Hash {
    const size = to - from;
    if (size === KEPT_LEAVES && from % KEPT_LEAVES === 0 && to <= this.keptSize) {
      return present(this.#kept[from / KEPT_LEAVES], "a kept node");
    }
    if (size <= KEPT_LEAVES) return this.#readNode(from, to, read);
    const middle = from + splitOf(size);
    return nodeHash(this.#node(from, middle, read), this.#node(middle, to, read));
  }

  #readNode(from: number, to: number, read: ReadLeaves): Hash {
    const leaves = Array.from(read(from, to), leafHash);
    if (leaves.length !== to - from) throw new TreeError(`of the leaves ${from} to ${to} there are ${leaves.length}`);
    return rootOf(leaves);
  }
}
