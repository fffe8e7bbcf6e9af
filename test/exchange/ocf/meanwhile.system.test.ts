// What others do while an import runs, and imports that are broken off: between any two of its transactions, nothing is
// ever there twice or lost, and importing again completes what can be completed.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { RELEASE } from "../../kit/release.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { type Fields, RECORDS, stock, tx } from "./objects.ts";
import { Organization } from "./organization.ts";
import { importStepwise, PowerCut } from "./stepwise.ts";

setDefaultTimeout(240_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const A = stock("A", "2024-01-10", "100");

/** A chain of transfers, listed from its end: results before what makes them. No share comes or goes. */
const CHAIN: readonly Fields[] = [
  stock("R2", "2024-04-01", "30"),
  stock("R3", "2024-04-01", "10", { stakeholder_id: "bob" }),
  tx("STOCK_TRANSFER", "2024-04-01", {
    security_id: "R",
    quantity: "30",
    resulting_security_ids: ["R2"],
    balance_security_id: "R3",
  }),
  stock("B", "2024-03-01", "60"),
  stock("R", "2024-03-01", "40", { stakeholder_id: "bob" }),
  tx("STOCK_TRANSFER", "2024-03-01", {
    security_id: "A",
    quantity: "40",
    resulting_security_ids: ["R"],
    balance_security_id: "B",
  }),
  A,
];

/** The transactions of an import, one for each object. */
const TRANSACTIONS = RECORDS.length + CHAIN.length;

/** Places among an import's transactions, from one on: all of them in a release run, a sixth else, the last among them. */
function momentsFrom(first: number): number[] {
  const all = Array.from({ length: TRANSACTIONS + 1 - first }, (_, index) => first + index);
  return RELEASE ? all : all.filter((moment) => (TRANSACTIONS - moment) % 6 === 0);
}

/** Does something to the first of these securities that is open; what it took away, null where none is. */
type Edit = (company: Organization, securityId: string) => Promise<number>;

const EDITS: Readonly<Record<string, Edit>> = {
  "cancels 10": async (company, id) => {
    await company.cancel(id, "10");
    return 10;
  },
  "transfers 10": async (company, id) => {
    const { stakeholderId } = await company.call("GET", `/securities/${id}`);
    const to = stakeholderId === "ada" ? "bob" : "ada";
    const holders = { fromStakeholderId: stakeholderId, toStakeholderId: to };
    await company.act("transfer", { securityId: id, quantity: "10", ...holders });
    return 0;
  },
  "gives it to another holder": async (company, id) => {
    const { stakeholderId } = await company.call("GET", `/securities/${id}`);
    await company.call("PATCH", `/securities/${id}`, { stakeholderId: stakeholderId === "ada" ? "bob" : "ada" });
    return 0;
  },
  "deletes it": async (company, id) => {
    const { quantity } = await company.call("GET", `/securities/${id}`);
    await company.call("DELETE", `/securities/${id}`);
    return Number(quantity);
  },
};

const CANDIDATES = ["A", "R", "B", "R2"];

async function editFirstOpen(company: Organization, edit: Edit): Promise<number> {
  for (const id of CANDIDATES) {
    const found = await company.call("GET", `/securities/${id}`).catch(() => null);
    if (found?.status === "ACTIVE") return edit(company, id);
  }
  return 0;
}

const issuedIn = async (company: Organization) => Number((await company.addsUp()).classes.common ?? "0");

/** However far the import got: what is missing is what waits to be issued, and importing again brings it. */
async function expectComplete(company: Organization, taken: number): Promise<void> {
  await company.import(...CHAIN);
  expect(await issuedIn(company)).toBe(100 - taken);
  const { imported } = await company.import(...CHAIN);
  expect(Object.values(imported).every((count) => count === 0)).toBe(true);
  expect(await issuedIn(company)).toBe(100 - taken);
}

describe("while an import runs, a user", () => {
  for (const [what, edit] of Object.entries(EDITS)) {
    test(`${what}, at any moment`, async () => {
      for (const moment of momentsFrom(0)) {
        const company = await Organization.make(server);
        let taken = 0;
        await importStepwise(server, company, CHAIN, async (transaction) => {
          if (transaction === moment) taken = await editFirstOpen(company, edit);
        });
        if (moment === TRANSACTIONS) taken = await editFirstOpen(company, edit);
        expect(await issuedIn(company)).toBe(100 - taken);
        await expectComplete(company, taken);
      }
    });
  }

  test("splits the class, at any moment", async () => {
    for (const moment of momentsFrom(RECORDS.length)) {
      const company = await Organization.make(server);
      const split = () => company.split(2, 1);
      await importStepwise(server, company, CHAIN, async (transaction) => {
        if (transaction === moment) await split();
      });
      if (moment === TRANSACTIONS) await split();
      expect(await issuedIn(company)).toBe(200);
      await company.import(...CHAIN);
      expect(await issuedIn(company)).toBe(200);
    }
  });
});

describe("an import that is broken off", () => {
  test("at any moment is completed by importing again", async () => {
    for (const moment of momentsFrom(1)) {
      const company = await Organization.make(server);
      const report = await importStepwise(server, company, CHAIN, async (transaction) => {
        if (transaction === moment - 1) throw new PowerCut();
      });
      expect(report).toBeNull();
      expect(await issuedIn(company)).toBeLessThanOrEqual(100);
      const { errors } = await company.import(...CHAIN);
      expect(errors).toEqual([]);
      expect((await company.addsUp()).holdings).toEqual({ "ada|STOCK|common": "90", "bob|STOCK|common": "10" });
    }
  });

  for (const [what, edit] of Object.entries(EDITS)) {
    test(`is completed as far as it can be after a user ${what}`, async () => {
      for (const moment of momentsFrom(RECORDS.length + 1)) {
        const company = await Organization.make(server);
        await importStepwise(server, company, CHAIN, async (transaction) => {
          if (transaction === moment - 1) throw new PowerCut();
        });
        await expectComplete(company, await editFirstOpen(company, edit));
      }
    });
  }
});
