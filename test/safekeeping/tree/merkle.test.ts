// Merkle trees against the vectors of RFC 6962's reference code, against its definitions written down once more, and
// with every byte and every number of a proof changed.
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  emptyRoot,
  isSameHash,
  leafHash,
  rootOf,
  verifyConsistency,
  verifyInclusion,
} from "../../../src/safekeeping/tree/merkle.ts";
import { KEPT_LEAVES, MerkleTree, type ReadLeaves, TreeError } from "../../../src/safekeeping/tree/merkle-tree.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const bytesOf = (text: string) => Buffer.from(text, "hex");

/** The leaves of the tests of Certificate Transparency's reference code. */
const CONTENTS = [
  "",
  "00",
  "10",
  "2021",
  "3031",
  "40414243",
  "5051525354555657",
  "606162636465666768696a6b6c6d6e6f",
].map(bytesOf);
const ROOTS = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];
const [A, B, C, D] = [
  "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
  "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
  "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
  "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
];
const [E, F] = [
  "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
  "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
];
const [ONE, TWO, , FOUR] = ROOTS;

/** RFC 6962, 2.1, as it stands there: MTH, PATH and SUBPROOF over lists, with another library's SHA-256. */
const sha = (...parts: Uint8Array[]) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const k = (n: number) => 2 ** (Math.ceil(Math.log2(n)) - 1);
function mth(d: readonly Uint8Array[]): Buffer {
  if (d.length === 0) return sha();
  const [first] = d;
  if (d.length === 1 && first) return sha(Buffer.from([0]), first);
  return sha(Buffer.from([1]), mth(d.slice(0, k(d.length))), mth(d.slice(k(d.length))));
}
function path(m: number, d: readonly Uint8Array[]): Buffer[] {
  if (d.length === 1) return [];
  const [left, right] = [d.slice(0, k(d.length)), d.slice(k(d.length))];
  return m < left.length ? [...path(m, left), mth(right)] : [...path(m - left.length, right), mth(left)];
}
function subproof(m: number, d: readonly Uint8Array[], isWhole: boolean): Buffer[] {
  if (m === d.length) return isWhole ? [] : [mth(d)];
  const [left, right] = [d.slice(0, k(d.length)), d.slice(k(d.length))];
  return m <= left.length
    ? [...subproof(m, left, isWhole), mth(right)]
    : [...subproof(m - left.length, right, false), mth(left)];
}

const readerOf =
  (contents: readonly Uint8Array[]): ReadLeaves =>
  (from, to) =>
    contents.slice(from, to);
const leavesOf = (count: number, salt = 0) =>
  Array.from({ length: count }, (_, index) => sha(Buffer.from(`${index} ${salt}`)));

describe("the vectors of RFC 6962's reference code", () => {
  const read = readerOf(CONTENTS);
  const tree = new MerkleTree();

  test("roots", () => {
    expect(hex(emptyRoot())).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(CONTENTS.map((_, index) => hex(tree.root(index + 1, read)))).toEqual(ROOTS);
    expect(hex(rootOf(CONTENTS.map(leafHash)))).toBe(ROOTS[7] ?? "");
  });

  test.each([
    [0, 1, []],
    [0, 8, [A, B, C]],
    [5, 8, [D, E, FOUR]],
    [2, 3, [TWO]],
    [1, 5, [ONE, B, D]],
  ])("the path of leaf %i in the tree of %i", (index, size, hashes) => {
    expect(tree.inclusion(index, size, read).map(hex)).toEqual(hashes as string[]);
  });

  test.each([
    [1, 1, []],
    [1, 8, [A, B, C]],
    [6, 8, [F, E, FOUR]],
    [2, 5, [B, D]],
  ])("the proof from the tree of %i to that of %i", (old, size, hashes) => {
    expect(tree.consistency(old, size, read).map(hex)).toEqual(hashes as string[]);
  });
});

describe("against RFC 6962's definitions", () => {
  test("every leaf and every earlier size of the trees of up to 40 leaves", () => {
    const contents = leavesOf(40);
    let checked = 0;
    for (let size = 1; size <= contents.length; size++) {
      const [now, tree] = [contents.slice(0, size), new MerkleTree()];
      const [read, root] = [readerOf(now), mth(now)];
      expect(hex(tree.root(size, read))).toBe(hex(root));
      for (let index = 0; index < size; index++) {
        const proof = tree.inclusion(index, size, read);
        expect(proof.map(hex)).toEqual(path(index, now).map(hex));
        expect(verifyInclusion(leafHash(now[index] as Uint8Array), { index, size, root }, proof)).toBe(true);
        const growth = { oldSize: index + 1, oldRoot: mth(now.slice(0, index + 1)), size, root };
        const grown = tree.consistency(index + 1, size, read);
        expect(grown.map(hex)).toEqual(subproof(index + 1, now, true).map(hex));
        expect(verifyConsistency(growth, grown)).toBe(true);
        checked += 2;
      }
    }
    expect(checked).toBe(40 * 41);
  });

  test("trees around the kept nodes, grown step by step and read once", () => {
    const sizes = [255, 256, 257, 511, 512, 513, 767, 1024, 1300];
    const contents = leavesOf(1300);
    const tree = new MerkleTree();
    let reads = 0;
    const read: ReadLeaves = (from, to) => {
      reads += to - from;
      return contents.slice(from, to);
    };
    for (const size of sizes) {
      const now = contents.slice(0, size);
      const root = mth(now);
      expect(hex(tree.root(size, read))).toBe(hex(root));
      expect(tree.keptSize).toBe(Math.floor(size / KEPT_LEAVES) * KEPT_LEAVES);
      for (const index of [0, 1, 100, 254, 255, 256, 300, 511, 512, size - 1].filter((each) => each < size)) {
        const proof = tree.inclusion(index, size, read);
        expect(proof.map(hex)).toEqual(path(index, now).map(hex));
        const grown = tree.consistency(index + 1, size, read);
        expect(grown.map(hex)).toEqual(subproof(index + 1, now, true).map(hex));
      }
    }
    reads = 0;
    tree.root(1300, read);
    // The 20 leaves behind the last kept node, and no other.
    expect(reads).toBe(1300 % KEPT_LEAVES);
    // Roots of earlier sizes come from the same kept nodes.
    expect(hex(tree.root(700, read))).toBe(hex(mth(contents.slice(0, 700))));
  });

  test("missing leaves are an error, not another root", () => {
    const tree = new MerkleTree();
    expect(() => tree.root(300, readerOf(leavesOf(200)))).toThrow(TreeError);
    expect(() => new MerkleTree().root(20, readerOf(leavesOf(19)))).toThrow(TreeError);
  });
});

describe("a proof that was changed", () => {
  const contents = leavesOf(11);
  const [read, tree, size] = [readerOf(contents), new MerkleTree(), contents.length];
  const root = tree.root(size, read);

  test("in any byte shows nothing", () => {
    let refused = 0;
    for (let index = 0; index < size; index++) {
      const leaf = leafHash(contents[index] as Uint8Array);
      const proof = tree.inclusion(index, size, read);
      const growth = { oldSize: index + 1, oldRoot: tree.root(index + 1, read), size, root };
      const grown = tree.consistency(index + 1, size, read);
      const changes = (hashes: readonly Uint8Array[], isGood: (hashes: readonly Uint8Array[]) => boolean) => {
        expect(isGood(hashes)).toBe(true);
        for (const [place, hash] of hashes.entries()) {
          for (let at = 0; at < hash.length; at++) {
            const changed = Uint8Array.from(hash);
            changed[at] = (changed[at] ?? 0) ^ 1;
            expect(isGood(hashes.with(place, changed))).toBe(false);
            refused += 1;
          }
        }
        for (const other of [[...hashes, root], hashes.slice(1), hashes.slice(0, -1), hashes.toReversed()]) {
          if (other.length === hashes.length && other.every((hash, at) => isSameHash(hash, hashes[at] as Uint8Array))) {
            continue;
          }
          expect(isGood(other)).toBe(hashes.length === 0 && other.length === 0);
        }
      };
      changes(proof, (hashes) => verifyInclusion(leaf, { index, size, root }, hashes));
      changes(grown, (hashes) => verifyConsistency(growth, hashes));
      // A tree of 10 leaves would give the last leaf of 11 another place; no other number shows the same.
      for (let other = -1; other <= size + 1; other++) {
        if (other !== index) expect(verifyInclusion(leaf, { index: other, size, root }, proof)).toBe(false);
        if (other !== index + 1) expect(verifyConsistency({ ...growth, oldSize: other }, grown)).toBe(false);
      }
      expect(verifyInclusion(leaf, { index, size, root: leaf }, proof)).toBe(false);
      expect(verifyInclusion(leafHash(leaf), { index, size, root }, proof)).toBe(false);
    }
    expect(refused).toBeGreaterThan(1500);
  });

  test("of a history that was rolled back, or split, fits no other root", () => {
    const other = leavesOf(11, 1);
    const split = [...contents.slice(0, 6), ...other.slice(6)];
    const branch = new MerkleTree();
    const branchRoot = branch.root(size, readerOf(split));
    for (let oldSize = 1; oldSize <= size; oldSize++) {
      const oldRoot = tree.root(oldSize, read);
      const proof = branch.consistency(oldSize, size, readerOf(split));
      expect(verifyConsistency({ oldSize, oldRoot, size, root: branchRoot }, proof)).toBe(oldSize <= 6);
      // Backwards: from the longer history to the shorter one.
      expect(verifyConsistency({ oldSize: size, oldRoot: root, size: oldSize, root: oldRoot }, proof)).toBe(
        oldSize === size && proof.length === 0,
      );
    }
  });

  test("of numbers that are no sizes shows nothing", () => {
    const leaf = leafHash(contents[0] as Uint8Array);
    for (const index of [Number.NaN, 0.5, Number.POSITIVE_INFINITY, 2 ** 60]) {
      expect(verifyInclusion(leaf, { index, size, root }, tree.inclusion(0, size, read))).toBe(false);
      expect(verifyConsistency({ oldSize: index, oldRoot: root, size, root }, [])).toBe(false);
    }
    expect(verifyConsistency({ oldSize: 0, oldRoot: emptyRoot(), size, root }, [])).toBe(true);
    expect(verifyConsistency({ oldSize: 0, oldRoot: root, size, root }, [])).toBe(false);
  });
});
