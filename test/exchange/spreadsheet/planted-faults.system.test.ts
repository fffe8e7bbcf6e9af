// Where the program records another thing than a row says, nothing is written: the import is FAILED, and says where.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changeImport } from "../../../src/exchange/spreadsheet/imports-store.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { equityPlanRoutes } from "../../../src/resources/equity-plans/routes.ts";
import type { WriteRoute } from "../../../src/resources/route.ts";
import { securityRoutes } from "../../../src/resources/securities/routes.ts";
import { shareClassRoutes } from "../../../src/resources/share-classes/routes.ts";
import { stakeholderRoutes } from "../../../src/resources/stakeholders/routes.ts";
import { transactionRoutes } from "../../../src/resources/transactions/routes.ts";
import type { FileOfImport } from "../../../src/server/threads/import/perform.ts";
import { commitImport, readImport } from "../../../src/server/threads/import/perform.ts";
import { runCommand } from "../../kit/command.ts";
import { sheetsOf } from "../../kit/file-reader.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { askImport, ended } from "./asking.ts";
import { templateWorkbook } from "./workbook.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

type Body = Record<string, unknown>;
/** A fault in what a row asks of its route. */
interface Fault {
  readonly path: string;
  readonly falsify: (body: Body) => Body;
  readonly told: string;
}

const RECORDS = [...stakeholderRoutes, ...shareClassRoutes, ...equityPlanRoutes, ...securityRoutes];
const ROUTES = [...RECORDS, ...transactionRoutes] as readonly WriteRoute[];

/** Does something while a route is asked for another thing than the row says. */
async function withFault<T>({ path, falsify }: Pick<Fault, "path" | "falsify">, work: () => Promise<T>): Promise<T> {
  const route = ROUTES.find((each) => each.method === "POST" && each.path === `/api/v1/${path}`);
  if (!route) throw new Error(`there is no ${path}`);
  const faulty = route as { run: WriteRoute["run"] };
  const before = faulty.run;
  faulty.run = (tx, call, request) => before(tx, call, { ...request, body: falsify(request.body as Body) });
  try {
    return await work();
  } finally {
    faulty.run = before;
  }
}

const FILE = templateWorkbook({
  Stakeholders: ["Ann", "Bob"].map((name) => ({ Holder: name, Type: "Individual" })),
  "Share classes": [
    { Class: "Common", Kind: "Common", Prefix: "CS-", Authorized: "1000000", "Votes per share": "1", Seniority: "1" },
  ],
  "Equity plans": [{ Plan: "Plan", Reserved: "100000", Classes: "Common" }],
  "Vesting terms": [{ Terms: "4 years", Months: "48", "Cliff months": "12", Frequency: "Monthly" }],
  Events: [{ Date: "2024-06-01", Event: "Cancel", Number: "CS-1", Quantity: "100", Reason: "Forfeiture" }],
  Stock: [
    {
      ...{ Certificate: "CS-1", Holder: "Ann", Class: "Common", "Issue date": "2024-02-01", Quantity: "1000" },
      ...{ "Price per share": "0.5", "Vesting terms": "4 years", Plan: "" },
    },
    {
      ...{ Certificate: "CS-2", Holder: "Bob", Class: "Common", "Issue date": "2024-02-01", Quantity: "10" },
      ...{ Plan: "Plan" },
    },
  ],
  Options: [
    {
      ...{ Grant: "ES-1", Holder: "Ann", Plan: "Plan", Class: "Common", Type: "NSO", "Grant date": "2024-01-01" },
      ...{ Quantity: "1000", "Exercise price": "1", Expires: "2030-01-01" },
    },
  ],
  Convertibles: [
    {
      ...{ Convertible: "N-1", Holder: "Bob", Kind: "Note", "Issue date": "2024-01-01", Principal: "500" },
      ...{ "Interest %": "5", Matures: "2027-01-01" },
    },
  ],
});

const issue = "transactions/issue-shares";
const dropped = (member: string) => (body: Body) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== member));
const FAULTS: readonly Fault[] = [
  {
    path: issue,
    falsify: (body) => ({ ...body, quantity: "1001" }),
    told: "Stock!2, Quantity: the row says 1000, and 1001 was recorded",
  },
  {
    path: issue,
    falsify: dropped("pricePerShare"),
    told: "Stock!2, Price per share: the row says 0.5, and nothing was recorded",
  },
  {
    path: issue,
    falsify: dropped("vestingTermsId"),
    told: "Stock!2, Vesting terms: the row says 4 years, and nothing was recorded",
  },
  {
    path: "securities",
    falsify: (body) => ({ ...body, grantDate: "2024-02-02" }),
    told: "Stock!3, Issue date: the row says 2024-02-01, and 2024-02-02 was recorded",
  },
  {
    path: "transactions/issue-options",
    falsify: (body) => ({ ...body, optionType: "ISO" }),
    told: "Options!2, Type: the row says NSO, and ISO was recorded",
  },
  {
    path: "transactions/issue-convertible",
    falsify: dropped("maturityDate"),
    told: "Convertibles!2, Matures: the row says 2027-01-01, and nothing was recorded",
  },
];

/** Faults in what rows of other sheets ask for. */
const OTHERS: readonly Fault[] = [
  {
    path: "stakeholders",
    falsify: (body) => ({ ...body, name: { legalName: "Anne" } }),
    told: "Stakeholders!2, Holder: the row says Ann, and Anne was recorded",
  },
  {
    path: "share-classes",
    falsify: (body) => ({ ...body, votesPerShare: "10" }),
    told: "Share classes!2, Votes per share: the row says 1, and 10 was recorded",
  },
  {
    path: "equity-plans",
    falsify: (body) => ({ ...body, stockClassIds: [] }),
    told: "Equity plans!2, Classes: the row says Common, and nothing was recorded",
  },
  {
    path: "transactions/cancel",
    falsify: (body) => ({ ...body, quantity: "99" }),
    told: "Events!2, Quantity: the row says 100, and 99 was recorded",
  },
];

const bench = () => ({
  writer: server.app.writer,
  runtime: systemRuntime,
  pulse: () => undefined,
  read: ({ content, name }: FileOfImport) => sheetsOf(content, name),
});

/** How often an import is tried before it counts. */
const TRIES = 3;

/**
 * An import of the file that was read, put into a state, worked on, and how it then is. The service's own thread may still
 * be looking for imports and take it first, without the fault: then it is done with another import.
 */
async function worked(state: "READING" | "COMMITTING", work: (key: { orgId: string; id: string }) => Promise<unknown>) {
  for (let tries = 1; ; tries++) {
    const orgId = await server.newOrganization();
    const { id } = await askImport(server, FILE, { orgId });
    const key = { orgId, id };
    const read = await ended(server, id, orgId);
    expect([read.state, read.problems]).toEqual(["PREVIEWED", []]);
    await server.app.writer.submit((tx) => changeImport(tx, key, { state, failure: null }));
    await work(key);
    const { data } = (await server.api("GET", `/imports/${id}`, undefined, { orgId })).json;
    if (data.state === "FAILED" || tries === TRIES) return { key, data };
  }
}

describe("an import that would record another thing than a row says is FAILED", () => {
  for (const fault of [...FAULTS, ...OTHERS]) {
    test(fault.told, async () => {
      const failure = `${fault.told}. Nothing was written.`;
      for (const [state, work] of [["COMMITTING", commitImport] as const, ["READING", readImport] as const]) {
        const { key, data } = await worked(state, (of) => withFault(fault, () => work(bench(), of)));
        expect(data).toMatchObject({ state: "FAILED", failure });
        expect((await server.api("GET", "/stakeholders", undefined, key)).json.items).toEqual([]);
        expect((await server.api("GET", "/transactions", undefined, key)).json.data).toEqual([]);
      }
    });
  }
});

test("the command says so, and ends with 1", async () => {
  const dir = mkdtempSync(join(tmpdir(), "planted-"));
  try {
    const [data, file] = [join(dir, "data"), join(dir, "file.xlsx")];
    writeFileSync(file, FILE);
    expect((await runCommand(["org", "create", "--name", "Planted, Inc.", "--data-dir", data])).status).toBe(0);
    const importing = ["import", "spreadsheet", file, "--commit", "--data-dir", data];
    for (const fault of FAULTS.slice(0, 1)) {
      const { status, stderr } = await withFault(fault, () => runCommand(importing));
      expect([status, stderr]).toEqual([1, expect.stringContaining(fault.told)]);
    }
    expect((await runCommand(importing)).status).toBe(0);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
