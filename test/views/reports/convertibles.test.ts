// Terms of convertibles in reports: whatever way they came in, sheet and paper say what the API shows beside the triggers.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { parse } from "csv-parse/sync";
import { importPackage } from "../../../src/exchange/ocf/import/run.ts";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { checkDocument } from "../../../src/views/reports/documents/check.ts";
import { readDocumentFile } from "../../../src/views/reports/documents/read-pdf.ts";
import { packageWith } from "../../exchange/ocf/import-support.ts";
import { note, RECORDS } from "../../exchange/ocf/objects.ts";
import { makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { readXlsx } from "./read-xlsx.ts";

setDefaultTimeout(60_000);

let server: TestServer;
let holder: string;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
  await server.api("PATCH", "/organization", { legalName: "Convertibles, Inc." });
  holder = await makeStakeholder(server);
});
afterAll(() => server.stop());

type Given = Readonly<Record<string, unknown>>;

async function send(method: string, path: string, body: Given) {
  const answer = await server.api(method, path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.json.data ?? answer.json;
}

async function issue(certificateId: string, given: Given): Promise<string> {
  const body = { stakeholderId: holder, quantity: "50000", certificateId, effectiveDate: "2024-01-01", ...given };
  return (await send("POST", "/transactions/issue-convertible", body)).securityId;
}

async function get(path: string): Promise<Uint8Array> {
  const headers = { authorization: `Bearer ${await server.key("VIEWER")}` };
  const answer = await fetch(`${server.url}/api/v1${path}`, { headers });
  expect({ path, status: answer.status }).toEqual({ path, status: 200 });
  return await answer.bytes();
}

const TERMS = ["Valuation cap (USD)", "Discount %", "Interest %", "Day count", "Matures", "Seniority"] as const;

/** What the sheet says of the terms of each, by its number; a day count would read as a day, and is not guarded here. */
async function sheet(): Promise<ReadonlyMap<string, readonly string[]>> {
  const records = parse(Buffer.from(await get("/reports/convertibles.csv?guard=false")), { bom: true, columns: true });
  return new Map(
    (records as Record<string, string>[]).map((row) => [row.Convertible ?? "", TERMS.map((name) => row[name] ?? "")]),
  );
}

const statementOf = async (path: string) => readDocumentFile(await get(path)).facts?.facts.statement ?? [];
const paper = async (id: string) => new Map(await statementOf(`/securities/${id}/certificate.pdf`));

const NOTE = { convertibleType: "NOTE", maturityDate: "2026-01-01", seniority: 2 } as const;
const FIGURES = { valuationCap: "8000000", discountPercent: "20" } as const;
const INTEREST = { interestRate: "6.5", dayCount: "30_360" } as const;
const SAID = ["8000000", "20", "6.5", "30/360", "2026-01-01", "2"];

test("whatever way terms came in, the sheet, its workbook and paper have them", async () => {
  const rates = [{ ratePercent: "6.5", startDate: "2024-01-01" }];
  const mechanism = { type: "NOTE", ...FIGURES, interestRates: rates, dayCount: "30_360" };
  const custom = { type: "CUSTOM", description: "By agreement" };
  const ids = [
    await issue("FLAT-1", { ...NOTE, ...FIGURES, ...INTEREST }),
    await issue("SHORT-1", { convertibleTerms: { ...NOTE, ...FIGURES, ...INTEREST } }),
    await issue("FULL-1", {
      convertibleTerms: {
        ...NOTE,
        triggers: [
          { type: "AUTOMATIC_ON_DATE", date: "2026-01-01", mechanism: { ...mechanism, valuationCap: "1" } },
          { type: "UNSPECIFIED", mechanism: custom },
          { type: "ELECTIVE_AT_WILL", mechanism },
        ],
      },
    }),
    (
      await send("POST", "/securities", {
        type: "CONVERTIBLE",
        stakeholderId: holder,
        quantity: "50000",
        certificateId: "POST-1",
        grantDate: "2024-01-01",
        convertibleTerms: { ...NOTE, ...FIGURES, ...INTEREST },
      })
    ).id,
  ];
  const rows = await sheet();
  for (const number of ["FLAT-1", "SHORT-1", "FULL-1", "POST-1"]) {
    expect([number, ...(rows.get(number) ?? [])]).toEqual([number, ...SAID]);
  }
  const [book] = readXlsx(await get("/reports/cap-table.xlsx?sheets=convertibles")).sheets;
  const header = [...(book?.cells ?? [])].filter(([at]) => /^[A-Z]+4$/.test(at));
  const column = header.find(([, { value }]) => value === "Valuation cap (USD)")?.[0].slice(0, -1);
  expect(book?.cells.get(`${column}5`)?.value).toBe("8000000");
  for (const id of ids) {
    const lines = await paper(id);
    expect(["Kind", "Valuation cap", "Discount", "Interest", "Matures"].map((label) => lines.get(label))).toEqual([
      "Note",
      "8,000,000 USD",
      "20%",
      "6.5% a year, 30/360",
      "2026-01-01",
    ]);
  }
  const held = await statementOf(`/stakeholders/${holder}/statement.pdf`);
  expect(held.filter(([label]) => label === "Convertibles: Cap").map(([, value]) => value)).toEqual(
    ids.map(() => "8,000,000 USD"),
  );
});

/** Brings in a convertible whose amounts are in euros; this company's are in dollars. */
async function importInEuro(): Promise<void> {
  await send("PATCH", "/organization", { currency: "USD" });
  const money = (amount: string) => ({ amount, currency: "EUR" });
  const mechanism = { type: "SAFE_CONVERSION", conversion_mfn: false, conversion_discount: "0.2" };
  const right = { ...mechanism, conversion_valuation_cap: money("5000000") };
  const trigger = {
    type: "ELECTIVE_AT_WILL",
    trigger_id: "t",
    conversion_right: { type: "CONVERTIBLE_CONVERSION_RIGHT", conversion_mechanism: right },
  };
  const safe = { ...note("n1", "2024-01-01", "500"), investment_amount: money("500"), conversion_triggers: [trigger] };
  const call = () => commandLineCall(systemRuntime, server.orgId);
  await importPackage({ writer: server.app.writer, call }, packageWith([...RECORDS, safe]));
}

test("what is in another currency, is said not to be there, or changes by the years says so", async () => {
  const rates = [
    { ratePercent: "4", startDate: "2024-01-01", endDate: "2024-12-31" },
    { ratePercent: "6", startDate: "2025-01-01" },
  ];
  await importInEuro();
  const safe = await issue("SAFE-1", { convertibleType: "SAFE", valuationCap: "0", discountPercent: "15" });
  const stepped = await issue("STEP-1", { convertibleTerms: { ...NOTE, interestRates: rates } });
  const stockClassId = await makeShareClass(server);
  const fixed = await issue("FIX-1", {
    convertibleTerms: {
      convertibleType: "CONVERTIBLE_SECURITY",
      triggers: [{ type: "ELECTIVE_AT_WILL", stockClassId, mechanism: { type: "FIXED", quantity: "100" } }],
    },
  });
  const rows = await sheet();
  expect(rows.get("n1")).toEqual(["5000000 EUR", "20", "", "", "", "1"]);
  expect(rows.get("SAFE-1")).toEqual(["0", "15", "", "", "", "1"]);
  expect(rows.get("STEP-1")).toEqual(["", "", "4", "Actual/365", "2026-01-01", "2"]);
  expect(rows.get("FIX-1")).toEqual(["", "", "", "", "", "1"]);
  expect((await paper("n1")).get("Valuation cap")).toBe("5,000,000 EUR");
  expect((await paper(safe)).get("Valuation cap")).toBeUndefined();
  expect((await paper(stepped)).get("Interest")).toBe(
    "4% a year from 2024-01-01, 6% a year from 2025-01-01, Actual/365",
  );
  expect((await paper(fixed)).get("Kind")).toBe("Convertible security");
});

test("a document that said other terms, or none, still agrees and names the lines", async () => {
  const other = await makeStakeholder(server);
  const id = await issue("LATER-1", { stakeholderId: other, convertibleType: "SAFE" });
  const [certificate, statement] = [
    await get(`/securities/${id}/certificate.pdf`),
    await get(`/stakeholders/${other}/statement.pdf`),
  ];
  await send("PATCH", `/securities/${id}`, { convertibleTerms: { ...NOTE, ...FIGURES } });
  const today = new Date().toISOString().slice(0, 10);
  const check = (bytes: Uint8Array) => checkDocument(server.app.reader, bytes, { today, fontFolder: null });
  const changed = (label: string, was: string | null, now: string) => ({ label, isComputed: false, was, now });
  expect(await check(certificate)).toMatchObject({
    agrees: true,
    changed: [
      changed("Kind", "SAFE", "Note"),
      changed("Valuation cap", null, "8,000,000 USD"),
      changed("Discount", null, "20%"),
      changed("Matures", null, "2026-01-01"),
    ],
  });
  expect(await check(statement)).toMatchObject({
    agrees: true,
    changed: [
      changed("Convertibles: Kind", "SAFE", "Note"),
      changed("Convertibles: Cap", null, "8,000,000 USD"),
      changed("Convertibles: Matures", null, "2026-01-01"),
    ],
  });
});
