// The entries on a security are looked up, not searched for: how long that takes must not grow with the whole ledger.
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  latestAdjustment,
  latestSplit,
  latestTerms,
  listAdjustments,
  listEntriesOn,
} from "../../src/ledger/replay/replay-store.ts";
import type { Reader } from "../../src/storage/database/sql.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** How SQLite goes about what `read` asks. */
function planOf(read: (db: Reader) => void): string {
  const { sqlite } = server.app.reader;
  const asked: string[] = [];
  const watched = new Proxy(sqlite, {
    get(target, name) {
      if (name !== "prepare") return Reflect.get(target, name, target);
      return (text: string) => {
        asked.push(text);
        return target.prepare(text);
      };
    },
  });
  read({ sqlite: watched });
  expect(asked.length).toBe(1);
  const values = Array.from(asked[0]?.matchAll(/\?/g) ?? [], () => "x");
  const steps = sqlite.prepare(`explain query plan ${asked[0]}`).all(...values) as { readonly detail: string }[];
  return steps.map(({ detail }) => detail).join("; ");
}

test("the entries on a security are found by the security", () => {
  expect(planOf((db) => listEntriesOn(db, "o", "s"))).toContain("transactions_security (orgId=? AND securityId=?)");
  expect(planOf((db) => listAdjustments(db, { orgId: "o" }))).not.toContain("transactions_security");
});

test("the adjustments of a class or plan are found by it", () => {
  expect(planOf((db) => latestAdjustment(db, "o", "p"))).toContain("transactions_adjustments (orgId=? AND <expr>=?)");
});

test("what set how a class converts, and its splits, are found among adjustments and splits alone", () => {
  for (const find of [latestTerms, latestSplit]) {
    expect(planOf((db) => find(db, "o", "c"))).toContain("transactions_type (orgId=? AND type=?");
  }
});
