// Checkpoints of trees, proofs and cosignatures as C2SP writes them: its own examples, ours, and every byte changed.
import { describe, expect, test } from "bun:test";
import {
  isSignedBy,
  type Note,
  readNotes,
  readVerifier,
  signerOf,
  writeNote,
} from "../../../src/safekeeping/checkpoint/note.ts";
import { checkCosignatures, countGood } from "../../../src/safekeeping/kept/evidence.ts";
import { leafHash, rootOf } from "../../../src/safekeeping/tree/merkle.ts";
import { MerkleTree } from "../../../src/safekeeping/tree/merkle-tree.ts";
import {
  isTreeSignedBy,
  readOrigin,
  readTreeHead,
  writeOrigin,
  writeTreeCheckpoint,
} from "../../../src/safekeeping/tree/tree-checkpoint.ts";
import { isProven, readTreeProof, writeTreeProof } from "../../../src/safekeeping/tree/tree-proof.ts";
import {
  cosignedMessage,
  isCosignedBy,
  readCosignature,
  readWitnessKey,
  writeCosignature,
  writeWitnessKey,
} from "../../../src/safekeeping/witness/cosignature.ts";
import { readWitnesses } from "../../../src/safekeeping/witness/witness-file.ts";

/** The examples of c2sp.org/tlog-checkpoint and c2sp.org/tlog-cosignature. */
const EXAMPLE = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
`;

const signer = signerOf(Buffer.alloc(32, 7));
const other = signerOf(Buffer.alloc(32, 8));
const contents = Array.from({ length: 9 }, (_, index) => new Bun.CryptoHasher("sha256").update(String(index)).digest());
const read = (from: number, to: number) => contents.slice(from, to);
const root = rootOf(contents.map(leafHash));
const origin = writeOrigin({ orgId: "0190f5a2", chain: "ledger", restore: null });
const checkpoint = writeTreeCheckpoint({ origin, size: 9, root }, signer);
const noteOf = (text: string): Note => (readNotes(text) ?? [])[0] as Note;

describe("a checkpoint of a tree", () => {
  test("made elsewhere is read, with its witness", () => {
    const note = noteOf(EXAMPLE);
    const encoded = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";
    expect(readTreeHead(note)).toEqual({
      origin: "example.com/behind-the-sofa",
      size: 20852163,
      root: Buffer.from(encoded, "base64"),
    });
    const [own, witness] = note.signatures.map(readCosignature);
    expect([own, witness]).toEqual([null, { witness: "witness.example.com/w1", time: 1679315147, kind: "ED25519" }]);
    expect(writeNote(note)).toBe(EXAMPLE);
  });

  test("has origin, size and root, and the origin's signature", () => {
    expect(checkpoint.split("\n").slice(0, 4)).toEqual([
      "captable/0190f5a2/ledger",
      "9",
      Buffer.from(root).toString("base64"),
      "",
    ]);
    const [note, head] = [noteOf(checkpoint), readTreeHead(noteOf(checkpoint))];
    expect(head).toEqual({ origin, size: 9, root: Buffer.from(root) });
    const isSigned = (key: Uint8Array, named = origin) =>
      head !== null && isTreeSignedBy(note, { ...head, origin: named }, key);
    expect([isSigned(signer.publicKey), isSigned(other.publicKey)]).toEqual([true, false]);
    // The same key under another name: a checkpoint of the ledger cannot be passed off as one of the log.
    expect(isSigned(signer.publicKey, "captable/0190f5a2/log")).toBe(false);
  });

  test("names its organization, its chain and its last restore", () => {
    for (const each of [
      { orgId: "0190f5a2", chain: "ledger", restore: null },
      { orgId: "0190f5a2", chain: "log", restore: "0123abcd" },
    ] as const) {
      expect(readOrigin(writeOrigin(each))).toEqual(each);
    }
    for (const text of ["captable/x", "captable/x/events", "captable/x/log/1234", "captable/x/log/0123ABCD", "x", ""]) {
      expect(readOrigin(text)).toBeNull();
    }
  });

  test.each([
    ["another line", checkpoint.replace("\n\n", "\nmore\n\n")],
    ["a zero in front of the size", checkpoint.replace("\n9\n", "\n09\n")],
    ["no size", checkpoint.replace("\n9\n", "\n\n")],
    ["a root of 31 bytes", checkpoint.replace(/\n9\n.*\n/, `\n9\n${Buffer.alloc(31).toString("base64")}\n`)],
    ["a root with loose bits", checkpoint.replace(/.=\n\n/, (end) => `${end.startsWith("B") ? "C" : "B"}=\n\n`)],
  ])("with %s is not read", (_name, text) => {
    expect((readNotes(text) ?? []).flatMap((note) => readTreeHead(note) ?? [])).toEqual([]);
  });
});

describe("a proof", () => {
  const tree = new MerkleTree();
  const extra = Buffer.from('{"sequence":4}');
  const text = writeTreeProof({ extra, index: 3, path: tree.inclusion(3, 9, read), checkpoint });

  test("has the lines of c2sp.org/tlog-proof, and is read back", () => {
    expect(text.split("\n").slice(0, 3)).toEqual([
      "c2sp.org/tlog-proof@v1",
      `extra ${extra.toString("base64")}`,
      "index 3",
    ]);
    const proof = readTreeProof(text);
    expect(proof).toMatchObject({ index: 3, head: { origin, size: 9 } });
    expect(proof && isProven(proof, contents[3] as Uint8Array)).toBe(true);
    expect(proof && isProven(proof, contents[4] as Uint8Array)).toBe(false);
    const bare = readTreeProof(writeTreeProof({ extra: null, index: 0, path: tree.inclusion(0, 9, read), checkpoint }));
    expect(bare?.extra).toBeNull();
    expect(bare && isProven(bare, contents[0] as Uint8Array)).toBe(true);
  });

  test("holds with no character changed, but for those of what is not signed", () => {
    const holds = (changed: string) => {
      const proof = readTreeProof(changed);
      if (proof === null || !isTreeSignedBy(proof.note, proof.head, signer.publicKey)) return false;
      return isProven(proof, contents[3] as Uint8Array);
    };
    expect(holds(text)).toBe(true);
    const held: number[] = [];
    for (let at = 0; at < text.length; at++) {
      for (const put of ["A", "b", "7", "=", "\n", " "]) {
        if (text[at] !== put && holds(text.slice(0, at) + put + text.slice(at + 1))) held.push(at);
      }
    }
    // `extra` is authenticated by no one: a reader recomputes the leaf from it. The last line break may be anything.
    const extraEnds = text.indexOf("\nindex");
    expect(held.every((at) => (at > 28 && at < extraEnds) || at === text.length - 1)).toBe(true);
    for (const cut of [text.slice(1), text.slice(0, -60), `${text}\n${checkpoint}`, `${text}more`, ""]) {
      expect(holds(cut)).toBe(false);
    }
  });
});

describe("a cosignature", () => {
  const witness = signerOf(Buffer.alloc(32, 9));
  const key = { name: "witness.example/w1", publicKey: witness.publicKey };
  const note = noteOf(checkpoint);
  const signature = writeCosignature(key, 1_795_000_000, witness.sign(cosignedMessage(note.text, 1_795_000_000)));

  test("is good for its note, its witness and its time alone", () => {
    expect(isCosignedBy(note, signature, key)).toBe(true);
    expect(isCosignedBy({ text: note.text.replace("\n9\n", "\n8\n") }, signature, key)).toBe(false);
    expect(isCosignedBy(note, signature, { ...key, name: "witness.example/w2" })).toBe(false);
    expect(isCosignedBy(note, signature, { ...key, publicKey: other.publicKey })).toBe(false);
    for (let at = 0; at < signature.bytes.length; at++) {
      const bytes = Uint8Array.from(signature.bytes);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      expect(isCosignedBy(note, { ...signature, bytes }, key)).toBe(false);
    }
    // A plain signature by the same key is no cosignature, nor is the log's own.
    expect(note.signatures.some((each) => isCosignedBy(note, each, key))).toBe(false);
  });

  test("is written and read as the text of C2SP says, its key of type 0x04 too", () => {
    expect(Buffer.from(cosignedMessage(note.text, 12)).toString()).toBe(`cosignature/v1\ntime 12\n${note.text}`);
    expect(readCosignature(signature)).toEqual({ witness: key.name, time: 1_795_000_000, kind: "ED25519" });
    const written = writeWitnessKey(key);
    expect(readWitnessKey(written)).toEqual({ ...key, publicKey: Uint8Array.from(key.publicKey) });
    expect(readVerifier(written)).toBeNull();
    const cosigned = { ...note, signatures: [...note.signatures, signature] };
    expect(isSignedBy(noteOf(writeNote(cosigned)), { name: origin, publicKey: signer.publicKey })).toBe(true);
    const quantum = { name: "w", bytes: Buffer.alloc(4 + 8 + 2420) };
    expect(readCosignature(quantum)).toMatchObject({ kind: "ML_DSA_44" });
    expect(isCosignedBy(note, quantum, { ...key, name: "w" })).toBe(false);
    const far = { ...signature, bytes: Buffer.from(signature.bytes).fill(0xff, 4, 12) };
    expect(readCosignature(far)).toBeNull();
  });

  test("has an outcome: good, wrong, of an unknown witness, or of a kind that is not checked", () => {
    const forged = { ...signature, bytes: Uint8Array.from(signature.bytes) };
    forged.bytes[70] = (forged.bytes[70] ?? 0) ^ 1;
    const quantum = { name: key.name, bytes: Buffer.alloc(4 + 8 + 2420) };
    const cosigned = { ...note, signatures: [...note.signatures, signature, forged, quantum] };
    const outcomes = (witnesses: readonly (typeof key)[]) =>
      checkCosignatures(cosigned, witnesses).map(({ outcome }) => outcome);
    expect(outcomes([key])).toEqual(["good", "wrong", "unchecked"]);
    expect(outcomes([{ ...key, name: "another" }])).toEqual(["unknown", "unknown", "unchecked"]);
    // One witness that signed twice is one.
    const twice = { ...note, signatures: [signature, signature] };
    expect(countGood(checkCosignatures(twice, [key]))).toBe(1);
  });

  test("is asked of the witnesses that a file names", () => {
    const line = `${writeWitnessKey(key)} https://witness.example/submit/`;
    const second = writeWitnessKey({ ...key, name: "w2" });
    expect(readWitnesses(`# ours\n\n${line}\n${second} http://127.0.0.1:9000\n`)).toEqual([
      { key: { ...key, publicKey: Uint8Array.from(key.publicKey) }, prefix: "https://witness.example/submit" },
      { key: { name: "w2", publicKey: Uint8Array.from(key.publicKey) }, prefix: "http://127.0.0.1:9000" },
    ]);
    for (const [text, why] of [
      ["", "no witness"],
      [`${line}\n${line}`, "twice"],
      [line.replace("w1+", "w2+"), "line 1 does not begin"],
      [writeWitnessKey(key), "line 1 has no http"],
      [`${writeWitnessKey(key)} ftp://x/`, "line 1 has no http"],
      [`${line} more`, "line 1 has no http"],
      [`${writeWitnessKey(key)} https://a:b@x/`, "line 1 has no http"],
      [
        Array.from({ length: 9 }, (_, at) => `${writeWitnessKey({ ...key, name: `w${at}` })} https://x/`).join("\n"),
        "more than 8",
      ],
    ] as const) {
      expect(() => readWitnesses(text)).toThrow(why);
    }
  });
});
