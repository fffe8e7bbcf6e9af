// A split of a class with many certificates goes in pieces. For everybody else it happens at once: whatever is done
// between two pieces is done to shares that were split, and an export says the same.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { RELEASE } from "../../kit/release.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { type Fields, stock, tx } from "./objects.ts";
import { Organization } from "./organization.ts";
import { importStepwise, PowerCut } from "./stepwise.ts";

setDefaultTimeout(240_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** More than one piece takes, less than two. */
const MANY = 130;
const certificates = Array.from({ length: MANY }, (_, i) => stock(`s${i}`, "2024-01-10", "20"));
const ratio = { stock_class_id: "common", split_ratio: { numerator: "5", denominator: "1" } };
const split = tx("STOCK_CLASS_SPLIT", "2024-02-01", ratio);
const PACKAGE = [...certificates, split];
const TOTAL = MANY * 20 * 5;
/** A certificate of the second piece, and in a release run also one of the first. */
const PLACES = RELEASE ? ["s3", `s${MANY - 2}`] : [`s${MANY - 2}`];

/** A company whose split was stopped between its two pieces: `act` is done, and it goes on, or does when it comes again. */
async function splitWith(act: (company: Organization) => Promise<unknown>, isBrokenOff: boolean) {
  const company = await Organization.make(server);
  await company.import(...certificates);
  let stops = 0;
  await importStepwise(server, company, PACKAGE, async () => {
    if (!(await isUnderWay(company)) || ++stops !== 1) return;
    if (isBrokenOff) throw new PowerCut();
    await act(company);
  });
  expect(stops).toBe(1);
  if (!isBrokenOff) return company;
  await act(company);
  await company.import(...PACKAGE);
  return company;
}

async function isUnderWay(company: Organization): Promise<boolean> {
  const first = await company.call("GET", "/securities/s0");
  const last = await company.call("GET", `/securities/s${MANY - 1}`);
  return Number(first.quantity) + Number(last.quantity) !== 40 && Number(last.quantity) === 20;
}

/** What may be done meanwhile, and how many shares there are then. Numbers of certificates: split first, second, last. */
const ACTS: Readonly<
  Record<string, readonly [act: (company: Organization, id: string) => Promise<unknown>, after: number]>
> = {
  "a transfer": [(company, id) => company.transfer(id, "8"), TOTAL],
  "two transfers, one of what the other made": [
    async (company, id) => {
      const made = await company.transfer(id, "12");
      const holders = { fromStakeholderId: "bob", toStakeholderId: "ada" };
      await company.act("transfer", { securityId: made, quantity: "6", ...holders });
    },
    TOTAL,
  ],
  "a cancellation": [(company, id) => company.cancel(id, "8"), TOTAL - 8],
  "another quantity": [(company, id) => company.call("PATCH", `/securities/${id}`, { quantity: "7" }), TOTAL - 93],
  "another holder": [(company, id) => company.call("PATCH", `/securities/${id}`, { stakeholderId: "bob" }), TOTAL],
  "a deletion": [(company, id) => company.call("DELETE", `/securities/${id}`), TOTAL - 100],
  "an issuance": [
    (company) =>
      company.act("issue-shares", {
        stakeholderId: "bob",
        stockClassId: "common",
        quantity: "3",
        pricePerShare: "1",
        certificateId: "CS-1",
      }),
    TOTAL + 3,
  ],
  "another split": [(company) => company.split(3, 1), TOTAL * 3],
};

for (const isBrokenOff of [false, true]) {
  describe(isBrokenOff ? "after a split was broken off, before it goes on:" : "between two pieces of a split:", () => {
    for (const [what, [act, after]] of Object.entries(ACTS)) {
      test(what, async () => {
        for (const id of PLACES) {
          const company = await splitWith((each) => act(each, id), isBrokenOff);
          expect((await company.addsUp()).classes).toEqual({ common: String(after) });
          const { imported } = await company.import(...PACKAGE);
          expect(Object.values(imported).every((count) => count === 0)).toBe(true);
          expect((await company.totals()).classes).toEqual({ common: String(after) });
        }
      });
    }
  });
}

test("a dry run meanwhile changes nothing", async () => {
  const act = (company: Organization) => company.act("cancel", { ...CANCELLATION, dryRun: true });
  const company = await splitWith(act, false);
  expect((await company.addsUp()).classes).toEqual({ common: String(TOTAL) });
});

test("another package with a split of the class lets the one under way get to its end first", async () => {
  const company = await Organization.make(server);
  await company.import(...certificates);
  await importStepwise(server, company, PACKAGE, async () => {
    if (await isUnderWay(company)) throw new PowerCut();
  });
  const second: Fields = { ...tx("STOCK_CLASS_SPLIT", "2024-03-01", ratio), id: "second" };
  expect((await company.import(second)).errors).toEqual([]);
  expect((await company.totals()).classes).toEqual({ common: String(TOTAL * 5) });
  await company.import(...PACKAGE, second);
  expect((await company.addsUp()).classes).toEqual({ common: String(TOTAL * 5) });
});

const CANCELLATION = { securityId: `s${MANY - 2}`, quantity: "90", cancellationReason: "FORFEITURE" };
