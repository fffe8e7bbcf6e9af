// A package that comes again, grown, after what it brought was changed here (TRUTH section 3): what it says of that is
// refused, with all that builds on it, and nothing is made of nothing.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { commandLineCall } from "../../src/bootstrap.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import type { ImportReport } from "../../src/ocf/import/report.ts";
import { importPackage } from "../../src/ocf/import/run.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { expectAddsUp, shownTotals } from "./adds-up.ts";
import { packageWith } from "./import-support.ts";
import { type Fields, grant, note, RECORDS, stock, tx, warrant } from "./objects.ts";

setDefaultTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** An organization to import into and to edit. */
class Company {
  readonly #orgId: string;

  constructor(orgId: string) {
    this.#orgId = orgId;
  }

  import(...objects: readonly Fields[]): Promise<ImportReport> {
    const call = () => commandLineCall(systemRuntime, this.#orgId);
    return importPackage({ writer: server.app.writer, call }, packageWith([...RECORDS, ...objects]));
  }

  async call(method: string, path: string, body?: object) {
    const answer = await server.api(method, path, body, { orgId: this.#orgId });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json.data ?? answer.json;
  }

  async lastEntry(): Promise<string> {
    const { json } = await server.api("GET", "/transactions?limit=1", undefined, { orgId: this.#orgId });
    return json.data[0].id;
  }

  addsUp = () => expectAddsUp(server, this.#orgId);
  totals = () => shownTotals(server, this.#orgId);
}

const newCompany = async () => new Company(await server.newOrganization("Acme"));

const A = stock("A", "2024-01-10", "100");
const OTHER = stock("C", "2024-01-10", "7");
const O = grant("O", "2024-01-10", "100");
const HERE = "2024-06-01";

type Act = (company: Company) => Promise<unknown>;

/** What may be done here to the stock A. */
const EDITS: Readonly<Record<string, Act>> = {
  "a cancellation": (company) =>
    company.call("POST", "/transactions/cancel", {
      securityId: "A",
      quantity: "40",
      cancellationReason: "FORFEITURE",
      effectiveDate: HERE,
    }),
  "a transfer": (company) =>
    company.call("POST", "/transactions/transfer", {
      securityId: "A",
      quantity: "40",
      fromStakeholderId: "ada",
      toStakeholderId: "bob",
      effectiveDate: HERE,
    }),
  "a split": (company) =>
    company.call("POST", "/transactions/split", {
      stockClassId: "common",
      numerator: 2,
      denominator: 1,
      effectiveDate: HERE,
    }),
  "a direct edit": (company) => company.call("PATCH", "/securities/A", { quantity: "120" }),
  "another holder": (company) => company.call("PATCH", "/securities/A", { stakeholderId: "bob" }),
  "another status": (company) => company.call("PATCH", "/securities/A", { status: "CANCELLED" }),
  "a deletion": (company) => company.call("DELETE", "/securities/A"),
};

const LATER = "2024-03-01";

/** What the package may say of A when it comes again: transactions, and the issuances of what they make. */
const GROWTH: Readonly<Record<string, readonly Fields[]>> = {
  "a partial cancellation": [
    tx("STOCK_CANCELLATION", LATER, {
      security_id: "A",
      quantity: "30",
      balance_security_id: "B",
      reason_text: "Left",
    }),
    stock("B", LATER, "70"),
  ],
  "a partial cancellation in place": [
    tx("STOCK_CANCELLATION", LATER, { security_id: "A", quantity: "30", reason_text: "Left" }),
  ],
  "a whole cancellation": [tx("STOCK_CANCELLATION", LATER, { security_id: "A", quantity: "100", reason_text: "Left" })],
  "a transfer, and one of what it makes": [
    tx("STOCK_TRANSFER", LATER, { security_id: "A", quantity: "100", resulting_security_ids: ["R"] }),
    stock("R", LATER, "100", { stakeholder_id: "bob" }),
    tx("STOCK_TRANSFER", "2024-04-01", {
      security_id: "R",
      quantity: "60",
      resulting_security_ids: ["R2"],
      balance_security_id: "R3",
    }),
    stock("R2", "2024-04-01", "60"),
    stock("R3", "2024-04-01", "40", { stakeholder_id: "bob" }),
  ],
  "a repurchase": [
    tx("STOCK_REPURCHASE", LATER, {
      security_id: "A",
      quantity: "10",
      price: { amount: "1", currency: "USD" },
      balance_security_id: "B",
    }),
    stock("B", LATER, "90"),
  ],
  "a conversion": [
    tx("STOCK_CONVERSION", LATER, { security_id: "A", quantity_converted: "100", resulting_security_ids: ["P"] }),
    stock("P", LATER, "200", { stock_class_id: "preferred" }),
  ],
  "a retraction": [tx("STOCK_RETRACTION", LATER, { security_id: "A", reason_text: "An error" })],
  "a reissuance": [
    tx("STOCK_REISSUANCE", LATER, { security_id: "A", resulting_security_ids: ["N"] }),
    stock("N", LATER, "100"),
  ],
  "a consolidation": [
    tx("STOCK_CONSOLIDATION", LATER, { security_ids: ["C", "A"], resulting_security_id: "N" }),
    stock("N", LATER, "107"),
  ],
};

describe("the reproduction", () => {
  test("40 of 100 cancelled here, the package grown by a cancellation of 30 with a balance of 70: 60 stay 60", async () => {
    const company = await newCompany();
    await company.import(A);
    await EDITS["a cancellation"]?.(company);
    const changed = await company.lastEntry();
    const grown = [A, ...(GROWTH["a partial cancellation"] ?? [])];
    const report = await company.import(...grown);
    const cause = { code: "changed-here", securityId: "A", transactionId: changed };
    expect(report.errors).toMatchObject([
      { ...cause, id: grown[1]?.id, objectType: "TX_STOCK_CANCELLATION", pointer: "#/security_id" },
      { ...cause, id: grown[2]?.id, objectType: "TX_STOCK_ISSUANCE", pointer: "#" },
    ]);
    expect((await company.addsUp()).classes).toEqual({ common: "60" });
    const again = await company.import(...grown);
    expect(again.errors).toEqual(report.errors);
    expect(Object.values(again.imported).every((count) => count === 0)).toBe(true);
    expect((await company.addsUp()).classes).toEqual({ common: "60" });
  });

  test("without the change the same package comes in", async () => {
    const company = await newCompany();
    await company.import(A);
    const report = await company.import(A, ...(GROWTH["a partial cancellation"] ?? []));
    expect(report.errors).toEqual([]);
    expect((await company.addsUp()).classes).toEqual({ common: "70" });
  });
});

describe("nothing is lost or made where a security was changed here by", () => {
  for (const [edit, act] of Object.entries(EDITS)) {
    for (const [what, objects] of Object.entries(GROWTH)) {
      test(`${edit}, and the package says ${what}`, async () => {
        const company = await newCompany();
        await company.import(A, OTHER);
        await act(company);
        const before = await company.addsUp();
        const report = await company.import(A, OTHER, ...objects);
        expect(report.errors.map(({ code, id, securityId }) => [code, id, securityId])).toEqual(
          objects.map(({ id }) => ["changed-here", id, expect.any(String)] as never),
        );
        expect(await company.addsUp()).toEqual(before);
      });
    }
  }
});
