// The first read of a route whose handler is loaded then: it is of the state after that, refused if its key no longer
// counts, and does not load here what another thread runs.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Problem } from "../../../src/kernel/problem.ts";
import { later, type ReadElsewhere, type ReadRoute } from "../../../src/resources/route.ts";
import type { Exchange } from "../../../src/server/http/exchange.ts";
import { Reads } from "../../../src/server/http/read.ts";
import { openDataDirectory } from "../../../src/storage/data-dir/directory.ts";
import { DATABASE_FILE, openReadOnly } from "../../../src/storage/database/open.ts";
import type { Reader } from "../../../src/storage/database/sql.ts";
import { migratedDataDir } from "../../kit/migrated.ts";

let dataDir: string;
let writer: Reader;
let reader: Reader;
let isRevoked: boolean;
let loads: number;
/** What is done while the handler is being loaded. */
let meanwhile: () => void;

beforeAll(async () => {
  dataDir = await migratedDataDir();
  writer = openDataDirectory(dataDir);
  writer.sqlite.exec("insert into settings (name, value) values ('n', '0')");
  reader = openReadOnly(join(dataDir, DATABASE_FILE));
});
beforeEach(() => {
  [isRevoked, loads, meanwhile] = [false, 0, () => undefined];
  count(0);
});
afterAll(() => {
  for (const { sqlite } of [reader, writer]) sqlite.close();
  rmSync(dataDir, { recursive: true });
});

const count = (n: number) => writer.sqlite.prepare("update settings set value = ? where name = 'n'").run(String(n));

function readsOf(elsewhere?: ReadElsewhere): Reads {
  const admission = {
    forgetReaders: () => undefined,
    admitAgain() {
      if (isRevoked) throw new Problem("unauthorized", "It counts no more.");
      return { role: "ADMIN", stakeholderIds: [] };
    },
  };
  const parts = {
    reader,
    runtime: { nowMs: () => 0 },
    keyLimiter: null,
    ...(elsewhere ? { elsewhere: { reads: elsewhere, reports: elsewhere, fromEntries: 0 } } : {}),
  };
  return new Reads(parts as never, admission as never);
}

const exchange = (): Exchange =>
  ({
    request: new Request("http://cap.example/api/v1/n"),
    params: {},
    caller: { orgId: "", id: "k", stakeholderIds: [] },
    visit: {
      startedMs: 0,
      answerRead: ({ body }: { readonly body: string }) => new Response(body),
      refuse: (thrown: Error) => new Response(thrown.message, { status: 401 }),
    },
  }) as never;

const routeOf = (more: Partial<ReadRoute> = {}): ReadRoute => ({
  method: "GET",
  path: "/api/v1/n",
  operationId: "getN",
  tag: "N",
  summary: "Get n",
  role: "VIEWER",
  status: 200,
  ...more,
  run: later(
    async () => {
      loads++;
      await Bun.sleep(1);
      meanwhile();
      return { n: (db: Reader) => db.sqlite.prepare("select value from settings where name = 'n'").pluck().get() };
    },
    ({ n }) =>
      (db) => ({ status: 200, json: { n: n(db) } }),
  ),
});

async function textOf(reads: Reads, route: ReadRoute): Promise<string> {
  reads.openTurn();
  return (await reads.read(route, exchange())).text();
}

test("it answers the state after it was loaded, and the next one is answered at once", async () => {
  const [reads, route] = [readsOf(), routeOf()];
  meanwhile = () => void count(1);
  expect(await textOf(reads, route)).toBe('{"n":"1"}');
  reads.openTurn();
  expect(reads.read(route, exchange())).toBeInstanceOf(Response);
  expect(loads).toBe(1);
});

test("it is refused if its key was revoked meanwhile", async () => {
  meanwhile = () => {
    isRevoked = true;
  };
  expect(await textOf(readsOf(), routeOf())).toContain("It counts no more.");
});

test("one in turn is loaded here before its turn", async () => {
  expect(await textOf(readsOf(), routeOf({ expense: () => "much" }))).toBe('{"n":"0"}');
  expect(loads).toBe(1);
});

test("one that another thread runs is not loaded here", async () => {
  const there: ReadElsewhere = { read: async () => ({ status: 200, json: { n: "there" } }) };
  for (const expense of ["much", "report"] as const) {
    expect(await textOf(readsOf(there), routeOf({ expense: () => expense }))).toBe('{"n":"there"}');
  }
  expect(loads).toBe(0);
});
