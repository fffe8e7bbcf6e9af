// What an earlier import left out because something that it names was not there is set by a later one: all reads are
// then those of one import of the corrected package.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { runCommand } from "../../kit/command.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { newCompany, packageWith } from "./import-support.ts";
import { type Fields, grant, RECORDS, stock, tx, warrant } from "./objects.ts";
import { Organization } from "./organization.ts";
import { bare, without } from "./same-reads.ts";

setDefaultTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const TERMS: Fields = {
  object_type: "VESTING_TERMS",
  id: "monthly",
  name: "Monthly",
  description: "48 months",
  allocation_type: "CUMULATIVE_ROUNDING",
  vesting_conditions: [
    { id: "start", quantity: "0", trigger: { type: "VESTING_START_DATE" }, next_condition_ids: ["month"] },
    {
      id: "month",
      portion: { numerator: "1", denominator: "48" },
      trigger: {
        type: "VESTING_SCHEDULE_RELATIVE",
        period: { length: 1, type: "MONTHS", occurrences: 48, day_of_month: "VESTING_START_DAY_OR_LAST_DAY_OF_MONTH" },
        relative_to_condition_id: "start",
      },
      next_condition_ids: [],
    },
  ],
};
const LEGEND: Fields = { object_type: "STOCK_LEGEND_TEMPLATE", id: "legend", name: "Legend", text: "Restricted." };
const VALUATION: Fields = {
  object_type: "VALUATION",
  id: "valuation",
  stock_class_id: "common",
  price_per_share: { amount: "2", currency: "USD" },
  effective_date: "2024-01-01",
  valuation_type: "409A",
};

const START = tx("VESTING_START", "2024-01-05", { security_id: "ES-1", vesting_condition_id: "start" });

/** What names things, in the order of its days: options and a warrant before the first stock of the class. */
const EVENTS: readonly Fields[] = [
  grant("ES-1", "2024-01-05", "4800", { vesting_terms_id: "monthly" }),
  START,
  warrant("W-1", "2024-01-06", "50", { stakeholder_id: "bob" }),
  stock("CS-1", "2024-01-10", "1000", { stock_legend_ids: ["legend"] }),
  stock("CS-2", "2024-01-11", "500", { stakeholder_id: "bob" }),
  stock("CS-3", "2024-02-01", "200"),
  tx("STOCK_TRANSFER", "2024-02-01", {
    security_id: "CS-2",
    quantity: "200",
    balance_security_id: "CS-4",
    resulting_security_ids: ["CS-3"],
  }),
  stock("CS-4", "2024-02-01", "300", { stakeholder_id: "bob" }),
];

const WHOLE: readonly Fields[] = [...RECORDS, TERMS, LEGEND, VALUATION, ...EVENTS];

const ended = { reason_text: "Ended" };

/** What takes of securities, and what came of that. */
const ENDED: readonly Fields[] = [
  tx("STOCK_CANCELLATION", "2024-03-10", {
    ...ended,
    security_id: "CS-4",
    quantity: "100",
    balance_security_id: "CS-6",
  }),
  stock("CS-6", "2024-03-10", "200", { stakeholder_id: "bob" }),
  tx("STOCK_REPURCHASE", "2024-03-11", {
    ...{ security_id: "CS-6", quantity: "50", price: { amount: "1", currency: "USD" } },
    balance_security_id: "CS-7",
  }),
  stock("CS-7", "2024-03-11", "150", { stakeholder_id: "bob" }),
  tx("STOCK_RETRACTION", "2024-03-12", { ...ended, security_id: "CS-7" }),
  tx("EQUITY_COMPENSATION_EXERCISE", "2024-05-10", {
    ...{ security_id: "ES-1", quantity: "300" },
    ...{ resulting_security_ids: ["CS-5"] },
  }),
  stock("CS-5", "2024-05-10", "300"),
  grant("ES-2", "2024-05-10", "4500"),
  tx("EQUITY_COMPENSATION_CANCELLATION", "2024-05-20", {
    ...{ ...ended, security_id: "ES-2", quantity: "500" },
    balance_security_id: "ES-3",
  }),
  grant("ES-3", "2024-05-20", "4000"),
  tx("EQUITY_COMPENSATION_TRANSFER", "2024-05-21", {
    ...{ security_id: "ES-5", quantity: "600" },
    resulting_security_ids: ["ES-4"],
  }),
  grant("ES-5", "2024-05-10", "600"),
  grant("ES-4", "2024-05-21", "600", { stakeholder_id: "bob" }),
];

const DAYS = ["2024-01-05", "2024-01-08", "2024-01-20", "2024-02-01", "2024-06-30", "2024-07-02", "2026-01-01"];

/** Every read that a reference has a part in. */
async function reads(company: Organization, securities = ["ES-1", "W-1", "CS-1", "CS-2", "CS-3", "CS-4"]) {
  const paths = [
    ...["/stakeholders", "/share-classes", "/equity-plans", "/securities", "/valuations", "/vesting-terms"],
    ...DAYS.map((day) => `/cap-table?asOf=${day}`),
    ...securities.map((id) => `/securities/${id}`),
    ...["2024-03-05", "2026-01-05"].map((day) => `/securities/ES-1/vesting?asOf=${day}`),
    ...["ada", "bob"].flatMap((id) => DAYS.map((day) => `/stakeholders/${id}/position?asOf=${day}`)),
  ];
  const answers: unknown[] = [];
  for (const path of paths) {
    const answer = await server.api("GET", path, undefined, { orgId: company.orgId });
    expect([path, answer.status]).toEqual([path, 200]);
    answers.push([path, bare(answer.json, company.orgId)]);
  }
  return answers;
}

function healedAgainstFresh(...ids: readonly string[]) {
  return corrected(ids, WHOLE);
}

async function corrected(ids: readonly string[], whole: readonly Fields[]) {
  const [healed, fresh] = [await Organization.make(server), await Organization.make(server)];
  const first = await healed.importPackage(packageWith(without(ids, whole)));
  expect(first.errors.map(({ id }) => id).sort()).toEqual([...ids].sort());
  const second = await healed.importPackage(packageWith(whole));
  await fresh.importPackage(packageWith(whole));
  return { healed, fresh, first, second };
}

describe("transactions on what was refused, corrected, and imported again", () => {
  const ALL = [...WHOLE, ...ENDED];
  const issuanceOf = (id: string) =>
    ALL.find(({ security_id, custom_id }) => security_id === id && custom_id === id)?.id;

  for (const [name, ids] of [
    ["a class", ["common"]],
    ["a holder", ["bob"]],
    ["stock that was transferred", ["CS-2"]],
    ["stock that was cancelled in part", ["CS-4"]],
    ["stock that was repurchased in part", ["CS-6"]],
    ["stock that was retracted", ["CS-7"]],
    ["options that were exercised", ["ES-1"]],
    ["options that were cancelled in part", ["ES-2"]],
    ["options that were transferred", ["ES-5"]],
    ["all of them", ["common", "bob", "CS-2", "CS-6", "ES-1", "ES-2", "ES-5"]],
  ] as const) {
    test(`on ${name}: they have their effect, before and after a split`, async () => {
      const refused = ids.map((id) => String(issuanceOf(id) ?? id));
      const { healed, fresh } = await corrected(refused, ALL);
      const securities = ALL.flatMap(({ custom_id }) => (typeof custom_id === "string" ? [custom_id] : []));
      expect(await reads(healed, securities)).toEqual(await reads(fresh, securities));
      for (const company of [healed, fresh]) await company.split(2, 1, { effectiveDate: "2024-07-01" });
      expect(await reads(healed, securities)).toEqual(await reads(fresh, securities));
      await healed.addsUp();
    });
  }

  test("a part of a consolidation: it goes into what the others went into", async () => {
    const whole = [
      ...RECORDS,
      stock("CS-1", "2024-01-10", "1000"),
      stock("CS-2", "2024-01-11", "500"),
      tx("STOCK_CONSOLIDATION", "2024-02-01", { security_ids: ["CS-1", "CS-2"], resulting_security_id: "CS-3" }),
      stock("CS-3", "2024-02-01", "1500"),
    ];
    const { healed } = await corrected(["stock_issuance CS-2 2024-01-11"], whole);
    const { classes } = await healed.totals();
    expect(classes.common).toBe("1500");
    expect((await healed.importPackage(packageWith(whole))).healed).toEqual([]);
    await healed.addsUp();
  });

  test("it is said once, and a third import changes nothing", async () => {
    const { healed, second } = await corrected([String(issuanceOf("CS-2"))], ALL);
    const transfer = "stock_transfer CS-2 2024-02-01";
    expect(second.healed).toContainEqual({ objectType: "TX_STOCK_TRANSFER", id: transfer, member: "security_id" });
    const third = await healed.importPackage(packageWith(ALL));
    expect([third.healed, third.conflicts.length]).toEqual([[], ALL.length]);
    await healed.addsUp();
  });
});

describe("an object that was refused, corrected, and imported again", () => {
  test("a class: plan, valuation, options and warrants name it, and a split reaches them", async () => {
    const { healed, fresh, second } = await healedAgainstFresh("common");
    const said = second.healed.map(({ objectType, id, member }) => `${objectType} ${id} ${member}`);
    expect(said.sort()).toEqual([
      "STOCK_PLAN plan stock_class_ids",
      "TX_EQUITY_COMPENSATION_ISSUANCE equity_compensation_issuance ES-1 2024-01-05 stock_class_id",
      "TX_WARRANT_ISSUANCE warrant_issuance W-1 2024-01-06 converts_to_stock_class_id",
      "VALUATION valuation stock_class_id",
    ]);
    expect(await reads(healed)).toEqual(await reads(fresh));
    for (const company of [healed, fresh]) await company.split(2, 1, { effectiveDate: "2024-07-01" });
    expect(await reads(healed)).toEqual(await reads(fresh));
    const plan = await healed.call("GET", "/equity-plans/plan");
    expect(plan.totalSharesReserved).toBe("200000");
    await healed.addsUp();
  });

  test("a holder: what was issued is the holder's from the first day, what is gone too", async () => {
    const { healed, fresh, second } = await healedAgainstFresh("bob");
    expect(second.healed.map(({ member }) => member)).toEqual(Array(3).fill("stakeholder_id"));
    expect(await reads(healed)).toEqual(await reads(fresh));
    for (const company of [healed, fresh]) await company.split(2, 1, { effectiveDate: "2024-07-01" });
    expect(await reads(healed)).toEqual(await reads(fresh));
    await healed.addsUp();
  });

  test("terms and a legend", async () => {
    const { healed, fresh, second } = await healedAgainstFresh("monthly", "legend");
    expect(second.healed.map(({ member }) => member).sort()).toEqual(["stock_legend_ids", "vesting_terms_id"]);
    expect(await reads(healed)).toEqual(await reads(fresh));
  });

  test("is healed once, by a package that has nothing but what was missing", async () => {
    const company = await Organization.make(server);
    await company.importPackage(packageWith(without(["bob"], WHOLE)));
    const bob = WHOLE.filter(({ id }) => id === "bob");
    expect((await company.importPackage(packageWith(bob))).healed).toHaveLength(3);
    expect((await company.importPackage(packageWith(WHOLE))).healed).toEqual([]);
  });
});

test("a value that was set since stays", async () => {
  const company = await Organization.make(server);
  await company.importPackage(packageWith(without(["bob"], WHOLE)));
  await company.call("PATCH", "/securities/CS-4", { stakeholderId: "ada" });
  const { healed } = await company.importPackage(packageWith(WHOLE));
  expect(healed.map(({ id }) => id).sort()).toEqual([
    "stock_issuance CS-2 2024-01-11",
    "warrant_issuance W-1 2024-01-06",
  ]);
  expect((await company.call("GET", "/securities/CS-4")).stakeholderId).toBe("ada");
});

test("a class stays left out of a plan that its split made here passed by, and the report says so", async () => {
  const company = await Organization.make(server);
  await company.importPackage(packageWith(without(["common"], WHOLE)));
  await company.split(2, 1, { effectiveDate: "2024-07-01" });
  const { healed, warnings } = await company.importPackage(packageWith(WHOLE));
  expect(healed.map(({ objectType }) => objectType)).toEqual(["VALUATION"]);
  expect(warnings.filter(({ code }) => code === "split-since").map(({ id }) => id)).toContain("plan");
});

test("the log tells of each, and the ledger agrees with the records", async () => {
  const company = await newCompany();
  try {
    await company.import(packageWith(without(["common", "bob", "legend", "monthly"], WHOLE)));
    const { healed } = await company.import(packageWith(WHOLE));
    expect(healed).toHaveLength(9);
    expect(verifyDatabase(company.db, company.orgId).differences).toEqual([]);
    const told = company.db.sqlite.prepare("select after from audit_log where resourceType = 'equity plan'").pluck();
    expect(JSON.parse(String(told.all().at(-1)))).toMatchObject({ stockClassIds: '["common"]' });
  } finally {
    company.close();
  }
});

test("the command says what it healed", async () => {
  const base = mkdtempSync(join(tmpdir(), "captable-heal-"));
  try {
    const dataDir = join(base, "data");
    await runCommand(["org", "create", "--name", "Acme", "--data-dir", dataDir]);
    const write = (name: string, objects: readonly Fields[]) => {
      const path = join(base, name);
      const issuer = {
        object_type: "ISSUER",
        id: "issuer",
        legal_name: "Acme",
        formation_date: "2019-05-01",
        country_of_formation: "US",
      };
      const items = (type: string, of: (kind: string) => boolean) => {
        const chosen = objects.filter(({ object_type }) => of(String(object_type)));
        return strToU8(JSON.stringify({ file_type: `OCF_${type}_FILE`, items: chosen }));
      };
      const zip = zipSync({
        "Manifest.ocf.json": strToU8(JSON.stringify({ file_type: "OCF_MANIFEST_FILE", ocf_version: "1.2.0", issuer })),
        "stakeholders.json": items("STAKEHOLDERS", (kind) => kind === "STAKEHOLDER"),
        "classes.json": items("STOCK_CLASSES", (kind) => kind === "STOCK_CLASS"),
        "plans.json": items("STOCK_PLANS", (kind) => kind === "STOCK_PLAN"),
        "transactions.json": items("TRANSACTIONS", (kind) => kind.startsWith("TX_")),
      });
      writeFileSync(path, zip);
      return path;
    };
    await runCommand(["ocf", "import", write("first.zip", without(["common"], WHOLE)), "--data-dir", dataDir]);
    const { stdout } = await runCommand(["ocf", "import", write("second.zip", WHOLE), "--data-dir", dataDir]);
    expect(stdout).toContain("healed: 3 references, the first: STOCK_PLAN plan, stock_class_ids");
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});
