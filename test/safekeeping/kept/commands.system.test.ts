// The commands about evidence: `checkpoint --keys`, `--kept`, `--stamp`, `--append`, and `verify --against` and `--proof`
// with time stamps by OpenSSL and cosignatures by a witness of the tests' own; then all of it changed, forged or of others.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { findNewestKept, type KeptCheckpoint } from "../../../src/safekeeping/checkpoint/kept-store.ts";
import { readNotes, signerOf, writeNote, writeVerifier } from "../../../src/safekeeping/checkpoint/note.ts";
import { openSigningKey, verifierOf } from "../../../src/safekeeping/checkpoint/signing-key.ts";
import { keepingCheckpoints } from "../../../src/safekeeping/kept/follower.ts";
import { stampsOf } from "../../../src/safekeeping/timestamp/stamp-line.ts";
import { writeTreeCheckpoint } from "../../../src/safekeeping/tree/tree-checkpoint.ts";
import { DATABASE_FILE } from "../../../src/storage/database/open.ts";
import { runCommand } from "../../kit/command.ts";
import { hasOpenssl, OpensslAuthority } from "../../kit/openssl-authority.ts";
import { makeStakeholder } from "../../kit/records.ts";
import { startTestServer } from "../../kit/service.ts";
import { TestWitness } from "../../kit/witness.ts";

setDefaultTimeout(120_000);

const TIMES = { everyMs: 0, lookMs: 20, againMs: 40, laterMs: 40 };
const folder = mkdtempSync(join(tmpdir(), "captable-evidence-"));
const dataDir = join(folder, "data");
const file = (name: string) => join(folder, name);
const witness = new TestWitness();
let authority: OpensslAuthority;
let served: ReturnType<OpensslAuthority["serve"]>;
let orgId = "";
let entryId = "";
let key = "";
let log: readonly string[] = [];

/** The settings as a command finds them. */
function withSettings<T>(settings: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
  Object.assign(process.env, settings);
  return work().finally(() => {
    for (const name of Object.keys(settings)) delete process.env[name];
  });
}

const stamping = () => ({ CAPTABLE_TSA_URL: served.url, CAPTABLE_TSA_CA_FILE: authority.rootFile });
const run = (...args: string[]) => runCommand([...args, "--data-dir", dataDir]);

beforeAll(async () => {
  if (!hasOpenssl) return;
  authority = new OpensslAuthority({ key: "p256" });
  served = authority.serve();
  writeFileSync(file("witnesses"), witness.line);
  const settings = { ...stamping(), CAPTABLE_WITNESS_FILE: file("witnesses") };
  const server = await startTestServer(settings, { followers: [keepingCheckpoints(TIMES)] });
  ({ orgId, log } = server);
  const { publicKey } = openSigningKey(server.dataDir);
  key = verifierOf({ publicKey, sign: () => new Uint8Array() });
  for (const chain of ["ledger", "log"])
    witness.trust(writeVerifier({ name: `captable/${orgId}/${chain}`, publicKey }));
  const isKept = async (is: (kept: KeptCheckpoint) => boolean) => {
    for (let kept = null; !kept || !is(kept); kept = findNewestKept(server.app.writer.db, { orgId })) {
      await Bun.sleep(20);
    }
  };
  await isKept(({ stampedAt }) => stampedAt !== null);
  const holder = await makeStakeholder(server, { email: "ada@example.com" });
  const entry = { type: "STOCK_ISSUANCE", effectiveDate: "2026-01-15", quantity: "10", stakeholderId: holder };
  for (let times = 0; times < 5; times++) {
    entryId = (await server.api("POST", "/transactions", entry)).json.data.id;
  }
  await isKept((kept) => kept.ledgerSize === 5 && kept.ledgerCosigned > 0 && kept.logCosigned > 0);
  const { items } = (await server.api("GET", "/checkpoints?limit=100")).json;
  const stamped = items.filter(({ timestamps }: { timestamps: unknown[] }) => timestamps.length > 0);
  // One for the first checkpoint; the next is due in 24 hours.
  expect(stamped.length).toBe(1);
  expect(stamped[0].timestamps).toEqual([
    { authority: served.host, time: expect.stringMatching(/^2\d{3}-/), policy: "1.2.3.4.1" },
  ]);
  writeFileSync(file("one"), (await server.api("GET", `/checkpoints/${items[0].id}`)).text);
  writeFileSync(file("proof"), (await server.api("GET", `/transactions/${entryId}/proof`)).text);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toMatch(/captable_timestamp_last_success_timestamp_seconds \d{10}/);
  await server.app.stop();
  cpSync(server.dataDir, dataDir, { recursive: true });
  rmSync(server.dataDir, { recursive: true });
});
afterAll(async () => {
  served?.stop();
  authority?.remove();
  await witness.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!hasOpenssl)("captable checkpoint", () => {
  test("--keys prints what a witness has to know", async () => {
    const { status, stdout } = await run("checkpoint", "--keys");
    const { publicKey } = openSigningKey(dataDir);
    const written = ["ledger", "log"].map((chain) => writeVerifier({ name: `captable/${orgId}/${chain}`, publicKey }));
    expect([status, stdout]).toEqual([0, `${written.join("\n")}\n`]);
    const { items } = JSON.parse((await run("checkpoint", "--keys", "--json")).stdout);
    expect(items[0]).toMatchObject({ orgId, chain: "ledger", origin: `captable/${orgId}/ledger`, key: written[0] });
    expect((await run("checkpoint", "--keys", "--kept")).status).toBe(2);
  });

  test("--kept prints what the server kept, which verify takes with demands", async () => {
    const kept = await run("checkpoint", "--kept");
    expect(kept.status).toBe(0);
    writeFileSync(file("kept"), kept.stdout);
    const demanded = ["verify", "--against", file("kept"), "--stamped", "--cosigned", "1"];
    const sources = ["--tsa-ca", authority.rootFile, "--witnesses", file("witnesses")];
    const ended = await run(...demanded, ...sources);
    expect([ended.status, ended.stderr]).toEqual([0, ""]);
    expect(ended.stdout).toContain(`time stamp by ${served.host}: `);
    expect(ended.stdout).toContain("policy 1.2.3.4.1: good");
    expect(ended.stdout).toMatch(new RegExp(`captable/${orgId}/ledger at 5, signed by this data directory's key: all`));
    expect(ended.stdout).toMatch(/cosigned by witness\.example\/w1 at 2.*: good/);
    expect(log.join("")).not.toContain('level":"warn');
    const two = await run(...demanded.with(-1, "2"), ...sources);
    expect([two.status, two.stdout.includes("NOT MET: no checkpoint of the ledger")]).toEqual([1, true]);
  });

  test("--stamp asks now, prints and keeps; --append adds what is news, once", async () => {
    const target = file("evidence.checkpoints");
    const append = (...more: string[]) => run("checkpoint", "--append", target, "--json", ...more);
    const added = async (...more: string[]) => JSON.parse((await append(...more)).stdout).added;
    // The organization's note and the instance's.
    expect([await added(), await added()]).toEqual([2, 0]);
    const [before, stamped] = [readFileSync(target, "utf8"), withSettings(stamping(), () => added("--stamp"))];
    expect(await stamped).toBe(4);
    expect(readFileSync(target, "utf8").startsWith(before)).toBe(true);
    const notes = readNotes(readFileSync(target, "utf8")) ?? [];
    expect(notes.filter((note) => stampsOf(note).length === 1).length).toBe(2);
    expect(await added("--kept")).toBeGreaterThan(0);
    expect(await added("--kept")).toBe(0);
    const ended = await run("verify", "--against", target, "--stamped", "--tsa-ca", authority.rootFile);
    expect([ended.status, ended.stderr]).toEqual([0, ""]);
    const keptOnes = (await run("checkpoint", "--kept")).stdout;
    expect((readNotes(keptOnes) ?? []).filter((note) => stampsOf(note).length === 1).length).toBe(2);
    writeFileSync(file("other"), "dear diary\n");
    expect((await run("checkpoint", "--append", file("other"))).status).toBe(2);
    expect(readFileSync(file("other"), "utf8")).toBe("dear diary\n");
  });

  test("--stamp without an authority, or with one that does not answer, is 2 or 1, and nothing is appended", async () => {
    expect((await run("checkpoint", "--stamp")).status).toBe(2);
    const silent = { ...stamping(), CAPTABLE_TSA_URL: "http://127.0.0.1:1/" };
    const ended = await withSettings(silent, () => run("checkpoint", "--stamp", "--append", file("none")));
    expect([ended.status, existsSync(file("none"))]).toEqual([1, false]);
    expect(ended.stderr).toContain("no time stamp: it could not be reached");
  });

  test("an authority that answers with an earlier time stamp, or one of another note, is refused", async () => {
    const old = authority.answer(Buffer.from(await request("an earlier note")));
    for (const [answerWith, why] of [
      [() => old, "it is of something else"],
      [() => new TextEncoder().encode("<html>"), "does not have the form"],
      [(asked: Uint8Array) => replayed(asked), "it is the answer to another request"],
    ] as const) {
      const lying = authority.serve(answerWith);
      const settings = { ...stamping(), CAPTABLE_TSA_URL: lying.url };
      const ended = await withSettings(settings, () => run("checkpoint", "--stamp", "--org", orgId));
      expect([ended.status, ended.stderr]).toEqual([1, expect.stringContaining(why)]);
      lying.stop();
    }
  });
});

/** A request of a note's time stamp. */
async function request(text: string): Promise<Uint8Array> {
  const { newNonce, writeStampRequest } = await import("../../../src/safekeeping/timestamp/request.ts");
  const { imprintOf } = await import("../../../src/safekeeping/timestamp/stamp-line.ts");
  return writeStampRequest(imprintOf(text), newNonce()).bytes;
}

/** What the authority would say to the same request with another nonce. */
function replayed(asked: Uint8Array): Uint8Array {
  const changed = Uint8Array.from(asked);
  changed[changed.length - 4] = (changed[changed.length - 4] ?? 0) ^ 1;
  return authority.answer(changed);
}

describe.skipIf(!hasOpenssl)("captable verify --against", () => {
  const sources = () => ["--tsa-ca", authority.rootFile, "--witnesses", file("witnesses")];
  const against = async (text: string, ...more: string[]) => {
    writeFileSync(file("given"), text);
    const ended = await run("verify", "--against", file("given"), ...more);
    return { ...ended, said: `${ended.stdout}${ended.stderr}` };
  };
  const kept = async () => (await run("checkpoint", "--kept")).stdout;
  async function stampedNote(): Promise<string> {
    const found = (readNotes(await kept()) ?? []).find((note) => stampsOf(note).length > 0);
    if (!found) throw new Error("no time stamp");
    return writeNote(found);
  }

  test("says what it cannot check, and asks no network", async () => {
    const ended = await against(await kept());
    expect(ended.status).toBe(0);
    expect(ended.stdout).toContain("not checked, since no roots are named (--tsa-ca)");
    expect(ended.stdout).toContain("not checked: no key of that witness is known (--witnesses)");
    const asked = witness.asked.length;
    expect((await against(await kept(), ...sources())).status).toBe(0);
    expect(witness.asked.length).toBe(asked);
    const set = { ...stamping(), CAPTABLE_WITNESS_FILE: file("witnesses") };
    const bySettings = await withSettings(set, async () => against(await kept(), "--stamped", "--cosigned", "1"));
    expect(bySettings.status).toBe(0);
  });

  test.each([
    ["cosigned", () => readFileSync(file("one"), "utf8"), ["--cosigned", "1"]],
    ["stamped", stampedNote, ["--stamped"]],
  ] as const)(
    "of any byte of a %s checkpoint changed is refused, or finds fewer vouchers",
    async (_kind, read, demanded) => {
      const text = await read();
      const good = await against(text, ...sources(), ...demanded);
      expect([good.status, good.stderr]).toEqual([0, ""]);
      const statuses = new Map<number, number>();
      for (let at = 0; at < text.length; at += 7) {
        const put = text[at] === "7" ? "8" : "7";
        const ended = await against(text.slice(0, at) + put + text.slice(at + 1), ...sources(), ...demanded);
        if (ended.status === 0) throw new Error(`character ${at} may be ${put}: ${ended.stdout}`);
        statuses.set(ended.status, (statuses.get(ended.status) ?? 0) + 1);
      }
      expect([...statuses.keys()].toSorted()).toEqual([1, 2, 4]);
      expect(statuses.get(4)).toBeGreaterThan(30);
    },
  );

  test("of a time stamp on another note, or by a stranger, is exit 4", async () => {
    const notes = readNotes(await kept()) ?? [];
    const stamped = notes.find((note) => stampsOf(note).length > 0);
    const plain = notes.find((note) => note.text.includes("\nledger ") && stampsOf(note).length === 0);
    const moved = { ...plain, signatures: [...(plain?.signatures ?? []), ...(stamped?.signatures.slice(1) ?? [])] };
    const ended = await against(writeNote(moved as never), ...sources());
    expect([ended.status, ended.said]).toEqual([4, expect.stringContaining("WRONG: it is of something else")]);
    const stranger = new OpensslAuthority();
    const other = await against(await kept(), "--tsa-ca", stranger.rootFile);
    expect([other.status, other.said]).toEqual([4, expect.stringContaining("lead to none of the roots")]);
    stranger.remove();
  });

  test("of a rolled back, split or shortened history is exit 4, by the tree alone", async () => {
    const notes = readNotes(readFileSync(file("one"), "utf8")) ?? [];
    const trees = notes
      .filter(({ text }) => text.includes("/ledger\n"))
      .map(writeNote)
      .join("\n");
    expect((await against(trees)).status).toBe(0);
    const signer = openSigningKey(dataDir);
    const origin = `captable/${orgId}/ledger`;
    const forged = (size: number, root: number) =>
      writeTreeCheckpoint({ origin, size, root: Buffer.alloc(32, root) }, signer);
    const split = await against(forged(5, 1));
    expect([split.status, split.said]).toEqual([4, expect.stringContaining("was written anew: its first 5 are not")]);
    const longer = await against(forged(9, 1));
    expect([longer.status, longer.said]).toEqual([4, expect.stringMatching(/has 5 entries, and had 9: .* removed/)]);
    const by = signerOf(Buffer.alloc(32, 9));
    const stranger = await against(writeTreeCheckpoint({ origin, size: 0, root: Buffer.alloc(32, 1) }, by));
    expect([stranger.status, stranger.said]).toEqual([4, expect.stringContaining("signature of the checkpoint of")]);
    const gone = await against(forged(0, 0).replaceAll(orgId, "0190-not-here"));
    expect(gone.status).toBe(4);
  });

  test("holds the data itself: the last entry taken out, and its log", async () => {
    const copy = join(folder, "rolled-back");
    cpSync(dataDir, copy, { recursive: true });
    const db = new Database(join(copy, DATABASE_FILE));
    for (const { name } of db
      .prepare<[], { name: string }>("select name from sqlite_schema where type = 'trigger'")
      .all()) {
      db.exec(`drop trigger "${name}"`);
    }
    db.exec("delete from transactions where sequence = 5");
    db.close();
    const trees = (readNotes(readFileSync(file("one"), "utf8")) ?? []).filter(({ text }) => text.includes("/ledger\n"));
    writeFileSync(file("given"), trees.map(writeNote).join("\n"));
    const ended = await runCommand(["verify", "--against", file("given"), "--data-dir", copy]);
    expect(ended.status).toBe(4);
  });

  test("of options that do not go together, or files that are not there, is exit 2", async () => {
    for (const more of [
      ["--stamped"],
      ["--cosigned", "1"],
      ["--tsa-ca", authority.rootFile],
      ["--witnesses", file("witnesses")],
    ]) {
      expect((await run("verify", ...more)).status).toBe(2);
    }
    const given = ["verify", "--against", file("one")];
    expect((await run(...given, "--cosigned", "none")).status).toBe(2);
    expect((await run(...given, "--tsa-ca", file("nowhere"))).status).toBe(2);
    expect((await run(...given, "--witnesses", authority.rootFile)).status).toBe(2);
    expect((await run("verify", "--against", file("nowhere"))).status).toBe(2);
    expect((await against("dear diary\n")).status).toBe(2);
    expect((await against("")).status).toBe(2);
  });
});

describe.skipIf(!hasOpenssl)("captable verify --proof", () => {
  const proven = (...more: string[]) =>
    runCommand([
      "verify",
      "--proof",
      file("proof"),
      "--signed-by",
      key,
      "--data-dir",
      join(folder, "no-data"),
      ...more,
    ]);

  test("needs no data directory, and says what is proven", async () => {
    const ended = await proven("--witnesses", file("witnesses"), "--cosigned", "1");
    expect([ended.status, ended.stderr]).toEqual([0, ""]);
    expect(ended.stdout).toMatch(
      new RegExp(`^entry 5 of ${orgId}, hash [0-9a-f]{64}: in the history of 5 that the key`),
    );
    expect(ended.stdout).toContain(entryId);
    expect(ended.stdout).toMatch(/cosigned by witness\.example\/w1 at .*: good/);
    const { row, sequence, size } = JSON.parse((await proven("--json")).stdout);
    expect([row.id, sequence, size]).toEqual([entryId, 5, 5]);
    expect((await proven("--cosigned", "1")).status).toBe(1);
    expect((await proven("--witnesses", file("witnesses"), "--cosigned", "2")).status).toBe(1);
    expect(existsSync(join(folder, "no-data"))).toBe(false);
  });

  test("refuses another key, another entry, and every character changed", async () => {
    const text = readFileSync(file("proof"), "utf8");
    const other = verifierOf(signerOf(Buffer.alloc(32, 3)));
    const as = (...args: string[]) => runCommand(["verify", "--proof", ...args]);
    expect((await as(file("proof"), "--signed-by", other)).status).toBe(4);
    expect((await as(file("proof"))).status).toBe(2);
    expect((await as(file("nowhere"), "--signed-by", key)).status).toBe(2);
    expect((await as(file("one"), "--signed-by", key)).status).toBe(2);
    expect((await proven("--hash", "0".repeat(64))).status).toBe(4);
    expect((await proven("--hash", "zero")).status).toBe(2);
    const bare = text.replace(/^extra .*\n/m, "");
    writeFileSync(file("bare"), bare);
    const { hash } = JSON.parse((await proven("--json")).stdout);
    expect((await as(file("bare"), "--signed-by", key)).status).toBe(2);
    expect((await as(file("bare"), "--signed-by", key, "--hash", hash)).status).toBe(0);
    for (let at = 0; at < text.length - 1; at += 5) {
      const put = text[at] === "7" ? "8" : "7";
      writeFileSync(file("changed"), text.slice(0, at) + put + text.slice(at + 1));
      const asked = ["--signed-by", key, "--witnesses", file("witnesses"), "--cosigned", "1"];
      const { status, stdout } = await as(file("changed"), ...asked);
      if (status === 0) throw new Error(`character ${at} may be ${put}: ${stdout}`);
    }
  });
});
