// A cap table that was laid out is answered again until something of its organization is written, and never after.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { END_OF_TIME } from "../../../src/kernel/runtime.ts";
import { openReadOnly } from "../../../src/storage/database/open.ts";
import type { Reader } from "../../../src/storage/database/sql.ts";
import { readHistory, readTable } from "../../../src/views/cap-table/remembered.ts";
import { firstSeed } from "../../kit/proof.ts";
import { Random } from "../../kit/random.ts";
import { makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { RELEASE } from "../../kit/release.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(120_000);

let server: TestServer;
/** Not the server's, on which a turn of its own may still see what was there before. */
let db: Reader;
beforeAll(async () => {
  server = await startTestServer();
  db = openReadOnly(server.app.reader.sqlite.name);
});
afterAll(async () => {
  db.sqlite.close();
  await server.stop();
});

const NOW = "2026-07-01T00:00:00.000Z";
const TODAY = "2026-07-01";
const DAYS = [TODAY, "2026-03-31"] as const;
const decoder = new TextDecoder("utf-8", { fatal: true });

/** An answer by the connection that remembers, or by one that was just opened. */
function tableOf(orgId: string, asOf: string, from = db): string {
  const asked = { moment: { asOf, knownAt: END_OF_TIME }, knownAt: NOW };
  return decoder.decode(readTable(from, orgId, asked, TODAY));
}

function allOf(orgId: string, from = db): string[] {
  return [...DAYS.map((day) => tableOf(orgId, day, from)), decoder.decode(readHistory(from, orgId, TODAY))];
}

function anew(orgId: string): string[] {
  const fresh = openReadOnly(server.app.reader.sqlite.name);
  try {
    return allOf(orgId, fresh);
  } finally {
    fresh.sqlite.close();
  }
}

/** An organization, and what its writes name. */
interface Company {
  readonly orgId: string;
  readonly holders: readonly string[];
  readonly classes: readonly string[];
}

const UNLIMITED = { initialSharesAuthorized: "1000000000" };

async function makeCompany(orgId: string): Promise<Company> {
  const options = { orgId };
  const holders = [await makeStakeholder(server, {}, options), await makeStakeholder(server, {}, options)];
  const classes = [await makeShareClass(server, UNLIMITED, options), await makeShareClass(server, UNLIMITED, options)];
  return { orgId, holders, classes };
}

/** Every kind of write that a cap table shows, each with the figure `n` in it. */
const WRITES: Readonly<Record<string, (company: Company, n: number, random: Random) => [string, string, object]>> = {
  issue: ({ holders, classes }, n, random) => [
    "POST",
    "/transactions/issue-shares",
    {
      ...{ stakeholderId: random.pick(pair(holders)), stockClassId: random.pick(pair(classes)) },
      ...{ quantity: String(n), certificateId: `C-${n}`, effectiveDate: random.pick(["2026-01-01", "2026-05-01"]) },
    },
  ],
  split: ({ classes }, n, random) => [
    "POST",
    "/transactions/split",
    {
      stockClassId: random.pick(pair(classes)),
      ...(n % 2 === 0 ? { numerator: 2, denominator: 1 } : { numerator: 1, denominator: 2 }),
      effectiveDate: "2026-06-01",
    },
  ],
  rename: ({ holders }, n, random) => [
    "PATCH",
    `/stakeholders/${random.pick(pair(holders))}`,
    { displayName: `é ${n}` },
  ],
  renameClass: ({ classes }, n, random) => [
    "PATCH",
    `/share-classes/${random.pick(pair(classes))}`,
    { name: `Class ${n}` },
  ],
  plan: (_company, n) => [
    "POST",
    "/equity-plans",
    { planName: `Pool ${n}`, initialSharesReserved: String(n), adoptedDate: "2026-01-01" },
  ],
  recordOnly: (_company, n) => [
    "POST",
    "/transactions",
    { type: "STOCK_ISSUANCE", effectiveDate: "2026-01-15", quantity: String(n) },
  ],
};

function pair(ids: readonly string[]): readonly [string, ...string[]] {
  return ids as readonly [string, ...string[]];
}

test("after each of many writes to three organizations, each is answered what a new connection answers", async () => {
  const random = new Random(firstSeed());
  const companies: [Company, ...Company[]] = [await makeCompany(server.orgId)];
  for (const name of ["Second", "Third"]) companies.push(await makeCompany(await server.newOrganization(name)));
  const [kinds, steps] = [Object.keys(WRITES) as [string, ...string[]], RELEASE ? 1000 : 24];
  const stale: Record<string, number> = Object.fromEntries(kinds.map((kind) => [kind, 0]));
  let others = 0;
  for (let step = 0; step < steps; step++) {
    const company = random.pick(companies);
    const kind = step < kinds.length ? (kinds[step] as string) : random.pick(kinds);
    const before = new Map(companies.map(({ orgId }) => [orgId, allOf(orgId)]));
    const [method, path, body] = (WRITES[kind] as (typeof WRITES)[string])(company, 1000 + step, random);
    const answer = await server.api(method, path, body, { orgId: company.orgId });
    expect([kind, answer.status < 300 ? "" : answer.text]).toEqual([kind, ""]);
    for (const { orgId } of companies) {
      const now = anew(orgId);
      expect(allOf(orgId)).toEqual(now);
      // Asked once more: what was given away before took nothing of what is kept.
      expect(allOf(orgId)).toEqual(now);
      // The answer of a memory that has not learned of the write: the planted fault.
      const isChanged = JSON.stringify(before.get(orgId)) !== JSON.stringify(now);
      if (orgId === company.orgId && isChanged) stale[kind] = (stale[kind] ?? 0) + 1;
      if (orgId !== company.orgId && isChanged) others++;
    }
  }
  // A memory that forgot nothing would have been found out by each kind of write but the one that counts in no total.
  for (const kind of kinds) expect([kind, (stale[kind] ?? 0) > 0]).toEqual([kind, kind !== "recordOnly"]);
  expect(others).toBe(0);
});

test("what is given away may be changed and moved, and the next answer is whole", () => {
  const asked = { moment: { asOf: TODAY, knownAt: END_OF_TIME }, knownAt: NOW };
  const first = readTable(db, server.orgId, asked, TODAY);
  const text = decoder.decode(first);
  first.fill(0);
  structuredClone(first, { transfer: [first.buffer] });
  expect(first.length).toBe(0);
  expect(tableOf(server.orgId, TODAY)).toBe(text);
  const history = readHistory(db, server.orgId, TODAY);
  const whole = decoder.decode(history);
  history.fill(0);
  expect(decoder.decode(readHistory(db, server.orgId, TODAY))).toBe(whole);
});

test("the instant at which it is known is each caller's own", () => {
  const moment = { asOf: TODAY, knownAt: END_OF_TIME };
  for (const knownAt of ["2026-07-01T00:00:00.000Z", "2026-07-01T10:11:12.345Z"]) {
    const { data } = JSON.parse(decoder.decode(readTable(db, server.orgId, { moment, knownAt }, TODAY)));
    expect([data.asOf, data.knownAt]).toEqual([TODAY, knownAt]);
  }
});
