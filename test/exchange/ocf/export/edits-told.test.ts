// A package corrects issuances, so an edit that counts here from its own day counts there from the day of issue: the
// manifest says so where it is so, and nowhere else.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { unzipSync } from "fflate";
import { Service } from "../../../kit/in-process.ts";
import type { Shape } from "./company.ts";

setDefaultTimeout(60_000);

let home: Service;
beforeAll(async () => {
  home = await Service.start(1);
});
afterAll(() => home.stop());

const TOLD = "from the day of issue";

/** The manifest's comments of a company with 1,000 shares of Ann's, issued on a day, after what is done to them. */
async function commentsAfter(
  grantDate: string,
  act: (send: (method: string, path: string, body: object) => Promise<Shape>, ids: Shape) => Promise<unknown>,
): Promise<readonly string[]> {
  const orgId = await home.newOrganization("Edited, Inc.");
  const send = async (method: string, path: string, body: object): Promise<Shape> => {
    const { status, json, text } = await home.api(method, path, body, { orgId });
    if (status >= 300) throw new Error(text);
    return json.data ?? json;
  };
  const holder = async (name: string): Promise<string> =>
    (await send("POST", "/stakeholders", { displayName: name, name: { legalName: name }, type: "INDIVIDUAL" })).id;
  const [ann, bob] = [await holder("Ann"), await holder("Bob")];
  const terms = { classType: "COMMON", votesPerShare: "1", seniority: 1, initialSharesAuthorized: "100000" };
  const { id: common } = await send("POST", "/share-classes", { name: "Common", defaultIdPrefix: "CS-", ...terms });
  const stock = { type: "STOCK", stockClassId: common, stakeholderId: ann, quantity: "1000", certificateId: "CS-1" };
  const { id } = await send("POST", "/securities", { ...stock, pricePerShare: "1", grantDate });
  await act(send, { id, bob });
  const archive = await home.download("/cap-table/ocf-export", orgId);
  const [, manifest] = Object.entries(unzipSync(archive)).find(([name]) => name.includes("manifest")) ?? [];
  const comments: readonly string[] = JSON.parse(new TextDecoder().decode(manifest)).comments ?? [];
  return comments.filter((text) => text.includes(TOLD));
}

test("an edit of quantity or holder that counts from today is told", async () => {
  const told = await commentsAfter("2025-01-01", async (send, { id, bob }) => {
    await send("PATCH", `/securities/${id}`, { quantity: "900" });
    await send("PATCH", `/securities/${id}`, { stakeholderId: bob });
  });
  expect(told).toEqual([expect.stringMatching(/^An edit of what a security holds.* \(2 times\)\.$/)]);
});

for (const [name, grantDate, body] of [
  ["an edit of the day of issue", "2026-06-15", { quantity: "900" }],
  ["a price, which is right from the first day here, too", "2025-01-01", { pricePerShare: "2" }],
  ["a status, which has a day", "2025-01-01", { status: "CANCELLED" }],
  ["what only describes it", "2025-01-01", { comments: "Seen" }],
] as const) {
  test(`${name} is not`, async () => {
    expect(await commentsAfter(grantDate, (send, { id }) => send("PATCH", `/securities/${id}`, body))).toEqual([]);
  });
}

test("a correction from the first day is not, nor what it takes back", async () => {
  const told = await commentsAfter("2025-01-01", async (send, { id }) => {
    await send("PATCH", `/securities/${id}`, { quantity: "900" });
    await send("POST", "/transactions/correct", { securityId: id, reason: "Typed wrong", quantity: "800" });
  });
  expect(told).toEqual([]);
});
