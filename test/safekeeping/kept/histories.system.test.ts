// One history for all: a witness and kept notes against data that was rolled back by a copy, that went on otherwise, and
// that was restored from a backup, each served and asked end to end.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { createKey } from "../../../src/resources/api-keys/routes.ts";
import { listOrganizations } from "../../../src/resources/organization/store.ts";
import { findNewestKept, type KeptCheckpoint } from "../../../src/safekeeping/checkpoint/kept-store.ts";
import { keepingCheckpoints } from "../../../src/safekeeping/kept/follower.ts";
import { startApp } from "../../../src/server/app.ts";
import { readConfig } from "../../../src/server/config.ts";
import { runCommand } from "../../kit/command.ts";
import { followsHere, importsHere, readsHere } from "../../kit/threads-here.ts";
import { TestWitness } from "../../kit/witness.ts";

setDefaultTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), "captable-histories-"));
const place = (name: string) => join(folder, name);
const witness = new TestWitness();
const FOLLOWERS = [keepingCheckpoints({ everyMs: 0, lookMs: 20, againMs: 40, laterMs: 40 })];

/** Serves a folder, until `stop`. */
async function serve(dataDir: string) {
  const settings = { CAPTABLE_CHAIN: "off", CAPTABLE_LOG: "json", CAPTABLE_WITNESS_FILE: place("witnesses") };
  const log: string[] = [];
  const here = { startReading: readsHere, startImporting: importsHere, startFollowing: followsHere(FOLLOWERS) };
  const config = readConfig({ dataDir, port: "0" }, settings);
  const app = await startApp(config, { ...here, followers: FOLLOWERS, out: (text) => void log.push(text) });
  const { writer } = app;
  const orgId = listOrganizations(app.reader)[0]?.id ?? "";
  const given = { name: "test", role: "EDITOR", expiresAt: "9999-12-31T00:00:00Z" } as const;
  const call = commandLineCall(systemRuntime, orgId);
  const made = await writer?.submit((tx) => createKey(tx, call, app.environment, given));
  const headers = { authorization: `Bearer ${made?.key}`, "content-type": "application/json" };
  const body = JSON.stringify({ type: "STOCK_ISSUANCE", effectiveDate: "2026-01-15", quantity: "10" });
  return {
    orgId,
    said: () => log.join(""),
    stop: () => app.stop(),
    async issue(times: number) {
      for (let at = 0; at < times; at++) {
        const { status } = await fetch(`${app.url}/api/v1/transactions`, { method: "POST", headers, body });
        expect(status).toBe(201);
      }
    },
    kept: () => (writer ? findNewestKept(writer.db, { orgId }) : null),
    async until(is: (kept: KeptCheckpoint | null) => boolean) {
      for (let looks = 0; !is(writer ? findNewestKept(writer.db, { orgId }) : null); looks++) {
        if (looks > 1000) throw new Error(`it did not come: ${log.join("")}`);
        await Bun.sleep(20);
      }
    },
  };
}

async function trustAll(dataDir: string): Promise<void> {
  const { stdout } = await runCommand(["checkpoint", "--keys", "--data-dir", dataDir]);
  for (const key of stdout.trim().split("\n")) witness.trust(key);
}

const against = (dataDir: string, file: string) =>
  runCommand(["verify", "--against", file, "--witnesses", place("witnesses"), "--data-dir", dataDir]);

const isCosigned = (size: number) => (kept: KeptCheckpoint | null) =>
  kept?.ledgerSize === size && kept.ledgerCosigned === 1 && kept.logCosigned === 1;

beforeAll(async () => {
  writeFileSync(place("witnesses"), witness.line);
  await runCommand(["org", "create", "--name", "Acme, Inc.", "--data-dir", place("data")]);
  await trustAll(place("data"));
  const first = await serve(place("data"));
  await first.issue(3);
  await first.until(isCosigned(3));
  await first.stop();
  cpSync(place("data"), place("early"), { recursive: true });
  expect((await runCommand(["backup", "--out", place("backup"), "--data-dir", place("data")])).status).toBe(0);
  const second = await serve(place("data"));
  await second.issue(4);
  await second.until(isCosigned(7));
  await second.stop();
  writeFileSync(place("kept"), (await runCommand(["checkpoint", "--kept", "--data-dir", place("data")])).stdout);
  expect((await against(place("data"), place("kept"))).status).toBe(0);
});
afterAll(async () => {
  await witness.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("data that was rolled back by a copy is cosigned by no witness, neither shorter nor longer than it was", async () => {
  cpSync(place("early"), place("rolled-back"), { recursive: true });
  const served = await serve(place("rolled-back"));
  await served.issue(1);
  await served.until((kept) => kept?.ledgerSize === 4);
  await served.until(() => served.said().includes("has signed a history of 7, and this one has 4: it was rolled back"));
  await served.issue(6);
  await served.until((kept) => kept?.ledgerSize === 10);
  await served.until(() => /\/ledger at 10: it does not cosign: status 422/.test(served.said()));
  expect([served.kept()?.ledgerCosigned, served.kept()?.logCosigned]).toEqual([0, 0]);
  await served.stop();
  const ended = await against(place("rolled-back"), place("kept"));
  expect(ended.status).toBe(4);
  expect(ended.stdout).toMatch(
    /ledger at 7, .*: CONTRADICTED: the ledger of Acme, Inc\. was written anew: its first 7/,
  );
  expect(ended.stdout).toMatch(/ledger at 3, .*: all of then is there as it was/);
});

test("data that was restored has trees of another name, which the witness signs once it admits them", async () => {
  cpSync(place("data"), place("restored"), { recursive: true });
  const restored = await runCommand(["restore", place("backup"), "--data-dir", place("restored"), "--force"]);
  expect([restored.status, restored.stderr]).toEqual([0, restored.stderr]);
  const served = await serve(place("restored"));
  const { orgId } = served;
  await served.issue(1);
  await served.until((kept) => kept?.ledgerSize === 4);
  await served.until(() => /\/ledger\/[0-9a-f]{8} at 4: it does not cosign: status 404/.test(served.said()));
  await trustAll(place("restored"));
  await served.until(isCosigned(4));
  const names = [...witness.seen.keys()].filter((name) => name.startsWith(`captable/${orgId}/ledger`));
  expect(names).toEqual([`captable/${orgId}/ledger`, expect.stringMatching(/\/ledger\/[0-9a-f]{8}$/)]);
  // What was signed before stands as it was.
  expect([...witness.seen].find(([name]) => name === names[0])?.[1].size).toBe(7);
  await served.stop();
  const now = await runCommand(["checkpoint", "--kept", "--data-dir", place("restored")]);
  writeFileSync(place("now"), now.stdout);
  expect((await against(place("restored"), place("now"))).status).toBe(0);
  const before = await against(place("restored"), place("kept"));
  expect([before.status, /had 7: entr.* removed|its first 7 are not/.test(before.stdout)]).toEqual([4, true]);
  expect(readFileSync(place("now"), "utf8")).toContain(`${names[1]}\n4\n`);
});
