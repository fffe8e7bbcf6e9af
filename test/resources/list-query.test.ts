// What every list of records takes besides its filters: `sort` and `ids`, and the exact filters of securities.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { makeRecords, nameOf, pathOf, type Records, ROUTES } from "../matrix/world.ts";

const CREATORS = 8;
const EACH = 12;
const PAGE = 7;

let server: TestServer;
let records: Records;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_ENV: "test" });
  records = await makeRecords(server, server.orgId);
});
afterAll(() => server.stop());

type Row = { readonly id: string };
const list = async (path: string): Promise<{ rows: readonly Row[]; nextCursor: string | null }> => {
  const { status, json, text } = await server.api("GET", path);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return { rows: json.items ?? json.data, nextCursor: json.nextCursor };
};
const idsOf = async (path: string) => (await list(path)).rows.map(({ id }) => id);
const faultsOf = async (path: string) => {
  const { status, json } = await server.api("GET", path);
  return [status, json.errors?.map(({ parameter }: { parameter: string }) => parameter)];
};
const takes = (name: string) =>
  ROUTES.filter((route) => route.method === "GET" && name in (route.query?.properties ?? {}));

test("lists of records take sort and ids, the ledger's sort; their files the same", () => {
  const sorted = takes("sort").map(nameOf);
  const byIds = takes("ids").map(nameOf);
  expect(sorted.filter((name) => !byIds.includes(name))).toEqual(["GET /transactions", "GET /transactions.csv"]);
  const segments = ["stakeholders", "share-classes", "securities", "valuations", "equity-plans", "vesting-terms"];
  segments.push("vesting-milestones", "corporate-actions", "approvals", "documents", "stock-legends");
  const files = segments.flatMap((each) => [`GET /${each}`, `GET /${each}.csv`]);
  expect(byIds.sort()).toEqual([...files, "GET /scenarios"].sort());
});

describe("sort", () => {
  test("createdAt is oldest first, in any list; -createdAt is as without", async () => {
    await makeStakeholder(server);
    await makeStakeholder(server);
    for (const route of takes("sort").filter(({ path }) => !path.endsWith(".csv"))) {
      const path = pathOf(route);
      const newest = await idsOf(path);
      expect([path, await idsOf(`${path}?sort=createdAt`)]).toEqual([path, newest.toReversed()]);
      expect(await idsOf(`${path}?sort=-createdAt`)).toEqual(newest);
    }
  });

  test("a cursor goes on in its own order, and no other", async () => {
    for (const [sort, other] of [
      ["createdAt", "-createdAt"],
      ["-createdAt", "createdAt"],
    ]) {
      const { nextCursor } = await list(`/stakeholders?limit=1&sort=${sort}`);
      const cursor = encodeURIComponent(nextCursor ?? "");
      expect(await faultsOf(`/stakeholders?limit=1&sort=${other}&cursor=${cursor}`)).toEqual([422, ["cursor"]]);
      expect((await list(`/stakeholders?limit=1&sort=${sort}&cursor=${cursor}`)).rows.length).toBe(1);
    }
  });

  test("another one is refused", async () => {
    expect(await faultsOf("/stakeholders?sort=name")).toEqual([422, ["sort"]]);
  });

  test(`while ${CREATORS} clients create, pages with the oldest first skip nothing and repeat nothing`, async () => {
    // So that the walk has pages to go on with while they begin.
    for (let count = 0; count < PAGE * 2; count++) await makeStakeholder(server);
    let isCreating = true;
    const create = async () => {
      for (let count = 0; count < EACH; count++) await makeStakeholder(server);
    };
    const creating = Promise.all(Array.from({ length: CREATORS }, create)).then(() => {
      isCreating = false;
    });
    const walked: string[] = [];
    let [cursor, pagesMeanwhile]: [string | null, number] = [null, 0];
    do {
      pagesMeanwhile += Number(isCreating);
      const more: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const page = await list(`/stakeholders?sort=createdAt&limit=${PAGE}${more}`);
      walked.push(...page.rows.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    await creating;
    expect(pagesMeanwhile).toBeGreaterThan(0);
    const all: string[] = [];
    let next: string | null = null;
    do {
      const more: string = next === null ? "" : `&cursor=${encodeURIComponent(next)}`;
      const page = await list(`/stakeholders?limit=100${more}`);
      all.unshift(...page.rows.map(({ id }) => id).toReversed());
      next = page.nextCursor;
    } while (next !== null);
    expect(walked).toEqual(all.slice(0, walked.length));
    expect(walked.length).toBeGreaterThan(PAGE);
  });

  test("a list as CSV has the same order", async () => {
    const lines = async (query: string) =>
      (await server.api("GET", `/share-classes.csv${query}`)).text.trim().split("\r\n").slice(1);
    await server.api("POST", "/share-classes", {
      ...{ name: "B", classType: "COMMON", defaultIdPrefix: "B-", initialSharesAuthorized: "1" },
      ...{ votesPerShare: "1", seniority: 2 },
    });
    const newest = await lines("");
    expect(newest.length).toBe(2);
    expect(await lines("?sort=createdAt")).toEqual(newest.toReversed());
    expect((await lines(`?ids=${records["share-classes"]}`)).length).toBe(1);
  });
});

describe("ids", () => {
  test("asks for records in any list, in the list's order; unknown, repeated and another organization's are left out", async () => {
    const mine = [await makeStakeholder(server), await makeStakeholder(server), await makeStakeholder(server)];
    const orgId = await server.newOrganization();
    const foreign = (await makeRecords(server, orgId)).stakeholders;
    const ids = [mine[0], "no-such-id", foreign, mine[2], mine[0]].join(",");
    expect(await idsOf(`/stakeholders?ids=${ids}`)).toEqual([mine[2] ?? "", mine[0] ?? ""]);
    expect(await idsOf(`/stakeholders?ids=${ids}&sort=createdAt`)).toEqual([mine[0] ?? "", mine[2] ?? ""]);
    for (const route of takes("ids").filter(({ path }) => !path.endsWith(".csv"))) {
      const path = pathOf(route);
      const [first = ""] = await idsOf(path);
      expect([path, await idsOf(`${path}?ids=${first},x`)]).toEqual([path, [first]]);
      expect(await idsOf(`${path}?ids=x`)).toEqual([]);
    }
  });

  test("goes with other filters and pages, to which a cursor is bound", async () => {
    const ids = (await idsOf("/stakeholders?limit=5")).join(",");
    const first = await list(`/stakeholders?ids=${ids}&limit=2`);
    const cursor = encodeURIComponent(first.nextCursor ?? "");
    expect((await list(`/stakeholders?ids=${ids}&limit=3&cursor=${cursor}`)).rows.length).toBe(3);
    expect(await faultsOf(`/stakeholders?limit=2&cursor=${cursor}`)).toEqual([422, ["cursor"]]);
    expect(await idsOf(`/stakeholders?ids=${ids}&q=no+such+name`)).toEqual([]);
    expect(await idsOf(`/approvals?ids=${records.approvals}&status=Locked`)).toEqual([]);
  });

  test("takes 100, and no more and none", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `id-${at}`).join(",");
    expect(await idsOf(`/securities?ids=${many(100)}`)).toEqual([]);
    for (const wrong of [many(101), "", ",", "a,", ",a", "a,,b"]) {
      expect([wrong, await faultsOf(`/securities?ids=${wrong}`)]).toEqual([wrong, [422, ["ids"]]]);
    }
  });
});

describe("securities", () => {
  test("are found by their exact certificate number and by their valuation", async () => {
    const issue = async (certificateId: string, valuationId: string | null) => {
      const given = { stakeholderId: records.stakeholders, stockClassId: records["share-classes"], quantity: "1" };
      const body = {
        ...given,
        type: "STOCK",
        grantDate: "2026-01-15",
        certificateId,
        ...(valuationId ? { valuationId } : {}),
      };
      const { status, json, text } = await server.api("POST", "/securities", body);
      if (status !== 201) throw new Error(text);
      return String(json.id);
    };
    const [valued, other] = [await issue("X-1", records.valuations ?? ""), await issue("X-12", null)];
    expect(await idsOf("/securities?certificateId=X-1")).toEqual([valued]);
    expect(await idsOf("/securities?certificateId=x-1")).toEqual([]);
    expect(await idsOf(`/securities?valuationId=${records.valuations}`)).toEqual([valued]);
    expect(await idsOf(`/securities?ids=${valued},${other}&certificateId=X-12`)).toEqual([other]);
    await server.api("DELETE", `/valuations/${records.valuations}`);
    expect(await idsOf(`/securities?valuationId=${records.valuations}`)).toEqual([]);
  });
});
