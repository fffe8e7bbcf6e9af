// Acceptances through Open Cap Format: out, in, and out again.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { JsonObject } from "../../../src/exchange/ocf/json.ts";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { SCHEMAS } from "../../kit/ocf-material.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { Asking, acceptWith, waitingFor } from "../../views/portal/acceptance-kit.ts";
import { misplacedIn } from "./export/misplaced.ts";
import { type Exported, expectNoProblems, exportOf, importInto, ofType, tool } from "./export/support.ts";

setDefaultTimeout(120_000);

let asking: Asking;
let other: TestServer;
beforeAll(async () => {
  asking = await Asking.start();
  other = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => Promise.all([asking.server.stop(), other.stop()]));

const FAMILIES = ["STOCK", "EQUITY_COMPENSATION", "WARRANT", "CONVERTIBLE"] as const;

const acceptancesIn = (exported: Exported) => FAMILIES.flatMap((family) => ofType(exported, `TX_${family}_ACCEPTANCE`));

const itemsOf = ({ files }: Exported): readonly JsonObject[] => files["transactions.json"]?.items;

/** A company with an acceptance of every type and of every later fate of a security. */
async function company() {
  const all = await asking.company();
  const { org, ada, bob, as, stockClassId, planId } = all;
  const person = await as([ada]);
  const accepted = async (id: string) => {
    const made = await acceptWith(person, await waitingFor(person, id));
    expect(made.status).toBe(201);
    return made.json.data;
  };
  const dated = { effectiveDate: "2026-05-01" };
  const issue = { stakeholderId: ada, ...dated };
  const ids = {
    kept: await org.shares(ada, stockClassId, dated),
    transferred: await org.shares(ada, stockClassId, dated),
    parted: await org.shares(ada, stockClassId, dated),
    retracted: await org.shares(ada, stockClassId, dated),
    backdated: await org.shares(ada, stockClassId, dated),
    edited: await org.shares(ada, stockClassId, dated),
    option: await org.option(ada, planId, dated),
    cancelled: await org.option(ada, planId, dated),
    exercised: await org.option(ada, planId, dated),
    warrant: await org.run("issue-warrant", { ...issue, quantity: "10", exercisePrice: "1", certificateId: "W-1" }),
    safe: await org.run("issue-convertible", {
      ...{ ...issue, quantity: "1000", convertibleType: "SAFE", certificateId: "SAFE-1" },
    }),
  };
  const acceptances = new Map<string, { id: string; digest: string }>();
  for (const id of Object.values(ids)) acceptances.set(id, await accepted(id));
  const paper = await org.shares(ada, stockClassId, dated);
  await org.made(`/securities/${paper}/acceptances`, { acceptedOn: "2026-05-09", comments: "At the office" });
  asking.clock.nowMs += 3 * 86_400_000;
  const late = { effectiveDate: "2026-06-03" };
  const move = { fromStakeholderId: ada, toStakeholderId: bob };
  await org.run("transfer", { securityId: ids.transferred, quantity: "100", ...move, ...late });
  await org.run("transfer", { securityId: ids.parted, quantity: "40", ...move, ...late });
  await org.run("retract", { securityId: ids.retracted, reason: "Never issued", ...late });
  // It ended, as is recorded now, before the day on which it was accepted.
  await org.run("retract", { securityId: ids.backdated, reason: "Never issued", effectiveDate: "2026-05-11" });
  await org.made(`/securities/${ids.edited}`, { quantity: "99" }, "PATCH");
  await org.cancel(ids.cancelled, "30", "2026-06-03");
  await org.run("exercise", { securityId: ids.exercised, quantity: "10", exercisePrice: "1", ...late });
  await org.made("/transactions/split", { stockClassId, numerator: 2, denominator: 1, effectiveDate: "2026-06-04" });
  asking.clock.nowMs -= 3 * 86_400_000;
  return { ...all, ids, paper, acceptances };
}

test("every acceptance goes out once, where it belongs, and no reader finds fault with it or other figures", async () => {
  const { org, acceptances, paper, ids } = await company();
  const exported = await exportOf(asking.server, org.id);
  const out = acceptancesIn(exported);
  // All but that of the security that was edited since; with one on paper.
  expect(out.length).toBe(acceptances.size);
  expect(new Set(out.map(({ object_type: type }) => type)).size).toBe(4);
  for (const [securityId, { id, digest }] of acceptances) {
    const object = out.find((each) => each.id === id);
    if (securityId === ids.edited) {
      expect(object).toBeUndefined();
      continue;
    }
    expect(object?.comments[0]).toBe(`Accepted in the portal. SHA-256 of what was shown: ${digest}`);
    expect([object?.date, object?.comments[1]]).toEqual(
      object?.date === "2026-05-11" ? ["2026-05-11", "Dated 2026-06-01 here."] : ["2026-06-01", undefined],
    );
  }
  expect(out.filter(({ date }) => date === "2026-05-11")).toHaveLength(1);
  expect(out.find(({ security_id: id }) => id === paper)).toMatchObject({
    ...{ date: "2026-05-09", comments: ["Accepted on paper.", "At the office"] },
  });
  const items = itemsOf(exported);
  expect(misplacedIn(items)).toEqual([]);
  // The control: at the beginning, at the end, or dated a year later, some are out of place.
  const isOne = ({ object_type: type }: JsonObject) => String(type).endsWith("_ACCEPTANCE");
  const [them, others] = [items.filter(isOne), items.filter((each) => !isOne(each))];
  expect(misplacedIn([...them, ...others])).toHaveLength(them.length);
  expect(misplacedIn([...others, ...them]).length).toBeGreaterThan(3);
  const late = items.map((each) => (isOne(each) ? { ...each, date: "2027-01-01" } : each));
  expect(misplacedIn(late).length).toBeGreaterThan(3);
  await expectNoProblems(exported);
  expect(await tool("ocf-validate.mjs", exported.path, SCHEMAS)).toMatch(/^0 problems in /m);
  const oracle = JSON.parse(await tool("ocf-oracle.mjs", exported.path));
  const { data } = (await org.call("GET", "/cap-table?asOf=2026-06-05")).json;
  expect(oracle.totalIssued).toBe(data.totals.outstanding);
});

test("imported ones are acceptances that were given elsewhere, and go out as they came", async () => {
  const { org, ids, acceptances } = await company();
  const exported = await exportOf(asking.server, org.id);
  const orgId = await other.newOrganization("Copy");
  const report = await importInto(other, orgId, exported.path);
  expect(report.errors).toEqual([]);
  const again = await exportOf(other, orgId);
  const byId = (objects: readonly JsonObject[]) => objects.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  expect(byId(acceptancesIn(again))).toEqual(byId(acceptancesIn(exported)));
  expect(misplacedIn(itemsOf(again))).toEqual([]);
  const read = async (path: string) => (await other.api("GET", path, undefined, { orgId })).json;
  const kept = await read(`/securities/${ids.kept}`);
  expect(kept).toMatchObject({
    ...{ asksAcceptance: false, acceptanceStatus: "ACCEPTED", acceptedAt: "2026-06-01T00:00:00.000Z" },
  });
  const { items } = await read(`/securities/${ids.kept}/acceptances`);
  expect(items).toMatchObject([
    {
      ...{ id: acceptances.get(ids.kept)?.id, kind: "IMPORTED", shown: null, digest: null, name: null },
      comments: `Accepted in the portal. SHA-256 of what was shown: ${acceptances.get(ids.kept)?.digest}`,
    },
  ]);
  expect([verifyDatabase(other.app.reader).differences, asking.verified().differences]).toEqual([[], []]);
  // Once more into the company itself: there already.
  const own = await importInto(asking.server, org.id, exported.path);
  expect([own.errors, Object.values<number>(own.imported).reduce((sum, count) => sum + count, 0)]).toEqual([[], 0]);
  expect(acceptancesIn(await exportOf(asking.server, org.id))).toEqual(acceptancesIn(exported));
  // And once more into the copy.
  const twice = await importInto(other, orgId, exported.path);
  expect(Object.values<number>(twice.imported).reduce((sum, count) => sum + count, 0)).toBe(0);
});

test("one that ended with a change of its security says of the changed one to no reader that it is accepted", async () => {
  const { org, ada, bob, stockClassId, planId } = await asking.company();
  const dated = { effectiveDate: "2026-05-01" };
  const accept = (id: string, body: JsonObject) => org.made(`/securities/${id}/acceptances`, body);
  const share = () => org.shares(ada, stockClassId, dated);
  const ids = {
    kept: await share(),
    edited: await share(),
    others: await share(),
    corrected: await share(),
    again: await share(),
    option: await org.option(ada, planId, dated),
  };
  for (const id of Object.values(ids)) await accept(id, { acceptedOn: "2026-05-20" });
  const before = await exportOf(asking.server, org.id);
  const correct = (securityId: string, members: JsonObject) =>
    org.made("/transactions/correct", { securityId, reason: "As agreed", ...members });
  await org.made(`/securities/${ids.edited}`, { quantity: "99" }, "PATCH");
  await org.made(`/securities/${ids.others}`, { stakeholderId: bob }, "PATCH");
  await correct(ids.corrected, { quantity: "98" });
  await correct(ids.again, { quantity: "97" });
  await accept(ids.again, { acceptedOn: "2026-05-10" });
  await correct(ids.option, { exercisePrice: "2" });
  const orgId = await other.newOrganization("Copy of changed ones");
  const read = async (path: string) => (await other.api("GET", path, undefined, { orgId })).json;
  const statuses = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(ids).map(async ([name, id]) => [name, (await read(`/securities/${id}`)).acceptanceStatus]),
      ),
    );
  const given = { kept: "ACCEPTED", again: "ACCEPTED" };
  const none = { edited: "NOT_ASKED", others: "NOT_ASKED", corrected: "NOT_ASKED", option: "NOT_ASKED" };
  const exported = await exportOf(asking.server, org.id);
  expect((await importInto(other, orgId, exported.path)).errors).toEqual([]);
  expect(await statuses()).toEqual({ ...given, ...none });
  expect(await read(`/securities/${ids.again}`)).toMatchObject({ acceptedAt: "2026-05-10T00:00:00.000Z" });
  expect(exported.files["ocf_manifest.json"]?.comments.join(" ")).toContain("since an acceptance; left out");
  // Nor does the company itself, from what it exported before.
  const own = await importInto(asking.server, org.id, before.path);
  expect([own.errors, Object.values<number>(own.imported).reduce((sum, count) => sum + count, 0)]).toEqual([[], 0]);
  const { acceptanceStatus } = (await org.call("GET", `/securities/${ids.others}`)).json;
  expect(acceptanceStatus).toBe("PENDING");
  // The same of one that came in as accepted, and is changed there.
  await other.api("PATCH", `/securities/${ids.kept}`, { quantity: "96" }, { orgId });
  const again = await exportOf(other, orgId);
  expect(acceptancesIn(again).map(({ security_id: id }) => id)).toEqual([ids.again]);
  expect(acceptancesIn(exported)).toHaveLength(2);
  expect([verifyDatabase(other.app.reader).differences, asking.verified().differences]).toEqual([[], []]);
});

test("one that comes in later, for a security that was changed here, is refused: no one accepted that", async () => {
  const { org, ada, bob, stockClassId } = await asking.company();
  const dated = { effectiveDate: "2026-05-01" };
  const [kept, others] = [await org.shares(ada, stockClassId, dated), await org.shares(ada, stockClassId, dated)];
  const before = await exportOf(asking.server, org.id);
  for (const id of [kept, others]) await org.made(`/securities/${id}/acceptances`, { acceptedOn: "2026-05-20" });
  const after = await exportOf(asking.server, org.id);
  const orgId = await other.newOrganization("Copy that changes");
  expect((await importInto(other, orgId, before.path)).errors).toEqual([]);
  const edited = await other.api("PATCH", `/securities/${others}`, { stakeholderId: bob }, { orgId });
  expect(edited.status).toBe(200);
  const { errors } = await importInto(other, orgId, after.path);
  expect(errors).toMatchObject([{ objectType: "TX_STOCK_ACCEPTANCE" }]);
  const read = async (path: string) => (await other.api("GET", path, undefined, { orgId })).json;
  expect([await read(`/securities/${kept}`), await read(`/securities/${others}`)]).toMatchObject([
    { acceptanceStatus: "ACCEPTED" },
    { acceptanceStatus: "NOT_ASKED", acceptedAt: null },
  ]);
  expect((await read(`/securities/${others}/acceptances`)).items).toEqual([]);
});

test("of an unknown security, without a day or twice, what came is kept as it came", async () => {
  const orgId = await other.newOrganization("Odd");
  const odd: JsonObject[] = [
    { object_type: "TX_STOCK_ACCEPTANCE", id: "of-none", date: "2026-01-02", security_id: "nothing" },
    { object_type: "TX_STOCK_ACCEPTANCE", id: "first", date: "2026-01-02", security_id: "share" },
    {
      object_type: "TX_STOCK_ACCEPTANCE",
      id: "second",
      date: "2026-01-03",
      security_id: "share",
      comments: ["x".repeat(5000)],
    },
    { object_type: "TX_STOCK_ACCEPTANCE", id: "no-day", security_id: "share" },
  ];
  const issuance = {
    ...{ object_type: "TX_STOCK_ISSUANCE", id: "issue", date: "2026-01-01", security_id: "share", custom_id: "1" },
    ...{ stakeholder_id: "ann", stock_class_id: "common", quantity: "10", stock_legend_ids: [] },
    ...{ share_price: { amount: "1", currency: "USD" }, security_law_exemptions: [] },
  };
  const manifest = {
    ...{ file_type: "OCF_MANIFEST_FILE", ocf_version: "1.2.0", as_of: "2026-12-31" },
    issuer: {
      object_type: "ISSUER",
      id: "i",
      legal_name: "Odd",
      formation_date: "2020-01-01",
      country_of_formation: "US",
    },
  };
  const common = {
    ...{ object_type: "STOCK_CLASS", id: "common", name: "Common", class_type: "COMMON", default_id_prefix: "C-" },
    ...{ initial_shares_authorized: "100", votes_per_share: 1, seniority: 1 },
  };
  const ann = { object_type: "STAKEHOLDER", id: "ann", name: { legal_name: "Ann" }, stakeholder_type: "INDIVIDUAL" };
  const entityFiles = {
    "S.json": { file_type: "OCF_STAKEHOLDERS_FILE", items: [ann] },
    "C.json": { file_type: "OCF_STOCK_CLASSES_FILE", items: [common] },
    "T.json": { file_type: "OCF_TRANSACTIONS_FILE", items: [issuance, ...odd] },
  };
  const { status, json } = await other.api("POST", "/cap-table/ocf-import", { manifest, entityFiles }, { orgId });
  expect({ status, errors: json.data.errors }).toEqual({ status: 200, errors: [] });
  const { items } = (await other.api("GET", "/securities/share/acceptances", undefined, { orgId })).json;
  expect(items.map(({ id, comments }: JsonObject) => [id, String(comments ?? "").length])).toEqual([
    ["second", 2000],
    ["first", 0],
  ]);
  expect((await other.api("GET", "/securities/share", undefined, { orgId })).json.acceptedAt).toBe(
    "2026-01-03T00:00:00.000Z",
  );
  expect(new Set(acceptancesIn(await exportOf(other, orgId)).map(({ id }) => id))).toEqual(
    new Set(["of-none", "first", "second", "no-day"]),
  );
});
