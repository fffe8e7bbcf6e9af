// What the validator finds about objects that come in, an import says too: once, at the same place, and not of what the
// organization holds already.
import { afterAll, describe, expect, test } from "bun:test";
import type { ImportReport } from "../../../src/exchange/ocf/import/report.ts";
import { packageOf } from "../../../src/exchange/ocf/package.ts";
import { type Fields, listed, Small } from "./fixture.ts";
import { type Company, newCompany } from "./import-support.ts";
import { readZip } from "./reading.ts";

type Fault = readonly [what: string, change: (small: Small) => void, said: readonly string[]];

const open: Company[] = [];
afterAll(() => {
  for (const company of open) company.close();
});

async function company(): Promise<Company> {
  const made = await newCompany();
  open.push(made);
  return made;
}

/** Warnings as `code id#/pointer`. */
function said(report: ImportReport): string[] {
  return warningsOf(report).map(({ code, id, pointer }) => `${code} ${id}${pointer}`);
}

/** The package does not say how its preferred class votes, which is not looked at here. */
function warningsOf({ warnings }: ImportReport) {
  return warnings.filter(({ code }) => code !== "votes-basis-assumed");
}

const set = (object: Fields, values: object) => void Object.assign(object, values);
const usd = { amount: "1", currency: "USD" };

/** A security of 100 shares that nothing happens to, and what does. */
function onFresh(small: Small, type: string, members: Fields): void {
  small.add("transactions", {
    ...{ object_type: "TX_STOCK_ISSUANCE", id: "new", date: "2025-02-01", security_id: "s-new", custom_id: "N-1" },
    ...{ stakeholder_id: "ada", security_law_exemptions: [], stock_class_id: "common", share_price: usd },
    ...{ quantity: "100", stock_legend_ids: [] },
  });
  small.add("transactions", { object_type: type, id: "tx", date: "2025-06-01", security_id: "s-new", ...members });
}

function cancel(members: Fields): (small: Small) => void {
  return (small) => onFresh(small, "TX_STOCK_CANCELLATION", { quantity: "100", reason_text: "x", ...members });
}

function condition(small: Small, n: number): Fields {
  return listed(small.get("terms").vesting_conditions)[n] ?? {};
}

const DANGLING: readonly Fault[] = [
  [
    "a balance",
    cancel({ quantity: "1", balance_security_id: "ghost" }),
    ["dangling-reference tx#/balance_security_id"],
  ],
  [
    "a resulting security",
    (s) => onFresh(s, "TX_STOCK_TRANSFER", { quantity: "100", resulting_security_ids: ["ghost"] }),
    ["dangling-reference tx#/resulting_security_ids/0"],
  ],
  [
    "a vesting condition",
    (s) => {
      const event = { security_id: s.get("t07").security_id, vesting_condition_id: "ghost" };
      s.add("transactions", { object_type: "TX_VESTING_EVENT", id: "tx", date: "2022-01-01", ...event });
    },
    ["dangling-reference tx#/vesting_condition_id"],
  ],
  [
    "a next condition",
    (s) => set(condition(s, 1), { next_condition_ids: ["ghost"] }),
    ["dangling-reference terms#/vesting_conditions/1/next_condition_ids/0"],
  ],
  [
    "what a document belongs to",
    (s) => set(s.get("doc"), { related_objects: [{ object_type: "STAKEHOLDER", object_id: "ghost" }] }),
    ["dangling-reference doc#/related_objects/0/object_id"],
  ],
];

const INVALID: readonly Fault[] = [
  [
    "an issuer's country",
    (s) => set(s.manifest, { issuer: { ...s.file("issuer.json"), country_of_formation: "USA" } }),
    ["issuer-differs null#", "wrong-value issuer#/issuer/country_of_formation"],
  ],
  ["a missing version", (s) => void delete s.manifest.ocf_version, ["missing-field null#/ocf_version"]],
  ["a date that is a number", (s) => set(s.manifest, { as_of: 5 }), ["wrong-value null#/as_of"]],
  ["less than nothing", cancel({ quantity: "-1" }), ["not-positive tx#/quantity"]],
  ["nothing at all", cancel({ quantity: "0" }), ["not-positive tx#/quantity"]],
  [
    "a security as its own balance",
    cancel({ quantity: "1", balance_security_id: "s-new" }),
    ["names-itself tx#/balance_security_id", "does-not-add-up tx#/balance_security_id"],
  ],
  ["a day before the issuance", cancel({ date: "2025-01-31" }), ["before-issuance tx#/date"]],
  [
    "a circle",
    (s) => set(condition(s, 0), { next_condition_ids: [condition(s, 0).id] }),
    ["vesting-cycle terms#/vesting_conditions"],
  ],
  [
    "an event without terms",
    (s) => onFresh(s, "TX_VESTING_EVENT", { vesting_condition_id: "any" }),
    ["no-vesting-terms tx#/vesting_condition_id"],
  ],
  [
    "an object in the wrong file",
    (s) => s.add("valuations", { ...s.get("bo"), id: "cy" }),
    ["wrong-file cy#", "same-name cy#/name"],
  ],
];

/** What an import has words of its own for. */
const SAID_BEFORE: readonly Fault[] = [
  ["more than there is", cancel({ quantity: "101" }), ["more-than-held tx#"]],
  ["another kind of security", wrongKind, ["wrong-kind tx#/security_id"]],
  [
    "an ended security",
    (s) => {
      cancel({})(s);
      s.add("transactions", { ...listed(s.file("transactions.json").items).at(-1), id: "again", date: "2025-07-01" });
    },
    ["closed-security again#/security_id"],
  ],
  [
    "an ended security of another kind",
    (s) => {
      cancel({})(s);
      const members = { security_id: "s-new", quantity: "1", reason_text: "x" };
      const object_type = "TX_EQUITY_COMPENSATION_CANCELLATION";
      s.add("transactions", { object_type, id: "again", date: "2025-07-01", ...members });
    },
    ["closed-security again#/security_id"],
  ],
  [
    "securities that end together, one of them nowhere",
    (s) => {
      const both = { security_ids: ["s-new", "ghost"], resulting_security_id: "s-new" };
      onFresh(s, "TX_STOCK_CONSOLIDATION", { security_id: undefined, ...both });
    },
    ["dangling-reference tx#/security_ids/1"],
  ],
  ["a holder", (s) => set(s.get("t25"), { stakeholder_id: "ghost" }), ["dangling-reference t25#/stakeholder_id"]],
  ["a legend", (s) => set(s.get("t25"), { stock_legend_ids: ["ghost"] }), ["dangling-reference t25#/stock_legend_ids"]],
  [
    "the class of a warrant",
    (s) => {
      const warrant = listed(s.file("transactions.json").items).find(isWarrant) ?? {};
      const right = listed(warrant.exercise_triggers)[0]?.conversion_right;
      set(Object(right), { converts_to_stock_class_id: "ghost" });
    },
    ["dangling-reference #/exercise_triggers/0/conversion_right/converts_to_stock_class_id"],
  ],
];

function wrongKind(small: Small): void {
  onFresh(small, "TX_EQUITY_COMPENSATION_CANCELLATION", { quantity: "100", reason_text: "x" });
}

function isWarrant({ object_type }: Fields): boolean {
  return object_type === "TX_WARRANT_ISSUANCE";
}

for (const [how, faults] of [
  ["a reference into nowhere comes in with one warning:", DANGLING],
  ["what is invalid comes in with a warning:", INVALID],
  ["what an import says itself it says once:", SAID_BEFORE],
] as const) {
  describe(how, () => {
    for (const [what, change, expected] of faults) {
      test(what, async () => {
        const small = new Small();
        change(small);
        const into = await company();
        const report = await into.import(await readZip(small.zip()));
        expect(report.errors).toEqual([]);
        // The id of the warrant is the fixture's own.
        const found = said(report).map((each) => each.replace(/ [^ #]+(#\/exercise_triggers)/, " $1"));
        expect(found.filter((each) => !each.startsWith("development-version")).sort()).toEqual([...expected].sort());
        const { problems } = await small.validate();
        const codes = new Set(problems.filter(({ severity }) => severity === "problem").map(({ code }) => code));
        expect(codes.size).toBeGreaterThan(0);
        const again = await into.import(await readZip(small.zip()));
        expect(said(again).filter((each) => !/ null#/.test(each))).toEqual([]);
      });
    }
  });
}

describe("a cancellation", () => {
  const left = async (members: Fields) => {
    const small = new Small();
    cancel(members)(small);
    const into = await company();
    const report = await into.import(await readZip(small.zip()));
    const row = into.db.sqlite.prepare("select quantity, status from securities where id = 's-new'").get();
    return {
      row,
      details: warningsOf(report).map(({ detail }) => detail),
    };
  };

  test("whose balance was never issued says how many shares are counted nowhere", async () => {
    const { row, details } = await left({ quantity: "1", balance_security_id: "ghost" });
    expect(row).toEqual({ quantity: "0", status: "CANCELLED" });
    expect(details).toEqual([
      'balance_security_id names "ghost", which was never issued: 99 of "s-new" are counted nowhere.',
    ]);
  });

  test("of nothing, or less, takes nothing", async () => {
    for (const quantity of ["0", "-1"]) {
      const { row } = await left({ quantity });
      expect(row).toEqual({ quantity: "100", status: "ACTIVE" });
    }
  });
});

/** The fixture without some of its objects, or with nothing but them. */
function part(isWanted: (object: Fields) => boolean): Small {
  const small = new Small();
  for (const file of small.files.values()) {
    if (Array.isArray(file.items)) file.items = listed(file.items).filter(isWanted);
  }
  return small;
}

describe("a package may refer to existing records:", () => {
  const isIssuance = ({ object_type }: Fields) => String(object_type).endsWith("_ISSUANCE");
  const isTransaction = ({ object_type }: Fields) => String(object_type).startsWith("TX_");
  const parts: readonly (readonly [what: string, isLater: (object: Fields) => boolean])[] = [
    ["transactions on the records", isTransaction],
    ["transactions on the securities", (object) => isTransaction(object) && !isIssuance(object)],
    ["financings and documents", ({ object_type }) => object_type === "FINANCING" || object_type === "DOCUMENT"],
  ];
  for (const [what, isLater] of parts) {
    test(what, async () => {
      const into = await company();
      await into.import(await readZip(part((object) => !isLater(object)).zip()));
      const later = await into.import(await readZip(part(isLater).zip()));
      expect(later.errors).toEqual([]);
      expect(said(later)).toEqual([]);
      expect(Object.values(later.imported).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
      const alone = await (await company()).import(await readZip(part(isLater).zip()));
      expect(said(alone).filter((each) => each.startsWith("dangling-reference")).length).toBeGreaterThan(0);
    });
  }
});

test("an object that is refused is not warned about besides", async () => {
  const small = new Small();
  set(small.get("bo"), { name: {}, nickname: "Bo" });
  const report = await (await company()).import(await readZip(small.zip()));
  expect(report.errors.map(({ id, pointer }) => `${id}${pointer}`)).toEqual(["bo#/name/legal_name"]);
  expect(said(report).filter((each) => each.includes(" bo#"))).toEqual([]);
});

test("parsed JSON and an archive give the same report", async () => {
  const small = new Small();
  for (const [, change] of [...DANGLING, ...INVALID.slice(0, 3)]) change(small);
  const { "ocf_manifest.json": manifest, ...entityFiles } = Object.fromEntries(small.files);
  const [archived, parsed] = [
    await (await company()).import(await readZip(small.zip())),
    await (await company()).import(packageOf(manifest, entityFiles)),
  ];
  expect(archived.warnings.length).toBeGreaterThan(5);
  expect(parsed.warnings.toSorted(byText)).toEqual(archived.warnings.toSorted(byText));
});

function byText(a: object, b: object): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
