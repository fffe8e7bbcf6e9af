import { afterAll, beforeAll, expect, test } from "bun:test";
import { makeShareClass, makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { refusal, tryBodies, tryCommonRules } from "./support.ts";

let server: TestServer;
const basic = { name: "Securities Act", text: "Not registered.\nMay not be sold." };

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test("stock legends behave as every resource does", () => tryCommonRules(server, "/stock-legends", basic, "items"));

test("each member is taken up to its limit, and refused beyond", () =>
  tryBodies(server, "/stock-legends", {
    required: basic,
    accepted: [
      ["name", "n".repeat(200)],
      ["text", "😀".repeat(2000)],
      ["comments", "c".repeat(2000)],
    ],
    refused: [
      ["name", "n".repeat(201)],
      ["name", " "],
      ["name", "two\nlines"],
      ["text", ""],
      ["text", "t".repeat(2001)],
      ["text", "bell\u0007"],
      ["comments", "c".repeat(2001)],
    ],
    nullable: ["comments"],
  }));

test("a legend that a share class names cannot be deleted until the class lets go of it", async () => {
  const { id } = (await server.api("POST", "/stock-legends", basic)).json;
  const other = (await server.api("POST", "/stock-legends", basic)).json.id;
  const stockClass = await makeShareClass(server, { stockLegendIds: [id] });
  expect(refusal(await server.api("DELETE", `/stock-legends/${id}`))).toEqual([409, "in-use"]);
  expect((await server.api("DELETE", `/stock-legends/${other}`)).status).toBe(204);
  await server.api("PATCH", `/share-classes/${stockClass}`, { stockLegendIds: [] });
  expect((await server.api("DELETE", `/stock-legends/${id}`)).status).toBe(204);
  const late = await server.api("PATCH", `/share-classes/${stockClass}`, { stockLegendIds: [id] });
  expect(refusal(late)).toEqual([404, "not-found"]);
});

test("a legend that a security names cannot be deleted until the security is gone", async () => {
  const { id } = (await server.api("POST", "/stock-legends", basic)).json;
  const holder = { stakeholderId: await makeStakeholder(server), stockClassId: await makeShareClass(server) };
  const grant = { type: "STOCK", quantity: "1", certificateId: "L-1", grantDate: "2026-01-15", stockLegendIds: [id] };
  const security = await server.api("POST", "/securities", { ...holder, ...grant });
  expect([security.status, security.json.stockLegendIds]).toEqual([201, [id]]);
  expect(refusal(await server.api("DELETE", `/stock-legends/${id}`))).toEqual([409, "in-use"]);
  expect((await server.api("DELETE", `/securities/${security.json.id}`)).status).toBe(204);
  expect((await server.api("DELETE", `/stock-legends/${id}`)).status).toBe(204);
});
