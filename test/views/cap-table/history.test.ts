// The history of the cap table against `GET /cap-table` of each day, over random companies with entries that are dated
// back, and what the route answers.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { openLedger } from "../../../src/ledger/past/store.ts";
import { listTermsEntries } from "../../../src/ledger/replay/replay-store.ts";
import { type History, historyOf, type Point } from "../../../src/views/cap-table/history.ts";
import type { CapTable } from "../../kit/cap-table.ts";
import { firstSeed } from "../../kit/proof.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { RELEASE } from "../../kit/release.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { Company } from "../../property/company.ts";
import { decide } from "../../property/model/decide.ts";
import { newModel } from "../../property/model/start.ts";
import { openPlace, type Place } from "../../property/place.ts";
import { histories } from "../../property/steps.ts";

setDefaultTimeout(1_200_000);

const HISTORIES = RELEASE ? 3_000 : 10;
const STEPS = 40;
const END = "9999-12-31";

let place: Place;
let server: TestServer;
beforeAll(async () => {
  place = await openPlace();
  server = await startTestServer();
});
afterAll(async () => {
  place.close();
  await server.stop();
});

/** What the table of a day says of what a point says. */
function pointOf({ shareClasses, byClass, totals }: CapTable): Omit<Point, "date"> {
  const { options, warrants, warrantsAsConverted, poolAvailable, asConverted } = totals;
  const stock = new Map(byClass.map((line) => [line.stockClassId, line.outstandingAsConverted]));
  const classes = shareClasses.map(({ id, issued }) => ({ id, issued, asConverted: stock.get(id) ?? "none" }));
  return { classes, options, warrants, warrantsAsConverted, poolAvailable, asConverted };
}

const NOTHING = {
  ...{ classes: [], options: "0", warrants: "0", warrantsAsConverted: "0" },
  ...{ poolAvailable: "0", asConverted: "0" },
};

/** The ledger as the history's route reads it. */
function recordedBy(tx: Company["tx"], orgId: string) {
  return { ...openLedger(tx, orgId), terms: listTermsEntries(tx, { orgId }) };
}

/** The point that holds on a day: the last one up to it. */
function inForce({ points }: History, day: string): Omit<Point, "date"> {
  const { date: _date, ...figures } = points.findLast(({ date }) => date <= day) ?? { date: "", ...NOTHING };
  return figures;
}

/** Days to look at: each with an entry, each point, the day before each, and one long ago and one far off. */
function daysToLookAt(company: Company, { points }: History): readonly string[] {
  const dated = company.tx.sqlite
    .prepare<[string], string>(`select distinct "effectiveDate" from transactions where "orgId" = ?`)
    .pluck()
    .all(company.orgId);
  const before = points.map(({ date }) => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10));
  return [...new Set(["1990-01-01", ...dated, ...points.map(({ date }) => date), ...before, "2090-01-01"])];
}

/** The first day on which a history says another thing than the cap table of that day; null if they agree. */
function differsOn(company: Company, history: History): string | null {
  const differs = (day: string) => {
    const { data } = company.read("/cap-table", { asOf: day }) as { readonly data: CapTable };
    return !Bun.deepEquals(inForce(history, day), pointOf(data));
  };
  return daysToLookAt(company, history).find(differs) ?? null;
}

test(`${HISTORIES} random companies: a history says of each day what its cap table does, and of no day twice`, async () => {
  let noticed = 0;
  const property = fc.asyncProperty(histories(STEPS), (choices) =>
    place.writer.submit((tx) => {
      const company = new Company(tx);
      let model = newModel();
      for (const choose of choices) {
        const step = choose(model);
        const decided = step === null ? null : decide(model, step);
        if (step !== null && decided !== null && company.run(step).isDone && "after" in decided) model = decided.after;
      }
      const history = historyOf(recordedBy(tx, company.orgId), END);
      const { first, last, points } = history;
      expect([first, last]).toEqual([points[0]?.date ?? null, points.at(-1)?.date ?? null]);
      expect(differsOn(company, history)).toBeNull();
      const figures = points.map(({ date: _date, ...rest }) => JSON.stringify(rest));
      expect(figures.filter((each, index) => each === figures[index - 1])).toEqual([]);
      // The control: a history that lacks one of its points is noticed.
      const without = { ...history, points: points.slice(0, -1) };
      if (differsOn(company, without) !== null) noticed++;
    }),
  );
  await fc.assert(property, { numRuns: HISTORIES, seed: firstSeed() });
  expect(noticed).toBe(HISTORIES);
});

test("the route tells the days up to today, and what is written next", async () => {
  const orgId = await server.newOrganization();
  const read = async () => (await server.api("GET", "/cap-table/history", undefined, { orgId })).json.data as History;
  expect(await read()).toEqual({ first: null, last: null, points: [] });
  const where = { orgId };
  const [stakeholderId, stockClassId] = [
    await makeStakeholder(server, {}, where),
    await makeShareClass(server, {}, where),
  ];
  const issued = { stakeholderId, stockClassId };
  await issueShares(server, { ...issued, quantity: "5", effectiveDate: "2024-01-08" }, where);
  await issueShares(server, { ...issued, quantity: "7", effectiveDate: "2024-01-09" }, where);
  const { first, last, points } = await read();
  // The class was made today, and no point says that it is there: nothing of it changes.
  expect([first, last]).toEqual(["2024-01-08", "2024-01-09"]);
  expect(points.map(({ date, classes }) => [date, classes[0]?.issued])).toEqual([
    ["2024-01-08", "5"],
    ["2024-01-09", "12"],
  ]);
});

/** The history of a company to which a share was issued on each of so many days. */
function daily(days: number): Promise<History> {
  return place.writer.submit((tx) => {
    const company = new Company(tx);
    const [stakeholderId, stockClassId] = [company.ids.holders[0], company.ids.classes[0]];
    for (let day = 0; day < days; day++) {
      const effectiveDate = new Date(Date.UTC(2001, 0, 1) + day * 86_400_000).toISOString().slice(0, 10);
      const body = { stakeholderId, stockClassId, quantity: "0.01", certificateId: `D-${day}`, effectiveDate };
      company.call({ name: "POST /api/v1/transactions/issue-shares", body });
    }
    return historyOf(recordedBy(tx, company.orgId), "2024-12-31");
  });
}

test("many points are thinned out to the last of each week, month or quarter", async () => {
  const weekdays = ({ points }: History) => points.slice(0, -1).map(({ date }) => new Date(date).getUTCDay());
  const [all, weekly, monthly] = [await daily(390), await daily(500), await daily(3200)];
  expect([all.points.length > 380, weekly.points.length, monthly.points.length < 120]).toEqual([true, 72, true]);
  expect(new Set(weekdays(weekly))).toEqual(new Set([0]));
  expect(weekly.points.at(-1)?.date).toBe(weekly.last ?? "");
  const nextDays = monthly.points.slice(0, -1).map(({ date }) => new Date(Date.parse(date) + 86_400_000).getUTCDate());
  expect(new Set(nextDays)).toEqual(new Set([1]));
  expect([all.first, weekly.first, monthly.first]).toEqual(["2001-01-01", "2001-01-01", "2001-01-01"]);
});
