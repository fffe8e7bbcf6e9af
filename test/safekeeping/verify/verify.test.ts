// verify finds every kind of damage that can be done to the file behind the service's back, and names it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { Problem } from "../../../src/kernel/problem.ts";
import { hashEntry } from "../../../src/ledger/hash.ts";
import type { Difference, VerifyReport } from "../../../src/safekeeping/verify/report.ts";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { verifyWhole } from "../../../src/safekeeping/verify/whole.ts";
import { DATABASE_FILE, openReadOnly } from "../../../src/storage/database/open.ts";
import type { Row } from "../../../src/storage/database/sql.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

let server: TestServer;
let folder: string;
let sound: string;
let other: string;
const ids = { holder: "", buyer: "", stockClass: "", issued: "", transferred: "" };

beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off", CAPTABLE_CHAIN: "on" });
  ids.holder = await makeStakeholder(server);
  ids.buyer = await makeStakeholder(server);
  ids.stockClass = await makeShareClass(server, { initialSharesAuthorized: "1000" });
  await server.api("PATCH", `/share-classes/${ids.stockClass}`, { initialSharesAuthorized: "5000" });
  await server.api("PATCH", `/share-classes/${ids.stockClass}`, { initialSharesAuthorized: "4000" });
  ids.issued = await issueShares(server, {
    stakeholderId: ids.holder,
    stockClassId: ids.stockClass,
    quantity: "900.50",
  });
  const transfer = await server.api("POST", "/transactions/transfer", {
    securityId: ids.issued,
    fromStakeholderId: ids.holder,
    toStakeholderId: ids.buyer,
    quantity: "300",
    effectiveDate: "2026-02-01",
  });
  ids.transferred = transfer.json.data.newSecurityId;
  const cancellation = { securityId: ids.issued, quantity: "0.5", cancellationReason: "FORFEITURE" };
  await server.api("POST", "/transactions/cancel", { ...cancellation, effectiveDate: "2026-03-01" });
  other = await server.newOrganization("Other, Inc.");
  folder = mkdtempSync(join(tmpdir(), "captable-verify-"));
  sound = join(folder, "sound.db");
  const live = new Database(join(server.dataDir, DATABASE_FILE));
  live.exec(`VACUUM INTO '${sound}'`);
  live.close();
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Verifies a copy of the sound file after `damage` was done to it, with nothing in SQLite to stop it. */
/** The fifth entry as the file has it. */
function fifthEntry(sqlite: Database.Database): Row<"transactions"> {
  return sqlite
    .prepare<[], Row<"transactions">>("SELECT * FROM transactions WHERE sequence = 5")
    .get() as Row<"transactions">;
}

function verifyAfter(damage: (sqlite: Database.Database) => void): VerifyReport {
  const file = join(folder, "damaged.db");
  copyFileSync(sound, file);
  const sqlite = new Database(file);
  sqlite.pragma("foreign_keys = OFF");
  const triggers = sqlite.prepare("select name, sql from sqlite_schema where type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) sqlite.exec(`DROP TRIGGER ${name}`);
  damage(sqlite);
  for (const { sql } of triggers) sqlite.exec(sql);
  sqlite.close();
  return verifyFile(file);
}

function verifyFile(file: string, orgId?: string): VerifyReport {
  const db = openReadOnly(file);
  try {
    return verifyDatabase(db, orgId);
  } finally {
    db.sqlite.close();
  }
}

async function verifyFileWhole(file: string): Promise<VerifyReport> {
  const db = openReadOnly(file);
  try {
    return await verifyWhole(db);
  } finally {
    db.sqlite.close();
  }
}

const codes = (report: VerifyReport) => report.differences.map(({ code }) => code);
const bySubject = (report: VerifyReport, code: Difference["code"]) =>
  report.differences.filter((difference) => difference.code === code).map(({ subject }) => subject);

describe("a sound database", () => {
  test("has no differences, and each organization's head is its last entry", async () => {
    const report = verifyDatabase(server.app.reader);
    const newest = (await server.api("GET", "/transactions?limit=1")).json.data[0];
    expect(report.differences).toEqual([]);
    expect(report.organizations).toHaveLength(2);
    const head = { sequence: newest.sequence, hash: newest.hash };
    expect(report.organizations[0]).toMatchObject({ orgId: server.orgId, entries: 5, head });
    expect(report.organizations[1]).toMatchObject({ orgId: other, legalName: "Other, Inc.", entries: 0 });
    expect(report.organizations[1]?.head).toEqual({ sequence: 0, hash: "0".repeat(64) });
  });

  test("may have deleted securities and stakeholders", async () => {
    const where = { orgId: await server.newOrganization("Deleting, Inc.") };
    const stakeholderId = await makeStakeholder(server, {}, where);
    const stockClassId = await makeShareClass(server, {}, where);
    const security = await issueShares(server, { stakeholderId, stockClassId }, where);
    expect((await server.api("DELETE", `/securities/${security}`, undefined, where)).status).toBe(204);
    expect((await server.api("DELETE", `/stakeholders/${stakeholderId}`, undefined, where)).status).toBe(204);
    expect(verifyDatabase(server.app.reader, where.orgId).differences).toEqual([]);
  });

  test("can be verified for one organization; one that is not there is a problem", () => {
    expect(verifyFile(sound, other).organizations.map(({ orgId }) => orgId)).toEqual([other]);
    expect(() => verifyFile(sound, "unknown")).toThrow(Problem);
  });

  test("is verified as it was when the verification began", async () => {
    const db = openReadOnly(join(server.dataDir, DATABASE_FILE));
    db.sqlite.exec("BEGIN");
    const before = verifyDatabase(db);
    await issueShares(server, { stakeholderId: ids.holder, stockClassId: ids.stockClass, quantity: "1" });
    expect(verifyDatabase(db)).toEqual(before);
    db.sqlite.exec("COMMIT");
    expect(verifyDatabase(db).organizations[0]?.entries).toBe(6);
    expect(verifyDatabase(db).differences).toEqual([]);
    db.sqlite.close();
  });
});

describe("the ledger", () => {
  test("one flipped byte of an entry in the file is found", () => {
    const file = join(folder, "flipped.db");
    const bytes = readFileSync(sound);
    const place = bytes.indexOf(Buffer.from('{"newSecurityId":"'));
    expect(place).toBeGreaterThan(0);
    const at = place + '{"newSecurityId":"'.length;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const altered = bySubject(verifyFile(file), "entry-altered");
    expect(altered).toHaveLength(1);
    expect(altered[0]).toStartWith("entry 4 (id ");
  });

  test("a changed quantity of an entry is found by its hash and by what follows from it", () => {
    const report = verifyAfter((sqlite) => sqlite.exec("UPDATE transactions SET quantity = '901' WHERE sequence = 3"));
    expect(codes(report)).toContain("entry-altered");
    expect(bySubject(report, "security-differs")).toEqual([`security ${ids.issued}`]);
    expect(codes(report)).not.toContain("chain-broken");
    const altered = report.differences.find(({ code }) => code === "entry-altered");
    expect(altered?.detail).toBe("its hash does not match its contents: the row was changed after it was written");
    expect(altered?.orgId).toBe(server.orgId);
  });

  test("an entry rewritten with a new hash no longer fits the one after it", () => {
    const report = verifyAfter((sqlite) => {
      const row = fifthEntry(sqlite);
      const metadata = { ...JSON.parse(row.metadata ?? "null"), cancellationReason: "EXPIRATION" };
      const hash = hashEntry({ ...row, metadata, recordOnly: false });
      sqlite
        .prepare("UPDATE transactions SET metadata = ?, hash = ? WHERE sequence = 5")
        .run(JSON.stringify(metadata), hash);
      sqlite.exec("UPDATE transactions SET previousHash = 'x' WHERE sequence = 1");
    });
    expect(codes(report)).toEqual(["chain-broken", "entry-altered"]);
  });

  test.each([undefined, 1, "2"])("an entry by other rules (%p) is a difference, though its hash is right", (rules) => {
    const report = verifyAfter((sqlite) => {
      const row = fifthEntry(sqlite);
      const metadata = JSON.parse(JSON.stringify({ ...JSON.parse(row.metadata ?? "null"), rules }));
      const hash = hashEntry({ ...row, metadata, recordOnly: false });
      sqlite
        .prepare("UPDATE transactions SET metadata = ?, hash = ? WHERE sequence = 5")
        .run(JSON.stringify(metadata), hash);
    });
    expect(report.differences).toMatchObject([
      {
        code: "entry-unreadable",
        subject: expect.stringMatching(/^entry 5 /),
        detail: expect.stringContaining("rules"),
      },
    ]);
  });

  test("an entry whose predecessor was rewritten with a new hash breaks the chain", () => {
    const report = verifyAfter((sqlite) => {
      // biome-ignore lint/suspicious/noExplicitAny: a raw row
      const row = sqlite.prepare("SELECT * FROM transactions WHERE sequence = 3").get() as any;
      const hash = hashEntry({
        ...row,
        effectiveDate: "2020-01-01",
        metadata: JSON.parse(row.metadata ?? "null"),
        recordOnly: false,
      });
      sqlite.prepare("UPDATE transactions SET effectiveDate = '2020-01-01', hash = ? WHERE sequence = 3").run(hash);
    });
    expect(codes(report)).toEqual(["chain-broken"]);
    expect(bySubject(report, "chain-broken")[0]).toStartWith("entry 4 ");
  });

  test("a deleted last entry is found by the rows that nothing explains any more", () => {
    const report = verifyAfter((sqlite) => sqlite.exec("DELETE FROM transactions WHERE sequence = 5"));
    expect(codes(report)).toContain("security-differs");
    expect(codes(report)).toContain("class-differs");
    expect(codes(report)).toContain("reference-missing");
    expect(report.organizations[0]?.head.sequence).toBe(4);
  });

  test("a deleted entry in the middle is a gap, with what it should have made", () => {
    const report = verifyAfter((sqlite) => sqlite.exec("DELETE FROM transactions WHERE sequence IN (3)"));
    const gap = report.differences.find(({ code }) => code === "sequence-gap");
    expect(gap?.detail).toBe("entry 3 is missing before it");
    expect(bySubject(report, "security-unexplained")).toContain(`security ${ids.issued}`);
    expect(codes(report)).toContain("entry-inapplicable");
  });

  test("two deleted entries are named as such", () => {
    const report = verifyAfter((sqlite) => sqlite.exec("DELETE FROM transactions WHERE sequence IN (1, 2)"));
    expect(report.differences.find(({ code }) => code === "sequence-gap")?.detail).toBe(
      "entries 1 to 2 are missing before it",
    );
  });

  test("a byte that makes an entry's metadata no JSON any more is found too", () => {
    const file = join(folder, "unreadable.db");
    const bytes = readFileSync(sound);
    const at = bytes.indexOf(Buffer.from('{"newSecurityId":"'));
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const report = verifyFile(file);
    expect(bySubject(report, "entry-altered")).toHaveLength(1);
    expect(bySubject(report, "entry-unreadable")).toHaveLength(1);
    expect(report.organizations[0]?.entries).toBe(5);
  });

  test("metadata that is not an object and an unknown type are unreadable entries, and the walk goes on", () => {
    const report = verifyAfter((sqlite) => {
      sqlite.exec("UPDATE transactions SET metadata = '[]' WHERE sequence = 1");
      sqlite.exec("UPDATE transactions SET type = 'STOCK_GIFT' WHERE sequence = 5");
    });
    expect(bySubject(report, "entry-unreadable")).toHaveLength(2);
    expect(bySubject(report, "entry-altered")).toHaveLength(2);
    expect(report.organizations[0]?.entries).toBe(5);
  });

  test("an entry that names a record which is not there is told", () => {
    const report = verifyAfter((sqlite) => {
      const metadata = JSON.stringify({ newSecurityId: ids.transferred, toStakeholderId: "ghost" });
      sqlite.prepare("UPDATE transactions SET metadata = ? WHERE sequence = 4").run(metadata);
    });
    const missing = report.differences.find(({ code }) => code === "reference-missing");
    expect(missing?.detail).toBe("it names the recipient ghost, which does not exist");
  });
});

describe("what entries do", () => {
  test("an issuance that was turned onto a security which is there already made shares out of nothing", () => {
    const report = verifyAfter((sqlite) =>
      sqlite.exec(`UPDATE transactions SET type = 'STOCK_ISSUANCE', securityId = '${ids.issued}' WHERE sequence = 5`),
    );
    const difference = report.differences.find(({ code }) => code === "shares-not-conserved");
    expect(difference?.subject).toStartWith("entry 5 (id ");
    expect(difference?.detail).toBe("it says that 0.5 shares are added, and -600 are");
  });

  test("an entry that takes more than there is cannot have been written", () => {
    const report = verifyAfter((sqlite) => sqlite.exec("UPDATE transactions SET quantity = '601' WHERE sequence = 5"));
    const difference = report.differences.find(({ code }) => code === "entry-inapplicable");
    expect(difference?.detail).toContain(`security ${ids.issued} would go below zero`);
  });
});

describe("plans", () => {
  let planned: string;

  beforeAll(async () => {
    const orgId = await server.newOrganization("Planned, Inc.");
    const where = { orgId };
    const holder = await makeStakeholder(server, {}, where);
    const stockClassId = await makeShareClass(server, {}, where);
    const body = { planName: "Plan", initialSharesReserved: "100", stockClassIds: [stockClassId] };
    const { id } = (await server.api("POST", "/equity-plans", body, where)).json;
    await server.api("PATCH", `/equity-plans/${id}`, { initialSharesReserved: "150" }, where);
    const grant = { stakeholderId: holder, stockPlanId: id, quantity: "40", exercisePrice: "1", optionType: "NSO" };
    const dated = { certificateId: "ES-1", effectiveDate: "2026-01-01" };
    const option = await server.api("POST", "/transactions/issue-options", { ...grant, ...dated }, where);
    const exercise = { securityId: option.json.data.securityId, quantity: "15", exercisePrice: "1" };
    await server.api("POST", "/transactions/exercise", { ...exercise, effectiveDate: "2026-02-01" }, where);
    const split = { stockClassId, numerator: 2, denominator: 1, effectiveDate: "2026-03-01" };
    expect((await server.api("POST", "/transactions/split", split, where)).status).toBe(200);
    await server.api("PATCH", `/securities/${option.json.data.securityId}`, { exercisePrice: "0.75" }, where);
    planned = join(folder, "planned.db");
    const live = new Database(join(server.dataDir, DATABASE_FILE));
    live.exec(`VACUUM INTO '${planned}'`);
    live.close();
  });

  test("grants, an exercise, an edited reserve, a split and a corrected price explain themselves", () => {
    expect(verifyFile(planned).differences).toEqual([]);
  });

  test.each([
    ["totalSharesReserved", "299", "300"],
    ["currentSharesReserved", "221", "220"],
  ])("a changed %s is found", (column, value, expected) => {
    const sqlite = new Database(planned);
    const was = sqlite.prepare(`SELECT ${column} AS figure FROM equity_plans`).get() as { figure: string };
    sqlite.exec(`UPDATE equity_plans SET ${column} = '${value}'`);
    const details = verifyFile(planned).differences.map(({ code, detail }) => [code, detail]);
    expect(details).toEqual([
      ["row-differs", `its ${column} is "${value}", and the log says "${expected}"`],
      ["plan-differs", `its ${column} is ${value}, and the ledger says ${expected}`],
    ]);
    sqlite.exec(`UPDATE equity_plans SET ${column} = '${was.figure}'`);
    sqlite.close();
  });
});

describe("the stored rows", () => {
  test.each([
    ["quantity", "'601'"],
    ["status", "'CANCELLED'"],
    ["stakeholderId", "(SELECT max(id) FROM stakeholders)"],
    ["planCharge", "'1'"],
    ["pricePerShare", "'7'"],
    ["quantity", "'many'"],
  ])("a changed %s of a security is found (%s)", (column, value) => {
    const report = verifyAfter((sqlite) =>
      sqlite.exec(`UPDATE securities SET "${column}" = ${value} WHERE id = '${ids.issued}'`),
    );
    expect(bySubject(report, "security-differs")).toEqual([`security ${ids.issued}`]);
    expect(report.differences[0]?.detail).toContain(column);
  });

  test("a security marked as deleted behind the ledger's back is found, and its class's total with it", () => {
    const report = verifyAfter((sqlite) =>
      sqlite.exec(`UPDATE securities SET deletedAt = '2026-01-01T00:00:00.000Z' WHERE id = '${ids.issued}'`),
    );
    expect(codes(report)).toEqual(["row-differs", "security-differs", "class-total"]);
    expect(report.differences[1]?.detail).toStartWith("it is marked as deleted");
  });

  test("a removed security is found", () => {
    const report = verifyAfter((sqlite) => sqlite.exec(`DELETE FROM securities WHERE id = '${ids.transferred}'`));
    expect(bySubject(report, "security-missing")).toEqual([`security ${ids.transferred}`]);
    expect(bySubject(report, "reference-missing")).toHaveLength(1);
    expect(codes(report)).toContain("class-total");
  });

  test("a security that no entry made is found", () => {
    const columns = "orgId, id, createdAt, updatedAt, type, status, stakeholderId, stockClassId, quantity, grantDate";
    const report = verifyAfter((sqlite) =>
      sqlite.exec(`INSERT INTO securities (${columns}) SELECT orgId, 'phantom', createdAt, updatedAt, type, status,
        stakeholderId, stockClassId, '1', grantDate FROM securities WHERE id = '${ids.issued}'`),
    );
    expect(bySubject(report, "security-unexplained")).toEqual(["security phantom"]);
    expect(report.differences.find(({ code }) => code === "class-total")?.detail).toBe(
      "its issued total is 900, and its ACTIVE stock adds up to 901",
    );
  });

  test("a changed class total differs from the ledger and from the live securities", () => {
    const report = verifyAfter((sqlite) => sqlite.exec("UPDATE share_classes SET issued = '899'"));
    expect(codes(report)).toEqual(["class-differs", "class-total"]);
    expect(report.differences[0]?.detail).toBe("its issued is 899, and the ledger says 900");
  });

  test("a changed authorized figure is found, though the initial figure was edited twice", () => {
    const report = verifyAfter((sqlite) => sqlite.exec("UPDATE share_classes SET currentSharesAuthorized = '4001'"));
    expect(report.differences.map(({ detail }) => detail)).toEqual([
      'its currentSharesAuthorized is "4001", and the log says "4000"',
      "its currentSharesAuthorized is 4001, and the ledger says 4000",
    ]);
  });

  test("a wrong count of stakeholders is found", () => {
    const report = verifyAfter((sqlite) => sqlite.exec("UPDATE organizations SET stakeholderCount = 7"));
    expect(codes(report)).toEqual(["stakeholder-count", "stakeholder-count"]);
  });

  test("a figure that is no number is told, not thrown", () => {
    const report = verifyAfter((sqlite) => sqlite.exec("UPDATE share_classes SET issued = 'much'"));
    expect(codes(report)).toEqual(["damaged"]);
  });
});

describe("the file", () => {
  test("a reference that names nothing is told with its row's organization", () => {
    const report = verifyAfter((sqlite) =>
      sqlite.exec(`UPDATE securities SET valuationId = 'nothing' WHERE id = '${ids.issued}'`),
    );
    expect(codes(report)).toEqual(["foreign-key", "row-differs"]);
    expect(report.differences[0]).toMatchObject({ code: "foreign-key", orgId: server.orgId });
    expect(report.differences[0]?.subject).toContain(ids.issued);
  });

  test.each(["transactions_no_update", "transactions_no_delete", "audit_log_no_update", "audit_log_no_delete"])(
    "a missing or hollowed trigger %s is found",
    async (name) => {
      const file = join(folder, "triggers.db");
      copyFileSync(sound, file);
      const sqlite = new Database(file);
      const { sql } = sqlite.prepare("SELECT sql FROM sqlite_schema WHERE name = ?").get(name) as { sql: string };
      sqlite.exec(`DROP TRIGGER ${name}`);
      expect(bySubject(await verifyFileWhole(file), "schema-differs")).toEqual([`trigger ${name}`]);
      sqlite.exec(sql.replace("BEGIN", "WHEN 0 BEGIN"));
      expect(bySubject(await verifyFileWhole(file), "schema-differs")).toEqual([`trigger ${name}`]);
      sqlite.exec(`DROP TRIGGER ${name}`);
      const fix = (await verifyFileWhole(file)).differences[0]?.fix?.replace("Run: ", "") ?? "";
      sqlite.exec(fix);
      sqlite.close();
      expect((await verifyFileWhole(file)).differences).toEqual([]);
    },
  );

  test("a page that SQLite cannot read is told as damage, not thrown", () => {
    const file = join(folder, "torn.db");
    const bytes = readFileSync(sound);
    const pageBytes = bytes.readUInt16BE(16);
    const ledgerText = bytes.indexOf(Buffer.from('{"newSecurityId":"'));
    const page = Math.floor(ledgerText / pageBytes) * pageBytes;
    bytes.fill(0xff, page, page + 64);
    writeFileSync(file, bytes);
    expect(codes(verifyFile(file))).toContain("damaged");
  });
});
