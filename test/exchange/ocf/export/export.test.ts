// The export of an organization: valid, complete as far as OCF goes, the same each time, and adding up.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { MATERIAL } from "../../../kit/ocf-material.ts";
import { startTestServer, type TestServer } from "../../../kit/service.ts";
import { validatePath } from "../reading.ts";
import { changeCompany, done, type Ids, makeCompany, type Shape } from "./company.ts";
import { type Exported, exportOf, importInto, ofType, tool } from "./support.ts";

let server: TestServer;
let ids: Ids;
let fresh: Exported;
let changed: Exported;

beforeAll(async () => {
  server = await startTestServer();
  ids = await makeCompany(server);
  fresh = await exportOf(server);
  ids = await changeCompany(server, ids);
  changed = await exportOf(server);
}, 60_000);
afterAll(() => server.stop());

const NAMES = [
  "issuer",
  "stakeholders",
  "stock_classes",
  "stock_plans",
  "transactions",
  "valuations",
  "vesting_terms",
  "stock_legends",
  "documents",
  "ocf_manifest",
].map((key) => `${key}.json`);

/** What the service says of itself, to compare with what a package says. */
async function figures(orgId = server.orgId) {
  const ask = async (path: string) => (await server.api("GET", path, undefined, { orgId })).json;
  const summary = (await ask("/cap-table/summary")).data;
  const { totals } = (await ask("/cap-table?asOf=2099-01-01")).data;
  const plans = (await ask("/equity-plans?limit=100")).items;
  return {
    totalIssued: summary.totalIssued,
    stakeholderCount: summary.stakeholderCount,
    totalAuthorized: summary.totalAuthorized,
    options: totals.options,
    warrants: totals.warrants,
    available: Object.fromEntries(plans.map((plan: Shape) => [plan.id, plan.currentSharesReserved])),
  };
}

describe("the package", () => {
  test("has the ten files, and a manifest that lists them with the checksums of their bytes", () => {
    expect(Object.keys(fresh.files).sort()).toEqual([...NAMES].sort());
    const manifest = fresh.files["ocf_manifest.json"];
    expect(manifest.issuer).toEqual(fresh.files["issuer.json"]);
    const listed = Object.entries(manifest).filter(([name]) => name.endsWith("_files"));
    expect(listed.length).toBe(8);
    const bytes = unzipSync(new Uint8Array(readFileSync(fresh.path)));
    for (const [, entries] of listed as [string, { filepath: string; md5: string }[]][]) {
      for (const { filepath, md5 } of entries) {
        const content = bytes[filepath.slice(2)] ?? new Uint8Array();
        expect(createHash("md5").update(content).digest("hex")).toBe(md5);
      }
    }
  });

  test("has no problem by our own schemas and ledger, before and after corrections, splits and deletions", async () => {
    for (const { path } of [fresh, changed]) {
      const { problems, objects } = await validatePath(path);
      expect(problems.filter(({ severity }) => severity === "problem")).toEqual([]);
      expect(objects).toBeGreaterThan(60);
    }
  });

  test("has 0 problems by the official schemas", async () => {
    for (const { path } of [fresh, changed]) {
      expect(await tool("ocf-validate.mjs", path, join(MATERIAL, "schema-v1.2.0/schema"))).toMatch(/^0 problems in /m);
    }
  }, 60_000);

  test("names the same objects in every export", async () => {
    const again = await exportOf(server);
    const { generated_at: _, ...manifest } = again.files["ocf_manifest.json"];
    expect(changed.files["ocf_manifest.json"]).toMatchObject(manifest);
    expect(again.objects).toEqual(changed.objects);
  });

  test("only adds to what an earlier export named", () => {
    const later = new Set(changed.objects.map((object) => `${object.object_type} ${object.id}`));
    expect(fresh.objects.filter((object) => !later.has(`${object.object_type} ${object.id}`))).toEqual([]);
  });

  test("says in its comments what was made up and what has no form", () => {
    const { comments } = changed.files["ocf_manifest.json"];
    for (const word of ["formation date", "BOARD", "MD5", "only records", "one relationship"]) {
      expect(comments.some((comment: string) => comment.includes(word))).toBe(true);
    }
  });
});

describe("sums", () => {
  test("of an independent reader equal the service's", async () => {
    const oracle = JSON.parse(await tool("ocf-oracle.mjs", changed.path));
    const own = await figures();
    expect(oracle.totalIssued).toBe(own.totalIssued);
    expect(oracle.totalAuthorized).toBe(own.totalAuthorized);
    expect(oracle.totalEquityCompensation).toBe(own.options);
    expect(oracle.totalWarrants).toBe(own.warrants);
    const plans = Object.entries(oracle.stockPlans).map(([id, plan]: [string, Shape]) => [id, plan.available]);
    expect(Object.fromEntries(plans)).toEqual(own.available);
  }, 60_000);

  test("are the same in an organization that imports the package, and its export has the same objects", async () => {
    const orgId = await server.newOrganization();
    const report = await importInto(server, orgId, changed.path);
    expect(report.errors).toEqual([]);
    expect(await figures(orgId)).toEqual(await figures());
    const again = await exportOf(server, orgId);
    const sorted = (exported: Exported) =>
      [...exported.objects].sort((a, b) => (`${a.object_type} ${a.id}` < `${b.object_type} ${b.id}` ? -1 : 1));
    expect(sorted(again)).toEqual(sorted(changed));
  }, 60_000);
});

describe("transactions", () => {
  const issuance = (securityId: unknown) =>
    changed.objects.find(
      ({ object_type: type, security_id: id }) => id === securityId && /_ISSUANCE$/.test(String(type)),
    );

  test("a partial transfer ends the security and opens a balance that later ones act on", () => {
    const transfers = ofType(fresh, "TX_STOCK_TRANSFER");
    const [first, second] = transfers.filter(({ quantity }) => ["1200", "800"].includes(quantity));
    // Recorded second, and dated before its shares were issued: it counts from that day on.
    expect(first).toMatchObject({ security_id: ids.sold, quantity: "800", date: "2026-01-15" });
    expect(first?.comments).toEqual(["Dated 2025-01-01 in the ledger."]);
    const on = { security_id: first?.balance_security_id, date: "2026-02-01" };
    expect(second).toMatchObject({ ...on, quantity: "1200", consideration_text: "Sale; 0.5 per share" });
    const balance = ofType(fresh, "TX_STOCK_ISSUANCE").find((each) => each.security_id === second?.balance_security_id);
    expect(balance).toMatchObject({ quantity: "3000", stakeholder_id: ids.ada, custom_id: "CS-2" });
  });

  test("a transaction's id is its entry's", async () => {
    const entries = (await server.api("GET", "/transactions?type=STOCK_TRANSFER&limit=100")).json.data;
    const exported = ofType(changed, "TX_STOCK_TRANSFER").map(({ id }) => id);
    expect(exported.sort()).toEqual(
      entries
        .filter((each: Shape) => !each.metadata.directEdit)
        .map((each: Shape) => each.id)
        .sort(),
    );
  });

  test("an issuance shows the quantity, holder, class and plan that direct edits corrected", () => {
    expect(issuance(ids.corrected)).toMatchObject({ quantity: "750", stakeholder_id: ids.bob });
    expect(issuance(ids.partCorrected)).toMatchObject({ quantity: "1050", stock_class_id: ids.preferred });
    expect(issuance(ids.handOption)).toMatchObject({ quantity: "60", stock_plan_id: ids.plan });
  });

  test("a status set by hand ends the security by its own transaction, unless it was set back", () => {
    const ends = (certificateId: string) => {
      const issued = changed.objects.find(({ custom_id: id }) => id === certificateId);
      const acts = changed.objects.filter(({ security_id: id }) => id === issued?.security_id && issued !== undefined);
      return acts.map(({ object_type: type }) => type).filter((type) => !/_ISSUANCE$/.test(String(type)));
    };
    expect(ends("S-CANCELLED")).toEqual(["TX_STOCK_CANCELLATION"]);
    expect(ends("S-REPURCHASED")).toEqual(["TX_STOCK_REPURCHASE"]);
    expect(ends("S-TRANSFERRED")).toEqual(["TX_STOCK_CANCELLATION"]);
    expect(ends("S-CONVERTED")).toEqual(["TX_STOCK_CONVERSION"]);
    expect(ends("HO-2")).toEqual(["TX_EQUITY_COMPENSATION_EXERCISE"]);
    expect(ends("HW-1")).toEqual(["TX_WARRANT_EXERCISE"]);
    expect(ends("HC-1")).toEqual(["TX_CONVERTIBLE_CONVERSION"]);
    expect(ends("H-3")).toEqual(["TX_STOCK_REISSUANCE"]);
  });

  test("a deleted security is issued and retracted", () => {
    expect(ofType(changed, "TX_STOCK_RETRACTION").map((each) => each.security_id)).toContain(ids.gone2);
    expect(issuance(ids.gone2)).toBeDefined();
    expect(ofType(changed, "TX_EQUITY_COMPENSATION_RETRACTION").map((each) => each.security_id)).toContain(
      ids.goneOption,
    );
  });

  test("what is cancelled says whether it returns to the pool, whatever the plan's default", () => {
    const returns = ofType(fresh, "TX_STOCK_PLAN_RETURN_TO_POOL");
    const quantityOf = (securityId: unknown) => returns.find((each) => each.security_id === securityId)?.quantity;
    expect(quantityOf(ids.returned)).toBe("4800");
    expect(quantityOf(ids.retired)).toBe("0");
  });

  test("a split multiplies by itself, reissues what rounding changed, and replaces options and warrants", () => {
    const [split] = ofType(changed, "TX_STOCK_CLASS_SPLIT");
    expect(split).toMatchObject({ stock_class_id: ids.common, split_ratio: { numerator: "3", denominator: "2" } });
    const reissued = ofType(changed, "TX_STOCK_REISSUANCE").filter((each) => each.split_transaction_id === split?.id);
    expect(reissued.length).toBeGreaterThan(0);
    const adjusted = ofType(changed, "TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT").map(
      (each) => `${each.stock_class_id === ids.common} ${each.new_shares_authorized}`,
    );
    expect(adjusted).toContain("true 18000000");
    const part = ofType(changed, "TX_WARRANT_CANCELLATION").find((each) => each.security_id === ids.partWarrant);
    expect(issuance(part?.balance_security_id)).toMatchObject({ quantity: "499", exercise_price: { amount: "1" } });
  });

  test("figures of classes and plans start where they were made and move by adjustments", () => {
    expect(ofType(changed, "STOCK_CLASS").find(({ id }) => id === ids.common)).toMatchObject({
      initial_shares_authorized: "10000000",
      name: "Common stock",
    });
    expect(ofType(changed, "STOCK_PLAN").find(({ id }) => id === ids.plan)).toMatchObject({
      initial_shares_reserved: "100000",
    });
  });
});

describe("records", () => {
  test("seniority turns round", () => {
    const seniority = (id: unknown) => ofType(fresh, "STOCK_CLASS").find((each) => each.id === id)?.seniority;
    expect([seniority(ids.preferred), seniority(ids.common)]).toEqual(["2", "1"]);
  });

  test("a document says what names it, and one without a checksum stays away", () => {
    expect(ofType(fresh, "DOCUMENT")).toMatchObject([
      { id: ids.document, related_objects: [{ object_type: "STAKEHOLDER", object_id: ids.ada }] },
    ]);
  });

  test("only approved 409A valuations go out", () => {
    expect(ofType(fresh, "VALUATION").length).toBe(1);
  });

  test("conditions become a graph from the start of vesting", () => {
    const terms = ofType(fresh, "VESTING_TERMS").find(({ id }) => id === ids.terms);
    const [start, cliff, monthly] = terms?.vesting_conditions ?? [];
    expect(start).toMatchObject({ trigger: { type: "VESTING_START_DATE" }, next_condition_ids: ["cliff"] });
    expect(cliff).toMatchObject({ trigger: { period: { length: 12, type: "MONTHS", occurrences: 1 } } });
    expect(monthly.trigger).toMatchObject({
      period: { length: 1, occurrences: 36 },
      relative_to_condition_id: "cliff",
    });
  });

  test("a deleted stakeholder who held something is exported", () => {
    const holders = new Set(changed.objects.map(({ stakeholder_id: id }) => id).filter((id) => id !== undefined));
    const known = new Set(ofType(changed, "STAKEHOLDER").map(({ id }) => id));
    expect([...holders].filter((id) => !known.has(id))).toEqual([]);
  });
});

describe("the answer", () => {
  test("has the headers of a file, whatever the organization is called", () => {
    expect(fresh.headers.get("content-type")).toBe("application/zip");
    expect(fresh.headers.get("cache-control")).toBe("no-store");
    const disposition = fresh.headers.get("content-disposition") ?? "";
    expect(disposition).toMatch(/^attachment; filename="[a-z0-9_-]+-ocf-export-\d{4}-\d\d-\d\d\.zip"/);
    expect(disposition).toContain("filename*=UTF-8''societe-generale-sohne-%E6%A0%AA");
  });

  test("holds the files that are asked for, and a manifest that lists all else as empty", async () => {
    const some = await exportOf(server, server.orgId, "?include=stakeholders,ocf_manifest");
    expect(Object.keys(some.files)).toEqual(["stakeholders.json", "ocf_manifest.json"]);
    const manifest = some.files["ocf_manifest.json"];
    expect(manifest.stakeholders_files.length).toBe(1);
    expect(manifest.transactions_files).toEqual([]);
    expect(manifest.documents_files).toEqual([]);
    expect("financings_files" in manifest).toBe(false);
    const alone = await exportOf(server, server.orgId, "?include=ocf_manifest");
    const lists = Object.entries(alone.files["ocf_manifest.json"]).filter(([name]) => name.endsWith("_files"));
    expect(lists.map(([, files]) => files)).toEqual(Array(8).fill([]));
    expect(lists.map(([name]) => name)).toContain("documents_files");
  });

  test("is 422 at include for a file that there is not, 401 without a key", async () => {
    for (const include of ["nothing", "", "issuer,", "issuer,Stakeholders"]) {
      const refused = await server.api("GET", `/cap-table/ocf-export?include=${include}`);
      expect([refused.status, refused.json.errors?.[0]?.parameter]).toEqual([422, "include"]);
    }
    expect((await server.api("GET", "/cap-table/ocf-export", undefined, { key: null })).status).toBe(401);
  });

  test("of an organization with nothing in it is a valid package", async () => {
    const empty = await exportOf(server, await server.newOrganization("Ελλάς"));
    expect((await validatePath(empty.path)).problems).toEqual([]);
    expect(empty.objects).toEqual([]);
  });

  test("names no other organization's records", async () => {
    const orgId = await server.newOrganization("Other");
    await done(server, "POST", "/stock-legends", { name: "Ours", text: "Ours" });
    expect((await exportOf(server, orgId)).objects).toEqual([]);
  });
});
