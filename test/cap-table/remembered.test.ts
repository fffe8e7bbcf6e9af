// A cap table that was laid out is told again until something of the organization is written, and never after.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readTable } from "../../src/cap-table/remembered.ts";
import { openReadOnly } from "../../src/database/open.ts";
import type { Reader } from "../../src/database/sql.ts";
import { END_OF_TIME } from "../../src/kernel/runtime.ts";
import { makeShareClass, makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(60_000);

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

const MOMENT = { asOf: "2026-06-30", knownAt: END_OF_TIME };
const table = (orgId = server.orgId) => readTable(db, orgId, MOMENT, "2026-07-01");

test("a table is laid out once until something is written, and each change of a record or the ledger shows", async () => {
  const [stakeholderId, stockClassId] = [await makeStakeholder(server), await makeShareClass(server)];
  const issued = { stakeholderId, stockClassId, quantity: "5", certificateId: "A", effectiveDate: "2026-01-01" };
  const writes: readonly (readonly [method: string, path: string, body: object, shows: string])[] = [
    ["POST", "/transactions/issue-shares", issued, '"outstanding":"5"'],
    ["PATCH", `/stakeholders/${stakeholderId}`, { displayName: "Another name" }, '"Another name"'],
    ["PATCH", `/share-classes/${stockClassId}`, { name: "Another class" }, '"Another class"'],
    ["POST", "/equity-plans", { planName: "Pool", initialSharesReserved: "7", adoptedDate: "2026-01-01" }, '"Pool"'],
    ["POST", "/transactions/split", { stockClassId, numerator: 3, denominator: 1 }, '"outstanding":"15"'],
  ];
  for (const [method, path, body, shows] of writes) {
    const before = table();
    expect(table()).toBe(before);
    expect(before.after).not.toContain(shows);
    const dated = path.startsWith("/transactions/split") ? { ...body, effectiveDate: "2026-06-01" } : body;
    const answer = await server.api(method, path, dated);
    expect([path, answer.status < 300]).toEqual([path, true]);
    const shown = await server.api("GET", `/cap-table?asOf=${MOMENT.asOf}`);
    expect(JSON.stringify(shown.json)).toContain(shows);
    expect(table().after).toContain(shows);
  }
});

test("what is written to one organization makes no other's anew, and none is told another's", async () => {
  const other = await server.newOrganization();
  const [mine, theirs] = [table(), table(other)];
  expect(theirs.after).toContain('"stakeholders":[]');
  await makeStakeholder(server);
  expect(table(other)).toBe(theirs);
  expect(table()).not.toBe(mine);
});
