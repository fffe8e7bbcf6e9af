// `CAPTABLE_CHAIN=off`: nothing of a chain is made, said or waited for; on again, what was made meanwhile waits until
// a user asks. And where a token is in use the chain cannot be turned off.
import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { runCommand } from "../../kit/command.ts";
import { asking } from "../../kit/company.ts";
import { runProgram, serveProgram } from "../../kit/program.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { removeTemporaryFolders, temporaryFolder } from "../chain/support/people.ts";
import { classWith, securityWith, settled, startOn } from "./support/tokens.ts";

setDefaultTimeout(120_000);

const OFF = { CAPTABLE_CHAIN: "off" };
const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const PACKAGE = join(import.meta.dir, "../../fixtures/ocf/small");
/** Whatever a chain leaves in a data directory. */
const OF_A_CHAIN = /^(chain\.db|chain-operator\.key|wallet-seed)/;

const running: Awaited<ReturnType<typeof startOn>>[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});
afterAll(removeTemporaryFolders);

async function start(dataDir: string, environment: Record<string, string> = {}) {
  const server = await startOn(dataDir, environment);
  running.push(server);
  return server;
}

async function stop(): Promise<void> {
  for (const server of running.splice(0)) await server.stop();
}

/** One row of the database, asked without our own code's help. */
function ask<T>(dataDir: string, sql: string): T | undefined {
  const db = new Database(join(dataDir, "captable.db"));
  try {
    return db.prepare<[], T>(sql).get();
  } finally {
    db.close();
  }
}

function change(dataDir: string, sql: string): void {
  const db = new Database(join(dataDir, "captable.db"));
  db.exec(sql);
  db.close();
}

const madeByChain = (dataDir: string) => readdirSync(dataDir).filter((name) => OF_A_CHAIN.test(name));

describe("with the chain off", () => {
  const dataDir = temporaryFolder();
  let stockClassId = "";
  let securityId = "";

  test("classes stay NOT_STARTED, stock NOT_APPLICABLE, nothing of a chain is made and no work waits", async () => {
    const server = await start(dataDir, OFF);
    stockClassId = await makeShareClass(server);
    const ada = await makeStakeholder(server);
    securityId = await issueShares(server, { stakeholderId: ada, stockClassId });
    expect((await server.api("PATCH", `/stakeholders/${ada}`, { walletAddress: WALLET })).status).toBe(200);
    expect((await server.api("PATCH", `/share-classes/${stockClassId}`, { name: "A" })).status).toBe(200);
    const read = async (path: string) => (await server.api("GET", path)).json;
    expect(await read(`/share-classes/${stockClassId}`)).toMatchObject({ tokenizationStatus: "NOT_STARTED" });
    expect(await read(`/securities/${securityId}`)).toMatchObject({ tokenStatus: "NOT_APPLICABLE" });
    const token = { address: null, chainId: null, isLocalDevelopmentChain: false, pendingOperations: 0 };
    expect(await read(`/share-classes/${stockClassId}/token`)).toMatchObject({ ...token, lastError: null });
    expect((await fetch(`${server.app.url}/readyz`)).status).toBe(200);
    const metrics = await (await fetch(`${server.app.url}/metrics`)).text();
    expect(metrics).toMatch(/^captable_chain_lag_seconds 0$/m);
    expect(metrics).not.toMatch(/^captable_outbox_jobs\{/m);
    expect(madeByChain(dataDir)).toEqual([]);
    // The control: the service without the setting makes them.
    const other = temporaryFolder();
    await classWith(await start(other), await makeShareClass(running.at(-1) ?? server), "DEPLOYED");
    expect(madeByChain(other)).toContain("chain.db");
  });

  test("retokenize is 409 invalid-state", async () => {
    const server = await start(dataDir, OFF);
    const answer = await server.api("POST", `/share-classes/${stockClassId}/retokenize`);
    expect([answer.status, answer.json.type.split("/").at(-1)]).toEqual([409, "invalid-state"]);
    expect(answer.json.detail).toContain("CAPTABLE_CHAIN");
  });

  test("commands know it without the variable, and say so", async () => {
    const run = (...args: string[]) => runCommand([...args, "--data-dir", dataDir]);
    const status = JSON.parse((await run("chain", "status", "--json")).stdout);
    expect(status).toMatchObject({ kind: "off", head: null, trouble: null, jobs: { queued: 0 } });
    expect((await run("chain", "reconcile")).stdout).toBe("no share class has a token\n");
    expect((await run("ocf", "import", PACKAGE, "--into-other-issuer")).status).toBe(0);
    expect((await run("verify")).status).toBe(0);
    expect((await run("jobs", "list", "--json")).stdout).toContain('"items": []');
    expect(madeByChain(dataDir)).toEqual([]);
  });

  test("a backup restores, off as it was, and serves on either way", async () => {
    const [file, restored] = [join(temporaryFolder(), "b.captable"), temporaryFolder()];
    expect((await runCommand(["backup", "--out", file, "--data-dir", dataDir])).status).toBe(0);
    const ended = await runCommand(["restore", file, "--new-keys", "--data-dir", restored]);
    expect([ended.status, /chain-operator|wallet-seed/.test(ended.stdout + ended.stderr)]).toEqual([0, false]);
    const status = await runCommand(["chain", "status", "--json", "--data-dir", restored]);
    expect(JSON.parse(status.stdout).kind).toBe("off");
    const server = await start(restored, OFF);
    expect((await server.api("GET", `/share-classes/${stockClassId}`)).json.tokenizationStatus).toBe("NOT_STARTED");
    expect(madeByChain(restored)).toEqual([]);
  });

  test("on again, what was made meanwhile waits for retokenize, and then has all its shares", async () => {
    const server = await start(dataDir);
    const stakeholderId = await makeStakeholder(server);
    const late = await issueShares(server, { stakeholderId, stockClassId, quantity: "5" });
    expect((await server.api("PATCH", `/share-classes/${stockClassId}`, { name: "B" })).status).toBe(200);
    // A class made now has its token before the other has begun.
    await classWith(server, await makeShareClass(server, { name: "New", defaultIdPrefix: "N-" }), "DEPLOYED");
    const { json } = await server.api("GET", `/share-classes/${stockClassId}`);
    expect(json.tokenizationStatus).toBe("NOT_STARTED");
    expect((await server.api("GET", `/securities/${late}`)).json.tokenStatus).toBe("NOT_APPLICABLE");
    expect((await server.api("POST", `/share-classes/${stockClassId}/retokenize`)).json).toMatchObject({
      tokenizationStatus: "PENDING",
    });
    for (const id of [securityId, late]) await securityWith(server, id, "MINTED");
    expect(await settled(server, stockClassId)).toMatchObject({ totalSupply: "1005", ledgerTotal: "1005" });
  });

  test("it cannot be turned off once a class has a token, and nothing is changed by trying", async () => {
    await stop();
    const before = ask(
      dataDir,
      "select count(*) as rows, (select value from settings where name = 'chain.off') as off from audit_log",
    );
    const ended = await runProgram(["serve", "--port", "0", "--data-dir", dataDir], OFF);
    expect([ended.status, ended.stdout]).toEqual([3, ""]);
    expect(ended.stderr).toMatch(/^captable: CAPTABLE_CHAIN is off, but the share class .* \((PENDING|DEPLOYED)\)/);
    expect(ended.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(
      ask(
        dataDir,
        "select count(*) as rows, (select value from settings where name = 'chain.off') as off from audit_log",
      ),
    ).toEqual(before as object);
    await start(dataDir);
  });
});

test("a class whose token is on its way refuses it as well; a deleted one does not", async () => {
  const dataDir = temporaryFolder();
  const server = await start(dataDir);
  const id = await makeShareClass(server);
  await classWith(server, id, "DEPLOYED");
  await stop();
  change(dataDir, "update share_classes set tokenizationStatus = 'PENDING'");
  expect((await runProgram(["serve", "--port", "0", "--data-dir", dataDir], OFF)).stderr).toContain("(PENDING)");
  change(dataDir, "update share_classes set tokenizationStatus = 'DEPLOYED'");
  expect((await (await start(dataDir)).api("DELETE", `/share-classes/${id}`)).status).toBeLessThan(300);
  await stop();
  await start(dataDir, OFF);
});

test("a class whose tokenization failed waits no longer, nor does its stock, and its jobs are dropped", async () => {
  const dataDir = temporaryFolder();
  const server = await start(dataDir);
  const stockClassId = await makeShareClass(server);
  const stakeholderId = await makeStakeholder(server);
  const id = await issueShares(server, { stakeholderId, stockClassId });
  await securityWith(server, id, "MINTED");
  await settled(server, stockClassId);
  await stop();
  // Another chain in the place of ours: every class on it has failed.
  for (const name of readdirSync(dataDir).filter((found) => found.startsWith("chain.db"))) rmSync(join(dataDir, name));
  const another = await start(dataDir);
  await issueShares(another, { stakeholderId, stockClassId });
  await classWith(another, stockClassId, "FAILED");
  await stop();
  const off = await start(dataDir, OFF);
  expect((await off.api("GET", `/share-classes/${stockClassId}`)).json.tokenizationStatus).toBe("NOT_STARTED");
  expect((await off.api("GET", `/securities/${id}`)).json.tokenStatus).toBe("NOT_APPLICABLE");
  expect((await runCommand(["jobs", "list", "--json", "--data-dir", dataDir])).stdout).toContain('"items": []');
  expect((await runCommand(["verify", "--data-dir", dataDir])).status).toBe(0);
});

test("a node's settings may stay, even with files that are gone; the start says that the chain is off", async () => {
  const node = { CAPTABLE_CHAIN_RPC_URL: "http://127.0.0.1:9", CAPTABLE_CHAIN_KEY_FILE: "/nowhere/key" };
  const dataDir = temporaryFolder();
  const refused = await runProgram(["serve", "--port", "0", "--data-dir", dataDir], node);
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("CAPTABLE_CHAIN_KEY_FILE")]);
  const served = await serveProgram(dataDir, { ...node, ...OFF });
  expect(served.said).toContain("captable: the chain is off (CAPTABLE_CHAIN): no share class gets a token\n");
  const { tokenizationStatus } = await asking(served.url, served.key)("POST", "/share-classes", {
    ...{ name: "C", classType: "COMMON", defaultIdPrefix: "C-", initialSharesAuthorized: "1", votesPerShare: "1" },
    seniority: 1,
  });
  expect(tokenizationStatus).toBe("NOT_STARTED");
  await served.end();
  expect(madeByChain(dataDir)).toEqual([]);
});
