// What came in as a balance goes on as any grant: through OCF and back, a split, a transfer and an exercise.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { callerOf, expectNoProblems, exportOf, importInto } from "../ocf/export/support.ts";
import { askImport, ended } from "./asking.ts";
import { mappingOf } from "./mapped.ts";

setDefaultTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const GRANTS =
  "No,Who,When,Issued,Left,Terms,Exercised,Forfeited,Transferred\n" +
  "ES-1,Ada,2024-10-31,4800,2400,4 yr/1 yr cliff,2400,-,-\n" +
  "ES-2,Ben,2024-10-31,4800,2400,4 yr/1 yr cliff,-,2400,-\n" +
  "ES-3,Cy,2024-10-31,4801,1601,1/16 quarterly,1000,1000,1200\n" +
  "ES-4,Dee,2024-10-31,480,480,4 yr/1 yr cliff,-,-,-\n";
const DAYS = ["2024-10-30", "2025-10-31", "2026-10-30", "2026-10-31", "2026-11-30", "2027-01-31", "2028-10-31"];

/** What has vested and is not exercised of each number, on each day. */
async function vestedIn(orgId: string): Promise<Readonly<Record<string, readonly number[]>>> {
  const call = callerOf(server, orgId);
  const securities: { readonly id: string; readonly certificateId: string }[] = (
    await server.api("GET", "/securities?limit=100", undefined, { orgId })
  ).json.items;
  const found: Record<string, readonly number[]> = {};
  for (const { id, certificateId } of securities) {
    const days = DAYS.map(async (day) => {
      const { vested, exercised } = await call("GET", `/securities/${id}/vesting?asOf=${day}`);
      return Number(vested) - Number(exercised);
    });
    found[certificateId] = await Promise.all(days);
  }
  return found;
}

test("a balance vests the same after OCF there and back, and on through a split, a transfer and an exercise", async () => {
  const orgId = await server.newOrganization("Going on, Inc.");
  const minus = { exercised: ["Exercised"], forfeited: ["Forfeited"], transferred: ["Transferred"] };
  const more = { format: "MAPPING", mapping: mappingOf({ minus }), options: { asOf: "2026-10-31" } };
  const { id } = await askImport(server, Buffer.from(GRANTS), { orgId, name: "Grants.csv", more });
  expect((await ended(server, id, orgId)).problems).toEqual([]);
  await server.api("POST", `/imports/${id}/commit`, undefined, { orgId });
  expect((await ended(server, id, orgId)).state).toBe("COMMITTED");
  const before = await vestedIn(orgId);
  expect(before["ES-1"]).toEqual([0, 0, 0, 0, 100, 300, 2400]);
  expect(before["ES-2"]).toEqual([0, 1200, 2300, 2400, 2400, 2400, 2400]);
  const exported = await exportOf(server, orgId);
  await expectNoProblems(exported);
  const otherId = await server.newOrganization("Going on, Inc.");
  await importInto(server, otherId, exported.path);
  expect(await vestedIn(otherId)).toEqual(before);

  for (const each of [orgId, otherId]) {
    const call = callerOf(server, each);
    const list = (await server.api("GET", "/securities?limit=100", undefined, { orgId: each })).json.items;
    const of = (number: string) => list.find((item: { certificateId: string }) => item.certificateId === number);
    const effectiveDate = "2026-10-31";
    const { stockClassId } = of("ES-1");
    await call("POST", "/transactions/split", { stockClassId, numerator: 2, denominator: 1, effectiveDate });
    const authorized = { stockClassId, newSharesAuthorized: "10000", effectiveDate };
    await call("POST", "/transactions/adjust-authorized", authorized);
    const parties = { fromStakeholderId: of("ES-1").stakeholderId, toStakeholderId: of("ES-2").stakeholderId };
    const transfer = { securityId: of("ES-1").id, ...parties, quantity: "2400", effectiveDate };
    const { newSecurityId } = await call("POST", "/transactions/transfer", transfer);
    const exercise = { securityId: of("ES-2").id, quantity: "1000", exercisePrice: "0.5", effectiveDate };
    await call("POST", "/transactions/exercise", { ...exercise, stockClassId });
    const at = async (securityId: string, day: string) => {
      const { vested, exercised } = await call("GET", `/securities/${securityId}/vesting?asOf=${day}`);
      return [Number(vested), Number(exercised)];
    };
    expect(await at(of("ES-1").id, "2026-11-30")).toEqual([100, 0]);
    expect(await at(newSecurityId, "2026-11-30")).toEqual([100, 0]);
    expect(await at(of("ES-2").id, "2026-11-30")).toEqual([4800, 1000]);
  }
});
