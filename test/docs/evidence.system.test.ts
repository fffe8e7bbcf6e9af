// docs/evidence.md: its commands typed as they are printed there, on a server with an authority by OpenSSL and a witness of
// the tests' own; and what it says of checking without captable.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readNotes } from "../../src/safekeeping/checkpoint/note.ts";
import { blocksOf, type Desk, newDesk } from "../kit/as-typed.ts";
import { hasOpenssl, OpensslAuthority } from "../kit/openssl-authority.ts";
import { TestWitness } from "../kit/witness.ts";

setDefaultTimeout(180_000);

const GUIDE = readFileSync(resolve("docs/evidence.md"), "utf8");
const blocks = blocksOf(GUIDE);
const commands = blocks.filter(({ language }) => language === "sh").map(({ text }) => text);

let desk: Desk;
let authority: OpensslAuthority;
let served: ReturnType<OpensslAuthority["serve"]>;
const witness = new TestWitness();

beforeAll(() => {
  if (!hasOpenssl) return;
  authority = new OpensslAuthority();
  served = authority.serve();
  const witnesses = join(authority.folder, "witnesses");
  writeFileSync(witnesses, witness.line);
  const ofAuthority = { CAPTABLE_TSA_URL: served.url, CAPTABLE_TSA_CA_FILE: authority.rootFile };
  desk = newDesk("evidence", { ...ofAuthority, CAPTABLE_WITNESS_FILE: witnesses, CAPTABLE_CHAIN: "off" });
});
afterAll(async () => {
  desk?.clear();
  served?.stop();
  authority?.remove();
  await witness.stop();
});

const HOLDER = { displayName: "Ada", name: { legalName: "Ada King" }, type: "INDIVIDUAL" };
const COMMON = {
  ...{ name: "Common", classType: "COMMON", defaultIdPrefix: "CS-", initialSharesAuthorized: "1000" },
  ...{ votesPerShare: "1", seniority: 1 },
};

describe.skipIf(!hasOpenssl)("docs/evidence.md", () => {
  test("is typed as it stands", async () => {
    expect(commands.length).toBe(7);
    await desk.type('captable org create --name "Acme, Inc." && captable keys create --name x --role EDITOR --out key');
    const keys = await desk.type("captable checkpoint --keys");
    for (const key of keys.trim().split("\n")) witness.trust(key);
    await desk.startServer();
    const address = (await desk.type("echo 127.0.0.1:8080")).trim();
    const key = readFileSync(join(desk.cwd, "key"), "utf8").trim();
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const api = async (method: string, path: string, body?: unknown) => {
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const answer = await fetch(`http://${address}/api/v1${path}`, init);
      return { status: answer.status, bytes: await answer.bytes() };
    };
    const made = async (path: string, body: unknown) => {
      const { status, bytes } = await api("POST", path, body);
      const json = JSON.parse(Buffer.from(bytes).toString());
      expect([path, status, json]).toEqual([path, 201, json]);
      return json.data ?? json;
    };
    const orgId = JSON.parse(Buffer.from((await api("GET", "/organization")).bytes).toString()).id;
    const [stakeholderId, stockClassId] = [
      (await made("/stakeholders", HOLDER)).id,
      (await made("/share-classes", COMMON)).id,
    ];
    const issue = { stakeholderId, stockClassId, quantity: "10", certificateId: "CS-1", effectiveDate: "2026-01-15" };
    const { transactionId, securityId } = await made("/transactions/issue-shares", issue);
    const pdf = await api("GET", `/securities/${securityId}/certificate.pdf`);
    writeFileSync(join(desk.cwd, "certificate.pdf"), pdf.bytes);
    const proof = await api("GET", `/transactions/${transactionId}/proof`);
    const bare = Buffer.from(proof.bytes)
      .toString()
      .replace(/^extra .*\n/m, "");
    writeFileSync(join(desk.cwd, "own.tlog-proof"), bare);
    mkdirSync(join(desk.cwd, "evidence"));
    // The server keeps its first checkpoint when it begins.
    while (witness.seen.size === 0) await Bun.sleep(50);
    await until(async () => (await desk.type("captable checkpoint --kept")).includes("witness.example/w1"));
    const { signingKey } = JSON.parse(await desk.type("captable version --json"));
    const given = `CAPTABLE_KEY='${key}' CAPTABLE_SERVER=http://127.0.0.1:8080 ENTRY=${transactionId} SIGNING_KEY='${signingKey}'`;
    const here = (text: string) => text.replaceAll("/etc/captable/witnesses", join(authority.folder, "witnesses"));
    const shown: string[] = [];
    for (const text of commands) {
      // What `--stamp` kept is shown to the witness at the server's next look.
      const isCosigned = async () => witness.seen.has(`captable/${orgId}/ledger`);
      if (text.includes("--cosigned")) await until(isCosigned);
      shown.push(await desk.type(`${given}\n${here(text)}`));
    }
    const all = shown.join("");
    for (const said of [
      "all of then is there as it was",
      "policy 1.2.3.4.1: good",
      "cosigned by witness.example/w1 at",
    ]) {
      expect(all).toContain(said);
    }
    expect(all.match(/^entry 1 of .*: in the history of 1 that the key signed$/gm)).toHaveLength(2);
    await desk.stopServer();
  });

  test("shows how to check a time stamp without captable", async () => {
    const [command = ""] = blocks.flatMap(({ text }) => (text.startsWith("openssl ts") ? [text] : []));
    const notes = readNotes(readFileSync(join(desk.cwd, "stamped.checkpoint"), "utf8")) ?? [];
    const [note] = notes;
    const line = note?.signatures.find(({ name }) => name === served.host);
    if (!note || !line) throw new Error("no time stamp");
    writeFileSync(join(desk.cwd, "note.txt"), note.text);
    writeFileSync(join(desk.cwd, "token.der"), line.bytes.subarray(4));
    writeFileSync(join(desk.cwd, "roots.pem"), authority.roots);
    expect(await desk.type(command)).toContain("Verification: OK");
  });
});

async function until(is: () => Promise<boolean>): Promise<void> {
  while (!(await is())) await Bun.sleep(200);
}
