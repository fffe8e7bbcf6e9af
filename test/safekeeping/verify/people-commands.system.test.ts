// What the command line does to people stands in the log of accounts as done by it, and verifies after each command; a
// restore ends what it brings back by an event.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { DATABASE_FILE } from "../../../src/storage/database/open.ts";
import { runCommand } from "../../kit/command.ts";
import { beginSession, makeMember } from "../../kit/people.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { makeWholePeople } from "../../kit/whole-people.ts";

setDefaultTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), "captable-people-commands-"));
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** The events of a data directory behind a sequence, with who caused each. */
function eventsAfter(dataDir: string, sequence: number): { event: string; actor: string; sequence: number }[] {
  const db = new Database(join(dataDir, DATABASE_FILE), { readonly: true });
  const text =
    "select event, sequence, json_extract(by, '$.actor') as actor from account_log where sequence > ? order by sequence";
  const found = db.prepare<[number], { event: string; actor: string; sequence: number }>(text).all(sequence);
  db.close();
  return found;
}

const COMMANDS: readonly (readonly [command: readonly string[], events: readonly string[]])[] = [
  [["invite", "--email", "new@example.com", "--role", "VIEWER"], ["link-made"]],
  [
    ["invite", "--email", "new@example.com", "--role", "EDITOR"],
    ["link-revoked", "link-made"],
  ],
  [["role", "kay@example.com", "--role", "EDITOR", "--operator"], ["made-operator"]],
  [["end-sessions", "kay@example.com"], ["sessions-ended"]],
  [["reset", "kay@example.com"], ["link-made"]],
  [["suspend", "kay@example.com"], ["suspended"]],
  [["suspend", "kay@example.com", "--lift"], ["suspension-lifted"]],
  [
    ["reset", "grace.hopper@example.com", "--second-factor"],
    ["second-factors-removed", "sessions-ended", "link-made"],
  ],
  [["remove", "kay@example.com"], ["link-revoked"]],
];

test("each command is an event by the command line, and verifies", async () => {
  const { accountId } = await makeMember(server.app.writer, server.orgId, { email: "kay@example.com" });
  await beginSession(server.app.writer, accountId);
  await makeWholePeople(server.app.writer, server.orgId);
  for (const [command, events] of COMMANDS) {
    const last = eventsAfter(server.dataDir, 0).at(-1)?.sequence ?? 0;
    const ended = await runCommand(["members", ...command, "--data-dir", server.dataDir]);
    expect([command, ended.status]).toEqual([command, 0]);
    const found = eventsAfter(server.dataDir, last);
    expect([command, found.map(({ event }) => event)]).toEqual([command, [...events]]);
    expect(new Set(found.map(({ actor }) => actor))).toEqual(new Set(["cli"]));
    const verified = await runCommand(["verify", "--json", "--data-dir", server.dataDir]);
    expect([command, JSON.parse(verified.stdout).differences]).toEqual([command, []]);
  }
});

test("a restore is an event that ends all sessions and revokes open links, and verifies", async () => {
  const { accountId } = await makeMember(server.app.writer, server.orgId);
  await beginSession(server.app.writer, accountId);
  const [file, into] = [join(folder, "b.captable"), join(folder, "restored")];
  expect((await runCommand(["backup", "--out", file, "--data-dir", server.dataDir])).status).toBe(0);
  const last = eventsAfter(server.dataDir, 0).at(-1)?.sequence ?? 0;
  expect((await runCommand(["restore", file, "--new-keys", "--data-dir", into])).status).toBe(0);
  expect(eventsAfter(into, last)).toMatchObject([{ event: "restored", actor: "cli" }]);
  const verified = await runCommand(["verify", "--json", "--data-dir", into]);
  const { differences, instance } = JSON.parse(verified.stdout);
  expect([verified.status, differences]).toEqual([0, []]);
  expect(instance.log.sequence).toBe(last + 1);
});
