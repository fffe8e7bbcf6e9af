// Random histories carried out one by one, and once more in another organization as one batch whose operations refer to
// what those before them made: all that the database holds of either is the same, but for ids, instants and hashes.
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { present } from "../../../src/kernel/assert.ts";
import { insertOrganization } from "../../../src/resources/organization/store.ts";
import type { Reply, WriteRoute } from "../../../src/resources/route.ts";
import { allRoutes } from "../../../src/server/routes.ts";
import type { Tx } from "../../../src/storage/database/sql.ts";
import { firstSeed, mustMeetAll, proved, seedCount } from "../../kit/proof.ts";
import { jsonOf } from "../../kit/reply.ts";
import type { Asking } from "../../property/bodies.ts";
import { Company, newCall, setClock } from "../../property/company.ts";
import { Home } from "../../property/home.ts";
import { TODAY } from "../../property/model/dates.ts";
import { decide } from "../../property/model/decide.ts";
import { newModel } from "../../property/model/start.ts";
import { histories } from "../../property/steps.ts";

const HISTORIES = seedCount(25, 2000);
const STEPS = 25;
const TIMEOUT_MS = 3_600_000;
const ROUTES = allRoutes("test");
const BATCH = present(
  ROUTES.find(({ operationId }) => operationId === "batch"),
  "the batch",
) as WriteRoute;

let home: Home;
beforeAll(async () => {
  home = await Home.open();
});
afterAll(() => home.close());

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly name: string;
  readonly body?: unknown;
}

/** What a company was asked, by company: its first questions come before it has members of its own. */
const asked = new WeakMap<Company, { readonly asking: Asking; readonly reply: Reply }[]>();

/** All of a batch happens at one instant, so that a record's change in it leaves `updatedAt` as it is. */
const INSTANT_MS = Date.parse(`${TODAY}T12:00:00Z`);

class Noted extends Company {
  override call(asking: Asking): Reply {
    setClock(INSTANT_MS);
    const reply = super.call(asking);
    asked.set(this, [...(asked.get(this) ?? []), { asking, reply }]);
    return reply;
  }
}

/** A company of a random history. */
function companyOf(tx: Tx, seed: number): Noted {
  const company = new Noted(tx);
  let model = newModel();
  for (const choose of fc.sample(histories(STEPS), { numRuns: 1, seed })[0] ?? []) {
    const step = choose(model);
    if (step === null) continue;
    const decided = decide(model, step);
    if ("after" in decided && company.run(step).isDone) model = decided.after;
  }
  return company;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A member in which nothing is a reference; what it holds is kept as sent, and an id in it is the first organization's. */
const FREE = "metadata";

/** The same questions as operations of a batch: ids that were answered are references. */
function operationsOf(company: Company): Operation[] {
  const known = new Map<string, string>();
  const refer = (value: unknown): unknown => {
    if (typeof value === "string") return known.has(value) ? { $ref: known.get(value) } : value;
    if (Array.isArray(value)) return value.map(refer);
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value);
    return Object.fromEntries(members.map(([name, member]) => [name, name === FREE ? member : refer(member)]));
  };
  return (asked.get(company) ?? []).map(({ asking, reply }, at) => {
    const [method = "", pattern = ""] = asking.name.split(" ");
    const segment = asking.id === undefined ? "" : (known.get(asking.id) ?? "");
    const path = pattern.replace(":id", segment === "" ? String(asking.id) : `{${segment}}`);
    const isTaken = ROUTES.some(
      (route) => `${route.method} ${route.path}` === asking.name && "body" in route && route.body,
    );
    const body = isTaken ? { body: refer(asking.body) } : {};
    const json = (reply.status === 204 ? {} : jsonOf(reply)) as Record<string, unknown>;
    for (const [member, value] of Object.entries((json.data ?? json) as Record<string, unknown>)) {
      if (typeof value === "string" && UUID.test(value) && !known.has(value)) known.set(value, `o${at}.${member}`);
    }
    return { method, path, name: `o${at}`, ...body };
  });
}

/** Carries the operations out as one batch, in a new organization; returns its id. */
function carriedOut(tx: Tx, operations: readonly Operation[]): string {
  const orgId = Bun.randomUUIDv7();
  insertOrganization(tx, newCall(orgId, "POST /"), { legalName: "Model, Inc.", isNamed: 1 });
  const body = { operations };
  expect(BATCH.examine?.(body as never).errors).toEqual([]);
  BATCH.run(tx, newCall(orgId, "POST /api/v1/batch"), { params: {}, body });
  return orgId;
}

/** Columns that count across organizations, or name the route where an operation of a batch has its address. */
const BESIDE = ["seq", "path"];

/** All that the database holds of an organization, with ids by the order in which they first come. */
function contentOf({ sqlite }: Tx, orgId: string): Record<string, string[]> {
  const names = new Map<string, string>();
  const named = (id: string) => {
    if (!names.has(id)) names.set(id, `id-${names.size}`);
    return names.get(id) ?? "";
  };
  const plain = (text: string) =>
    text
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "instant")
      .replaceAll(/\b[0-9a-f]{64}\b/g, "hash")
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, named);
  const tables = sqlite
    .prepare<[], { name: string; hasOrder: number }>(
      `select m.name, m.sql not like '%WITHOUT ROWID%' as hasOrder from sqlite_schema as m join pragma_table_info(m.name) as c
        where m.type = 'table' and c.name = 'orgId' and m.name <> 'long_writes' order by m.name`,
    )
    .all();
  return Object.fromEntries(
    // Those that come in the order of their ids are sorted, once all other ids have their names.
    tables
      .sort((one, other) => other.hasOrder - one.hasOrder)
      .map(({ name, hasOrder }) => {
        const text = `select * from ${name} where orgId = ? ${hasOrder ? "order by rowid" : ""}`;
        const shown = sqlite.prepare<[string], Record<string, unknown>>(text).all(orgId);
        const rows = shown.map((row) => {
          const isKept = (column: string) => !BESIDE.includes(column) && !(row.recordOnly === 1 && column === FREE);
          const members = Object.entries(row).filter(([column]) => isKept(column));
          return plain(JSON.stringify(Object.fromEntries(members)));
        });
        return [name, hasOrder ? rows : rows.sort()];
      }),
  );
}

/** Runs `does` in a transaction that is rolled back. */
async function passing<T>(does: (tx: Tx) => T): Promise<T> {
  let result: { readonly value: T } | undefined;
  const done = home.writer.submit((tx) => {
    result = { value: does(tx) };
    throw new Error("rolled back");
  });
  await done.catch((error: Error) => {
    if (error.message !== "rolled back") throw error;
  });
  return present(result, "what was done").value;
}

test(
  `${HISTORIES} random histories one by one and as one batch leave the same`,
  async () => {
    const counts = new Map<string, number>();
    for (let seed = firstSeed(); seed < firstSeed() + HISTORIES; seed++) {
      const { expected, found, operations } = await passing((tx) => {
        const company = companyOf(tx, seed);
        const operations = operationsOf(company);
        const orgId = carriedOut(tx, operations);
        return { expected: contentOf(tx, company.orgId), found: contentOf(tx, orgId), operations };
      });
      expect({ seed, found }).toEqual({ seed, found: expected });
      for (const { method, path } of operations) {
        const kind = `${method} ${path.replace(/\{.*?\}|[0-9a-f-]{36}/g, ":id")}`;
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
    }
    if (mustMeetAll(HISTORIES)) expect([...counts.keys()].length).toBeGreaterThan(20);
    const seed = `${firstSeed()}-${firstSeed() + HISTORIES - 1}`;
    const operations = [...counts.values()].reduce((sum, count) => sum + count, 0);
    proved({
      ...{ fault: "BA1", what: "random histories, one by one and as one batch", count: HISTORIES, seed },
      result: `${operations} operations of ${counts.size} kinds: the same rows, entries and log`,
    });
  },
  TIMEOUT_MS,
);

test("a batch that does something else is noticed: without its last operation, and with another name", async () => {
  const { expected, shorter, other } = await passing((tx) => {
    const company = companyOf(tx, firstSeed());
    const operations = operationsOf(company);
    const [first, ...others] = operations;
    const changed = { ...present(first, "an operation"), body: { ...(first?.body as object), displayName: "Another" } };
    return {
      expected: contentOf(tx, company.orgId),
      shorter: contentOf(tx, carriedOut(tx, operations.slice(0, -1))),
      other: contentOf(tx, carriedOut(tx, [changed, ...others])),
    };
  });
  expect(shorter).not.toEqual(expected);
  expect(other).not.toEqual(expected);
});
