// What single transactions do when they come in: the corners of OCF that real packages hardly have.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ImportReport } from "../../../src/exchange/ocf/import/report.ts";
import { previewTerms } from "../../../src/resources/vesting-terms/preview.ts";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import type { Row } from "../../../src/storage/database/sql.ts";
import { type Company, newCompany, packageWith, storedTotals } from "./import-support.ts";

type Fields = Readonly<Record<string, unknown>>;

const HOLDER = {
  object_type: "STAKEHOLDER",
  id: "ada",
  name: { legal_name: "Ada Lovelace" },
  stakeholder_type: "INDIVIDUAL",
};
const COMMON = {
  object_type: "STOCK_CLASS",
  id: "common",
  name: "Common",
  class_type: "COMMON",
  default_id_prefix: "CS-",
  initial_shares_authorized: "1000",
  votes_per_share: "1",
  seniority: "1",
};
const PLAN = {
  object_type: "STOCK_PLAN",
  id: "plan",
  plan_name: "Options 2026",
  initial_shares_reserved: "500",
  stock_class_ids: ["common"],
  default_cancellation_behavior: "RETIRE",
};

let serial = 0;

function tx(kind: string, date: string, members: Fields): Fields {
  return { object_type: `TX_${kind}`, id: `tx-${++serial}`, date, ...members };
}

function stock(securityId: string, quantity: string, members: Fields = {}): Fields {
  return tx("STOCK_ISSUANCE", "2026-01-01", {
    security_id: securityId,
    custom_id: `CS-${securityId}`,
    stakeholder_id: "ada",
    security_law_exemptions: [],
    stock_class_id: "common",
    share_price: { amount: "1", currency: "USD" },
    quantity,
    stock_legend_ids: [],
    ...members,
  });
}

function grant(securityId: string, quantity: string, members: Fields = {}): Fields {
  return tx("EQUITY_COMPENSATION_ISSUANCE", "2026-01-01", {
    security_id: securityId,
    custom_id: `OP-${securityId}`,
    stakeholder_id: "ada",
    security_law_exemptions: [],
    compensation_type: "OPTION_NSO",
    stock_plan_id: "plan",
    stock_class_id: "common",
    quantity,
    exercise_price: { amount: "0.5", currency: "USD" },
    expiration_date: null,
    termination_exercise_windows: [],
    ...members,
  });
}

interface Outcome {
  readonly report: ImportReport;
  readonly company: Company;
  security(id: string): Row<"securities">;
  entries(): Row<"transactions">[];
}

const open: Company[] = [];
afterAll(() => {
  for (const company of open) company.close();
});

/** Imports the objects beside a holder, a class and a plan; the ledger must explain what comes of it. */
async function imported(...objects: readonly Fields[]): Promise<Outcome> {
  return importedWith([HOLDER, COMMON, PLAN], ...objects);
}

async function importedWith(records: readonly Fields[], ...objects: readonly Fields[]): Promise<Outcome> {
  const company = await newCompany();
  open.push(company);
  const report = await company.import(packageWith([...records, ...objects], { legal_name: "Acme" }));
  expect(verifyDatabase(company.db, company.orgId).differences).toEqual([]);
  return {
    report,
    company,
    security(id) {
      const row = company.db.sqlite
        .prepare<[string], Row<"securities">>("select * from securities where id = ?")
        .get(id);
      if (!row) throw new Error(`there is no security ${id}`);
      return row;
    },
    entries: () =>
      company.db.sqlite.prepare<[], Row<"transactions">>("select * from transactions order by sequence").all(),
  };
}

function codes(report: ImportReport): string[] {
  return report.warnings.map(({ code }) => code).sort();
}

describe("a partial transaction", () => {
  const cancellation = (members: Fields) =>
    tx("STOCK_CANCELLATION", "2026-02-01", { security_id: "s1", quantity: "40", reason_text: "Left", ...members });

  test("with a balance security ends the old one", async () => {
    const { security, company, report } = await imported(
      stock("s1", "100"),
      cancellation({ balance_security_id: "s2" }),
      stock("s2", "60", { date: "2026-02-01", custom_id: "CS-s1" }),
    );
    expect(security("s1")).toMatchObject({ status: "CANCELLED", quantity: "0" });
    expect(security("s2")).toMatchObject({ status: "ACTIVE", quantity: "60", originSecurityId: "s1" });
    expect(storedTotals(company).classes.common?.issued).toBe("60");
    expect(codes(report)).toEqual([]);
  });

  test("without one shrinks it in place, and says so", async () => {
    const { security, report } = await imported(stock("s1", "100"), cancellation({ balance_security_id: "" }));
    expect(security("s1")).toMatchObject({ status: "ACTIVE", quantity: "60" });
    expect(codes(report)).toContain("no-balance");
  });

  test("of more than there is takes what there is, and says so", async () => {
    const { security, report } = await imported(stock("s1", "30"), cancellation({}));
    expect(security("s1")).toMatchObject({ status: "CANCELLED", quantity: "0" });
    expect(codes(report)).toEqual(["more-than-held"]);
  });
});

describe("a class split", () => {
  const split = (id: string, numerator: string, denominator: string) => ({
    ...tx("STOCK_CLASS_SPLIT", "2026-03-01", { stock_class_id: "common", split_ratio: { numerator, denominator } }),
    id,
  });

  test("multiplies the class's open stock, and neither options nor the authorized figure", async () => {
    const { security, company } = await imported(stock("s1", "100"), grant("o1", "50"), split("x", "3", "2"));
    expect(security("s1")).toMatchObject({ quantity: "150", pricePerShare: "1" });
    expect(security("o1").quantity).toBe("50");
    expect(storedTotals(company).classes.common).toEqual({ issued: "150", authorized: "1000" });
  });

  test("leaves alone what the package reissues itself", async () => {
    const reissuance = tx("STOCK_REISSUANCE", "2026-03-01", {
      security_id: "s1",
      resulting_security_ids: ["s2"],
      split_transaction_id: "x",
    });
    const { security, company } = await imported(
      stock("s1", "100"),
      stock("s3", "7"),
      split("x", "2", "1"),
      reissuance,
      stock("s2", "200", { date: "2026-03-01" }),
    );
    expect(security("s1")).toMatchObject({ status: "CANCELLED", quantity: "0" });
    expect([security("s2").quantity, security("s3").quantity]).toEqual(["200", "14"]);
    expect(storedTotals(company).classes.common?.issued).toBe("214");
  });

  test("of many certificates goes in several entries, each certificate once", async () => {
    const many = Array.from({ length: 250 }, (_, i) => stock(`s${i}`, "2"));
    const { company, entries, report } = await imported(...many, split("x", "5", "1"), stock("later", "2", LATER));
    const splits = entries().filter(({ type }) => type === "STOCK_SPLIT");
    expect(splits.map(({ metadata }) => JSON.parse(metadata ?? "{}").securityIds.length)).toEqual([100, 100, 50]);
    expect(splits[0]?.id).toBe("x");
    expect(storedTotals(company).classes.common?.issued).toBe("2502");
    expect(report.imported).toMatchObject({ issuances: 251, transactions: 1 });
  });

  const LATER = { date: "2026-04-01" };
});

describe("the pool of a plan", () => {
  const cancelled = (members: Fields = {}) =>
    tx("EQUITY_COMPENSATION_CANCELLATION", "2026-02-01", {
      security_id: "o1",
      quantity: "100",
      reason_text: "Left",
      ...members,
    });
  const available = ({ company }: Outcome) => storedTotals(company).plans.plan?.available;

  test("gets back what the plan's default says", async () => {
    expect(available(await imported(grant("o1", "100"), cancelled()))).toBe("400");
    const returning = { ...PLAN, default_cancellation_behavior: "RETURN_TO_POOL" };
    expect(available(await importedWith([HOLDER, COMMON, returning], grant("o1", "100"), cancelled()))).toBe("500");
  });

  test("gets back what the package says, whatever the default", async () => {
    const returned = tx("STOCK_PLAN_RETURN_TO_POOL", "2026-02-02", {
      security_id: "o1",
      stock_plan_id: "plan",
      quantity: "70",
      reason_text: "Left",
    });
    expect(available(await imported(grant("o1", "100"), cancelled(), returned))).toBe("470");
    const returning = { ...PLAN, default_cancellation_behavior: "RETURN_TO_POOL" };
    const outcome = await importedWith([HOLDER, COMMON, returning], grant("o1", "100"), cancelled(), returned);
    expect(available(outcome)).toBe("470");
  });

  test("gives more where the package says what a split made of its grants, and never otherwise", async () => {
    const back = (quantity: string, reason_text: string) =>
      tx("STOCK_PLAN_RETURN_TO_POOL", "2026-02-02", {
        security_id: "o1",
        stock_plan_id: "plan",
        quantity,
        reason_text,
      });
    const restated = back("-100", "Restated: 200 granted instead of 100, 0 exercised instead of 0.");
    expect(available(await imported(grant("o1", "100"), restated))).toBe("300");
    for (const reason of [
      "Left",
      "Restated: 200 granted.",
      "Restated: a granted instead of b, c exercised instead of d.",
    ]) {
      const { report } = await imported(grant("o1", "100"), back("-100", reason));
      expect(report.errors).toMatchObject([{ pointer: "#/quantity" }]);
    }
  });

  test("gets back a retracted grant whole", async () => {
    const retraction = tx("EQUITY_COMPENSATION_RETRACTION", "2026-02-01", { security_id: "o1", reason_text: "Error" });
    expect(available(await imported(grant("o1", "100"), retraction))).toBe("500");
  });

  test("is not drawn upon again by the balance of a grant, nor by the shares of an exercise", async () => {
    const exercise = tx("EQUITY_COMPENSATION_EXERCISE", "2026-03-01", {
      security_id: "o2",
      quantity: "10",
      resulting_security_ids: ["s1"],
    });
    const outcome = await imported(
      grant("o1", "100"),
      cancelled({ quantity: "40", balance_security_id: "o2" }),
      grant("o2", "60", { date: "2026-02-01" }),
      exercise,
      stock("s1", "10", { date: "2026-03-01", stock_plan_id: "plan" }),
    );
    expect(available(outcome)).toBe("400");
    expect(outcome.security("o2")).toMatchObject({ quantity: "50", planCharge: "50" });
    expect(outcome.security("s1").planCharge).toBe("10");
  });

  test("may go below zero, with a warning", async () => {
    const outcome = await imported(grant("o1", "600"));
    expect(available(outcome)).toBe("-100");
    expect(codes(outcome.report)).toEqual(["pool-overdrawn"]);
  });
});

describe("what has no ledger type of its own", () => {
  test("a consolidation ends all that it names", async () => {
    const consolidation = tx("STOCK_CONSOLIDATION", "2026-02-01", {
      security_ids: ["s1", "s2"],
      resulting_security_id: "s3",
    });
    const outcome = await imported(stock("s1", "10"), stock("s2", "5"), consolidation, stock("s3", "15", FEBRUARY));
    expect(storedTotals(outcome.company).classes.common?.issued).toBe("15");
    const entries = outcome.entries().filter(({ type }) => type === "STOCK_CANCELLATION");
    expect(entries.map(({ securityId }) => securityId)).toEqual(["s1", "s2"]);
    expect(entries[0]?.id).toBe(String(consolidation.id));
    expect(JSON.parse(entries[1]?.metadata ?? "{}").ocfObjectType).toBe("TX_STOCK_CONSOLIDATION");
  });

  test("a repricing changes the strike", async () => {
    const repricing = tx("EQUITY_COMPENSATION_REPRICING", "2026-02-01", {
      security_id: "o1",
      new_exercise_price: { amount: "0.25", currency: "USD" },
    });
    const { security } = await imported(grant("o1", "100"), repricing);
    expect(security("o1")).toMatchObject({ exercisePrice: "0.25", quantity: "100" });
  });

  test("a release settles units like an exercise", async () => {
    const release = tx("EQUITY_COMPENSATION_RELEASE", "2026-02-01", {
      security_id: "o1",
      quantity: "100",
      release_price: { amount: "2", currency: "USD" },
      settlement_date: "2026-02-01",
      resulting_security_ids: ["s1"],
    });
    const { security, entries } = await imported(
      grant("o1", "100", { compensation_type: "RSU", exercise_price: undefined }),
      release,
      stock("s1", "100", FEBRUARY),
    );
    expect(security("o1")).toMatchObject({ status: "EXERCISED", quantity: "0", optionType: null });
    expect(entries().some(({ type }) => type === "STOCK_OPTION_EXERCISE")).toBe(true);
  });

  test("a conversion of stock closes it as CONVERTED", async () => {
    const conversion = tx("STOCK_CONVERSION", "2026-02-01", {
      security_id: "s1",
      quantity_converted: "10",
      resulting_security_ids: ["s2"],
    });
    const { security } = await imported(stock("s1", "10"), conversion, stock("s2", "20", FEBRUARY));
    expect(security("s1").status).toBe("CONVERTED");
  });

  test("a stakeholder's status and relationships follow the development version's events", async () => {
    const { company } = await imported(
      { object_type: "CE_STAKEHOLDER_STATUS", id: "c1", date: "2026-02-01", stakeholder_id: "ada", new_status: GONE },
      {
        object_type: "CE_STAKEHOLDER_RELATIONSHIP",
        id: "c2",
        date: "2026-02-01",
        stakeholder_id: "ada",
        relationship_started: "EX_EMPLOYEE",
      },
    );
    const row = company.db.sqlite.prepare("select status, relationships from stakeholders").get();
    expect(row).toEqual({ status: "FORMER", relationships: '["EX_EMPLOYEE"]' });
    const kept = company.db.sqlite.prepare<[], { mapped: string }>(
      "select mapped from ocf_objects where objectType = 'STAKEHOLDER'",
    );
    expect(JSON.parse(kept.get()?.mapped ?? "{}").relationships).toBe('["EX_EMPLOYEE"]');
  });

  const FEBRUARY = { date: "2026-02-01" };
  const GONE = "TERMINATION_VOLUNTARY_OTHER";
});

describe("vesting", () => {
  const terms = {
    object_type: "VESTING_TERMS",
    id: "terms",
    name: "Four years",
    description: "A year's cliff",
    allocation_type: "CUMULATIVE_ROUND_DOWN",
    vesting_conditions: [
      { id: "start", quantity: "0", trigger: { type: "VESTING_START_DATE" }, next_condition_ids: ["cliff", "ipo"] },
      {
        id: "cliff",
        portion: { numerator: "0.25", denominator: "1" },
        trigger: relative("start", 12, 1),
        next_condition_ids: ["monthly"],
      },
      {
        id: "monthly",
        portion: { numerator: "1", denominator: "48" },
        trigger: relative("cliff", 1, 24),
        next_condition_ids: [],
      },
      {
        id: "ipo",
        description: "The company goes public",
        portion: { numerator: "1", denominator: "4" },
        trigger: { type: "VESTING_EVENT" },
        next_condition_ids: [],
      },
    ],
  };

  test("terms become conditions that link to each other", async () => {
    const { company } = await importedWith([terms]);
    const row = company.db.sqlite.prepare<[], Row<"vesting_terms">>("select * from vesting_terms").get();
    expect(row).toMatchObject({ name: "Four years", allocationMethod: "CUMULATIVE_ROUND_DOWN", triggerType: "HYBRID" });
    expect(JSON.parse(row?.vestingConditions ?? "[]")).toEqual([
      {
        id: "cliff",
        trigger: { type: "TIME_BASED", periodLength: 12, periodType: "MONTHS", occurrences: 1 },
        portion: { numerator: 1, denominator: 4 },
        nextConditionId: "monthly",
      },
      {
        id: "monthly",
        trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS", occurrences: 24 },
        portion: { numerator: 1, denominator: 48 },
        cliffConditionId: "cliff",
      },
      {
        id: "ipo",
        trigger: { type: "EVENT_BASED", eventDescription: "The company goes public", occurrences: 1 },
        portion: { numerator: 1, denominator: 4 },
      },
    ]);
  });

  test("starts, events and accelerations are recorded; the start condition starts the whole", async () => {
    const on = (kind: string, members: Fields) => tx(kind, "2026-02-01", { security_id: "o1", ...members });
    const { security, entries } = await importedWith(
      [HOLDER, COMMON, PLAN, terms],
      grant("o1", "480", { vesting_terms_id: "terms" }),
      on("VESTING_START", { vesting_condition_id: "start" }),
      on("VESTING_EVENT", { vesting_condition_id: "ipo" }),
      on("VESTING_ACCELERATION", { quantity: "10", reason_text: "Promised" }),
    );
    expect(security("o1")).toMatchObject({ vestingStartDate: "2026-02-01", vestingTermsId: "terms" });
    const facts = entries().filter(({ type }) => type.startsWith("VESTING"));
    const conditions = facts.map(({ metadata }) => JSON.parse(metadata ?? "{}").conditionId ?? null);
    expect(conditions).toEqual([null, "ipo", null]);
    expect(facts[2]?.quantity).toBe("10");
  });

  test("what an import made of another security follows its terms, and a preview of a change says so", async () => {
    const made = (id: string) => stock(id, "240", { vesting_terms_id: "terms" });
    const { company, security } = await importedWith(
      [HOLDER, COMMON, terms],
      stock("s1", "480", { vesting_terms_id: "terms" }),
      made("s2"),
      made("s3"),
      tx("STOCK_TRANSFER", "2026-02-01", {
        ...{ security_id: "s1", quantity: "240", balance_security_id: "s2", resulting_security_ids: ["s3"] },
      }),
      ...["s2", "s3"].map((id) =>
        tx("VESTING_START", "2026-02-01", { security_id: id, vesting_condition_id: "start" }),
      ),
    );
    const { db, orgId } = company;
    expect(["s2", "s3"].map((id) => security(id).originSecurityId)).toEqual(["s1", "s1"]);
    const vestingConditions = [
      { id: "daily", trigger: { type: "TIME_BASED", periodLength: 1, periodType: "DAYS", occurrences: 10 } },
    ].map((each) => ({ ...each, portion: { numerator: 1, denominator: 10 } }));
    const nowMs = Date.UTC(2026, 1, 6);
    const preview = () => {
      const { json } = previewTerms.ask(db, {
        orgId,
        params: { id: "terms" },
        query: {},
        nowMs,
        body: { vestingConditions } as never,
      });
      const { data } = json as { data: { count: number; securities: Record<string, string>[] } };
      return [data.count, ...data.securities.map((each) => [each.securityId, each.vestedBefore, each.vestedAfter])];
    };
    expect(preview()).toEqual([2, ["s3", "0", "120"], ["s2", "0", "120"]]);
    db.sqlite.prepare("update vesting_terms set vestingConditions = ?").run(JSON.stringify(vestingConditions));
    expect(preview()).toEqual([2, ["s3", "120", "120"], ["s2", "120", "120"]]);
  });

  function relative(condition: string, length: number, occurrences: number) {
    const period = { type: "MONTHS", length, occurrences, day_of_month: "VESTING_START_DAY_OR_LAST_DAY_OF_MONTH" };
    return { type: "VESTING_SCHEDULE_RELATIVE", period, relative_to_condition_id: condition };
  }
});

describe("records", () => {
  test("the highest OCF seniority is 1, equals share a rank", async () => {
    const classes = ["2.5", "7", "2.5", "0"].map((seniority, i) => ({ ...COMMON, id: `c${i}`, seniority }));
    const { company } = await importedWith(classes);
    const rows = company.db.sqlite.prepare<[], { seniority: number }>(
      "select seniority from share_classes order by id",
    );
    expect(rows.all().map(({ seniority }) => seniority)).toEqual([2, 1, 2, 3]);
  });

  test("words for no limit set none", async () => {
    const unlimited = { ...COMMON, initial_shares_authorized: "UNLIMITED" };
    const { report, company } = await importedWith([HOLDER, unlimited], stock("s1", "5000"));
    expect(codes(report)).toEqual([]);
    expect(storedTotals(company).classes.common).toEqual({ issued: "5000", authorized: "UNLIMITED" });
  });

  test("numbers stay as they were written", async () => {
    const { security } = await imported(stock("s1", "0100.50", { share_price: { amount: "1.00", currency: "EUR" } }));
    expect(security("s1")).toMatchObject({ quantity: "0100.50", pricePerShare: "1.00" });
  });

  test("a document is the source of what it belongs to", async () => {
    const document = {
      object_type: "DOCUMENT",
      id: "d1",
      path: "./d1.pdf",
      md5: "0".repeat(32),
      related_objects: [
        { object_type: "STAKEHOLDER", object_id: "ada" },
        { object_type: "TX_PLAN_SECURITY_ISSUANCE", object_id: "g" },
      ],
    };
    const { company, security } = await imported(document, { ...grant("o1", "10"), id: "g" });
    expect(security("o1").sourceDocumentId).toBe("d1");
    const row = company.db.sqlite.prepare<[], { id: string }>("select sourceDocumentId id from stakeholders").get();
    expect(row?.id).toBe("d1");
  });
});

describe("invalid transactions", () => {
  let outcome: Outcome;
  beforeAll(async () => {
    outcome = await imported(
      stock("s1", "10"),
      { ...stock("s1", "99"), id: "again" },
      { ...stock("s9", "1"), stock_class_id: undefined, id: "classless" },
      { ...stock("s8", "many"), id: "countless" },
      { ...stock("s7", "-5"), id: "negative" },
      stock("s6", "1", { stakeholder_id: "unknown", custom_id: "CS-s1" }),
      tx("STOCK_TRANSFER", "2026-02-01", { security_id: "never", quantity: "1", resulting_security_ids: ["x"] }),
      tx("WARRANT_CANCELLATION", "2025-12-01", { security_id: "s1", quantity: "10", reason_text: "Odd" }),
      tx("STOCK_RETRACTION", "2026-05-01", { security_id: "s1", reason_text: "Too late" }),
      { object_type: "TX_MADE_UP", id: "m1" },
      { object_type: "STAKEHOLDER", id: "", name: {} },
      { object_type: "STAKEHOLDER", id: "nameless", stakeholder_type: "INDIVIDUAL" },
      { ...HOLDER, name: { legal_name: "Another person" } },
    );
  });

  test("is refused where the ledger cannot do without something", () => {
    const refused = outcome.report.errors.map(({ id, pointer, code }) => [code, id, pointer]);
    expect(refused).toEqual([
      ["wrong-id", null, "#/id"],
      ["duplicate-id", "ada", "#/id"],
      ["unknown-type", "m1", "#/object_type"],
      ["refused", "nameless", "#/name"],
      ["refused", "classless", "#/stock_class_id"],
      ["refused", "countless", "#/quantity"],
      ["refused", "negative", "#/quantity"],
    ]);
  });

  test("every other fault is reported as a warning", () => {
    const found = new Set(codes(outcome.report));
    for (const code of [
      "closed-security",
      "dangling-reference",
      "duplicate-certificate",
      "duplicate-security",
      "wrong-kind",
    ]) {
      expect(found).toContain(code);
    }
  });

  test("the first issuance of a security counts, and a transaction from before it takes effect", () => {
    expect(outcome.security("s1")).toMatchObject({ status: "CANCELLED", quantity: "0" });
    expect(outcome.security("s6")).toMatchObject({ status: "ACTIVE", stakeholderId: null });
    expect(storedTotals(outcome.company).classes.common?.issued).toBe("1");
  });
});

test("classes and plans that are not there stand in, and are filled in later", async () => {
  const company = await newCompany();
  open.push(company);
  const missing = await company.import(packageWith([HOLDER, stock("s1", "10"), grant("o1", "20")]));
  expect(missing.errors).toEqual([]);
  const named = ["#/stock_class_id", "#/stock_class_id", "#/stock_plan_id"];
  const said = missing.warnings.filter(({ code }) => code === "dangling-reference").map(({ pointer }) => pointer);
  expect(said.sort()).toEqual(named);
  expect(codes(missing)).toContain("pool-overdrawn");
  expect(storedTotals(company)).toMatchObject({
    classes: { common: { issued: "10", authorized: "NOT APPLICABLE" } },
    plans: { plan: { reserved: "0", available: "-20" } },
  });
  const found = await company.import(packageWith([COMMON, PLAN]));
  expect(found.conflicts).toEqual([]);
  expect(found.imported).toMatchObject({ stockClasses: 1, stockPlans: 1 });
  expect(storedTotals(company)).toMatchObject({
    classes: { common: { issued: "10", authorized: "1000" } },
    plans: { plan: { reserved: "500", available: "480" } },
  });
  expect(verifyDatabase(company.db, company.orgId).differences).toEqual([]);
  expect((await company.import(packageWith([COMMON, PLAN]))).conflicts).toHaveLength(2);
});

test("two transactions with one id both get an entry", async () => {
  const cancellation = tx("STOCK_CANCELLATION", "2026-02-01", { security_id: "s2", quantity: "5", reason_text: "x" });
  const issuances = [{ ...stock("s1", "10"), id: "one" }, stock("s2", "5")];
  const { entries } = await imported(...issuances, { ...cancellation, id: "one" });
  expect(entries().map(({ id }) => id)).toContain("one");
  expect(entries().map(({ id }) => id)).toContain("TX_STOCK_CANCELLATION:one");
});

test("the issuer fills what is empty and overwrites nothing", async () => {
  const company = await newCompany();
  open.push(company);
  const organization = () =>
    company.db.sqlite.prepare("select legalName, formationDate, email from organizations").get();
  const email = { email_type: "OTHER", email_address: "post@acme.example" };
  await company.import(packageWith([], { legal_name: "Acme, Inc.", formation_date: "2020-02-29", email }));
  const named = { legalName: "Acme, Inc.", formationDate: "2020-02-29", email: "post@acme.example" };
  expect(organization()).toEqual(named);
  await company.import(packageWith([], { id: "other", legal_name: "Other", formation_date: "2021-01-01" }));
  expect(organization()).toEqual(named);
});

test("an issuer without a name comes in with a warning, and an invalid country stays out of the organization", async () => {
  const company = await newCompany();
  open.push(company);
  const nameless = { legal_name: undefined, formation_date: "2020-02-29", country_of_formation: "USA" };
  const { warnings, errors } = await company.import(packageWith([], nameless));
  expect(errors).toEqual([]);
  const pointers = warnings.map(({ pointer }) => pointer);
  expect(pointers).toEqual(expect.arrayContaining(["#/issuer/legal_name", "#/issuer/country_of_formation"]));
  const organization = company.db.sqlite.prepare("select formationDate, countryOfFormation from organizations").get();
  expect(organization).toEqual({ formationDate: "2020-02-29", countryOfFormation: null });
});
