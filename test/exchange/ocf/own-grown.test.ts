// An organization's own export, with additions, is imported: statements about balances that exist in OCF only
// are refused, as their securities were changed here; nothing of it counts twice, under any issuer.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { packageOf } from "../../../src/exchange/ocf/package.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { exportOf } from "./export/support.ts";
import { type Fields, stock, tx } from "./objects.ts";
import { Organization } from "./organization.ts";

setDefaultTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const SHARES = { stakeholderId: "ada", stockClassId: "common", pricePerShare: "1" };

/** An organization with holders and classes, and stock issued here: 100 under each certificate number. */
async function withStock(...numbers: readonly string[]) {
  const company = await Organization.make(server);
  await company.import();
  const ids: string[] = [];
  for (const certificateId of numbers) {
    ids.push((await company.act("issue-shares", { ...SHARES, quantity: "100", certificateId })).securityId);
  }
  return { company, ids };
}

/** The organization's export with more transactions, perhaps under another issuer. */
async function grownExport(company: Organization, more: readonly Fields[], issuer: object = {}) {
  const { files } = await exportOf(server, company.orgId);
  const { "ocf_manifest.json": manifest, "transactions.json": transactions, ...others } = files;
  const grown = { ...transactions, items: [...(transactions?.items ?? []), ...more] };
  const { "issuer.json": _, ...entityFiles } = others;
  return packageOf(
    { ...manifest, issuer: { ...manifest?.issuer, ...issuer } },
    { ...entityFiles, "transactions.json": grown },
  );
}

/** The security that the export issues last: what is open of the one that was divided last. */
async function balanceIn(company: Organization): Promise<string> {
  const { objects } = await exportOf(server, company.orgId);
  return String(objects.findLast(({ object_type: type }) => type === "TX_STOCK_ISSUANCE")?.security_id);
}

const LATER = "2027-01-01";
const sale = (securityId: string, quantity: string) => [
  tx("STOCK_TRANSFER", LATER, { security_id: securityId, quantity, resulting_security_ids: ["sold"] }),
  stock("sold", LATER, quantity, { stakeholder_id: "bob" }),
];

async function expectRefused(company: Organization, securityId: string, issuer: object = {}, isWhole = true) {
  const before = await company.addsUp();
  const [changed, balance] = [await company.lastEntry(), await balanceIn(company)];
  const more = sale(balance, "60");
  const grown = isWhole ? await grownExport(company, more, issuer) : null;
  const { errors, imported } = grown ? await company.importPackage(grown) : await company.import(...more);
  expect(errors).toMatchObject(
    more.map(({ id }) => ({ code: "changed-here", id, securityId, transactionId: changed })),
  );
  expect(Object.values(imported).every((count) => count === 0)).toBe(true);
  expect(await company.addsUp()).toEqual(before);
}

test("what is said of a balance is refused, with what comes of it", async () => {
  const { company, ids } = await withStock("CS-1");
  await company.cancel(ids[0] ?? "", "40");
  await expectRefused(company, ids[0] ?? "");
});

test("also under another issuer, and without the rest of the package", async () => {
  const { company, ids } = await withStock("CS-1");
  await company.cancel(ids[0] ?? "", "40");
  await expectRefused(company, ids[0] ?? "", { id: "another issuer" });
  await expectRefused(company, ids[0] ?? "", {}, false);
});

test("also of what a split or a correction behind it left", async () => {
  const { company, ids } = await withStock("CS-1");
  await company.cancel(ids[0] ?? "", "39");
  await company.split(1, 2);
  await expectRefused(company, ids[0] ?? "");
  await company.call("PATCH", `/securities/${ids[0]}`, { quantity: "60" });
  await expectRefused(company, ids[0] ?? "");
});

test("what is said of a security that was issued here and not changed since comes in", async () => {
  const { company, ids } = await withStock("CS-1", "CS-2");
  await company.cancel(ids[0] ?? "", "40");
  const { errors, imported } = await company.importPackage(await grownExport(company, sale(ids[1] ?? "", "100")));
  expect(errors).toEqual([]);
  expect(imported).toMatchObject({ issuances: 1, transactions: 1 });
  expect((await company.addsUp()).holdings).toEqual({ "ada|STOCK|common": "60", "bob|STOCK|common": "100" });
});

test("an export of before a correction brings no balance once more", async () => {
  const { company, ids } = await withStock("CS-1");
  await company.cancel(ids[0] ?? "", "40");
  const early = await grownExport(company, []);
  await company.call("PATCH", `/securities/${ids[0]}`, { quantity: "50" });
  const { imported, errors } = await company.importPackage(early);
  expect(errors).toEqual([]);
  expect(Object.values(imported).every((count) => count === 0)).toBe(true);
  expect((await company.addsUp()).classes).toEqual({ common: "50" });
});

test("what came in by import, was changed here, and comes back in the own export, is refused alike", async () => {
  const company = await Organization.make(server);
  await company.import(stock("A", "2024-01-10", "100"));
  await company.transfer("A", "40");
  await expectRefused(company, "A");
});
