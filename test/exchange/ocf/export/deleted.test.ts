// Deleted records that are exported all the same, because entries name them: a reader of the package finds the totals
// of the organization that it came from. And the one status that OCF has no member for.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { issueShares, makeShareClass, makeStakeholder } from "../../../kit/records.ts";
import { startTestServer, type TestServer } from "../../../kit/service.ts";
import { callerOf, type Exported, expectNoProblems, exportOf, importInto, ofType, tool } from "./support.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** What an organization adds up to. */
async function totalsOf(orgId: string) {
  const call = callerOf(server, orgId);
  const { totalAuthorized, totalIssued, latestValuation } = await call("GET", "/cap-table/summary");
  const { totals } = await call("GET", "/cap-table?asOf=9999-12-31");
  return { totalAuthorized, totalIssued, latestValuation, totals };
}

async function makePlan(orgId: string, classId: string, planName: string): Promise<string> {
  const body = { planName, initialSharesReserved: "1000", stockClassIds: [classId] };
  return (await callerOf(server, orgId)("POST", "/equity-plans", body)).id;
}

const commentsOf = (exported: Exported): string[] => exported.files["ocf_manifest.json"].comments;

/** A company that deleted a plan, a class and a holder after the last grant and the last share of them were gone. */
async function makeCompany() {
  const orgId = await server.newOrganization("Pruned Inc.");
  const call = callerOf(server, orgId);
  const [ann, ben] = [await makeStakeholder(server, {}, { orgId }), await makeStakeholder(server, {}, { orgId })];
  const [kept, gone] = [
    await makeShareClass(server, {}, { orgId }),
    await makeShareClass(server, { defaultIdPrefix: "G-" }, { orgId }),
  ];
  const [plan, oldPlan] = [await makePlan(orgId, kept, "New plan"), await makePlan(orgId, kept, "Old plan")];
  const grant = async (stakeholderId: string, stockPlanId: string, certificateId: string): Promise<string> => {
    const dated = { effectiveDate: "2026-02-01", certificateId, exercisePrice: "1", optionType: "ISO" };
    const body = { stakeholderId, stockPlanId, quantity: "300", ...dated };
    return (await call("POST", "/transactions/issue-options", body)).securityId;
  };
  await grant(ann, plan, "O-1");
  const option = await grant(ann, oldPlan, "O-2");
  const exercise = { securityId: option, quantity: "100", exercisePrice: "1", stockClassId: kept };
  const exercised = await call("POST", "/transactions/exercise", { ...exercise, effectiveDate: "2026-03-01" });
  const [stock, lapsed] = [
    await issueShares(server, { stakeholderId: ben, stockClassId: gone }, { orgId }),
    await grant(ben, oldPlan, "O-3"),
  ];
  const reasons = { effectiveDate: "2026-04-01", cancellationReason: "FORFEITURE" };
  for (const [securityId, quantity, returnToPool] of [
    [option, "200", true] as const,
    [lapsed, "300", false] as const,
  ]) {
    await call("POST", "/transactions/cancel", { ...reasons, securityId, quantity, returnToPool });
  }
  await call("POST", "/transactions/cancel", { ...reasons, securityId: stock, quantity: "1000" });
  await call("POST", "/transactions/cancel", { ...reasons, securityId: exercised.newSecurityId, quantity: "100" });
  await call("DELETE", `/equity-plans/${oldPlan}`);
  await call("DELETE", `/share-classes/${gone}`);
  await call("DELETE", `/stakeholders/${ben}`);
  return { orgId, call, plan, oldPlan, kept, gone, ben };
}

describe("deleted records that exported entries name", () => {
  test("count for nothing where the package is imported, nor for any other reader", async () => {
    const { orgId, plan, oldPlan, kept, gone, ben } = await makeCompany();
    const exported = await exportOf(server, orgId);
    await expectNoProblems(exported);
    const copy = await server.newOrganization("Copy");
    const report = await importInto(server, copy, exported.path);
    const warned = report.warnings.map(({ code }) => code);
    // Whose options these are has all of the stock.
    expect([report.errors, warned]).toEqual([[], ["other-name", "iso-ten-percent-holder"]]);
    const totals = await totalsOf(orgId);
    expect(totals.totals).toMatchObject({ poolAvailable: "700", fullyDiluted: "1000" });
    expect(totals.totalAuthorized).toBe("1000000");
    expect(await totalsOf(copy)).toEqual(totals);
    expect(ofType(exported, "STAKEHOLDER").some(({ id }) => id === ben)).toBe(true);
    const { stockPlans, stockClasses } = JSON.parse(await tool("ocf-oracle.mjs", exported.path));
    expect([stockPlans[plan].available, stockPlans[oldPlan].available]).toEqual(["700", "0"]);
    expect([stockClasses[kept].authorized, stockClasses[gone].authorized]).toEqual(["1000000", "0"]);
  });

  test("are named in the manifest's comments: OCF cannot say that they are gone", async () => {
    const { orgId } = await makeCompany();
    const why = "Exported although it was deleted, because entries name it";
    const said = commentsOf(await exportOf(server, orgId)).filter((comment) => comment.startsWith(why));
    expect(said.sort()).toEqual([`${why}: equity plan.`, `${why}: share class.`, `${why}: stakeholder.`]);
  });

  test("come back to the organization as nothing new, and leave the copy as they came", async () => {
    const { orgId } = await makeCompany();
    const exported = await exportOf(server, orgId);
    expect((await exportOf(server, orgId)).objects).toEqual(exported.objects);
    const copy = await server.newOrganization("Copy");
    await importInto(server, copy, exported.path);
    const again = await exportOf(server, copy);
    const byId = (objects: Exported["objects"]) =>
      new Map(objects.map((each) => [`${each.object_type} ${each.id}`, each]));
    expect(byId(again.objects)).toEqual(byId(exported.objects));
    for (const { path } of [exported, again]) {
      const { imported } = await importInto(server, orgId, path);
      expect(Object.values(imported).every((count) => count === 0)).toBe(true);
    }
  });

  test("that an import brought count for nothing either, even after a second life in the copy", async () => {
    const { orgId, oldPlan, gone } = await makeCompany();
    const copy = await server.newOrganization("Copy");
    await importInto(server, copy, (await exportOf(server, orgId)).path);
    const call = callerOf(server, copy);
    await call("PATCH", `/equity-plans/${oldPlan}`, { initialSharesReserved: "5000" });
    await call("PATCH", `/share-classes/${gone}`, { initialSharesAuthorized: "7000000" });
    await call("DELETE", `/equity-plans/${oldPlan}`);
    await call("DELETE", `/share-classes/${gone}`);
    const exported = await exportOf(server, copy);
    await expectNoProblems(exported);
    const third = await server.newOrganization("Third");
    expect((await importInto(server, third, exported.path)).errors).toEqual([]);
    expect(await totalsOf(third)).toEqual(await totalsOf(copy));
  });

  test("of a ledger that an import brought alone count for nothing", async () => {
    const { orgId, plan } = await makeCompany();
    const copy = await server.newOrganization("Copy");
    await importInto(server, copy, (await exportOf(server, orgId)).path);
    const call = callerOf(server, copy);
    const grants = (await call("GET", "/securities?type=STOCK_OPTION&limit=100")).items;
    for (const { id, status } of grants) if (status === "ACTIVE") await call("DELETE", `/securities/${id}`);
    await call("DELETE", `/equity-plans/${plan}`);
    const exported = await exportOf(server, copy);
    await expectNoProblems(exported);
    const third = await server.newOrganization("Third");
    await importInto(server, third, exported.path);
    expect(await totalsOf(third)).toEqual(await totalsOf(copy));
    expect((await totalsOf(third)).totals).toMatchObject({ poolAvailable: "0" });
  });
});

describe("a valuation", () => {
  async function makeValued() {
    const orgId = await server.newOrganization("Valued Inc.");
    const stockClassId = await makeShareClass(server, {}, { orgId });
    const call = callerOf(server, orgId);
    const given = { type: "409A", stockClassId, effectiveDate: "2026-01-01" };
    const post = async (body: object): Promise<string> => (await call("POST", "/valuations", { ...given, ...body })).id;
    const current = await post({ status: "APPROVED", pricePerShare: "1", comments: "Still good" });
    const old = await post({
      status: "EXPIRED",
      pricePerShare: "9",
      effectiveDate: "2026-02-01",
      comments: "Too high",
    });
    return { orgId, current, old, stockClassId };
  }

  async function copyOf(orgId: string): Promise<string> {
    const exported = await exportOf(server, orgId);
    await expectNoProblems(exported);
    const copy = await server.newOrganization("Copy");
    expect((await importInto(server, copy, exported.path)).errors).toEqual([]);
    return copy;
  }

  test("that has expired comes back expired, and the one in force is the latest still", async () => {
    const { orgId, current, old } = await makeValued();
    const copy = await copyOf(orgId);
    const read = async (id: string) => {
      const { status, comments } = await callerOf(server, copy)("GET", `/valuations/${id}`);
      return { status, comments };
    };
    expect(await read(old)).toEqual({ status: "EXPIRED", comments: "Too high" });
    expect(await read(current)).toEqual({ status: "APPROVED", comments: "Still good" });
    expect(await totalsOf(copy)).toEqual(await totalsOf(orgId));
    expect((await exportOf(server, copy)).objects).toEqual((await exportOf(server, orgId)).objects);
  });

  test("that was imported says what became of it since", async () => {
    const { orgId, current, old } = await makeValued();
    const copy = await copyOf(orgId);
    await callerOf(server, copy)("PATCH", `/valuations/${current}`, { status: "EXPIRED" });
    await callerOf(server, copy)("PATCH", `/valuations/${old}`, { status: "APPROVED" });
    const third = await copyOf(copy);
    expect((await callerOf(server, third)("GET", `/valuations/${current}`)).status).toBe("EXPIRED");
    expect((await callerOf(server, third)("GET", `/valuations/${old}`)).status).toBe("APPROVED");
    expect(await totalsOf(third)).toEqual(await totalsOf(copy));
  });

  test("that was imported and has lost its OCF form since is left out, with a note", async () => {
    const { orgId, current, old, stockClassId } = await makeValued();
    const drafted = await copyOf(orgId);
    await callerOf(server, drafted)("PATCH", `/valuations/${current}`, { status: "DRAFT" });
    await callerOf(server, drafted)("PATCH", `/valuations/${old}`, { type: "BOARD" });
    const classless = await copyOf(orgId);
    await callerOf(server, classless)("DELETE", `/share-classes/${stockClassId}`);
    for (const each of [drafted, classless]) {
      const exported = await exportOf(server, each);
      expect(ofType(exported, "VALUATION")).toEqual([]);
      expect(commentsOf(exported).join(" ")).toContain("left out");
      await expectNoProblems(exported);
    }
  });
});

test("an imported plan that has lost its classes names another one, as OCF requires", async () => {
  const { orgId, plan, oldPlan, kept } = await makeCompany();
  const copy = await server.newOrganization("Copy");
  await importInto(server, copy, (await exportOf(server, orgId)).path);
  const call = callerOf(server, copy);
  const other = await makeShareClass(server, { defaultIdPrefix: "X-" }, { orgId: copy });
  await call("PATCH", `/equity-plans/${plan}`, { stockClassIds: [] });
  const exported = await exportOf(server, copy);
  await expectNoProblems(exported);
  const plans = ofType(exported, "STOCK_PLAN");
  expect(plans.find(({ id }) => id === oldPlan)?.stock_class_ids).toEqual([kept]);
  expect([kept, other]).toContain(plans.find(({ id }) => id === plan)?.stock_class_ids[0]);
});
