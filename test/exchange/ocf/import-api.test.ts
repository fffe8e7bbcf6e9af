// The import over a real socket, and what the API shows of what came in.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestServer, type TestServer } from "../../kit/service.ts";

const MEBIBYTE = 1024 * 1024;

const manifest = {
  file_type: "OCF_MANIFEST_FILE",
  ocf_version: "1.2.0",
  issuer: { object_type: "ISSUER", id: "issuer", legal_name: "Acme, Inc." },
  as_of: "2026-01-01T00:00:00Z",
  generated_at: "2026-01-01T00:00:00Z",
  comments: [],
};
const stakeholders = {
  items: [
    {
      object_type: "STAKEHOLDER",
      id: "holder/1 ü",
      name: { legal_name: "Ada Lovelace" },
      stakeholder_type: "INDIVIDUAL",
      current_relationship: "FOUNDER",
    },
  ],
};
const classes = {
  items: [
    {
      object_type: "STOCK_CLASS",
      id: "common",
      name: "Common",
      class_type: "COMMON",
      default_id_prefix: "CS-",
      initial_shares_authorized: "10000000",
      votes_per_share: "1",
    },
  ],
};
const transactions = {
  items: [
    {
      object_type: "TX_STOCK_ISSUANCE",
      id: "issue-1",
      date: "2026-01-01",
      security_id: "security-1",
      custom_id: "CS-1",
      stakeholder_id: "holder/1 ü",
      stock_class_id: "common",
      share_price: { amount: "0.0001", currency: "USD" },
      quantity: "4000000.00",
      security_law_exemptions: [],
      stock_legend_ids: [],
    },
  ],
};
const entityFiles = {
  "stakeholders.json": stakeholders,
  "stock_classes.json": classes,
  "transactions.json": transactions,
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const importing = (body: unknown, options = {}) => server.api("POST", "/cap-table/ocf-import", body, options);

describe("POST /cap-table/ocf-import", () => {
  test("takes in stakeholders, classes and issuances, and says how many", async () => {
    const { status, json } = await importing({ manifest, entityFiles });
    expect(status).toBe(200);
    expect(json.data.imported).toMatchObject({ stakeholders: 1, stockClasses: 1, issuances: 1, transactions: 0 });
    expect(json.data.conflicts).toEqual([]);
    expect(json.data.errors).toEqual([]);
    const summary = await server.api("GET", "/cap-table/summary");
    expect(summary.json.data).toMatchObject({ stakeholderCount: 1, shareClassCount: 1, totalIssued: "4000000" });
  });

  test("shows what came in, under the ids that it had", async () => {
    const holder = await server.api("GET", `/stakeholders/${encodeURIComponent("holder/1 ü")}`);
    expect(holder.json).toMatchObject({ displayName: "Ada Lovelace", relationships: ["FOUNDER"], status: "CURRENT" });
    const found = await server.api("GET", "/stakeholders?q=LOVELACE");
    expect(found.json.items).toHaveLength(1);
    const theClass = await server.api("GET", "/share-classes/common");
    expect(theClass.json).toMatchObject({ seniority: 1, tokenizationStatus: "NOT_STARTED" });
    const security = await server.api("GET", "/securities/security-1");
    expect(security.json).toMatchObject({
      quantity: "4000000.00",
      certificateId: "CS-1",
      tokenStatus: "NOT_APPLICABLE",
    });
    const entry = await server.api("GET", "/transactions/issue-1");
    expect(entry.json.data).toMatchObject({ type: "STOCK_ISSUANCE", securityId: "security-1", quantity: "4000000.00" });
    const organization = await server.api("GET", "/organization");
    expect(organization.json.legalName).toBe("Acme, Inc.");
  });

  test("again adds nothing and reports each as a conflict", async () => {
    const { status, json } = await importing({ manifest, entityFiles });
    expect(status).toBe(200);
    expect(Object.values(json.data.imported).every((count) => count === 0)).toBe(true);
    expect(
      json.data.conflicts.map(({ entityType, id }: { entityType: string; id: string }) => [entityType, id]),
    ).toEqual([
      ["stakeholder", "holder/1 ü"],
      ["stock_class", "common"],
      ["stock_issuance", "issue-1"],
    ]);
  });

  test("leaves records made here alone, under any id", async () => {
    const orgId = await server.newOrganization("Other");
    const name = { legalName: "Grace Hopper" };
    const made = await server.api(
      "POST",
      "/stakeholders",
      { displayName: "Grace", name, type: "INDIVIDUAL" },
      { orgId },
    );
    const items = [{ ...stakeholders.items[0], id: made.json.id }];
    const { json } = await importing({ manifest, entityFiles: { "stakeholders.json": { items } } }, { orgId });
    expect(json.data.conflicts).toEqual([
      { entityType: "stakeholder", id: made.json.id, reason: "A record with this id exists already." },
    ]);
    const shown = await server.api("GET", `/stakeholders/${made.json.id}`, undefined, { orgId });
    expect(shown.json.displayName).toBe("Grace");
  });

  test("the same package comes into two organizations", async () => {
    const orgId = await server.newOrganization("Second");
    const { json } = await importing({ manifest, entityFiles }, { orgId });
    expect(json.data.imported).toMatchObject({ stakeholders: 1, stockClasses: 1, issuances: 1 });
    const organization = await server.api("GET", "/organization", undefined, { orgId });
    expect(organization.json.legalName).toBe("Second");
  });

  test("what came in can be worked with like anything else", async () => {
    const body = {
      securityId: "security-1",
      quantity: "1000000",
      cancellationReason: "FORFEITURE",
      effectiveDate: "2026-02-01",
    };
    expect((await server.api("POST", "/transactions/cancel", body)).status).toBe(200);
    const summary = await server.api("GET", "/cap-table/summary");
    expect(summary.json.data.totalIssued).toBe("3000000");
  });

  test("is written to the audit log", async () => {
    const { json } = await server.api("GET", "/audit-log?limit=100");
    const types = new Set(json.items.map(({ resourceType }: { resourceType: string }) => resourceType));
    for (const type of ["stakeholder", "share class", "security", "organization"]) expect(types).toContain(type);
  });
});

describe("a body that nothing can be made of is refused", () => {
  const faults: readonly (readonly [what: string, body: unknown, pointer: string])[] = [
    ["no manifest", { entityFiles }, "#/manifest"],
    ["an invalid manifest", { manifest: [], entityFiles }, "#/manifest"],
    ["no files", { manifest }, "#/entityFiles"],
    ["files in a list", { manifest, entityFiles: [stakeholders] }, "#/entityFiles"],
    ["a member too many", { manifest, entityFiles, isDry: true }, "#/isDry"],
    [
      "a file that is no object",
      { manifest, entityFiles: { "stakeholders.json": 5 } },
      "#/entityFiles/stakeholders.json",
    ],
    [
      "a file without items",
      { manifest, entityFiles: { "stakeholders.json": {} } },
      "#/entityFiles/stakeholders.json/items",
    ],
  ];
  for (const [what, body, pointer] of faults) {
    test(what, async () => {
      const { status, json } = await importing(body);
      expect(status).toBe(422);
      expect(json.errors.map((error: { pointer: string }) => error.pointer)).toEqual([pointer]);
    });
  }

  test("without the role ADMIN", async () => {
    expect((await importing({ manifest, entityFiles }, { role: "EDITOR" })).status).toBe(403);
  });

  test("beyond 64 MiB", async () => {
    const body = `{"manifest":{},"entityFiles":{},"filler":"${"x".repeat(64 * MEBIBYTE)}"}`;
    expect((await importing(body)).status).toBe(413);
  });
});

test("more than the ordinary limit of a body comes in", async () => {
  const comments = ["x".repeat(MEBIBYTE / 2)];
  const items = ["wordy", "wordier", "wordiest"].map((id) => ({ ...stakeholders.items[0], id, comments }));
  const { status, json } = await importing({ manifest, entityFiles: { "stakeholders.json": { items } } });
  expect(status).toBe(200);
  expect(json.data.imported.stakeholders).toBe(3);
});

test("a large import holds no request up", async () => {
  const items = Array.from({ length: 1500 }, (_, i) => ({ ...stakeholders.items[0], id: `bulk-${i}` }));
  const imported = importing({ manifest, entityFiles: { "stakeholders.json": { items } } });
  let isDone = false;
  const finished = imported.finally(() => {
    isDone = true;
  });
  let served = 0;
  while (!isDone) {
    expect((await server.api("GET", "/cap-table/summary")).status).toBe(200);
    served++;
  }
  expect((await finished).json.data.imported.stakeholders).toBe(1500);
  expect(served).toBeGreaterThan(3);
});
