import { describe, expect, test } from "bun:test";
import { type Fields, listed, SMALL, Small } from "./fixture.ts";
import { validatePath } from "./reading.ts";

/** A fault: what is done to the good package, and the finding that must come of it (and no other problem). */
type Fault = [what: string, change: (small: Small) => void, code: string, at: string, severity?: "warning"];

const set = (object: Fields, values: object) => void Object.assign(object, values);
const without = (object: Fields, name: string) => void delete object[name];
/** The n-th object in the list `name` of an object. */
const entry = (object: Fields, name: string, n: number): Fields => {
  const found = listed(object[name])[n];
  if (!found) throw new Error(`no entry ${n} in ${name}`);
  return found;
};
const condition = (small: Small, n: number) => entry(small.get("terms"), "vesting_conditions", n);
const usd = (amount: string) => ({ amount, currency: "USD" });
const stock = (id: string, date: string, security: string, quantity: string, more: object = {}) => ({
  object_type: "TX_STOCK_ISSUANCE",
  ...{ id, date, security_id: security, custom_id: id, stakeholder_id: "ada", security_law_exemptions: [] },
  ...{ stock_class_id: "common", share_price: usd("1"), quantity, stock_legend_ids: [], ...more },
});
const cancel = (id: string, date: string, security: string, quantity: string) => ({
  ...{ object_type: "TX_STOCK_CANCELLATION", id, date, security_id: security, quantity, reason_text: "x" },
});

const SHAPE: Fault[] = [
  [
    "a required field is missing",
    (s) => without(s.get("ada"), "stakeholder_type"),
    "missing-field",
    "ada#/stakeholder_type",
  ],
  ["a field that OCF does not know", (s) => set(s.get("bo"), { nickname: "Bo" }), "unknown-field", "bo#/nickname"],
  ["a null", (s) => set(s.get("bo"), { issuer_assigned_id: null }), "null-field", "bo#/issuer_assigned_id"],
  ["a number for a text", (s) => set(s.get("t14"), { quantity: 10000 }), "wrong-value", "t14#/quantity"],
  [
    "thousands separators",
    (s) => set(s.get("common"), { votes_per_share: "1,000" }),
    "wrong-value",
    "common#/votes_per_share",
  ],
  [
    "a word outside its list",
    (s) => set(s.get("common"), { class_type: "ORDINARY" }),
    "wrong-value",
    "common#/class_type",
  ],
  [
    "a day that does not exist",
    (s) => set(s.get("val"), { effective_date: "2023-02-30" }),
    "wrong-value",
    "val#/effective_date",
  ],
  [
    "a currency in small letters",
    (s) => set(s.get("val"), { price_per_share: { amount: "1", currency: "usd" } }),
    "wrong-value",
    "val#/price_per_share/currency",
  ],
  [
    "a malformed e-mail address",
    (s) => set(s.get("ada"), { contact_info: { emails: [{ email_type: "OTHER", email_address: "ada@" }] } }),
    "wrong-value",
    "ada#/contact_info/emails/0/email_address",
  ],
  ["contact without a channel", (s) => set(s.get("ada"), { contact_info: {} }), "rule", "ada#/contact_info"],
  [
    "a plan with both kinds of class reference",
    (s) => set(s.get("plan"), { stock_class_id: "common" }),
    "rule",
    "plan#/stock_class_ids",
  ],
  ["an option without its price", (s) => without(s.get("t07"), "exercise_price"), "rule", "t07#/exercise_price"],
  ["a document with neither path nor uri", (s) => without(s.get("doc"), "path"), "rule", "doc#"],
  [
    "an empty list that needs an entry",
    (s) => set(s.get("fin"), { issuance_ids: [] }),
    "wrong-value",
    "fin#/issuance_ids",
  ],
  [
    "an object type that does not exist",
    (s) => set(s.get("legend"), { object_type: "LEGEND" }),
    "unknown-type",
    "legend#/object_type",
  ],
  [
    "an object in the wrong file",
    (s) => s.add("stock_plans", { object_type: "STOCK_LEGEND_TEMPLATE", id: "l2", name: "x", text: "x" }),
    "wrong-file",
    "l2#",
  ],
  ["an entry that is no object", (s) => s.add("valuations", ["x"]), "not-an-object", "null#"],
  [
    "a trigger of a kind that does not exist",
    (s) => set(entry(s.get("t04"), "exercise_triggers", 0), { type: "WHENEVER" }),
    "wrong-value",
    "t04#/exercise_triggers/0/type",
  ],
];

const REFERENCES: Fault[] = [
  [
    "a stakeholder who is not there",
    (s) => set(s.get("t01"), { stakeholder_id: "eve" }),
    "dangling-reference",
    "t01#/stakeholder_id",
  ],
  [
    "a legend that is not there",
    (s) => set(s.get("t12"), { stock_legend_ids: ["legend", "other"] }),
    "dangling-reference",
    "t12#/stock_legend_ids/1",
  ],
  [
    "a security that was never issued",
    (s) => set(s.get("t02"), { security_id: "s-none" }),
    "dangling-reference",
    "t02#/security_id",
  ],
  [
    "a document without a subject",
    (s) => set(s.get("doc"), { related_objects: [{ object_type: "STOCK_PLAN", object_id: "p9" }] }),
    "dangling-reference",
    "doc#/related_objects/0/object_id",
  ],
  [
    "a trigger that the convertible has not",
    (s) => set(s.get("t11"), { trigger_id: "safe-9" }),
    "dangling-reference",
    "t11#/trigger_id",
  ],
  ["two stakeholders of one id", (s) => s.add("stakeholders", { ...s.get("bo") }), "duplicate-id", "bo#/id"],
  [
    "a security issued twice",
    (s) => s.add("transactions", stock("t90", "2024-05-05", "s-fund-c", "1")),
    "duplicate-security",
    "t90#/security_id",
  ],
];

const VESTING: Fault[] = [
  [
    "a circle of conditions",
    (s) => set(condition(s, 2), { next_condition_ids: ["start"] }),
    "vesting-cycle",
    "terms#/vesting_conditions",
  ],
  [
    "a next condition that is not there",
    (s) => set(condition(s, 2), { next_condition_ids: ["more"] }),
    "dangling-reference",
    "terms#/vesting_conditions/2/next_condition_ids/0",
  ],
  [
    "two conditions of one id",
    (s) => set(condition(s, 1), { id: "start" }),
    "duplicate-condition",
    "terms#/vesting_conditions/1/id",
  ],
  [
    "portions beyond the whole",
    (s) => set(condition(s, 1), { portion: { numerator: "13", denominator: "48" } }),
    "vests-too-much",
    "terms#/vesting_conditions",
  ],
  [
    "a start that is no start",
    (s) => set(s.get("t06"), { vesting_condition_id: "cliff" }),
    "wrong-condition",
    "t06#/vesting_condition_id",
  ],
  [
    "vesting of a security without terms",
    (s) => set(s.get("t27"), { security_id: "s-bo-3" }),
    "no-vesting-terms",
    "t27#/vesting_condition_id",
  ],
  [
    "acceleration of more than there is",
    (s) => set(s.get("t28"), { quantity: "8001" }),
    "more-than-held",
    "t28#/quantity",
  ],
];

const LEDGER: Fault[] = [
  ["more repurchased than held", (s) => set(s.get("t17"), { quantity: "10001" }), "more-than-held", "t17#/quantity"],
  [
    "more exercised than left",
    (s) =>
      s.add("transactions", {
        ...s.get("t13"),
        id: "t90",
        date: "2022-04-01",
        quantity: "38001",
        resulting_security_ids: [],
      }),
    "more-than-held",
    "t90#/quantity",
  ],
  [
    "a transaction on a security that has ended",
    (s) => s.add("transactions", cancel("t90", "2024-05-05", "s-bo", "1")),
    "closed-security",
    "t90#/security_id",
  ],
  [
    "a transaction before the issuance",
    (s) => set(s.get("t02"), { date: "2019-03-03" }),
    "before-issuance",
    "t02#/date",
  ],
  [
    "a balance that is not what is left",
    (s) => set(s.get("t10"), { quantity: "3900001" }),
    "does-not-add-up",
    "t08#/balance_security_id",
  ],
  [
    "a transfer that loses shares",
    (s) => set(s.get("t09"), { quantity: "99999" }),
    "does-not-add-up",
    "t08#/resulting_security_ids",
  ],
  [
    "a balance for another holder",
    (s) => set(s.get("t10"), { stakeholder_id: "bo" }),
    "holder-differs",
    "t08#/balance_security_id",
  ],
  [
    "a result that was there before",
    (s) => set(s.get("t09"), { date: "2020-02-29" }),
    "result-before",
    "t08#/resulting_security_ids/0",
  ],
  [
    "the wrong family of security",
    (s) => s.add("transactions", { ...cancel("t90", "2024-05-05", "g-sale", "1") }),
    "wrong-kind",
    "t90#/security_id",
  ],
  [
    "a result of two transactions",
    (s) =>
      s.add("transactions", {
        ...cancel("t90", "2024-03-01", "s-ada-2", "3800000"),
        balance_security_id: "s-bo-3",
      }),
    "made-twice",
    "t90#/balance_security_id",
  ],
  [
    "nothing moved",
    (s) => s.add("transactions", cancel("t90", "2024-06-01", "s-ada-2", "0")),
    "not-positive",
    "t90#/quantity",
  ],
];

const PACKAGE: Fault[] = [
  [
    "a listed file that is missing",
    (s) => void s.files.delete("valuations.json"),
    "missing-file",
    "null#/valuations_files/0/filepath",
  ],
  ["a manifest without its version", (s) => without(s.manifest, "ocf_version"), "missing-field", "null#/ocf_version"],
  [
    "an issuer without its country",
    (s) => {
      s.manifest.issuer = { ...s.file("issuer.json"), country_of_formation: undefined };
      without(s.file("issuer.json"), "country_of_formation");
    },
    "missing-field",
    "issuer#/issuer/country_of_formation",
  ],
  ["two different issuers", (s) => set(s.file("issuer.json"), { dba: "Lindenhof" }), "issuer-differs", "null#"],
  [
    "an unknown file_type",
    (s) => set(s.file("financings.json"), { file_type: "OCF_ROUNDS_FILE" }),
    "unknown-file-type",
    "null#/file_type",
  ],
];

const WARNINGS: Fault[] = [
  [
    "a checksum that does not match",
    (s) => {
      s.rehash = false;
      set(s.file("valuations.json"), { items: [] });
    },
    "md5-mismatch",
    "null#/valuations_files/0/md5",
    "warning",
  ],
  ["a file that is not listed", (s) => without(s.manifest, "documents_files"), "unlisted-file", "null#", "warning"],
  [
    "a version that was never released",
    (s) => set(s.manifest, { ocf_version: "1.2.1-alpha+main" }),
    "unknown-version",
    "null#/ocf_version",
    "warning",
  ],
  [
    "more issued than authorized",
    (s) => set(s.get("common"), { initial_shares_authorized: "4000000" }),
    "over-issued",
    "t14#",
    "warning",
  ],
  [
    "more granted than reserved",
    (s) => set(s.get("plan"), { initial_shares_reserved: "49999" }),
    "pool-overdrawn",
    "t07#",
    "warning",
  ],
  [
    "a certificate number twice",
    (s) => set(s.get("t25"), { custom_id: "CS-5" }),
    "duplicate-certificate",
    "t25#/custom_id",
    "warning",
  ],
  [
    "a partial cancellation without a balance",
    (s) => s.add("transactions", cancel("t90", "2024-06-01", "s-ada-2", "1")),
    "no-balance",
    "t90#",
    "warning",
  ],
  [
    "an empty balance",
    (s) => set(s.get("t17"), { balance_security_id: "" }),
    "empty-reference",
    "t17#/balance_security_id",
    "warning",
  ],
  [
    "an addition of the development version",
    (s) => set(s.get("bo"), { current_status: "ACTIVE" }),
    "development-version",
    "bo#/current_status",
    "warning",
  ],
  [
    "a type that the transaction file forgot",
    (s) =>
      s.add("transactions", {
        object_type: "TX_ISSUER_AUTHORIZED_SHARES_ADJUSTMENT",
        id: "t90",
        date: "2024-06-01",
        issuer_id: "issuer",
        new_shares_authorized: "1",
      }),
    "not-admitted",
    "t90#",
    "warning",
  ],
  [
    "fewer shares out of an exercise",
    (s) => {
      set(s.get("t14"), { quantity: "9000" });
      set(s.get("t17"), { quantity: "9000" });
    },
    "does-not-add-up",
    "t13#/resulting_security_ids",
    "warning",
  ],
];

const FAULTS = [...SHAPE, ...REFERENCES, ...VESTING, ...LEDGER, ...PACKAGE, ...WARNINGS];

describe("ocf validate", () => {
  test("finds nothing wrong with a good package, as a folder and as a zip", async () => {
    expect(await validatePath(SMALL)).toEqual({ problems: [], objects: 41 });
    expect((await new Small().validate()).problems).toEqual([]);
  });

  test("is tried with at least 40 faults", () => expect(FAULTS.length).toBeGreaterThanOrEqual(40));

  for (const [what, change, code, at, severity = "problem"] of FAULTS) {
    test(`says what to do about ${what}`, async () => {
      const small = new Small();
      change(small);
      const { problems } = await small.validate();
      const found = problems.map((each) => `${each.severity} ${each.code} ${each.id}${each.pointer}`);
      expect(found).toContain(`${severity} ${code} ${at}`);
      if (severity === "warning") expect(found.filter((each) => each.startsWith("problem"))).toEqual([]);
      for (const finding of problems) {
        expect(finding.detail).toMatch(/^["\w].{10,}[.]$/s);
        expect(finding.fix).toMatch(/^.{8,}[.]$/s);
      }
    });
  }
});
