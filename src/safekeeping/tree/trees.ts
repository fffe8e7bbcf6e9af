// The trees of a database's chains, kept in memory from their first use on, and never stored.
import type { Reader } from "../../storage/database/sql.ts";
import type { Signer } from "../checkpoint/note.ts";
import { findHashAt, findHeads } from "../checkpoint/store.ts";
import type { Hash } from "./merkle.ts";
import { MerkleTree, type ReadLeaves, TreeError } from "./merkle-tree.ts";
import { type Chain, writeOrigin, writeTreeCheckpoint } from "./tree-checkpoint.ts";
import { findRestore, readHashes } from "./tree-store.ts";

const RESTORE_DIGITS = 8;

/** A tree, and the hash of its last kept leaf: another one there means another history. */
interface Known {
  tree: MerkleTree;
  lastHash: string | null;
}

const knownTrees = new WeakMap<Reader["sqlite"], Map<string, Known>>();

/** The tree of a chain. The caller holds a snapshot. */
export class ChainTree {
  readonly #db: Reader;
  readonly #orgId: string;
  readonly #chain: Chain;
  readonly #known: Known;
  readonly #read: ReadLeaves;

  constructor(db: Reader, orgId: string, chain: Chain) {
    this.#db = db;
    this.#orgId = orgId;
    this.#chain = chain;
    this.#read = (from, to) => readHashes(db, chain, orgId, from, to);
    this.#known = knownOf(db, `${chain} ${orgId}`);
    const { tree, lastHash } = this.#known;
    if (lastHash === findHashAt(db, chain, orgId, tree.keptSize)) return;
    this.#known.tree = new MerkleTree();
    this.#known.lastHash = null;
  }

  /** How many leaves it has now. */
  get size(): number {
    return findHeads(this.#db, this.#orgId)[this.#chain]?.size ?? 0;
  }

  /** What its checkpoints are signed under: another name after each restore. */
  get origin(): string {
    const restore = findRestore(this.#db, { orgId: this.#orgId })?.slice(0, RESTORE_DIGITS) ?? null;
    return writeOrigin({ orgId: this.#orgId, chain: this.#chain, restore });
  }

  /** Keeps the nodes below a size; returns whether that was work. */
  grow(size: number): boolean {
    const { keptSize } = this.#known.tree;
    this.#with(size, (tree) => tree.grow(size, this.#read));
    return this.#known.tree.keptSize > keptSize;
  }

  /** Its root at a size; null for a size that it does not have. */
  root(size: number): Hash | null {
    return this.#with(size, (tree) => tree.root(size, this.#read));
  }

  /** The proof that the row at a place, from 1, is in the tree of a size. */
  inclusion(sequence: number, size: number): readonly Hash[] | null {
    return this.#with(size, (tree) => tree.inclusion(sequence - 1, size, this.#read));
  }

  /** The proof that the tree of a size is the beginning of that of a larger one. */
  consistency(oldSize: number, size: number): readonly Hash[] | null {
    return this.#with(size, (tree) => tree.consistency(oldSize, size, this.#read));
  }

  /** Its checkpoint as of now, signed. */
  checkpoint(signer: Signer): string {
    const { size } = this;
    const root = this.root(size);
    if (root === null) throw new TreeError(`the ${this.#chain} does not have the rows that its head says`);
    return writeTreeCheckpoint({ origin: this.origin, size, root }, signer);
  }

  #with<T>(size: number, work: (tree: MerkleTree) => T): T | null {
    if (size > this.size) return null;
    const { tree } = this.#known;
    const result = work(tree);
    this.#known.lastHash = findHashAt(this.#db, this.#chain, this.#orgId, tree.keptSize);
    return result;
  }
}

function knownOf({ sqlite }: Reader, name: string): Known {
  const ofDatabase = knownTrees.get(sqlite) ?? new Map<string, Known>();
  knownTrees.set(sqlite, ofDatabase);
  const known = ofDatabase.get(name) ?? { tree: new MerkleTree(), lastHash: null };
  ofDatabase.set(name, known);
  return known;
}
