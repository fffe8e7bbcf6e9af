// The keeper of checkpoints against a witness of the tests' own: what is kept, cosigned and shown; a tree that grew, one that
// was rolled back, one that was split; and a witness that lies.
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { webhooks } from "../../../src/exchange/webhooks/webhook-follower.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { readCheckpoints } from "../../../src/safekeeping/checkpoint/checkpoint.ts";
import { findNewestKept, iterateKept } from "../../../src/safekeeping/checkpoint/kept-store.ts";
import { readNotes, signerOf, writeVerifier } from "../../../src/safekeeping/checkpoint/note.ts";
import { openSigningKey } from "../../../src/safekeeping/checkpoint/signing-key.ts";
import { askWitness } from "../../../src/safekeeping/kept/ask-witness.ts";
import { keepingCheckpoints } from "../../../src/safekeeping/kept/follower.ts";
import { onlyNote } from "../../../src/safekeeping/kept/note-text.ts";
import { keepCheckpoint } from "../../../src/safekeeping/kept/tasks.ts";
import { MerkleTree } from "../../../src/safekeeping/tree/merkle-tree.ts";
import { readTreeHead, writeTreeCheckpoint } from "../../../src/safekeeping/tree/tree-checkpoint.ts";
import { readTreeProof } from "../../../src/safekeeping/tree/tree-proof.ts";
import { isCosignedBy, readWitnessKey } from "../../../src/safekeeping/witness/cosignature.ts";
import { readWitnesses } from "../../../src/safekeeping/witness/witness-file.ts";
import { type Received, signatureBy, startReceiver } from "../../exchange/webhooks/receiver.ts";
import { makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { type Lie, TestWitness } from "../../kit/witness.ts";

setDefaultTimeout(60_000);

const QUICK_TIMES = { everyMs: 0, lookMs: 20, againMs: 40, laterMs: 40 };

const running: { stop(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0).toReversed()) await each.stop();
});

async function until<T>(look: () => T | null | undefined | false): Promise<T> {
  for (let looks = 0; looks < 1500; looks++) {
    const found = look();
    if (found) return found;
    await Bun.sleep(10);
  }
  throw new Error("it did not come");
}

/** A service that has its checkpoints cosigned, and the witness. */
async function witnessed(witnesses: readonly TestWitness[] = [new TestWitness()], times = QUICK_TIMES) {
  running.push(...witnesses);
  const file = join("/dev/shm", `witnesses-${Bun.randomUUIDv7()}`);
  writeFileSync(file, witnesses.map(({ line }) => line).join(""));
  const server = await startTestServer({ CAPTABLE_WITNESS_FILE: file }, { followers: [keepingCheckpoints(times)] });
  running.push({
    async stop() {
      await server.stop();
      rmSync(file);
    },
  });
  const signer = openSigningKey(server.dataDir);
  const trust = (witness: TestWitness, origin: string) =>
    witness.trust(writeVerifier({ name: origin, publicKey: signer.publicKey }));
  const trusted = (witness: TestWitness, orgId = server.orgId) => {
    for (const chain of ["ledger", "log"]) trust(witness, `captable/${orgId}/${chain}`);
  };
  return { server, witness: witnesses[0] as TestWitness, trusted, trust };
}

async function issueIn(server: TestServer, count: number): Promise<void> {
  const holder = await makeStakeholder(server, { email: "ada@example.com" });
  const type = { type: "STOCK_ISSUANCE", effectiveDate: "2026-01-15", quantity: "10", stakeholderId: holder };
  for (let times = 0; times < count; times++) await server.api("POST", "/transactions", type);
}

const shown = async (server: TestServer) => (await server.api("GET", "/checkpoints")).json.items;
const newest = (server: TestServer) => findNewestKept(server.app.writer.db, { orgId: server.orgId });

describe("kept checkpoints", () => {
  test("are cosigned as the history grows, and proofs are in them", async () => {
    const { server, witness, trusted } = await witnessed();
    trusted(witness);
    for (const count of [3, 1, 7]) {
      await issueIn(server, count);
      const size = Number((await server.api("GET", "/transactions?limit=1")).json.data[0].sequence);
      const kept = await until(() => {
        const found = newest(server);
        return found?.ledgerSize === size && found.ledgerCosigned === 1 && found.logCosigned === 1 && found;
      });
      expect(witness.seen.get(`captable/${server.orgId}/ledger`)?.size).toBe(size);
      const [item] = await shown(server);
      expect(item).toMatchObject({ id: kept.id, ledger: { size, head: kept.ledgerHead }, timestamps: [] });
      expect(
        item.cosignatures.map(({ witness: by, chain, isChecked }: Record<string, unknown>) => [by, chain, isChecked]),
      ).toEqual([
        [witness.name, "ledger", true],
        [witness.name, "log", true],
      ]);
      const notes = readNotes((await server.api("GET", `/checkpoints/${kept.id}`)).text) ?? [];
      expect(notes.map((note) => readTreeHead(note)?.origin ?? null)).toEqual([
        null,
        `captable/${server.orgId}/ledger`,
        `captable/${server.orgId}/log`,
      ]);
    }
    const [entry] = (await server.api("GET", "/transactions?limit=1")).json.data;
    const proof = readTreeProof((await server.api("GET", `/transactions/${entry.id}/proof`)).text);
    const key = readWitnessKey(witness.verifierKey);
    expect(proof?.note.signatures.some((each) => key && isCosignedBy(proof.note, each, key))).toBe(true);
    expect((await server.api("GET", `/checkpoints/nothing`)).status).toBe(404);
    // Nothing that was refused on the way but the first question, which does not know where the witness stands.
    expect(witness.answered.filter((status) => status !== 200 && status !== 409)).toEqual([]);
  });

  test("are not kept without news, and keep their cosignatures where one chain alone has grown", async () => {
    const { server, witness, trusted } = await witnessed();
    trusted(witness);
    await issueIn(server, 2);
    await until(() => newest(server)?.ledgerCosigned === 1 && newest(server)?.logCosigned === 1);
    const [before, asked] = [newest(server), witness.asked.length];
    await Bun.sleep(200);
    expect([newest(server)?.id, witness.asked.length]).toEqual([before?.id as string, asked]);
    await server.api("PATCH", "/organization", { comments: "only the log grows" });
    const after = await until(() => {
      const found = newest(server);
      return found?.id !== before?.id && found?.logCosigned === 1 && found;
    });
    expect([after.ledgerNote, after.ledgerCosigned]).toEqual([before?.ledgerNote as string, 1]);
    expect(witness.asked.slice(asked).filter((body) => body.includes("/ledger\n"))).toEqual([]);
  });

  test("without a time stamp go when there are 1,000 newer, those with one stay", async () => {
    const server = await startTestServer({}, { followers: [] });
    running.push(server);
    const { writer } = server.app;
    const row = {
      orgId: server.orgId,
      ledgerSize: 1,
      ledgerHead: "a",
      logSize: 1,
      logHead: "b",
      note: "",
      ledgerNote: "",
    };
    const call = {
      nowMs: 0,
      at: "",
      newId: () => "",
      callIn: () => {
        throw new Error("nothing is logged");
      },
    };
    await writer.submit((tx) => {
      for (let at = 0; at < 1205; at++) {
        const time = String(at);
        keepCheckpoint(tx, call, { ...row, id: `id-${at}`, time, logNote: "", ledgerCosigned: 0, logCosigned: 0 });
        if (at === 3) tx.sqlite.exec("update checkpoints set stampedAt = 'now' where id = 'id-3'");
      }
    });
    const left = [...iterateKept(writer.db, { orgId: server.orgId })].map(({ id }) => id);
    expect([left[0], left[1], left.length]).toEqual(["id-3", "id-205", 1001]);
  });

  test("of one organization say nothing of another", async () => {
    const { server, witness, trusted } = await witnessed();
    const other = await server.newOrganization("Other, Inc.");
    trusted(witness);
    trusted(witness, other);
    const first = await until(() => findNewestKept(server.app.writer.db, { orgId: other }));
    const asOther = await server.api("GET", "/checkpoints", undefined, { orgId: other, role: "VIEWER" });
    expect(asOther.json.items.map(({ id }: { id: string }) => id)).toContain(first.id);
    expect((await server.api("GET", `/checkpoints/${first.id}`)).status).toBe(404);
    expect(JSON.stringify(await shown(server))).not.toContain(other);
  });
});

describe("an endpoint with checkpoints", () => {
  test("gets each that is kept, signed and out of turn, without an authority or a witness", async () => {
    const receiver = await startReceiver();
    running.push(receiver);
    const server = await startTestServer(
      { CAPTABLE_WEBHOOK_ALLOW: "public,127.0.0.0/8" },
      { followers: [webhooks, keepingCheckpoints(QUICK_TIMES)] },
    );
    running.push(server);
    await issueIn(server, 1);
    expect(newest(server)).toBeNull();
    const made = await server.api("POST", "/webhook-endpoints", {
      ...{ url: receiver.url, types: ["organization.restored"], checkpoints: true },
    });
    expect(made.status).toBe(201);
    await receiver.count(1);
    const [first] = receiver.received;
    const kept = await until(() => newest(server));
    const { event } = first as Received;
    expect(event).toMatchObject({ type: "checkpoint.kept", data: { orgId: server.orgId } });
    expect(event.id).toBe(`evt_${String(first?.headers["webhook-id"]).slice(4)}`);
    expect(readCheckpoints(event.data.note)).toMatchObject([{ orgId: server.orgId, ledger: { size: 1 } }]);
    expect(first?.headers["webhook-signature"]).toBe(signatureBy(made.json.secret, first as Received));
    await issueIn(server, 1);
    await until(() => newest(server)?.ledgerSize === 2);
    await until(() => receiver.received.some((each) => each.event.data.note.includes("\nledger 2 ")));
    const path = `/webhook-endpoints/${made.json.id}/deliveries`;
    let items: readonly Record<string, unknown>[] = [];
    // What came of a request is noted after its answer.
    while (items.length === 0 || items.some(({ state }) => state === "PENDING")) {
      ({ items } = (await server.api("GET", path)).json);
    }
    expect(items[0]).toMatchObject({ kind: "CHECKPOINT", eventType: "checkpoint.kept", state: "SUCCEEDED" });
    // Sent once more, it is the same event.
    const count = receiver.received.length;
    const again = await server.api("POST", `${path}/${items.at(-1)?.id}/redeliver`);
    expect(again.status).toBe(201);
    await receiver.count(count + 1);
    expect(receiver.received.at(-1)?.event.id).toBe(event.id);
    // What no longer wants them gets none, and nothing is kept for it.
    await server.api("PATCH", `/webhook-endpoints/${made.json.id}`, { checkpoints: false });
    await issueIn(server, 1);
    await Bun.sleep(300);
    expect(newest(server)?.ledgerSize).toBe(2);
    expect(receiver.received.filter((each) => each.event.data.note.includes("\nledger 3 "))).toEqual([]);
    expect(kept.ledgerCosigned).toBe(0);
  });
});

describe("a witness that", () => {
  test("does not know the log is asked again, and says nothing until it does", async () => {
    const { server, witness, trusted } = await witnessed();
    await issueIn(server, 2);
    await until(() => witness.answered.filter((status) => status === 404).length >= 4);
    expect((await shown(server))[0].cosignatures).toEqual([]);
    trusted(witness);
    await until(() => newest(server)?.ledgerCosigned === 1);
    expect(server.log.join("")).toContain("does not cosign: status 404");
  });

  test.each([
    ["other-key", "its cosignature is wrong"],
    ["other-note", "its cosignature is wrong"],
    ["ahead", "it was rolled back"],
    ["no-number", "does not say at which size"],
    ["always-behind", "it has signed another history"],
    ["huge", "too large"],
    ["redirect", "status 302"],
  ] as readonly (readonly [Lie, string])[])(
    "lies (%s) is not believed, and the other one still is",
    async (lie, why) => {
      const [liar, honest] = [new TestWitness("liar.example"), new TestWitness("honest.example")];
      liar.lie = lie;
      const { server, trusted } = await witnessed([liar, honest]);
      trusted(liar);
      trusted(honest);
      await issueIn(server, 2);
      await until(() => newest(server)?.ledgerCosigned === 1 && newest(server)?.logCosigned === 1);
      await until(() => server.log.join("").includes(why));
      const { cosignatures } = (await shown(server))[0];
      expect(new Set(cosignatures.map(({ witness: by }: { witness: string }) => by))).toEqual(
        new Set(["honest.example"]),
      );
      expect(server.log.join("")).not.toContain("127.0.0.1:");
    },
  );

  test("is silent is asked one thing and then nothing for a while, and holds up no other", async () => {
    const [dead, honest] = [new TestWitness("dead.example"), new TestWitness("honest.example")];
    const { promise, resolve } = Promise.withResolvers<void>();
    honest.ready = promise;
    await dead.stop();
    const { server, trusted } = await witnessed([dead, honest], { ...QUICK_TIMES, againMs: 60_000 });
    const others = [await server.newOrganization("Two"), await server.newOrganization("Three")];
    for (const orgId of [server.orgId, ...others]) trusted(honest, orgId);
    resolve();
    await issueIn(server, 2);
    const logOf = (orgId: string) => findNewestKept(server.app.writer.db, { orgId })?.logCosigned;
    await until(() => [server.orgId, ...others].every((orgId) => logOf(orgId) === 1));
    expect(server.log.join("").split("could not be reached").length - 1).toBe(1);
  });

  test("signs by ML-DSA too has that kept, and shown as not checked", async () => {
    const { server, witness, trusted } = await witnessed();
    witness.lie = "quantum";
    trusted(witness);
    await issueIn(server, 1);
    await until(() => newest(server)?.ledgerCosigned === 1 && newest(server)?.logCosigned === 1);
    const { cosignatures } = (await shown(server))[0];
    expect(cosignatures.map(({ isChecked }: { isChecked: boolean }) => isChecked).toSorted()).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});

describe("a witness from the text of C2SP", () => {
  const signer = signerOf(Buffer.alloc(32, 5));
  const origin = "captable/0190/ledger";
  const leaves = (salts: readonly number[]) =>
    salts.map((salt, index) => new Bun.CryptoHasher("sha256").update(`${index} ${salt}`).digest());
  const history = leaves(Array(900).fill(0));
  const split = [...history.slice(0, 300), ...leaves(Array(900).fill(1)).slice(300)];

  function treeOf(contents: readonly Uint8Array[], size: number) {
    const tree = new MerkleTree();
    const read = (from: number, to: number) => contents.slice(from, to);
    const note = onlyNote(writeTreeCheckpoint({ origin, size, root: tree.root(size, read) }, signer));
    return { note, size, prove: (oldSize: number) => tree.consistency(oldSize, size, read) };
  }

  function asked() {
    const witness = new TestWitness();
    running.push(witness);
    witness.trust(writeVerifier({ name: origin, publicKey: signer.publicKey }));
    const [known] = readWitnesses(witness.line);
    if (!known) throw new Error("no witness");
    const ask = async (contents: readonly Uint8Array[], size: number, oldSize = 0) => {
      try {
        return (await askWitness(known, treeOf(contents, size), { oldSize })).length;
      } catch (error) {
        return (error as Error).message;
      }
    };
    return { witness, known, ask };
  }

  test("signs a tree that grew, from whatever size it is asked", async () => {
    const { witness, ask } = asked();
    const sizes = [1, 2, 3, 255, 256, 257, 300, 512, 513, 899, 900];
    for (const size of sizes) expect(await ask(history, size)).toBe(1);
    expect(witness.answered.filter((status) => status === 200)).toHaveLength(sizes.length);
    expect(await ask(history, 900, 900)).toBe(1);
    expect(await ask(history, 900, 5)).toBe(1);
  });

  test("does not sign one that was rolled back, or split, or written anew", async () => {
    const { witness, ask } = asked();
    expect(await ask(history, 500)).toBe(1);
    expect(await ask(history, 499)).toContain("history of 500, and this one has 499: it was rolled back");
    for (const [contents, size] of [
      [split, 500],
      [split, 501],
      [split, 900],
      [leaves(Array(900).fill(2)), 900],
    ] as const) {
      for (const oldSize of [0, 500]) expect(await ask(contents, size, oldSize)).toMatch(/another history|status 422/);
    }
    expect(witness.seen.get(origin)?.size).toBe(500);
    // It still signs the history that it knows.
    expect(await ask(history, 501, 500)).toBe(1);
  });

  test("that says nothing is given up", async () => {
    const { witness, known } = asked();
    witness.lie = "silent";
    const asking = askWitness(known, treeOf(history, 5), { oldSize: 0, signal: AbortSignal.timeout(100) });
    expect(asking).rejects.toThrow("could not be reached");
    await asking.catch(() => undefined);
  });
});

test("a service whose files of witnesses or roots cannot be used does not start", async () => {
  const file = join("/dev/shm", `bad-${systemRuntime.newId()}`);
  writeFileSync(file, "nothing useful here");
  for (const [settings, why] of [
    [{ CAPTABLE_WITNESS_FILE: file }, "CAPTABLE_WITNESS_FILE cannot be used"],
    [{ CAPTABLE_WITNESS_FILE: `${file}-not` }, "there is no file"],
    [{ CAPTABLE_TSA_URL: "http://tsa.example" }, "CAPTABLE_TSA_URL cannot be used: it needs a file of roots"],
    [{ CAPTABLE_TSA_URL: "http://tsa.example", CAPTABLE_TSA_CA_FILE: file }, "CAPTABLE_TSA_CA_FILE cannot be used"],
    [{ CAPTABLE_TSA_URL: "gopher://tsa.example" }, "CAPTABLE_TSA_URL is not usable (its value is not shown)"],
  ] as const) {
    expect(startTestServer(settings)).rejects.toThrow(why);
  }
  await Bun.sleep(300);
  rmSync(file);
});
