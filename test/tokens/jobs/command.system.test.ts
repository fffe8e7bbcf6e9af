// The command line beside a running server, and without one.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { runCommand } from "../../kit/command.ts";
import { runProgram } from "../../kit/program.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { removeTemporaryFolders, temporaryFolder } from "../chain/support/people.ts";
import { securityWith, settled, startOn } from "./support/tokens.ts";

afterAll(removeTemporaryFolders);

describe("captable jobs and captable chain", () => {
  const dataDir = temporaryFolder();
  let server: Awaited<ReturnType<typeof startOn>>;
  let stockClassId: string;
  const run = (...args: string[]) => runCommand([...args, "--data-dir", dataDir]);

  beforeAll(async () => {
    server = await startOn(dataDir);
    stockClassId = await makeShareClass(server);
    const stakeholderId = await makeStakeholder(server);
    await securityWith(server, await issueShares(server, { stakeholderId, stockClassId }), "MINTED");
    await settled(server, stockClassId);
  });

  test("find chain and ledger equal while the server runs", async () => {
    const { status, stdout } = await run("chain", "reconcile", "--json");
    expect(status).toBe(0);
    const { isEqual, items } = JSON.parse(stdout);
    expect(isEqual).toBe(true);
    expect(items[0]).toMatchObject({ stockClassId, totalSupply: "1000", expectedSupply: "1000", differences: [] });
    const { json } = await server.api("GET", `/share-classes/${stockClassId}/token`);
    expect(json.lastReconciledAt).toMatch(/^\d{4}-.*Z$/);
    const only = await run("chain", "reconcile", "--class", "unknown");
    expect([only.status, only.stdout]).toEqual([3, ""]);
  });

  test("show the chain and the jobs", async () => {
    const { stdout, status } = await run("chain", "status", "--json");
    expect(status).toBe(0);
    const shown = { kind: "local development chain", chainId: 31338, deployed: 1, failed: 0, trouble: null };
    expect(JSON.parse(stdout)).toMatchObject(shown);
    expect(JSON.parse((await run("jobs", "list", "--json")).stdout).items).toEqual([]);
    const { items } = JSON.parse((await run("jobs", "list", "--all", "--json")).stdout);
    expect(items.map(({ state }: { state: string }) => state)).toEqual(["DONE", "DONE", "DONE"]);
    expect((await run("jobs", "retry", items[0].id)).status).toBe(3);
    expect((await run("jobs", "retry", "unknown")).status).toBe(3);
  });

  test("name a difference and its age, with exit status 1, also when no server runs", async () => {
    await server.stop();
    const db = new Database(join(dataDir, "captable.db"));
    db.prepare("update securities set quantity = '990'").run();
    db.close();
    const first = JSON.parse((await run("chain", "reconcile", "--json")).stdout);
    const { status, stdout } = await run("chain", "reconcile", "--json");
    expect(status).toBe(1);
    const { differences } = JSON.parse(stdout).items[0];
    expect(differences).toHaveLength(2);
    expect(differences[1]).toMatchObject({ address: "total", expected: "990", found: "1000" });
    expect(differences).toEqual(first.items[0].differences);
    const forPeople = await run("chain", "reconcile");
    expect(forPeople.stdout).toMatch(/DIFFERENT[\s\S]*total: 1000 on chain, 990 by the ledger, since \d{4}/);
  });
});

test("asking about the chain of a fresh data directory makes none", async () => {
  const dataDir = temporaryFolder();
  const run = (...args: string[]) => runCommand([...args, "--data-dir", dataDir, "--json"]);
  expect((await run("org", "create", "--name", "Acme")).status).toBe(0);
  expect(JSON.parse((await run("chain", "status")).stdout)).toMatchObject({ chainId: null, head: null, deployed: 0 });
  expect(JSON.parse((await run("chain", "reconcile")).stdout)).toEqual({ isEqual: true, items: [] });
  expect(await Bun.file(join(dataDir, "chain.db")).exists()).toBe(false);
  expect(await Bun.file(join(dataDir, "wallet-seed")).exists()).toBe(false);
});

test("settings that contradict each other end the program with status 2", async () => {
  const dataDir = temporaryFolder();
  const keyFile = join(dataDir, "key");
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(keyFile, "0".repeat(64), { mode: 0o600 });
  const serve = (environment: Record<string, string>) =>
    runProgram(["serve", "--data-dir", dataDir, "--port", "0"], environment);
  const url = "http://127.0.0.1:1/secretproject";
  const cases: Record<string, string>[] = [
    { CAPTABLE_CHAIN_RPC_URL: url },
    { CAPTABLE_CHAIN_RPC_URL: url, CAPTABLE_CHAIN_KEY_FILE: keyFile },
    { CAPTABLE_CHAIN_RPC_URL: "secretproject", CAPTABLE_CHAIN_KEY_FILE: keyFile },
    { CAPTABLE_CHAIN_ID: "5" },
    { CAPTABLE_CHAIN_CONFIRMATIONS: "0" },
  ];
  for (const environment of cases) {
    const { status, stdout, stderr } = await serve(environment);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).not.toContain("secretproject");
  }
}, 60_000);
