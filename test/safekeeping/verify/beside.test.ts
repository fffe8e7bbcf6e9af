// verify by three walks side by side: the report of one walk after the other, of one moment, whatever is wrong with the
// file and however busy a writer is meanwhile; and that what cannot go side by side still ends.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { Problem } from "../../../src/kernel/problem.ts";
import type { Message } from "../../../src/kernel/threads/peer.ts";
import type { StartThread } from "../../../src/kernel/threads/thread.ts";
import { verifyBeside } from "../../../src/safekeeping/verify/beside.ts";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { DATABASE_FILE, openReadOnly } from "../../../src/storage/database/open.ts";
import type { Reader } from "../../../src/storage/database/sql.ts";
import { asking, makeWholeCompany } from "../../kit/company.ts";
import { Random } from "../../kit/random.ts";
import { startTestServer } from "../../kit/service.ts";
import { walksHere } from "../../kit/threads-here.ts";

setDefaultTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), "captable-beside-"));
const sound = join(folder, "sound.db");
let orgId: string;

beforeAll(async () => {
  const server = await startTestServer({ CAPTABLE_LOG: "off" });
  await makeWholeCompany(asking(server.url, await server.key("ADMIN")));
  await server.newOrganization("Other, Inc.");
  ({ orgId } = server);
  await server.app.stop();
  copyFileSync(join(server.dataDir, DATABASE_FILE), sound);
  rmSync(server.dataDir, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function withFile<T>(file: string, work: (db: Reader) => Promise<T>): Promise<T> {
  const db = openReadOnly(file);
  try {
    return await work(db);
  } finally {
    db.sqlite.close();
  }
}

/** Threads that walk here: how many were begun and ended, and what is called at each question. */
function watched(onAsk: (name: string) => void = () => undefined) {
  const counts = { begun: 0, ended: 0, opened: 0 };
  const start: StartThread = (take, fail) => {
    counts.begun++;
    const line = walksHere(take, fail);
    return {
      send(sent, moved) {
        const { ask } = sent as Extract<Message, { ask: string }>;
        if (ask === "open") counts.opened++;
        onAsk(ask);
        line.send(sent, moved);
      },
      end() {
        counts.ended++;
        line.end();
      },
    };
  };
  return { start, fromBytes: 0, counts };
}

/** The report as text, or what was thrown instead. */
async function told(report: () => unknown): Promise<string> {
  try {
    return JSON.stringify(await report());
  } catch (error) {
    return String(error);
  }
}

describe("the report side by side", () => {
  test("is the one of one walk after the other: of all, and of one organization", async () => {
    await withFile(sound, async (db) => {
      for (const id of [undefined, orgId]) {
        const { counts, ...besides } = watched();
        expect(await verifyBeside(db, id, besides)).toEqual(verifyDatabase(db, id));
        expect(counts).toEqual({ begun: 2, ended: 2, opened: 2 });
      }
    });
  });

  test("is the same of 60 files with damaged bytes, in the same words and order", async () => {
    const [bytes, random] = [readFileSync(sound), new Random(3)];
    const file = join(folder, "damaged.db");
    const kinds = { none: 0, some: 0, thrown: 0 };
    for (let n = 0; n < 60; n++) {
      const damaged = Buffer.from(bytes);
      // Page by page: what a bad disk does, and at single bytes what an editor does.
      const [at, length] = [4096 + random.below(bytes.length - 8192), random.pick([1, 8, 4096])];
      for (let byte = at; byte < at + length; byte++) damaged[byte] = random.below(256);
      writeFileSync(file, damaged);
      const one = await told(() => withFile(file, async (db) => verifyDatabase(db)));
      const other = await told(() => withFile(file, (db) => verifyBeside(db, undefined, watched())));
      expect(other).toBe(one);
      if (!one.startsWith("{")) kinds.thrown++;
      else kinds[JSON.parse(one).differences.length === 0 ? "none" : "some"]++;
    }
    expect(kinds.some).toBeGreaterThan(10);
  });
});

/** Changes something that no verification looks at. */
function commit(writer: Database.Database): void {
  const { changes } = writer.prepare("update settings set value = value || ' '").run();
  expect(changes).toBeGreaterThan(0);
}

describe("a writer beside it", () => {
  test("that commits while the walks begin has them begin anew, of one moment", async () => {
    const file = join(folder, "written.db");
    copyFileSync(sound, file);
    const writer = new Database(file);
    let times = 5;
    const { counts, ...besides } = watched((name) => {
      if (name === "open" && times-- > 0) commit(writer);
    });
    await withFile(file, async (db) => {
      expect(await verifyBeside(db, undefined, besides)).toEqual(verifyDatabase(db));
    });
    // The first three beginnings, of two threads each, met a commit.
    expect(counts).toEqual({ begun: 2, ended: 2, opened: 8 });
    writer.close();
  });

  test("that never rests leaves it to one walk after the other", async () => {
    const file = join(folder, "busy.db");
    copyFileSync(sound, file);
    const writer = new Database(file);
    const { counts, ...besides } = watched(() => commit(writer));
    await withFile(file, async (db) => {
      expect(await verifyBeside(db, undefined, besides)).toBeNull();
      expect(db.sqlite.inTransaction).toBe(false);
    });
    expect(counts).toEqual({ begun: 2, ended: 2, opened: 100 });
    writer.close();
  });
});

describe("no thread is begun", () => {
  const begins = async (db: Reader, fromBytes: number) => {
    const { counts, start } = watched();
    await verifyBeside(db, undefined, { start, fromBytes });
    return counts.begun;
  };

  test("for a small file, in a transaction, and for a database in memory", async () => {
    await withFile(sound, async (db) => {
      const { size } = Bun.file(sound);
      expect([await begins(db, size), await begins(db, size + 1)]).toEqual([2, 0]);
      db.sqlite.exec("BEGIN");
      expect(await begins(db, 0)).toBe(0);
      db.sqlite.exec("ROLLBACK");
    });
    const memory = { sqlite: new Database(readFileSync(sound)) };
    expect(await begins(memory, 0)).toBe(0);
    memory.sqlite.close();
  });
});

describe("what goes wrong ends both threads and the snapshot", () => {
  test("an unknown organization", async () => {
    await withFile(sound, async (db) => {
      const { counts, ...besides } = watched();
      expect(verifyBeside(db, "unknown", besides)).rejects.toThrow(Problem);
      await verifyBeside(db, "unknown", besides).catch(() => undefined);
      expect([counts.begun, counts.ended, db.sqlite.inTransaction]).toEqual([4, 4, false]);
    });
  });

  test.each(["open", "logs", "database"])("a thread that is lost when it is asked for %s", async (lostAt) => {
    await withFile(sound, async (db) => {
      let ended = 0;
      const start: StartThread = (take, fail) => {
        const line = walksHere(take, fail);
        return {
          send(sent, moved) {
            if ((sent as Extract<Message, { ask: string }>).ask === lostAt)
              fail(new Error("a walking thread has stopped"));
            else line.send(sent, moved);
          },
          end() {
            ended++;
            line.end();
          },
        };
      };
      const report = verifyBeside(db, undefined, { start, fromBytes: 0 });
      expect(await told(() => report)).toContain("a walking thread has stopped");
      expect([ended, db.sqlite.inTransaction]).toEqual([2, false]);
    });
  });
});
