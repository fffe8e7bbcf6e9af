// Imports of many organizations: the next is of the one that waited longest, and of one organization four wait at most.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { findImport, insertImport } from "../../../../src/exchange/spreadsheet/imports-store.ts";
import { systemRuntime, toTimestamp } from "../../../../src/kernel/runtime.ts";
import { nextImport, type WaitingImport } from "../../../../src/server/threads/import/next.ts";
import { askImport, ended } from "../../../exchange/spreadsheet/asking.ts";
import { startTestServer, type TestServer } from "../../../kit/service.ts";

setDefaultTimeout(120_000);

/** `A1 3`: the import A1 of organization A waits since second 3. */
function waiting(text: string): WaitingImport {
  const [id = "", second = ""] = text.split(" ");
  return { orgId: id.slice(0, 1), id, state: "READING", since: `2026-01-01T00:00:0${second}.000Z` };
}

/** The order in which they are served where each takes a second, and the first begins at second 5. */
function order(texts: readonly string[]): string[] {
  let left = texts.map(waiting);
  const endedAt = new Map<string, string>();
  const ids: string[] = [];
  for (let second = 6; left.length > 0; second++) {
    const next = nextImport(left, endedAt);
    if (next === null) break;
    ids.push(next.id);
    endedAt.set(next.orgId, waiting(`${next.id} ${second}`).since);
    left = left.filter(({ id }) => id !== next.id);
  }
  return ids;
}

describe("the next import", () => {
  test("is of the organization that waited longest, since its last one ended", () => {
    expect(order(["A1 0", "A2 0", "A3 0", "B1 1", "C1 2"])).toEqual(["A1", "B1", "C1", "A2", "A3"]);
  });

  test("is an organization's oldest, also where its commit was asked for later", () => {
    expect(order(["A1 3", "A2 1", "B1 2"])).toEqual(["A2", "B1", "A1"]);
  });

  test("is the first that came among those that wait as long", () => {
    expect(order(["B1 1", "A1 1"])).toEqual(["B1", "A1"]);
    expect(nextImport([], new Map())).toBeNull();
  });
});

describe("in the service", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  const FILE = Buffer.from("Certificate,Holder,Class,Issue date,Quantity\nCS-1,Ada,Common,2026-01-02,5\n");

  /** Has the organization's import wait `count` times more, as if asked for each time; nothing looks for them yet. */
  async function again(orgId: string, id: string, count: number): Promise<string[]> {
    const row = findImport(server.app.reader, { orgId, id });
    if (row === null) throw new Error("the import is gone");
    const at = toTimestamp(systemRuntime.nowMs());
    const ids = Array.from({ length: count }, () => systemRuntime.newId());
    const { seq: _, ...columns } = row;
    await server.app.writer.submit((tx) => {
      for (const each of ids) {
        insertImport(tx, { ...columns, id: each, createdAt: at, updatedAt: at, state: "READING", planHash: null });
      }
    });
    return ids;
  }

  test("one organization's four imports hold up no other's, and its fifth is 429", async () => {
    const [many, one, last] = [server.orgId, await server.newOrganization(), await server.newOrganization()];
    const read = async (orgId: string) => {
      const { id } = await askImport(server, FILE, { orgId, name: "Stock.csv" });
      return (await ended(server, id, orgId)).id as string;
    };
    const [ofMany, ofOne] = [await read(many), await read(one)];
    const ids = await again(many, ofMany, 4);
    const [other = ""] = await again(one, ofOne, 1);

    const before = findImport(server.app.reader, { orgId: many, id: ofMany });
    const fifth = await server.api("POST", "/imports", { documentId: before?.documentId });
    expect([fifth.status, fifth.headers.get("retry-after"), fifth.json.type]).toEqual([
      429,
      "5",
      expect.stringContaining("rate-limited"),
    ]);

    // Only now anything looks for what waits.
    const { id: newest } = await askImport(server, FILE, { orgId: last, name: "Stock.csv" });
    const at = new Map<string, string>();
    for (const id of ids) at.set(id, (await ended(server, id, many)).updatedAt);
    at.set(other, (await ended(server, other, one)).updatedAt);
    at.set(newest, (await ended(server, newest, last)).updatedAt);
    const done = [...at].toSorted(([, a], [, b]) => (a < b ? -1 : 1)).map(([id]) => id);
    expect(done).toEqual([ids[0], other, newest, ...ids.slice(1)] as string[]);
  });
});
