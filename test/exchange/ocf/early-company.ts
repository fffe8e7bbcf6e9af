// A package of an early company: 42 securities of all kinds, a plan's reserve of 4,000,000, and what happened to them.
import { type Fields, grant, note, stock, tx, warrant } from "./objects.ts";

function holder(id: string, legal_name: string, stakeholder_type = "INDIVIDUAL"): Fields {
  return { object_type: "STAKEHOLDER", id, name: { legal_name }, stakeholder_type };
}

function stockClass(id: string, class_type: string, initial_shares_authorized: string, seniority: string): Fields {
  const default_id_prefix = `${id.slice(0, 2).toUpperCase()}-`;
  const figures = { initial_shares_authorized, votes_per_share: "1", seniority };
  return { object_type: "STOCK_CLASS", id, name: id, class_type, default_id_prefix, ...figures };
}

const HOLDERS = [
  ...["ada", "bob", "cleo", "dan", "eve", "fay", "gus", "hal"].map((id) => holder(id, `${id} Early`)),
  ...["fund", "angel", "bank"].map((id) => holder(id, `${id} LP`, "INSTITUTION")),
];

const COMPANY: readonly Fields[] = [
  ...HOLDERS,
  stockClass("common", "COMMON", "20000000", "1"),
  stockClass("seed", "PREFERRED", "3000000", "2"),
  stockClass("series-a", "PREFERRED", "5000000", "3"),
  {
    object_type: "STOCK_PLAN",
    id: "plan",
    plan_name: "Stock Plan 2021",
    initial_shares_reserved: "4000000",
    stock_class_ids: ["common"],
    default_cancellation_behavior: "RETURN_TO_POOL",
  },
  {
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
          period: {
            ...{ length: 1, type: "MONTHS", occurrences: 48 },
            day_of_month: "VESTING_START_DAY_OR_LAST_DAY_OF_MONTH",
          },
          relative_to_condition_id: "start",
        },
        next_condition_ids: [],
      },
    ],
  },
  { object_type: "STOCK_LEGEND_TEMPLATE", id: "legend", name: "Legend", text: "Restricted." },
  {
    object_type: "VALUATION",
    id: "valuation",
    stock_class_id: "common",
    price_per_share: { amount: "0.4", currency: "USD" },
    effective_date: "2021-06-01",
    valuation_type: "409A",
  },
];

const of = (stakeholder_id: string) => ({ stakeholder_id });
const common = (id: string, date: string, quantity: string, holder: string, members: Fields = {}) =>
  stock(id, date, quantity, { ...of(holder), stock_legend_ids: ["legend"], ...members });
const preferred = (stock_class_id: string, id: string, date: string, quantity: string, holder: string) =>
  stock(id, date, quantity, { ...of(holder), stock_class_id });
const option = (id: string, date: string, quantity: string, holder: string, members: Fields = {}) =>
  grant(id, date, quantity, { ...of(holder), ...members });
const vesting = { vesting_terms_id: "monthly" };

const ISSUED: readonly Fields[] = [
  common("CS-1", "2021-01-10", "4000000", "ada"),
  common("CS-2", "2021-01-10", "3000000", "bob"),
  common("CS-3", "2021-01-10", "1000000", "cleo"),
  common("CS-4", "2021-02-01", "50000", "angel"),
  common("CS-5", "2021-02-01", "25000", "dan"),
  preferred("seed", "SD-1", "2021-09-01", "900000", "fund"),
  preferred("seed", "SD-2", "2021-09-01", "300000", "angel"),
  preferred("seed", "SD-3", "2021-09-02", "150000", "bank"),
  preferred("series-a", "SA-1", "2023-03-01", "2000000", "fund"),
  preferred("series-a", "SA-2", "2023-03-01", "500000", "bank"),
  option("ES-1", "2021-07-01", "480000", "dan", vesting),
  option("ES-2", "2021-07-01", "240000", "eve", vesting),
  option("ES-3", "2021-10-01", "120000", "fay", vesting),
  option("ES-4", "2022-01-15", "96000", "gus", vesting),
  option("ES-5", "2022-01-15", "48000", "hal"),
  option("ES-6", "2022-06-01", "60000", "eve", { compensation_type: "OPTION_ISO" }),
  option("ES-7", "2022-06-01", "30000", "fay"),
  option("ES-8", "2023-01-10", "24000", "gus", vesting),
  option("ES-9", "2023-04-01", "72000", "hal", vesting),
  warrant("W-1", "2021-11-01", "40000", of("bank")),
  warrant("W-2", "2022-02-01", "20000", of("angel")),
  warrant("W-3", "2023-03-01", "15000", of("fund")),
  note("CN-1", "2021-03-01", "250000", of("angel")),
  note("CN-2", "2021-03-15", "100000", of("fund")),
  note("CN-3", "2022-11-01", "500000", of("bank")),
];

const taken = (security_id: string, quantity: string, balance: string, ...results: readonly string[]) => ({
  ...{ security_id, quantity, balance_security_id: balance },
  ...(results.length > 0 ? { resulting_security_ids: results } : {}),
});
const ended = { reason_text: "Left" };

/** What was done, and what came of it. */
const DONE: readonly Fields[] = [
  ...["ES-1", "ES-2", "ES-3"].map((security_id) =>
    tx("VESTING_START", "2021-10-01", { security_id, vesting_condition_id: "start" }),
  ),
  tx("STOCK_TRANSFER", "2022-03-01", taken("CS-2", "500000", "CS-7", "CS-6")),
  common("CS-6", "2022-03-01", "500000", "angel"),
  common("CS-7", "2022-03-01", "2500000", "bob"),
  tx("STOCK_REPURCHASE", "2022-04-01", {
    ...taken("CS-3", "400000", "CS-8"),
    price: { amount: "0.001", currency: "USD" },
  }),
  common("CS-8", "2022-04-01", "600000", "cleo"),
  tx("STOCK_CANCELLATION", "2022-05-01", { ...taken("CS-5", "5000", "CS-9"), ...ended }),
  common("CS-9", "2022-05-01", "20000", "dan"),
  tx("EQUITY_COMPENSATION_EXERCISE", "2022-08-01", {
    ...{ security_id: "ES-1", quantity: "100000", resulting_security_ids: ["CS-10"] },
  }),
  common("CS-10", "2022-08-01", "100000", "dan", { stock_plan_id: "plan" }),
  tx("EQUITY_COMPENSATION_CANCELLATION", "2022-09-01", { ...taken("ES-3", "80000", "ES-10"), ...ended }),
  option("ES-10", "2022-09-01", "40000", "fay", vesting),
  tx("EQUITY_COMPENSATION_EXERCISE", "2022-10-01", {
    ...{ security_id: "ES-10", quantity: "10000", resulting_security_ids: ["CS-11"] },
  }),
  common("CS-11", "2022-10-01", "10000", "fay"),
  tx("EQUITY_COMPENSATION_TRANSFER", "2022-10-15", taken("ES-4", "16000", "ES-12", "ES-11")),
  option("ES-11", "2022-10-15", "16000", "cleo"),
  option("ES-12", "2022-10-15", "80000", "gus", vesting),
  tx("EQUITY_COMPENSATION_CANCELLATION", "2022-12-01", { security_id: "ES-5", quantity: "48000", ...ended }),
  tx("WARRANT_EXERCISE", "2023-02-01", {
    security_id: "W-2",
    trigger_id: "W-2 trigger",
    resulting_security_ids: ["CS-12"],
  }),
  common("CS-12", "2023-02-01", "20000", "angel"),
  tx("CONVERTIBLE_CONVERSION", "2023-03-01", {
    ...{ security_id: "CN-1", trigger_id: "CN-1 trigger", reason_text: "Series A", resulting_security_ids: ["SA-3"] },
  }),
  preferred("series-a", "SA-3", "2023-03-01", "250000", "angel"),
  tx("STOCK_TRANSFER", "2023-05-01", taken("SD-2", "100000", "SD-5", "SD-4")),
  preferred("seed", "SD-4", "2023-05-01", "100000", "fund"),
  preferred("seed", "SD-5", "2023-05-01", "200000", "angel"),
  tx("STOCK_CONVERSION", "2023-06-01", {
    ...{ security_id: "SD-3", quantity_converted: "150000", resulting_security_ids: ["CS-13"] },
  }),
  common("CS-13", "2023-06-01", "150000", "bank"),
  tx("STOCK_RETRACTION", "2023-07-01", { security_id: "CS-4", ...ended }),
  option("ES-13", "2023-08-01", "36000", "cleo", vesting),
  option("ES-14", "2023-08-01", "24000", "eve"),
  tx("EQUITY_COMPENSATION_CANCELLATION", "2023-09-01", { ...taken("ES-6", "4000", "ES-15"), ...ended }),
  option("ES-15", "2023-09-01", "56000", "eve"),
];

/** The whole package, without a fault. */
export const EARLY_COMPANY: readonly Fields[] = [...COMPANY, ...ISSUED, ...DONE];

/** The ids of its securities. */
export const EARLY_SECURITIES: readonly string[] = EARLY_COMPANY.flatMap(({ object_type, security_id }) =>
  /_ISSUANCE$/.test(String(object_type)) ? [String(security_id)] : [],
);

/** A split of its common stock in the package itself. */
export const EARLY_SPLIT: Fields = tx("STOCK_CLASS_SPLIT", "2023-02-15", {
  stock_class_id: "common",
  split_ratio: { numerator: "2", denominator: "1" },
});
