// The thread that writes, as the thread of the requests sees it: it begins when there is something to do, finishes what
// it was given before it ends, and tells what went wrong as it was thrown.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { present } from "../../../../src/kernel/assert.ts";
import { Problem } from "../../../../src/kernel/problem.ts";
import { systemRuntime } from "../../../../src/kernel/runtime.ts";
import { listOrganizations } from "../../../../src/resources/organization/store.ts";
import { verifyDatabase } from "../../../../src/safekeeping/verify/verify.ts";
import type { WriteTask } from "../../../../src/server/changes/task.ts";
import { type Config, readConfig } from "../../../../src/server/config.ts";
import { makeFirstOrganization, prepareDatabase } from "../../../../src/server/service/bootstrap.ts";
import { RemoteChanges } from "../../../../src/server/threads/write/write-thread-client.ts";
import { openDataDirectory } from "../../../../src/storage/data-dir/directory.ts";
import { DATABASE_FILE, openReadOnly } from "../../../../src/storage/database/open.ts";
import { Writer } from "../../../../src/storage/database/writer.ts";
import { migratedDataDir } from "../../../kit/migrated.ts";

let dataDir: string;
let orgId: string;
let keyId: string;
let config: Config;
let broken: Error[];
let remote: RemoteChanges;

async function open(): Promise<void> {
  dataDir = await migratedDataDir();
  const db = openDataDirectory(dataDir);
  const environment = await prepareDatabase(db, "test");
  const writer = new Writer(db, () => undefined);
  await writer.submit((tx) => makeFirstOrganization(tx, systemRuntime, environment));
  orgId = present(listOrganizations(db)[0], "the organization").id;
  keyId = db.sqlite.prepare<[], string>("select id from api_keys").pluck().get() ?? "";
  db.sqlite.close();
  config = readConfig({ dataDir, port: "0" }, { CAPTABLE_CHAIN: "off" });
  broken = [];
  remote = new RemoteChanges({
    publicUrl: () => "http://127.0.0.1:8080",
    config,
    environment,
    lastRequest: new Float64Array(new SharedArrayBuffer(8)),
    onBroken: (error) => void broken.push(error),
    onTrouble: () => undefined,
    tellImport: () => undefined,
  });
}

async function close(): Promise<void> {
  await remote.stop();
  rmSync(dataDir, { recursive: true });
}

function making(displayName: string, key: string | null = null, more: object = {}): WriteTask {
  return {
    operationId: "createStakeholder",
    asked: {
      ...{ orgId, actor: "api-key", apiKeyId: keyId, accountId: null, actorName: null, sessionId: null },
      ...{ requestId: crypto.randomUUID(), method: "POST", path: "/api/v1/stakeholders" },
    },
    params: {},
    body: { displayName, name: { legalName: displayName }, type: "INDIVIDUAL", ...more },
    idempotency: key === null ? null : { key, bodyHash: displayName },
  };
}

/** The file's content, as another connection sees it. */
function stored<T>(sql: string): T[] {
  const { sqlite } = openReadOnly(join(dataDir, DATABASE_FILE));
  try {
    return sqlite.prepare<[], T>(sql).pluck().all();
  } finally {
    sqlite.close();
  }
}
const names = () => stored<string>("select displayName from stakeholders order by seq");

/** The names that some work adds. */
async function added(work: () => Promise<unknown>): Promise<string[]> {
  const before = names().length;
  await work();
  return names().slice(before);
}

describe("the thread", () => {
  // One for these tests: it loads the whole program.
  beforeAll(open);
  afterAll(close);

  test("begins with the first change; what is answered is on disk", async () => {
    expect(remote.isBegun).toBe(false);
    const { status, body, location } = await remote.write(making("Ada"));
    expect(remote.isBegun).toBe(true);
    expect([status, location]).toEqual([201, `/api/v1/stakeholders/${JSON.parse(body).id}`]);
    expect(names()).toEqual(["Ada"]);
    expect(remote.statistics.items).toBeGreaterThan(0);
  });

  test("commits many changes together, in their order, and every one is answered", async () => {
    const wanted = Array.from({ length: 200 }, (_, n) => `Holder ${n}`);
    const { commits } = remote.statistics;
    const made = await added(async () => {
      const answers = await Promise.all(wanted.map((name) => remote.write(making(name))));
      expect(answers.every(({ status }) => status === 201)).toBe(true);
    });
    expect(made).toEqual(wanted);
    expect(remote.statistics.commits - commits).toBeLessThan(wanted.length);
    const db = openReadOnly(join(dataDir, DATABASE_FILE));
    expect(verifyDatabase(db).differences).toEqual([]);
    db.sqlite.close();
  });

  test("does one of many with the same idempotency key, and gives all its answer", async () => {
    const made = await added(async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => remote.write(making("Ada", "key"))));
      expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
      expect(answers.filter(({ isReplayed }) => isReplayed === true)).toHaveLength(19);
    });
    expect(made).toEqual(["Ada"]);
    const refused = await remote.write(making("Bob", "key")).catch((thrown) => thrown);
    expect([refused instanceof Problem, refused.slug]).toEqual([true, "idempotency-key-reused"]);
  });

  test("refuses with the problem that its route throws, and tells a fault of ours as one", async () => {
    const made = await added(async () => {
      const unknown = making("Ada", null, { sourceDocumentId: "nothing" });
      const refused = await remote.write(unknown).catch((thrown) => thrown);
      expect([refused instanceof Problem, refused.slug]).toEqual([true, "not-found"]);
      const failed = await remote.write({ ...making("Ada"), operationId: "noSuchThing" }).catch((thrown) => thrown);
      expect([failed instanceof Problem, failed.message]).toEqual([false, expect.stringContaining("noSuchThing")]);
    });
    expect(made).toEqual([]);
    expect(broken).toEqual([]);
    expect((await remote.write(making("Ada"))).status).toBe(201);
  });

  test("is asked whether a write gets to the disk", async () => {
    await remote.tryToWrite();
    expect(stored<string>("select value from settings where name = 'probedAtMs'")).toHaveLength(1);
  });
});

describe("a thread of its own", () => {
  beforeEach(open);
  afterEach(close);

  test("finishes what it was given before it stops, also what was given in the same turn and begins it", async () => {
    remote.noteUse({ orgId, id: keyId, address: "192.0.2.7" }, "2026-06-30T12:00:00.000Z");
    await remote.stop();
    expect(stored<string>("select lastUsedAt from api_keys")).toEqual(["2026-06-30T12:00:00.000Z"]);
    expect(stored<string>("select lastUsedAddress from api_keys")).toEqual(["192.0.2.7"]);
    expect(broken).toEqual([]);
  });

  test("is not begun by stopping", async () => {
    await remote.stop();
    expect(remote.isBegun).toBe(false);
  });
});
