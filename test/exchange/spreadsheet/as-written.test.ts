// A row is recorded as it reads, or refused at its cell: rows of operations say what the operation makes, and the
// preview shows what was made.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { parse } from "csv-parse/sync";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { askImport, ended } from "./asking.ts";
import { templateWorkbook } from "./workbook.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

type Row = Readonly<Record<string, string>>;
type Sheets = Readonly<Record<string, readonly Row[]>>;

const holder = (name: string): Row => ({ Holder: name, Type: "Individual" });
const RECORDS = {
  Stakeholders: ["Ann", "Bob", "Cy"].map(holder),
  "Share classes": [
    { Class: "Common", Kind: "Common", Prefix: "CS-", Authorized: "1000000", "Votes per share": "1", Seniority: "2" },
    {
      Class: "Series A",
      Kind: "Preferred",
      Prefix: "PA-",
      Authorized: "1000000",
      "Votes per share": "1",
      Seniority: "1",
    },
  ],
  "Equity plans": [{ Plan: "Plan", Reserved: "100000", Classes: "Common" }],
};
const OPTION: Row = {
  ...{ Grant: "ES-1", Holder: "Ann", Plan: "Plan", Class: "Common", Type: "NSO", "Grant date": "2024-01-01" },
  ...{ Quantity: "1000", "Exercise price": "1" },
};
const stock = (number: string, name: string, more: Row): Row => ({
  ...{ Certificate: number, Holder: name, Class: "Common", "Issue date": "2024-02-01" },
  ...more,
});
const ISSUED = stock("CS-2", "Bob", { Quantity: "1000", "Price per share": "0.5" });

/** Imports sheets into an organization of their own; what came of reading them, and its preview by certificate. */
async function imported(sheets: Sheets, options: object = {}) {
  const orgId = await server.newOrganization();
  const { id } = await askImport(server, templateWorkbook({ ...RECORDS, ...sheets }), { orgId, more: { options } });
  const preview = await ended(server, id, orgId);
  const commit = async () => {
    await server.api("POST", `/imports/${id}/commit`, undefined, { orgId });
    return ended(server, id, orgId);
  };
  const read = async (path: string) => (await server.api("GET", path, undefined, { orgId })).json;
  const security = async (number: string) => (await read(`/securities?q=${number}`)).items[0];
  return { orgId, id, preview, commit, read, security, rows: () => previewOf(orgId, id) };
}

async function previewOf(orgId: string, id: string): Promise<readonly Row[]> {
  const { text } = await server.api("GET", `/imports/${id}/preview.csv?guard=false`, undefined, { orgId });
  return parse(text, { bom: true, columns: true });
}

const toldOf = ({ problems }: { readonly problems: readonly { code: string; header: string; detail: string }[] }) =>
  problems.map(({ code, header, detail }) => [code, header.replace(" *", ""), detail]);

test("a file that comes again is held against what was corrected from the first day", async () => {
  const two = [ISSUED, stock("CS-9", "Ann", { Quantity: "50", "Price per share": "2" })];
  const { orgId, commit, security } = await imported({ Stock: two });
  await commit();
  const [first, second] = [await security("CS-2"), await security("CS-9")];
  const corrected = { securityId: first.id, reason: "As on paper", quantity: "900", pricePerShare: "1" };
  expect((await server.api("POST", "/transactions/correct", corrected, { orgId })).status).toBe(200);
  await server.api("PATCH", `/securities/${second.id}`, { pricePerShare: "3" }, { orgId });
  const again = async (...rows: readonly Row[]) => {
    const { id } = await askImport(server, templateWorkbook({ ...RECORDS, Stock: rows }), { orgId });
    const { problems, counts } = await ended(server, id, orgId);
    return [problems.map(({ code, header }: Row) => `${code} ${header}`), counts.stock?.unchanged ?? 0];
  };
  expect(await again(...two)).toEqual([["different-existing Quantity", "different-existing Price per share"], 0]);
  const right = [
    stock("CS-2", "Bob", { Quantity: "900", "Price per share": "1" }),
    { ...two[1], "Price per share": "3" },
  ];
  expect(await again(...(right as Row[]))).toEqual([[], 2]);
});

describe("what the source says otherwise is refused at its cell", () => {
  test("the holder of an exercise, and the number of a transfer", async () => {
    const { preview } = await imported({
      Options: [OPTION],
      Stock: [
        ISSUED,
        stock("CS-1", "Cy", { Quantity: "100", "How issued": "Exercise", "From certificate": "ES-1" }),
        stock("CS-3", "Ann", {
          ...{ Quantity: "90", "How issued": "Transfer", "From certificate": "CS-2", "From quantity": "100" },
        }),
      ],
    });
    expect(toldOf(preview)).toEqual([
      ["differs-from-source", "Holder", "CS-1 says Cy; the exercise of ES-1 is Ann's"],
      ["differs-from-source", "Quantity", "CS-3 says 90; the transfer of 100 from CS-2 makes 100"],
    ]);
  });

  test("a transfer to its own holder", async () => {
    const { preview } = await imported({
      Stock: [ISSUED, stock("CS-3", "Bob", { Quantity: "9", "How issued": "Transfer", "From certificate": "CS-2" })],
    });
    expect(toldOf(preview)).toEqual([["same-holder", "Holder", "CS-3 says Bob, who holds CS-2 already"]]);
  });

  test("a source of what is issued, whose shares would stand twice", async () => {
    const { preview } = await imported({
      Options: [OPTION, { ...OPTION, Grant: "ES-2", Holder: "Bob", "From grant": "ES-1" }],
      Stock: [
        ISSUED,
        stock("CS-3", "Ann", { Quantity: "100", "From certificate": "CS-2" }),
        stock("CS-4", "Ann", { Quantity: "100", "How issued": "Issued", "From quantity": "50" }),
      ],
    });
    const issued = "it is issued, and not made of another: state How issued";
    expect(toldOf(preview)).toEqual([
      ["differs-from-source", "From grant", `ES-2 says ES-1; ${issued}`],
      ["differs-from-source", "From certificate", `CS-3 says CS-2; ${issued}`],
      ["differs-from-source", "From quantity", `CS-4 says 50; ${issued}`],
    ]);
  });

  const exercise = { Quantity: "100", "How issued": "Exercise", "From certificate": "ES-1" };
  const transfer = { Quantity: "100", "How issued": "Transfer", "From certificate": "CS-2" };
  for (const [what, row, header, detail] of [
    ["the class of an exercise", stock("X", "Ann", { ...exercise, Class: "Series A" }), "Class", "makes Common"],
    ["its price", stock("X", "Ann", { ...exercise, "Price per share": "2" }), "Price per share", "makes 1"],
    ["what it says was paid", stock("X", "Ann", { ...exercise, Consideration: "99" }), "Consideration", "makes 100"],
    [
      "its plan",
      stock("X", "Ann", { ...exercise, Plan: "Plan", "Vesting start": "2024-01-09" }),
      "Vesting start",
      "makes 2024-01-01",
    ],
    ["the class of a transfer", stock("X", "Ann", { ...transfer, Class: "Series A" }), "Class", "makes Common"],
    ["its plan", stock("X", "Ann", { ...transfer, Plan: "Plan" }), "Plan", "makes none"],
    [
      "its approval by stockholders",
      stock("X", "Ann", { ...transfer, "Stockholder approval": "2024-01-31" }),
      "Stockholder approval",
      "makes none",
    ],
  ] as const) {
    test(what, async () => {
      const { preview } = await imported({ Options: [OPTION], Stock: [ISSUED, row] });
      expect(toldOf(preview)).toEqual([["differs-from-source", header, expect.stringContaining(detail)]]);
    });
  }

  test("what a transfer of options, a warrant or a convertible inherits", async () => {
    const how = { "How issued": "Transfer" };
    const { preview } = await imported({
      Options: [
        OPTION,
        {
          ...OPTION,
          ...how,
          Grant: "ES-2",
          Holder: "Bob",
          "From grant": "ES-1",
          Quantity: "10",
          Type: "ISO",
          "Exercise price": "2",
          Expires: "2030-01-01",
        },
      ],
      Convertibles: [
        {
          Convertible: "N-1",
          Holder: "Ann",
          Kind: "Note",
          "Issue date": "2024-01-01",
          Principal: "500",
          "Interest %": "5",
          Matures: "2027-01-01",
        },
        {
          ...how,
          Convertible: "N-2",
          Holder: "Bob",
          Kind: "SAFE",
          "Issue date": "2024-03-01",
          Principal: "100",
          "Interest %": "6",
          Matures: "2028-01-01",
          "From convertible": "N-1",
        },
      ],
    });
    expect(toldOf(preview).map(([code, header]) => `${code} ${header}`)).toEqual([
      ...["Type", "Exercise price", "Expires", "Kind", "Interest %", "Matures"].map(
        (each) => `differs-from-source ${each}`,
      ),
    ]);
  });
});

describe("what a row of an operation is", () => {
  test("a net exercise has exactly the shares that are left", async () => {
    const { preview, commit, security, read } = await imported({
      Options: [OPTION],
      Stock: [
        stock("CS-1", "Ann", {
          ...{ Quantity: "667", "How issued": "Exercise", "From certificate": "ES-1", "From quantity": "1000" },
          ...{ "Price per share": "1", Consideration: "1000" },
        }),
      ],
    });
    expect(toldOf(preview)).toEqual([]);
    expect((await commit()).state).toBe("COMMITTED");
    expect(await security("CS-1")).toMatchObject({ quantity: "667", purchasePrice: "1000", pricePerShare: "1" });
    const { data } = await read("/transactions?type=STOCK_OPTION_EXERCISE");
    expect(data[0].metadata).toMatchObject({ withheld: "333", resultingQuantity: "667" });
    expect(data[0].metadata).not.toHaveProperty("fairMarketValue");
  });

  test("a conversion by another number than by right comes in, warned of, with both in its entry", async () => {
    const { preview, commit, security, read } = await imported({
      Stock: [
        stock("PA-1", "Bob", { Quantity: "1000", Class: "Series A" }),
        stock("CS-9", "Bob", {
          Quantity: "1600",
          "How issued": "Conversion",
          "From certificate": "PA-1",
          "From quantity": "1000",
        }),
      ],
    });
    expect(toldOf(preview)).toEqual([]);
    const told = preview.warnings.filter(({ code }: { code: string }) => code === "not-by-right");
    expect(told).toMatchObject([{ header: "Quantity", value: "1600" }]);
    await commit();
    expect((await security("CS-9")).quantity).toBe("1600");
    const { data } = await read("/transactions?type=STOCK_ISSUANCE");
    expect(data[0].metadata).toMatchObject({ notByRight: true, byRight: "1000" });
  });

  test("what was paid for a transfer is what its row says", async () => {
    const { commit, security } = await imported({
      Stock: [
        ISSUED,
        stock("CS-3", "Ann", {
          ...{ Quantity: "100", "How issued": "Transfer", "From certificate": "CS-2" },
          ...{ "Price per share": "3", Consideration: "300", "Board approval": "2024-01-20", Comments: "sold" },
        }),
      ],
    });
    expect((await commit()).state).toBe("COMMITTED");
    expect(await security("CS-3")).toMatchObject({
      ...{ pricePerShare: "3", purchasePrice: "300", boardApprovalDate: "2024-01-20", comments: "sold" },
    });
  });

  test("stock under a plan keeps the day on which stockholders approved it", async () => {
    const { preview, commit, security } = await imported({
      Stock: [stock("CS-1", "Ann", { Quantity: "5", Plan: "Plan", "Stockholder approval": "2024-01-31" })],
    });
    expect(toldOf(preview)).toEqual([]);
    expect((await commit()).state).toBe("COMMITTED");
    expect((await security("CS-1")).stockholderApprovalDate).toBe("2024-01-31");
  });
});

test("a figure that an event does not take, and makes otherwise, is refused at its cell", async () => {
  const { preview } = await imported({
    Stock: [ISSUED],
    Events: [{ Date: "2024-06-01", Event: "Retract", Number: "CS-2", Quantity: "3", Reason: "in error" }],
  });
  expect(toldOf(preview)).toEqual([["differs-from-source", "Quantity", "the row says 3; its event makes 1000"]]);
});

describe("the preview", () => {
  test("is what was made, and says which cells read otherwise", async () => {
    const { rows } = await imported(
      {
        Options: [OPTION],
        Stock: [
          stock("CS-2", "bob", { Quantity: "1.250", "Price per share": "0,5" }),
          stock("CS-3", "Ann", { Quantity: "100", "How issued": "Transfer", "From certificate": "CS-2", Class: "CS-" }),
        ],
      },
      { decimal: "COMMA" },
    );
    const [issued, moved] = (await rows()).filter(({ record }) => record === "stock");
    expect(issued).toMatchObject({ holder: "Bob", quantity: "1250", price: "0.5", class: "Common" });
    expect(issued?.written).toBe("Quantity: 1.250; Price per share: 0,5");
    // A price that the row leaves out is that of what it was taken from.
    expect(moved).toMatchObject({
      holder: "Ann",
      class: "Common",
      price: "0.5",
      written: "Class: CS-",
    });
  });
});
