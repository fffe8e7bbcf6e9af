// Certificates, statements and the summary: the same bytes each time, every word found in them, and held against the ledger
// by their file and by their code.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { updateOrganization } from "../../../src/resources/organization/store.ts";
import { openWritable } from "../../../src/storage/database/open.ts";
import { checkCode, checkDocument } from "../../../src/views/reports/documents/check.ts";
import { readCode } from "../../../src/views/reports/documents/code.ts";
import { type PaperDocument, TooManyPages } from "../../../src/views/reports/documents/document-model.ts";
import { readDocumentFile } from "../../../src/views/reports/documents/read-pdf.ts";
import { drawDocument } from "../../../src/views/reports/pdf/draw.ts";
import { asking, makeWholeCompany, type WholeCompany } from "../../kit/company.ts";
import { runProgram } from "../../kit/program.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { RELEASE } from "../../kit/release.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { readXlsx } from "./read-xlsx.ts";

setDefaultTimeout(180_000);

const TODAY = new Date().toISOString().slice(0, 10);
const QPDF = Bun.which("qpdf");
const PDFTOPPM = Bun.which("pdftoppm");
const ZBARIMG = Bun.which("zbarimg");
const PDFTOTEXT = Bun.which("pdftotext");
const NAMES = [
  "Nguyễn Thị Bình",
  "Αλέξανδρος Παπαδόπουλος",
  "Дмитрий Менделеев",
  "王小明与李雷",
  "山田ひらがなカタカナ",
  "김철수 주식회사",
];

let server: TestServer;
let company: WholeCompany;
beforeAll(async () => {
  server = await startTestServer();
  company = await makeWholeCompany(asking(server.url, await server.key("ADMIN")));
});
afterAll(() => server.stop());

async function get(path: string): Promise<Uint8Array> {
  const headers = { authorization: `Bearer ${await server.key("VIEWER")}` };
  const answer = await fetch(`${server.url}/api/v1${path}`, { headers });
  const bytes = await answer.bytes();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${Buffer.from(bytes)}`);
  return bytes;
}

const check = (bytes: Uint8Array) => checkDocument(server.app.reader, bytes, { today: TODAY, fontFolder: null });

async function issued(name: string, certificateId: string) {
  const body = { displayName: name, name: { legalName: name }, type: "INDIVIDUAL" };
  const holder = (await server.api("POST", "/stakeholders", body)).json.id;
  const issue = { stakeholderId: holder, stockClassId: company.shareClass, quantity: "100.5", certificateId };
  const { json } = await server.api("POST", "/transactions/issue-shares", { ...issue, effectiveDate: "2026-06-01" });
  return { holder, security: json.data.securityId as string };
}

/** The text that another program finds. */
async function textOf(bytes: Uint8Array): Promise<string> {
  const child = Bun.spawn(["pdftotext", "-", "-"], { stdin: bytes, stdout: "pipe" });
  return await new Response(child.stdout).text();
}

describe("a certificate", () => {
  test("has the same bytes each time, also after others were issued, and agrees with the ledger", async () => {
    const path = `/securities/${company.stock}/certificate.pdf`;
    const first = await get(path);
    await issued("Another Holder", "ELSE-1");
    expect(Buffer.compare(await get(path), first)).toBe(0);
    expect(await check(first)).toMatchObject({ agrees: true, notes: [], changed: [] });
  });

  test.each(["certificate", "statement", "summary"])(
    "a %s of which any byte was changed does not agree",
    async (what) => {
      const paths: Record<string, string> = {
        certificate: `/securities/${company.stock}/certificate.pdf`,
        statement: `/stakeholders/${company.holders[0]}/statement.pdf`,
        summary: "/reports/cap-table.pdf?asOf=2026-06-30&basis=GRANTED",
      };
      const bytes = await get(paths[what] ?? "");
      expect(await check(bytes)).toMatchObject({ agrees: true });
      for (const part of RELEASE ? [0.05, 0.3, 0.5, 0.7, 0.95] : [0.05, 0.5, 0.95]) {
        const changed = Uint8Array.from(bytes);
        const at = Math.floor(bytes.length * part);
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect((await check(changed)).agrees).toBe(false);
      }
      expect(await check(Buffer.from("%PDF-1.7 something else"))).toMatchObject({ agrees: false });
    },
  );

  test("says by which entry it is superseded, and agrees with what was", async () => {
    const { holder, security } = await issued("Gives Some Away", "GIVE-1");
    const before = await get(`/securities/${security}/certificate.pdf`);
    const move = { fromStakeholderId: holder, toStakeholderId: company.holders[0], quantity: "50" };
    const body = { ...move, securityId: security, effectiveDate: "2026-06-02" };
    expect((await server.api("POST", "/transactions/transfer", body)).status).toBe(201);
    const { agrees, notes } = await check(before);
    expect(agrees).toBe(true);
    expect(notes.join()).toMatch(/superseded by entry \d+/);
    const after = await get(`/securities/${security}/certificate.pdf`);
    const lines = new Map(readDocumentFile(after).facts?.facts.statement ?? []);
    const figures = ["Issued", "Transferred", "Outstanding"].map((label) => lines.get(label));
    expect(figures).toEqual(["100.5 on 2026-06-01", "50", "50.5 shares"]);
  });

  test("whose holder is called otherwise now agrees, and says what changed", async () => {
    const { holder, security } = await issued("Old Name", "NAME-1");
    const bytes = await get(`/securities/${security}/certificate.pdf`);
    await server.api("PATCH", `/stakeholders/${holder}`, { name: { legalName: "New Name" } });
    const { agrees, changed } = await check(bytes);
    expect(agrees).toBe(true);
    expect(changed).toEqual([{ label: "Holder", isComputed: false, was: "Old Name", now: "New Name" }]);
    // The drawing is compared all the same, as it was then.
    const drawn = Uint8Array.from(bytes);
    const at = Buffer.from(bytes).indexOf("/FlateDecode");
    drawn[at + 40] = (drawn[at + 40] ?? 0) ^ 1;
    expect(await check(drawn)).toMatchObject({ agrees: false, isLedgerOther: false });
    const code = readDocumentFile(bytes).facts?.code;
    expect(code?.subjectId).toBe(security);
  });

  test("of another ledger is told from one that was changed", async () => {
    const { security } = await issued("Rewritten", "REWRITE-1");
    const bytes = await get(`/securities/${security}/certificate.pdf`);
    const { sequence = 0 } = readDocumentFile(bytes).facts?.facts ?? {};
    // The same document, where the ledger has another entry in that place.
    const { sqlite } = openWritable(server.app.reader.sqlite.name);
    const hash = sqlite.prepare("select hash from transactions where orgId = ? and sequence = ?");
    const set = sqlite.prepare("update transactions set hash = ? where orgId = ? and sequence = ?");
    const before = (hash.get(server.orgId, sequence) as { hash: string }).hash;
    const triggers = sqlite.prepare("select name, sql from sqlite_master where type = 'trigger' and tbl_name = ?");
    const guards = triggers.all("transactions") as { readonly name: string; readonly sql: string }[];
    for (const { name } of guards) sqlite.exec(`drop trigger "${name}"`);
    set.run("0".repeat(64), server.orgId, sequence);
    expect(await check(bytes)).toMatchObject({ agrees: false, isLedgerOther: true });
    set.run(before, server.orgId, sequence);
    for (const { sql } of guards) sqlite.exec(sql);
    sqlite.close();
    expect(await check(bytes)).toMatchObject({ agrees: true, isLedgerOther: false });
  });

  test("of a day before it was issued, or of nothing, is refused", async () => {
    const before = await server.api("GET", `/securities/${company.stock}/certificate.pdf?asOf=1999-01-01`);
    expect([before.status, before.json.errors[0].parameter]).toEqual([422, "asOf"]);
    expect((await server.api("GET", "/securities/nothing/certificate.pdf")).status).toBe(404);
    expect((await server.api("GET", "/stakeholders/nothing/statement.pdf")).status).toBe(404);
  });
});

test("a statement says when options expire, and not stock that was made of them", async () => {
  const [, holder] = company.holders;
  const rows = readDocumentFile(await get(`/stakeholders/${holder}/statement.pdf?asOf=2026-11-01`)).facts?.facts
    .statement;
  const of = (label: string) => (rows ?? []).filter(([each]) => each === label).map(([, value]) => value);
  expect(of("Options: Expires")).toEqual(["2036-01-19"]);
  // What was transferred, and what the exercise made.
  expect(of("Stock: Number").length).toBeGreaterThan(1);
  expect(of("Stock: Expires")).toEqual([]);
});

describe("after a split", () => {
  test("price and quantity are of the same shares, and what was issued stands with the split", async () => {
    const stockClass = {
      name: "Split",
      classType: "COMMON",
      defaultIdPrefix: "SP-",
      initialSharesAuthorized: "100000",
    };
    const made = await server.api("POST", "/share-classes", { ...stockClass, votesPerShare: "1", seniority: 1 });
    const stockClassId = made.json.id;
    const stakeholderId = company.holders[0];
    const body = { stakeholderId, stockClassId, quantity: "1000", certificateId: "SPLIT-1", pricePerShare: "0.0001" };
    const issue = await server.api("POST", "/transactions/issue-shares", { ...body, effectiveDate: "2024-01-02" });
    const split = { stockClassId, numerator: 10, denominator: 1, effectiveDate: "2026-06-01" };
    expect((await server.api("POST", "/transactions/split", split)).status).toBe(200);
    const bytes = await get(`/securities/${issue.json.data.securityId}/certificate.pdf`);
    const lines = new Map(readDocumentFile(bytes).facts?.facts.statement ?? []);
    const told = ["Outstanding", "Issued", "Split", "Price per share"].map((label) => lines.get(label));
    expect(told).toEqual(["10,000 shares", "1,000 on 2024-01-02", "10 for 1 on 2026-06-01", "0.00001 USD"]);
    expect(await check(bytes)).toMatchObject({ agrees: true });
    const statement = readDocumentFile(await get(`/stakeholders/${stakeholderId}/statement.pdf`)).facts?.facts
      .statement;
    const row = (statement ?? []).slice((statement ?? []).findIndex(([, value]) => value === "SPLIT-1"));
    expect(row.find(([label]) => label === "Stock: Outstanding")?.[1]).toBe("10,000");
    expect(row.find(([label]) => label === "Stock: Price")?.[1]).toBe("0.00001 USD");
    const before = await get(`/securities/${issue.json.data.securityId}/certificate.pdf?asOf=2026-05-31`);
    const then = new Map(readDocumentFile(before).facts?.facts.statement ?? []);
    expect([then.get("Outstanding"), then.get("Split"), then.get("Price per share")]).toEqual([
      "1,000 shares",
      undefined,
      "0.0001 USD",
    ]);
  });
});

describe("papers add up", () => {
  /** An option of 4,800 over 48 months of which 1,000 were exercised and 100 transferred in the 46th. */
  async function partlyGone() {
    const where = { orgId: await server.newOrganization() };
    const send = async (path: string, body: object) => {
      const { status, json, text } = await server.api("POST", path, body, where);
      expect(`${path} ${status} ${status < 300 ? "" : text}`).toMatch(/ 20[01] $/);
      return json.data ?? json;
    };
    const common = { name: "Common", classType: "COMMON", defaultIdPrefix: "CS-", votesPerShare: "1", seniority: 1 };
    const stockClassId = (await send("/share-classes", { ...common, initialSharesAuthorized: "100000" })).id;
    const plan = { planName: "Plan", initialSharesReserved: "10000", stockClassIds: [stockClassId] };
    const stockPlanId = (await send("/equity-plans", plan)).id;
    const holder = async (legalName: string) =>
      (await send("/stakeholders", { displayName: legalName, name: { legalName }, type: "INDIVIDUAL" })).id;
    const [ann, bob] = [await holder("Ann"), await holder("Bob")];
    const monthly = {
      id: "month",
      trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS", occurrences: 48 },
      portion: { numerator: 1, denominator: 48 },
    };
    const terms = await send("/vesting-terms", { name: "M", description: "Monthly", vestingConditions: [monthly] });
    const grant = { stakeholderId: ann, stockPlanId, quantity: "4800", exercisePrice: "1", optionType: "NSO" };
    const day = { effectiveDate: "2022-01-01", vestingTermsId: terms.id, certificateId: "ES-1" };
    const { securityId } = await send("/transactions/issue-options", { ...grant, ...day });
    const exercise = { securityId, quantity: "1000", exercisePrice: "1", effectiveDate: "2025-11-02" };
    const stock = (await send("/transactions/exercise", exercise)).newSecurityId;
    const moved = { securityId, fromStakeholderId: ann, toStakeholderId: bob, quantity: "100" };
    const part = (await send("/transactions/transfer", { ...moved, effectiveDate: "2025-11-03" })).newSecurityId;
    return { where, ann, bob, securityId, stock, part, send };
  }

  async function statementOf(path: string, orgId: string) {
    const headers = { authorization: `Bearer ${await server.key("VIEWER", orgId)}` };
    const bytes = await (await fetch(`${server.url}/api/v1${path}`, { headers })).bytes();
    return readDocumentFile(bytes).facts?.facts.statement ?? [];
  }

  test("from what was granted over what went out to what is outstanding, vested and not", async () => {
    const { where, ann, securityId } = await partlyGone();
    const lines = new Map(await statementOf(`/securities/${securityId}/certificate.pdf?asOf=2025-11-03`, where.orgId));
    expect(Object.fromEntries([...lines].slice(6, -4))).toEqual({
      Granted: "4,800 on 2022-01-01",
      Transferred: "100",
      Exercised: "1,000",
      Outstanding: "3,700 options",
      "Exercise price": "1 USD",
      Type: "NSO",
      Expires: "2032-01-01",
      "Vested, not exercised": "3,506",
      Unvested: "194",
    });
    expect(lines.get("Exercisable")).toBe("3,506");
    const statement = await statementOf(`/stakeholders/${ann}/statement.pdf?asOf=2025-11-03`, where.orgId);
    const row = statement.find(([label]) => label === "Options: Vested, not exercised");
    expect(row?.[1]).toBe("3,506");
    const headers = { authorization: `Bearer ${await server.key("VIEWER", where.orgId)}` };
    const csv = `${server.url}/api/v1/reports/option-ledger.csv?asOf=2025-11-03&bom=false`;
    const [header = "", first = ""] = (await (await fetch(csv, { headers })).text()).split("\r\n");
    const vested = first.split(",")[header.split(",").indexOf("Vested")];
    expect(vested).toBe("4506");
  });

  test("a transferred part of an option is numbered behind the option, not as stock", async () => {
    const { where, bob, ann, securityId, stock, part, send } = await partlyGone();
    const numberOf = async (id: string) => (await server.api("GET", `/securities/${id}`, undefined, where)).json;
    expect((await numberOf(stock)).certificateId).toBe("CS-1");
    expect((await numberOf(part)).certificateId).toBe("ES-1-1");
    const moved = { securityId, fromStakeholderId: ann, toStakeholderId: bob, quantity: "100" };
    const again = (await send("/transactions/transfer", { ...moved, effectiveDate: "2025-12-03" })).newSecurityId;
    expect((await numberOf(again)).certificateId).toBe("ES-1-2");
  });
});

describe("a paper known at an instant", () => {
  test.each(["certificate", "statement", "summary"])(
    "%s: says so at its foot, and is made anew from its file",
    async (what) => {
      const paths: Record<string, string> = {
        certificate: `/securities/${company.stock}/certificate.pdf`,
        statement: `/stakeholders/${company.holders[0]}/statement.pdf`,
        summary: "/reports/cap-table.pdf",
      };
      const knownAt = new Date().toISOString();
      const path = `${paths[what]}?asOf=2026-06-30&knownAt=`;
      const bytes = await get(path + knownAt);
      // A later entry leaves what was known as it was.
      await issued("Later", `LATER-${what}`);
      expect(Buffer.compare(await get(path + knownAt), bytes)).toBe(0);
      const file = readDocumentFile(bytes).facts;
      expect(file).toMatchObject({ knownAt, isOwn: true });
      expect(file?.facts).not.toHaveProperty("knownAt");
      expect(JSON.stringify(file?.facts.statement)).not.toContain(knownAt);
      expect(await check(bytes)).toMatchObject({ agrees: true });
      expect(checkCode(server.app.reader, readSubject(bytes), TODAY)).toMatchObject({ agrees: true });
      if (PDFTOTEXT) expect(await textOf(bytes)).toContain(`Known at ${knownAt}.`);
    },
  );

  function readSubject(bytes: Uint8Array): string {
    return /\n\((captable:1:[^)]*)\)/.exec(Buffer.from(bytes).toString("latin1"))?.[1] ?? "";
  }
});

describe("a day before the ledger begins", () => {
  const SENTENCE = /This ledger begins on (\d{4}-\d{2}-\d{2}); nothing was recorded here before\./;

  test("is told on paper, in answers and on standard error", async () => {
    for (const path of ["/reports/cap-table.pdf", `/stakeholders/${company.holders[0]}/statement.pdf`]) {
      const bytes = await get(`${path}?asOf=1999-12-31`);
      expect(JSON.stringify(readDocumentFile(bytes).facts?.facts.statement)).toMatch(SENTENCE);
      expect(await check(bytes)).toMatchObject({ agrees: true });
      const later = readDocumentFile(await get(`${path}?asOf=2026-06-30`)).facts?.facts.statement;
      expect(JSON.stringify(later)).not.toMatch(SENTENCE);
    }
    const warnings = async (path: string) => {
      const { json } = await server.api("GET", path);
      return (json.data ?? json).warnings;
    };
    for (const path of ["/cap-table", `/stakeholders/${company.holders[0]}/position`]) {
      expect(await warnings(path)).toEqual([]);
      expect(await warnings(`${path}?asOf=1999-12-31`)).toEqual([
        { code: "before-the-ledger", detail: expect.stringMatching(SENTENCE) },
      ]);
      expect(await warnings(`${path}?knownAt=1999-12-31T00:00:00Z`)).toMatchObject([{ code: "before-the-ledger" }]);
    }
    const empty = { orgId: await server.newOrganization() };
    const { json } = await server.api("GET", "/cap-table?asOf=1999-12-31", undefined, empty);
    expect(json.data.warnings).toEqual([]);
  });
});

describe("a code", () => {
  async function codeOf(path: string): Promise<string> {
    const text = Buffer.from(await get(path)).toString("latin1");
    return /\n\((captable:1:[^)]*)\)/.exec(text)?.[1] ?? "";
  }

  /** The code of a certificate that names an entry so much later, which is another's. */
  async function codeAt(security: string, more: number): Promise<string> {
    const code = await codeOf(`/securities/${security}/certificate.pdf`);
    return code.replace(/:(\d+):(?=[0-9a-f]{64}$)/, (_, sequence) => `:${Number(sequence) + more}:`);
  }

  test("typed in with whatever white space gives the statement, and agrees", async () => {
    const code = await codeOf(`/securities/${company.option}/certificate.pdf?asOf=2026-10-01`);
    const typed = `  ${code.slice(0, 40)}\n ${code.slice(40, 90)} \t${code.slice(90)}`;
    const { agrees, statement } = checkCode(server.app.reader, typed, TODAY);
    expect(agrees).toBe(true);
    expect(new Map(statement).get("Company")).toBe("Whole, Inc.");
  });

  test("with another digest, day or entry does not agree", async () => {
    const code = await codeOf("/reports/cap-table.pdf?asOf=2026-06-30");
    expect(checkCode(server.app.reader, code, TODAY).agrees).toBe(true);
    const spoiled = [
      code.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")),
      code.replace("2026-06-30", "2026-01-16"),
      code.replace(/:(\d+):FULLY/, (_, n) => `:${Number(n) - 3}:FULLY`),
      code.replace(/:(\d+):FULLY/, ":999999:FULLY"),
    ];
    const later = await codeAt(company.stock, 1);
    expect(checkCode(server.app.reader, later, TODAY)).toMatchObject({ agrees: false, isLedgerOther: false });
    const other = checkCode(server.app.reader, later.replace(/.{8}$/, "01234567"), TODAY);
    expect(other).toMatchObject({ agrees: false, isLedgerOther: false });
    expect(other.notes[0]).toMatch(/names an entry that is not this document's/);
    for (const each of spoiled) expect(checkCode(server.app.reader, each, TODAY).agrees).toBe(false);
    expect(readCode("captable:1:C:a:b")).toBeNull();
    expect(readCode("captable:2:C:a:b:2026-01-01:1:".concat("0".repeat(64)))).toBeNull();
  });
});

describe("the file", () => {
  test("tells of letters that no font has", async () => {
    const { security } = await issued("محمد", "RTL-1");
    const headers = { authorization: `Bearer ${await server.key("VIEWER")}` };
    const answer = await fetch(`${server.url}/api/v1/securities/${security}/certificate.pdf`, { headers });
    expect(answer.headers.get("x-captable-missing-glyphs")).toBe("U+062D U+062F U+0645");
    expect(answer.headers.get("content-type")).toBe("application/pdf");
  });

  const papers = (): readonly string[] => [
    `/securities/${company.stock}/certificate.pdf`,
    `/securities/${company.option}/certificate.pdf`,
    `/stakeholders/${company.holders[0]}/statement.pdf`,
    "/reports/cap-table.pdf",
  ];

  test.skipIf(!QPDF)("is sound, says qpdf", async () => {
    for (const path of papers()) {
      const file = join(server.dataDir, "sound.pdf");
      const bytes = await get(path);
      const check = async (content: Uint8Array) => {
        await Bun.write(file, content);
        return await Bun.spawn(["qpdf", "--check", file], { stdout: "ignore", stderr: "ignore" }).exited;
      };
      expect(await check(bytes)).toBe(0);
      expect(await check(bytes.slice(0, bytes.length >> 1))).not.toBe(0);
    }
  });

  test.skipIf(!PDFTOPPM || !ZBARIMG)("has its code as a QR code that another program reads off the page", async () => {
    for (const path of papers()) {
      const bytes = await get(path);
      const folder = join(server.dataDir, `pages-${Bun.randomUUIDv7()}`);
      mkdirSync(folder);
      await Bun.write(join(folder, "paper.pdf"), bytes);
      await Bun.spawn(["pdftoppm", "-r", "200", "-png", "paper.pdf", "page"], { cwd: folder }).exited;
      const pages = readdirSync(folder).filter((name) => name.endsWith(".png"));
      // Other kinds of codes are found in plain letters now and then.
      const child = Bun.spawn(["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", ...pages], {
        cwd: folder,
        stdout: "pipe",
        stderr: "ignore",
      });
      const read = (await new Response(child.stdout).text()).trim();
      expect(read).toBe(/\n\((captable:1:[^)]*)\)/.exec(Buffer.from(bytes).toString("latin1"))?.[1] ?? "none");
      expect(checkCode(server.app.reader, read, TODAY).agrees).toBe(true);
    }
  });

  test.skipIf(!PDFTOTEXT)("has names of seven scripts as text", async () => {
    for (const [at, name] of NAMES.entries()) {
      const { security } = await issued(name, `SCRIPT-${at}`);
      const text = await textOf(await get(`/securities/${security}/certificate.pdf`));
      for (const word of [name, `SCRIPT-${at}`, "100.5"]) expect(text).toContain(word);
    }
  });
});

describe("the command", () => {
  async function captable(...args: string[]) {
    const { status, stdout: out, stderr: err } = await runProgram([...args, "--data-dir", server.dataDir]);
    return { status, out, err };
  }

  test("writes what the service answers, and verifies it", async () => {
    const file = join(server.dataDir, "out.pdf");
    const org = ["--org", server.orgId];
    const made = await captable("report", "certificate", company.stock, "--out", file, "--json", ...org);
    expect([made.status, made.err]).toEqual([0, ""]);
    const bytes = await Bun.file(file).bytes();
    expect(Buffer.compare(bytes, await get(`/securities/${company.stock}/certificate.pdf`))).toBe(0);
    expect(JSON.parse(made.out)).toMatchObject({ file, bytes: bytes.length });
    const agreed = await captable("verify", "--document", file);
    expect([agreed.status, agreed.out.split("\n")[0]]).toEqual([0, "Agrees with the ledger."]);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await Bun.write(file, bytes);
    expect((await captable("verify", "--document", file)).status).toBe(1);
    const elsewhere = `captable:1:S:elsewhere:elsewhere:2026-01-01:1:GRANTED:${"0".repeat(64)}`;
    expect((await captable("verify", "--code", elsewhere)).status).toBe(2);
  });

  test("writes the workbook and CSV", async () => {
    const file = join(server.dataDir, "out.xlsx");
    const made = await captable("report", "workbook", "--out", file, "--as-of", "2026-06-30", "--org", server.orgId);
    expect([made.status, made.err]).toEqual([0, ""]);
    const served = await get("/reports/cap-table.xlsx?asOf=2026-06-30");
    expect(Buffer.compare(await Bun.file(file).bytes(), served)).toBe(0);
    const csv = await captable("report", "csv", "pool", "--out", "-", "--no-bom", "--org", server.orgId);
    expect(csv.out.startsWith("Plan,Reserved,")).toBe(true);
    const some = ["--out", file, "--sheets", "notes,summary", "--org", server.orgId];
    expect((await captable("report", "workbook", ...some)).status).toBe(0);
    expect(readXlsx(await Bun.file(file).bytes()).sheets.map(({ name }) => name)).toEqual(["Summary", "Notes"]);
    expect((await captable("report", "csv", "nothing", "--out", file)).status).toBe(2);
  });
});

test("a long document is refused before it is drawn to its end; a summary of many lines is one page", async () => {
  const rows = Array.from({ length: 60 }, (_, at) => [`Line ${at}`, "1,234.5"]);
  const columns = [
    { header: "Class", weight: 1 },
    { header: "Outstanding", weight: 1, isFigure: true },
  ];
  const table = { kind: "table", title: "Classes", columns, rows, totals: null } as const;
  const said = { legalName: "Long, Inc.", formedIn: null, title: "CAP TABLE SUMMARY", entry: "1", stamp: null };
  const behind = {
    code: "captable:1:S",
    facts: "{}",
    producer: "captable",
    made: new Date(0),
    isTest: true,
    knownAt: null,
  };
  const draw = (document: PaperDocument) => drawDocument(document, { ...behind, isLetter: true, fontFolder: null });
  expect((await draw({ ...said, kind: "S", blocks: [table] })).pages).toBe(1);
  expect((await draw({ ...said, kind: "H", blocks: [table] })).pages).toBe(2);
  const endless = (length: number) => ({ ...table, rows: Array.from({ length }, () => ["x", "1"]) });
  const refused = (length: number) =>
    expect(draw({ ...said, kind: "H", blocks: [endless(length)] })).rejects.toThrow(TooManyPages);
  await refused(1_000_000);
  // Drawn until there is no more room, which takes long.
  if (RELEASE) await refused(20_000);
});

test("an organization without a name makes no certificate and no statement", async () => {
  const orgId = await server.newOrganization();
  const { security, holder } = await inOrganizationOf(orgId);
  const name = (isNamed: 0 | 1) =>
    server.app.writer.submit((tx) => {
      const call = commandLineCall(systemRuntime, orgId);
      updateOrganization(tx, call, { isNamed });
    });
  await name(0);
  for (const path of [`/securities/${security}/certificate.pdf`, `/stakeholders/${holder}/statement.pdf`]) {
    const { status, json } = await server.api("GET", path, undefined, { orgId });
    expect([status, json.type]).toEqual([409, expect.stringMatching(/\/organization-unnamed$/)]);
  }
  expect((await server.api("GET", "/reports/cap-table.pdf", undefined, { orgId })).status).toBe(200);
  const out = join(server.dataDir, "unnamed.pdf");
  const ended = await runProgram([
    ...["report", "certificate", security, "--org", orgId, "--out", out, "--data-dir", server.dataDir],
  ]);
  expect([ended.status, ended.stdout]).toEqual([3, ""]);
  expect(ended.stderr).toContain("has no name yet");
  await name(1);
  expect((await server.api("GET", `/securities/${security}/certificate.pdf`, undefined, { orgId })).status).toBe(200);
});

async function inOrganizationOf(orgId: string) {
  const holder = await makeStakeholder(server, {}, { orgId });
  const stockClassId = await makeShareClass(server, {}, { orgId });
  return { holder, security: await issueShares(server, { stakeholderId: holder, stockClassId }, { orgId }) };
}
