// Signed notes as C2SP defines them, against its own example, and what is no note.
import { describe, expect, test } from "bun:test";
import { readCheckpoints, writeCheckpoint } from "../../../src/safekeeping/checkpoint/checkpoint.ts";
import {
  isSignedBy,
  readNotes,
  readVerifier,
  signerOf,
  signNote,
  type Verifier,
  writeVerifier,
} from "../../../src/safekeeping/checkpoint/note.ts";

/** The example of Go's golang.org/x/mod/sumdb/note, whose format C2SP took over. */
const VERIFIER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const NOTE = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;

const signer = signerOf(Buffer.alloc(32, 7));
const heads = { ledger: { size: 3, head: "a".repeat(64) }, log: { size: 9, head: "b".repeat(64) } };
const CHECKPOINT = { orgId: "0190f5a2", ...heads, time: "2026-11-22T05:12:30.710Z" };

describe("a signed note", () => {
  test("made elsewhere is read and checked", () => {
    const verifier = readVerifier(VERIFIER) as Verifier;
    const [note] = readNotes(NOTE) ?? [];
    expect(note && isSignedBy(note, verifier)).toBe(true);
    expect(writeVerifier(verifier)).toBe(VERIFIER);
    const [changed] = readNotes(NOTE.replace("your problem is", "your problem was")) ?? [];
    expect(changed && isSignedBy(changed, verifier)).toBe(false);
  });

  test("is good under its own name and key only", () => {
    const [note] = readNotes(signNote("text\n", "here", signer)) ?? [];
    const { publicKey } = signer;
    const other = signerOf(Buffer.alloc(32, 8)).publicKey;
    const isGood = (verifier: Verifier) => note && isSignedBy(note, verifier);
    expect([isGood({ name: "here", publicKey }), isGood({ name: "there", publicKey })]).toEqual([true, false]);
    expect(isGood({ name: "here", publicKey: other })).toBe(false);
  });

  test.each(["", "captable+00000000+AWt7", `${VERIFIER.replace("c74f", "c74e")}`, "a b+c74f20a3+AA==", "x"])(
    "a key written %p is invalid",
    (text) => expect(readVerifier(text)).toBeNull(),
  );
});

describe("a checkpoint", () => {
  const note = writeCheckpoint(CHECKPOINT, signer);

  test("has a line each for its organization, ledger, log, time and key", () => {
    const [text = "", signature = ""] = note.split("\n\n");
    const key = writeVerifier({ name: "captable/0190f5a2", publicKey: signer.publicKey });
    expect(text.split("\n")).toEqual([
      "captable/0190f5a2",
      `ledger 3 ${"a".repeat(64)}`,
      `log 9 ${"b".repeat(64)}`,
      "time 2026-11-22T05:12:30.710Z",
      `key ${key}`,
    ]);
    expect(signature).toMatch(/^— captable\/0190f5a2 [A-Za-z0-9+/]{91}=\n$/);
  });

  test("is read back, alone or among others, whatever empty lines are between them", () => {
    expect(readCheckpoints(note)).toMatchObject([CHECKPOINT]);
    expect(readCheckpoints(`${note}\n\n${note}${note.trimEnd()}`)).toHaveLength(3);
  });

  test.each([
    ["a changed size", note.replace("ledger 3", "ledger 2")],
    ["another organization", note.replaceAll("0190f5a2", "0190f5a3")],
    ["another's key", note.replace(/key .*\n/, `key ${VERIFIER}\n`)],
    ["no signature", note.split("\n\n")[0] ?? ""],
    ["words behind it", `${note}and more\n`],
    ["nothing", ""],
    ["a text that is not a note", NOTE],
  ])("with %s is refused", (_case, text) => {
    expect(() => readCheckpoints(text)).toThrow();
  });
});
