// Spreadsheets as offices keep them, through the whole program: each becomes exactly the record that it means, or is
// refused with exactly the cells that are wrong.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { type How, recorded as recordedOf, refused as refusedOf } from "./office.ts";

setDefaultTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
const recorded = (file: string, how: How) => recordedOf(server, file, how);
const refused = (file: string, how: How) => refusedOf(server, file, how);

const COMMON = { constants: { class: "Common" } };

describe("a register with bands, sums, void certificates and notes", () => {
  const table = {
    sheet: ["*"],
    headerHas: ["Cert", "Stockholder"],
    to: "stock",
    band: { column: "Cert", field: "class" },
    columns: {
      ...{ Cert: "certificate", Stockholder: "holder", Date: "issueDate", "Shares issued": "quantity" },
      ...{ "Shares outstanding": "outstanding", Price: "price", Remarks: "comments" },
    },
    skipRows: ["Total*", "Note:*"],
  };

  test("is each holder's shares of each class", async () => {
    const { lines, totals, read, warnings } = await recorded("register-with-bands.csv", { table });
    expect(lines).toEqual([
      "CS-1 | Ada Okafor | Common Stock | 4000000 | 0.0001 | 2023-01-15",
      "CS-2 | Ben Ruiz | Common Stock | 2500000 | 0.0001 | 2023-01-15",
      "PS-1 | Northwind Ventures I LP | Series Seed Preferred | 1250000 | 1.6 | 2024-06-03",
      "PS-2 | Northwind Ventures II LP | Series Seed Preferred | 625000 | 1.6 | 2024-06-03",
    ]);
    expect([totals.outstanding, read.closed, read.counts.stock]).toEqual([
      "8375000",
      1,
      { create: 4, unchanged: 0, differs: 0, leftOut: 1 },
    ]);
    expect(warnings.filter((each: string) => !each.startsWith("assumed"))).toEqual(["balance-unexplained E7"]);
  });
});

describe("two of one name", () => {
  const table = {
    ...{ sheet: ["*"], headerHas: ["Certificate"], to: "stock" },
    columns: {
      ...{ Certificate: "certificate", Name: "holder", "E-mail": "holderEmail", Class: "class" },
      ...{ Issued: "issueDate", Shares: "quantity" },
    },
  };

  test("are two holders where their e-mails tell them apart", async () => {
    const { lines } = await recorded("two-john-smiths.xlsx", { table });
    expect(lines).toEqual([
      "CS-1 | John Smith <john.smith@harbor.test> | Common | 1000 | - | 2024-01-02",
      "CS-2 | John Smith <jsmith@elsewhere.test> | Common | 250 | - | 2024-02-02",
      "CS-3 | John Smith <john.smith@harbor.test> | Common | 50 | - | 2024-03-02",
      "CS-4 | Jane Smith | Common | 7 | - | 2024-03-02",
    ]);
  });

  test("are unknown where nothing does", async () => {
    expect(await refused("which-john-smith.xlsx", { table })).toEqual(["ambiguous-holder B4"]);
  });
});

describe("grants with their schedules in words", () => {
  const table = {
    ...{ sheet: ["*"], headerHas: ["Grant", "Employee"], to: "options" },
    columns: {
      ...{ Grant: "certificate", Employee: "holder", Granted: "issueDate", Options: "quantity" },
      ...{
        Outstanding: "outstanding",
        Strike: "exercisePrice",
        Schedule: "terms",
        Start: "vestingStart",
        Vested: "vested",
      },
    },
    minus: { exercised: ["Exercised"], forfeited: ["Forfeited"] },
    constants: { plan: "2024 Plan", class: "Common", optionType: "NSO" },
  };

  test("vest by what was exercised and forfeited", async () => {
    const { lines, totals, read, vested, warnings } = await recorded("grants-in-words.csv", { table });
    expect(lines.map((line) => line.split(" | ").slice(0, 4).join(" | "))).toEqual([
      "ES-1 | Ada Okafor | 2024 Plan | 2400",
      "ES-2 | Ben Ruiz | 2024 Plan | 2400",
      "ES-3 | Cy Lind | 2024 Plan | 4800",
      "ES-4 | Dee Park | 2024 Plan | 120",
      "ES-5 | Eve Stone | 2024 Plan | 75",
    ]);
    const all = ["ES-1", "ES-2", "ES-3", "ES-4", "ES-5"];
    expect(await Promise.all(all.map((each) => vested(each)))).toEqual([0, 2400, 1200, 120, 75]);
    expect(await vested("ES-1", "2026-11-30")).toBe(100);
    expect([totals.options, read.closed]).toEqual(["9795", 1]);
    const others = warnings.filter((each: string) => !each.startsWith("assumed"));
    expect(others).toEqual(["schedule-read I2", "schedule-read I3", "schedule-read I4", "schedule-read I5"]);
  });

  test("that are not understood, or that add up to other figures, are refused at their cells", async () => {
    const problems = await refused("grants-per-board.csv", { table });
    expect([...problems].sort()).toEqual([
      "balance-differs G3",
      "missing-value G5",
      "schedule-not-understood I2",
      "schedule-not-understood I7",
      "vested-differs K6",
    ]);
  });
});

describe("figures with a decimal comma", () => {
  const table = {
    ...{ sheet: ["*"], headerHas: ["Zertifikat"], to: "stock" },
    columns: {
      ...{ Zertifikat: "certificate", Gesellschafter: "holder", Klasse: "class", Datum: "issueDate" },
      ...{ Anzahl: "quantity", Preis: "price" },
    },
  };

  test("are read where that was said", async () => {
    const options = { decimal: "COMMA", dateOrder: "DMY" };
    const { lines } = await recorded("anteile-dezimalkomma.csv", { table, options });
    expect(lines).toEqual([
      "A-1 | Jürgen Groß | Stammanteile | 12500 | 1.25 | 2024-01-15",
      "A-2 | Zoë Müller | Stammanteile | 1250.5 | 0.125 | 2024-02-03",
      "A-3 | Jürgen Groß | Stammanteile | 100 | 1000 | 2024-02-28",
    ]);
  });

  test("are refused where it was not", async () => {
    const problems = await refused("anteile-dezimalkomma.csv", { table, options: { dateOrder: "DMY" } });
    expect(problems).toContain("bad-number F2");
    expect(problems).toContain("bad-number E3");
  });
});

test("a workbook with merged titles, hidden rows and sheets, and headers on every page", async () => {
  const table = {
    ...{ sheet: ["Cap table*"], headerHas: ["No.", "Holder"], to: "stock", ...COMMON },
    columns: {
      ...{ "No.": "certificate", Holder: "holder", Date: "issueDate", Shares: "outstanding" },
      ...{ Price: "price", Remarks: "comments" },
    },
    skipRows: ["Total", "Numbers*"],
  };
  const { lines, read, warnings } = await recorded("merged-and-hidden.xlsx", { table });
  expect(lines).toEqual([
    "1 | Ada Okafor | Common | 900000 | 0.001 | 2023-05-04",
    "2 | Ben Ruiz | Common | 100000 | 0.001 | 2023-05-04",
    "3 | Cy Lind | Common | 5000 | 0.05 | 2023-06-01",
  ]);
  expect(read.closed).toBe(1);
  expect(warnings.filter((each: string) => !each.startsWith("assumed"))).toEqual([
    ...["unknown-sheet null", "unknown-sheet null", "hidden-cells A6", "merged-cells A9"],
  ]);
});

test("amounts in other currencies, negatives, letters for digits and odd days are refused at their cells", async () => {
  const table = {
    ...{ sheet: ["*"], headerHas: ["Cert"], to: "stock", ...COMMON },
    columns: {
      ...{ Cert: "certificate", Holder: "holder", Date: "issueDate", Shares: "quantity" },
      ...{ Price: "price", Paid: "consideration" },
    },
  };
  expect([...(await refused("currencies.csv", { table }))].sort()).toEqual([
    ...["bad-date C6", "bad-date C7", "bad-number D5", "foreign-currency E3", "negative D4"],
  ]);
});

test("Carta's ledgers with warrants and options that were exercised", async () => {
  const { lines, totals, read, vested, warnings } = await recorded("carta-with-warrants.xlsx", {});
  expect([read.format, read.closed]).toEqual(["CARTA_LEDGERS", 3]);
  expect(lines).toEqual([
    "CS-1 | Ada Okafor | Common (CS) | 5500 | 0.001 | 2023-01-02",
    "CS-2 | Ben Ruiz | Common (CS) | 400 | 0.001 | 2025-02-03",
    "CW-1 | First Harbor Bank | WARRANT | 750 | 2 | 2024-03-04",
    "ES-1 | Dee Park | 2023 Equity Incentive Plan | 2400 | 0.1 | 2024-10-31",
    "ES-2 | Eve Stone | 2023 Equity Incentive Plan | 240 | 0.1 | 2024-10-31",
    "SAFE-1 | Northwind Ventures | CONVERTIBLE | 250000 | - | 2025-05-06",
  ]);
  expect([totals.outstanding, totals.options, totals.warrants]).toEqual(["5900", "2640", "750"]);
  expect([await vested("ES-1"), await vested("ES-2"), await vested("ES-1", "2028-10-31")]).toEqual([0, 240, 2400]);
  expect(warnings).toContain("unknown-sheet null");
});

describe("certificates with gaps", () => {
  const table = {
    ...{ sheet: ["*"], headerHas: ["Cert no"], to: "stock", fallback: { certificate: "NEXT" } },
    columns: {
      "Cert no": "certificate",
      Owner: "holder",
      Class: "class",
      "Issued on": "issueDate",
      Shares: "quantity",
    },
  };

  test("go on behind the highest of their class", async () => {
    const { lines } = await recorded("gaps-in-numbers.csv", { table });
    expect(lines.map((line) => line.split(" | ").slice(0, 4).join(" | "))).toEqual([
      "CS-1 | Ada Okafor | Common | 100",
      "CS-10 | Dee Park | Common | 400",
      "CS-11 | Cy Lind | Common | 300",
      "CS-12 | Eve Stone | Common | 500",
      "CS-3 | Ben Ruiz | Common | 200",
      "PS-4 | Northwind | Preferred A | 600",
      "PS-5 | Northwind | Preferred A | 700",
    ]);
  });

  test("of one number twice are refused", async () => {
    expect(await refused("numbers-twice.csv", { table })).toEqual(["duplicate-certificate-id A4"]);
  });
});

test("leavers keep what had vested and was not exercised", async () => {
  const table = {
    ...{ sheet: ["*"], headerHas: ["Grant", "Person"], to: "options", ignore: ["Left on"] },
    columns: {
      ...{ Grant: "certificate", Person: "holder", "Granted on": "issueDate", Granted: "quantity" },
      ...{ Remaining: "outstanding", Strike: "exercisePrice", Terms: "terms" },
    },
    minus: { exercised: ["Exercised"], forfeited: ["Lapsed"] },
    constants: { plan: "2024 Plan", class: "Common", optionType: "ISO" },
    skipRows: ["Total"],
  };
  const { lines, read, vested } = await recorded("leavers.csv", { table });
  expect(lines.map((line) => line.split(" | ").slice(0, 4).join(" | "))).toEqual([
    "ES-1 | Ada Okafor | 2024 Plan | 480",
    "ES-3 | Cy Lind | 2024 Plan | 140",
  ]);
  expect([read.closed, await vested("ES-3"), await vested("ES-3", "2028-01-31"), await vested("ES-1")]).toEqual([
    ...[1, 140, 140, 210],
  ]);
});

describe("a history in the template", () => {
  test("is the transfers, exercises and conversions that it says", async () => {
    const { lines, totals } = await recorded("history-with-transfers.xlsx", {});
    expect(lines).toEqual([
      "CS-1 | Ada | Common | 600 | 0.5 | 2024-01-02",
      "CS-2 | Ben | Common | 400 | 0.5 | 2024-06-03",
      "CS-3 | Ben | 2024 Plan | 667 | 1 | 2025-02-03",
      "ES-1 | Ben | 2024 Plan | 1000 | 1 | 2024-02-02",
      "PA-1 | Fund | Series A | 50000 | 2 | 2025-03-03",
    ]);
    expect([totals.outstanding, totals.options]).toEqual(["51667", "1000"]);
  });

  test("that its own certificates contradict is refused at their cells", async () => {
    expect([...(await refused("history-that-cannot-be.xlsx", {}))].sort()).toEqual([
      ...["differs-from-source B4", "differs-from-source E3", "unknown-certificate H5"],
    ]);
  });
});

test("formulas without values and errors are refused; a serial is a day, and told", async () => {
  const table = {
    ...{ sheet: ["*"], headerHas: ["Cert"], to: "stock", ...COMMON },
    columns: { Cert: "certificate", Holder: "holder", Date: "issueDate", Shares: "quantity", Price: "price" },
  };
  expect([...(await refused("formulas-and-errors.xlsx", { table }))].sort()).toEqual([
    ...["bad-date C5", "error-value D4", "formula-without-value D3"],
  ]);
});

test("notes and SAFEs come in with the principal that is left", async () => {
  const table = {
    ...{ sheet: ["*"], headerHas: ["Ref", "Investor"], to: "convertibles", closedWhen: ["Converted on"] },
    columns: {
      ...{ Ref: "certificate", Investor: "holder", Signed: "issueDate", Amount: "quantity", Remaining: "outstanding" },
      ...{ Cap: "valuationCap", Discount: "discount" },
    },
    derive: { kind: { column: "Kind", match: { "*SAFE*": "SAFE" }, else: "Note" } },
  };
  const { lines, read, warnings } = await recorded("notes-and-safes.csv", { table });
  expect(lines).toEqual([
    "CN-1 | First Harbor Bank | CONVERTIBLE | 60000 | - | 2025-05-06",
    "SAFE-1 | Northwind Ventures | CONVERTIBLE | 250000 | - | 2025-05-06",
  ]);
  expect([read.closed, warnings.filter((each: string) => !each.startsWith("assumed"))]).toEqual([1, []]);
});

test("options on a sheet that a mapping takes for stock are never shares", async () => {
  const table = {
    ...{ sheet: ["*"], headerHas: ["Cert"], to: "stock", ignore: "*", ...COMMON },
    columns: { Cert: "certificate", Holder: "holder", Date: "issueDate", Shares: "quantity" },
  };
  expect(await refused("options-taken-for-stock.xlsx", { table })).toEqual(["unclear-ledger E1", "unclear-ledger F1"]);
});
