// Proofs over HTTP: of entries, of rows of the log and in the portal, in a checkpoint signed now or in a kept one, here
// and in a reading thread; checked without the data.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { callWithoutRequest } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { insertCheckpoint, setCosigned } from "../../../src/safekeeping/checkpoint/kept-store.ts";
import { readNotes, readVerifier, signerOf } from "../../../src/safekeeping/checkpoint/note.ts";
import { openSigningKey, verifierOf } from "../../../src/safekeeping/checkpoint/signing-key.ts";
import { findHeads } from "../../../src/safekeeping/checkpoint/store.ts";
import { isTreeSignedBy, readTreeHead, writeTreeCheckpoint } from "../../../src/safekeeping/tree/tree-checkpoint.ts";
import { isProven, readTreeProof } from "../../../src/safekeeping/tree/tree-proof.ts";
import { ChainTree } from "../../../src/safekeeping/tree/trees.ts";
import { appendLog } from "../../../src/storage/database/log/audit.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { Org, TODAY } from "../../views/health/support.ts";
import { member } from "../../views/portal/support.ts";

setDefaultTimeout(60_000);

const nowMs = Date.parse(`${TODAY}T12:00:00Z`);
let server: TestServer;
let threaded: TestServer;
beforeAll(async () => {
  const runtime = { ...systemRuntime, nowMs: () => nowMs };
  server = await startTestServer({ CAPTABLE_LOG: "off" }, { runtime });
  threaded = await startTestServer({ CAPTABLE_LOG: "off" }, { runtime, longFromEntries: 1 });
});
afterAll(() => Promise.all([server.stop(), threaded.stop()]));

const sha256 = (content: Uint8Array) => new Bun.CryptoHasher("sha256").update(content).digest();

const ISSUE = { effectiveDate: TODAY, pricePerShare: "1" };
let certificates = 0;
const nextId = () => `CS-${++certificates}`;

/** What a proof shows, without the data: the row, where it stands, and under which origin. */
function checked(text: string, on: TestServer) {
  const proof = readTreeProof(text);
  const key = readVerifier(verifierOf(openSigningKey(on.dataDir)));
  if (proof === null || key === null) throw new Error("no proof");
  expect(isTreeSignedBy(proof.note, proof.head, key.publicKey)).toBe(true);
  const row = proof.extra === null ? null : JSON.parse(Buffer.from(proof.extra).toString());
  if (proof.extra) expect(isProven(proof, sha256(proof.extra))).toBe(true);
  return { proof, row, origin: proof.head.origin, size: proof.head.size };
}

async function company(on: TestServer) {
  const org = new Org(on, await on.newOrganization("Acme, Inc."));
  const stockClassId = await org.shareClass({ initialSharesAuthorized: "1000000" });
  const ada = await org.holder({ displayName: "Ada", name: { legalName: "Ada King" } });
  const bob = await org.holder({ displayName: "Bob", name: { legalName: "Robert Roe" } });
  const issue = (stakeholderId: string, quantity: string) =>
    org.made("/transactions/issue-shares", {
      ...ISSUE,
      stakeholderId,
      stockClassId,
      quantity,
      certificateId: nextId(),
    });
  const first = await issue(ada, "100");
  await issue(bob, "200");
  const get = (path: string, role: "VIEWER" | "ADMIN" = "VIEWER") =>
    on.api("GET", path, undefined, { orgId: org.id, role });
  return { org, ada, bob, first, issue, get };
}

describe.each([
  ["here", () => server],
  ["in a reading thread", () => threaded],
] as const)("a proof made %s", (_name, on) => {
  test("of each entry and of each row of the log holds", async () => {
    const { org, get } = await company(on());
    const entries = (await get("/transactions")).json.data;
    expect(entries.length).toBe(2);
    for (const entry of entries) {
      const { status, text, headers } = await get(`/transactions/${entry.id}/proof`);
      expect([status, headers.get("content-type"), headers.get("etag")]).toEqual([
        200,
        "text/plain; charset=utf-8",
        null,
      ]);
      const { row, proof, origin, size } = checked(text, on());
      const { hash, ...members } = entry;
      expect(row).toEqual(members);
      expect(sha256(proof.extra as Uint8Array)).toEqual(Buffer.from(hash, "hex"));
      expect([origin, proof.index, size]).toEqual([`captable/${org.id}/ledger`, entry.sequence - 1, 2]);
    }
    const rows = (await get("/audit-log?limit=100", "ADMIN")).json.items;
    for (const logged of rows) {
      const { row, origin, proof } = checked((await get(`/audit-log/${logged.id}/proof`, "ADMIN")).text, on());
      expect([origin, proof.index, row.id]).toEqual([`captable/${org.id}/log`, logged.sequence - 1, logged.id]);
    }
    expect(rows.length).toBeGreaterThan(5);
  });

  test("is of one's own organization, and of the log for administrators alone", async () => {
    const [one, other] = [await company(on()), await company(on())];
    const [entry] = (await one.get("/transactions")).json.data;
    const [row] = (await one.get("/audit-log", "ADMIN")).json.items;
    const statuses = await Promise.all([
      other.get(`/transactions/${entry.id}/proof`),
      other.get(`/audit-log/${row.id}/proof`, "ADMIN"),
      one.get(`/audit-log/${row.id}/proof`),
      one.get("/transactions/nothing/proof"),
      one.get("/audit-log/zzzz/proof", "ADMIN"),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 403, 404, 404]);
  });

  test("in the portal is of the entry that the certificate names, and tells nothing else", async () => {
    const { org, ada, bob, first, issue } = await company(on());
    const person = await member(on(), { orgId: org.id, stakeholderIds: [ada], nowMs });
    const securityId = first.securityId ?? "";
    const { status, text } = await person.ask("GET", `/portal/securities/${securityId}/proof`);
    expect(status).toBe(200);
    const { row, proof } = checked(text, on());
    expect(row).toBeNull();
    const entry = (await on().api("GET", `/transactions/${first.transactionId}`, undefined, { orgId: org.id })).json
      .data;
    expect(isProven(proof, Buffer.from(entry.hash, "hex"))).toBe(true);
    const others = await issue(bob, "7");
    for (const id of [others.securityId, "nothing"]) {
      expect((await person.ask("GET", `/portal/securities/${id}/proof`)).status).toBe(404);
    }
    expect(text).not.toContain("Bob");
  });
});

describe("the checkpoint of a proof", () => {
  const keep = async (
    orgId: string,
    change: (root: Uint8Array) => Uint8Array = (root) => root,
    signer = openSigningKey(server.dataDir),
  ) => {
    const { db } = server.app.writer;
    const [ledger, log] = [new ChainTree(db, orgId, "ledger"), new ChainTree(db, orgId, "log")];
    const { size, origin } = ledger;
    const ledgerNote = writeTreeCheckpoint({ origin, size, root: change(ledger.root(size) as Uint8Array) }, signer);
    const heads = findHeads(db, orgId);
    const id = systemRuntime.newId();
    const row = {
      ...{ orgId, id, time: "2026-11-29T00:00:00.000Z", note: "", ledgerNote, logNote: log.checkpoint(signer) },
      ...{ ledgerSize: size, ledgerHead: heads.ledger?.head ?? "", logSize: log.size, logHead: heads.log.head },
    };
    await server.app.writer.submit((tx) => {
      insertCheckpoint(tx, row);
      setCosigned(tx, { ...row, ledgerCosigned: 1, logCosigned: 0 });
    });
    return size;
  };

  test("is the newest that witnesses cosigned and that has the row, else one signed now", async () => {
    const { org, get, issue, ada } = await company(server);
    await keep(org.id);
    for (let times = 0; times < 3; times++) await issue(ada, "1");
    const entries = (await get("/transactions")).json.data.toReversed();
    const sizeOf = async (at: number) =>
      checked((await get(`/transactions/${entries[at].id}/proof`)).text, server).size;
    expect([await sizeOf(0), await sizeOf(1), await sizeOf(2), await sizeOf(4)]).toEqual([2, 2, 5, 5]);
    await keep(org.id);
    await issue(ada, "1");
    expect([await sizeOf(0), await sizeOf(4)]).toEqual([5, 5]);
    // One of a former key, as after a move, is passed by: its reader knows today's key.
    await keep(org.id, (root) => root, signerOf(Buffer.alloc(32, 5)));
    expect(await sizeOf(0)).toBe(6);
    // One of another history, put into the table from outside, is passed by.
    await keep(org.id, (root) => Uint8Array.from(root, (byte) => byte ^ 1));
    expect(await sizeOf(0)).toBe(6);
  });

  test("has another origin after a restore, and is then of the new history alone", async () => {
    const { org, get } = await company(server);
    await keep(org.id);
    const [entry] = (await get("/transactions")).json.data;
    const restored = { resourceType: "log", resourceId: null, before: null, after: '{"ledger":2}' } as const;
    const call = { ...callWithoutRequest(systemRuntime, org.id, "cli"), method: "restored" };
    await server.app.writer.submit((tx) => appendLog(tx, call, [restored]));
    const row = (await get("/audit-log", "ADMIN")).json.items[0];
    const digits = row.hash.slice(0, 8);
    const ofRow = checked((await get(`/audit-log/${row.id}/proof`, "ADMIN")).text, server);
    expect(ofRow.origin).toBe(`captable/${org.id}/log/${digits}`);
    // What was cosigned before is of the same entries, and holds.
    expect(checked((await get(`/transactions/${entry.id}/proof`)).text, server).origin).toBe(
      `captable/${org.id}/ledger`,
    );
  });

  test("is found by bisection where ids follow the log, and all the same where they do not", async () => {
    const { org, get } = await company(server);
    const call = { ...callWithoutRequest(systemRuntime, org.id, "cli"), newId: () => "000-out-of-order" };
    const noted = { resourceType: "log", resourceId: null, before: null, after: "{}" } as const;
    await server.app.writer.submit((tx) => appendLog(tx, call, [noted]));
    const rows = (await get("/audit-log?limit=100", "ADMIN")).json.items;
    for (const { id, sequence } of rows) {
      const { proof } = checked((await get(`/audit-log/${id}/proof`, "ADMIN")).text, server);
      expect(proof.index).toBe(sequence - 1);
    }
    const [note] = readNotes((await get("/checkpoint")).text) ?? [];
    expect(note && readTreeHead(note)).toBeNull();
  });
});
