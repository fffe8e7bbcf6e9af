// What an issue of shares costs beside many open options and warrants, in a class that has too few authorized shares for
// them: every such issue is answered with a warning, which must not cost more with each security that it counts. By
// processor time, one issue at a time.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { issuing } from "./company.ts";
import { importPackage } from "./grow.ts";
import type { Bench } from "./part.ts";
import { type Service, startService } from "./programs.ts";

const PART = "awards";
const AWARDS = 20_000;
const HOLDERS = 100;
const QUANTITY = 100;
const CLASS = {
  object_type: "STOCK_CLASS",
  id: "tight",
  name: "Tight Common",
  class_type: "COMMON",
  default_id_prefix: "T-",
  initial_shares_authorized: "100000000",
  votes_per_share: "1",
  seniority: "1",
};
/** With what it reserves the class has too few shares, whether options are granted of it or not. */
const PLAN = {
  object_type: "STOCK_PLAN",
  id: "plan",
  plan_name: "2020 Plan",
  initial_shares_reserved: "200000000",
  stock_class_ids: [CLASS.id],
};
const TO = { stakeholderId: "holder-0", stockClassId: CLASS.id };

/** Measures issues beside open options and warrants, and beside none. */
export async function measureAwards(bench: Bench): Promise<void> {
  const { report, rounds, seconds } = bench;
  process.env.CAPTABLE_CHAIN = "off";
  const count = bench.size(AWARDS);
  const company = async (name: string, awards: number) => {
    const folder = join(bench.folder, name);
    mkdirSync(folder);
    const given = { holders: HOLDERS, transactions: awardsOf(awards), stockClasses: [CLASS], stockPlans: [PLAN] };
    return startService(await importPackage(folder, given));
  };
  await using many = await company("many", count);
  await using none = await company("none", 0);
  for (const service of [many, none]) service.pause();
  const issue = async (service: Service) => {
    await service.resume();
    const before = service.cpuMs();
    const { count: issued } = await service.load(issuing(service, TO, 1, seconds));
    const each = (service.cpuMs() - before) / issued;
    service.pause();
    return each;
  };
  for (let round = 0; round <= rounds; round++) {
    const [beside, alone] = [await issue(many), await issue(none)];
    if (round === 0) continue;
    const what = `issue-shares beside ${count.toLocaleString("en")} open options and warrants in a tight class`;
    report.note(PART, `${what}, processor time`, beside, "ms");
    report.note(PART, `${what} / beside none, processor time`, beside / alone, "×", { atMost: 1.2 });
  }
}

/** As many options of the plan as warrants of the class. */
function awardsOf(count: number): readonly object[] {
  return Array.from({ length: count }, (_, n) => (n % 2 === 0 ? optionOf(n) : warrantOf(n)));
}

const PRICE = { amount: "0.01", currency: "USD" };

function common(n: number) {
  return {
    id: `issuance-${n}`,
    security_id: `security-${n}`,
    date: "2021-01-15",
    custom_id: `A-${n}`,
    stakeholder_id: `holder-${n % HOLDERS}`,
    security_law_exemptions: [],
    quantity: String(QUANTITY),
    exercise_price: PRICE,
  };
}

function optionOf(n: number): object {
  return {
    ...common(n),
    object_type: "TX_EQUITY_COMPENSATION_ISSUANCE",
    stock_plan_id: PLAN.id,
    compensation_type: "OPTION_NSO",
    expiration_date: "2035-01-01",
    termination_exercise_windows: [],
  };
}

function warrantOf(n: number): object {
  const mechanism = { type: "FIXED_AMOUNT_CONVERSION", converts_to_quantity: String(QUANTITY) };
  const right = {
    type: "WARRANT_CONVERSION_RIGHT",
    conversion_mechanism: mechanism,
    converts_to_stock_class_id: CLASS.id,
  };
  return {
    ...common(n),
    object_type: "TX_WARRANT_ISSUANCE",
    quantity_source: "INSTRUMENT_FIXED",
    purchase_price: PRICE,
    exercise_triggers: [{ type: "ELECTIVE_AT_WILL", trigger_id: `trigger-${n}`, conversion_right: right }],
  };
}
