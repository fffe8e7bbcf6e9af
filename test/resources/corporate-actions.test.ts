import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { newestEntry, refusal, tryBodies, tryCommonRules } from "./support.ts";

let server: TestServer;
const basic = { type: "Stock Split", title: "Two for one", effectiveDate: "2026-03-01" };
const statuses = ["Draft", "In Review", "Approved", "Finalized"];

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test("corporate actions behave as every resource does, in `data` envelopes", () =>
  tryCommonRules(server, "/corporate-actions", basic, "data", true));

test("each member is taken up to its limit, and refused beyond", () =>
  tryBodies(
    server,
    "/corporate-actions",
    {
      required: basic,
      accepted: [
        ...[
          "Stock Split",
          "Reverse Split",
          "Option Pool Change",
          "Financing Round",
          "Instrument Conversion",
          "Termination",
        ].map((type) => ["type", type] as const),
        ...statuses.map((status) => ["status", status] as const),
        ["title", "t".repeat(200)],
        ["summary", "s".repeat(2000)],
        ["metadata", {}],
        ["metadata", { notes: "n".repeat(2000), boardApprovalDate: "2026-01-15", stockholderApprovalDate: null }],
        ["metadata", { documentIds: ["a", "a", "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e"] }],
      ],
      refused: [
        ["type", "STOCK_SPLIT"],
        ["status", "Locked"],
        ["title", "t".repeat(201)],
        ["title", ""],
        ["summary", "s".repeat(2001)],
        ["effectiveDate", "2026-3-1"],
        ["metadata", "x"],
        ["metadata", []],
        ["metadata", { other: 1 }, "#/metadata/other"],
        ["metadata", { notes: "n".repeat(2001) }, "#/metadata/notes"],
        ["metadata", { boardApprovalDate: "2023-02-30" }, "#/metadata/boardApprovalDate"],
        ["metadata", { stockholderApprovalDate: 5 }, "#/metadata/stockholderApprovalDate"],
        ["metadata", { documentIds: ["ok", 5] }, "#/metadata/documentIds/1"],
      ],
      nullable: ["summary", "metadata"],
      defaulted: ["status"],
    },
    true,
  ));

test("any status may follow any other, and nothing of it reaches the ledger", async () => {
  const { id } = (await server.api("POST", "/corporate-actions", basic)).json.data;
  for (const from of statuses) {
    for (const status of statuses) {
      await server.api("PATCH", `/corporate-actions/${id}`, { status: from });
      const answer = await server.api("PATCH", `/corporate-actions/${id}`, { status });
      expect([answer.status, answer.json.data.status]).toEqual([200, status]);
    }
  }
  expect(await newestEntry(server)).toBeNull();
});

test("a PATCH replaces metadata whole, and leaves it alone when it does not name it", async () => {
  const metadata = { notes: "old", boardApprovalDate: "2026-01-15" };
  const { id } = (await server.api("POST", "/corporate-actions", { ...basic, metadata })).json.data;
  const renamed = await server.api("PATCH", `/corporate-actions/${id}`, { title: "Three for one" });
  expect(renamed.json.data).toMatchObject({ title: "Three for one", metadata });
  const replaced = await server.api("PATCH", `/corporate-actions/${id}`, { metadata: { notes: "new" } });
  expect(replaced.json.data.metadata).toEqual({ notes: "new" });
});

test("a PATCH with an Idempotency-Key takes effect once", async () => {
  const { id } = (await server.api("POST", "/corporate-actions", basic)).json.data;
  const options = { headers: { "idempotency-key": "patch-1" } };
  const first = await server.api("PATCH", `/corporate-actions/${id}`, { status: "Approved" }, options);
  await server.api("PATCH", `/corporate-actions/${id}`, { status: "Finalized" });
  const again = await server.api("PATCH", `/corporate-actions/${id}`, { status: "Approved" }, options);
  expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
  expect((await server.api("GET", `/corporate-actions/${id}`)).json.data.status).toBe("Finalized");
  const other = await server.api("PATCH", `/corporate-actions/${id}`, { status: "Draft" }, options);
  expect(refusal(other)).toEqual([422, "idempotency-key-reused"]);
});
