// What is dated after today is told of: a warning with the write, and the day on the security.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Service } from "../kit/in-process.ts";
import type { Shape } from "../ocf/export/company.ts";

const TODAY = "2026-06-15";
const LATER = "2026-12-29";

let home: Service;
let orgId: string;
beforeAll(async () => {
  home = await Service.start(1);
  orgId = await home.newOrganization("Ahead, Inc.");
});
afterAll(() => home.stop());

async function call(method: string, path: string, body?: object): Promise<Shape> {
  const { status, json, text } = await home.api(method, path, body, { orgId });
  if (status >= 300) throw new Error(text);
  return json.data ?? json;
}

test("an entry dated after today is warned of, and stands in ahead[] of what it is on and what it makes", async () => {
  const holder = (name: string) =>
    call("POST", "/stakeholders", { displayName: name, name: { legalName: name }, type: "INDIVIDUAL" });
  const [{ id: ann }, { id: bob }] = [await holder("Ann"), await holder("Bob")];
  const terms = { classType: "COMMON", votesPerShare: "1", seniority: 1, defaultIdPrefix: "CS-" };
  const shares = { name: "Common", ...terms, initialSharesAuthorized: "100000" };
  const { id: stockClassId } = await call("POST", "/share-classes", shares);
  const stock = { type: "STOCK", stockClassId, stakeholderId: ann, quantity: "1000" };
  const codes = ({ warnings }: Shape) => warnings.map(({ code }: Shape) => code);
  const now = await call("POST", "/securities", { ...stock, certificateId: "CS-1", grantDate: TODAY });
  expect(codes(now)).not.toContain("dated-ahead");
  expect(now.ahead).toEqual([]);
  const later = await call("POST", "/securities", { ...stock, certificateId: "CS-2", grantDate: LATER });
  expect(codes(later)).toContain("dated-ahead");
  expect(later.ahead).toMatchObject([{ type: "STOCK_ISSUANCE", effectiveDate: LATER }]);
  const sale = {
    securityId: now.id,
    fromStakeholderId: ann,
    toStakeholderId: bob,
    quantity: "10",
    effectiveDate: LATER,
  };
  expect(codes(await call("POST", "/transactions/transfer", { ...sale, dryRun: true }))).toContain("dated-ahead");
  const sold = await call("POST", "/transactions/transfer", sale);
  expect(codes(sold)).toContain("dated-ahead");
  const ahead = [{ transactionId: sold.transactionId, type: "STOCK_TRANSFER", effectiveDate: LATER }];
  for (const id of [now.id, sold.newSecurityId]) expect((await call("GET", `/securities/${id}`)).ahead).toEqual(ahead);
  const { items } = await call("GET", "/securities?limit=100");
  expect(items.find(({ id }: Shape) => id === now.id).ahead).toEqual(ahead);
  const position = await call("GET", `/stakeholders/${ann}/position`);
  expect(position.securities.find(({ id }: Shape) => id === now.id).ahead).toEqual(ahead);
});
