// Companies with dates: one with each kind, and random ones.
import { Random } from "../../kit/random.ts";
import type { Org } from "../health/support.ts";

const MONTHLY = {
  ...{ name: "Four years, one of cliff", description: "Monthly after a year" },
  vestingConditions: [
    {
      id: "cliff",
      trigger: { type: "TIME_BASED", periodLength: 12, periodType: "MONTHS" },
      portion: { numerator: 12, denominator: 48 },
      nextConditionId: "month",
    },
    {
      id: "month",
      trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS", occurrences: 36 },
      portion: { numerator: 1, denominator: 48 },
      cliffConditionId: "cliff",
    },
  ],
};

/** A company, and what it is made of. */
export interface DatesCompany {
  readonly org: Org;
  readonly stockClassId: string;
  readonly planId: string;
  readonly vestingTermsId: string;
  readonly ada: string;
  readonly lena: string;
  readonly fund: string;
}

async function base(org: Org): Promise<DatesCompany> {
  await org.made("/organization", { countryOfFormation: "US" }, "PATCH");
  const stockClassId = await org.shareClass({ initialSharesAuthorized: "100000000" });
  const planId = await org.plan(stockClassId, { initialSharesReserved: "10000000" });
  const ada = await org.holder({ displayName: "Ada", name: { legalName: "Ada King" } });
  const lena = await org.holder({ displayName: "Lena", name: { legalName: "Lena Left" }, status: "FORMER" });
  const fund = await org.holder({ displayName: "Fund LP", name: { legalName: "Fund LP" }, type: "INSTITUTION" });
  const { id: vestingTermsId = "" } = await org.made("/vesting-terms", MONTHLY);
  return { org, stockClassId, planId, vestingTermsId, ada, lena, fund };
}

/** A company with a date of each kind after 2026-06-01. */
export async function everyKind(org: Org): Promise<DatesCompany> {
  const company = await base(org);
  const { stockClassId, planId, vestingTermsId, ada, lena, fund } = company;
  await org.option(ada, planId, { certificateId: "OPT-1", expirationDate: "2026-12-01" });
  await org.option(lena, planId, { certificateId: "OPT-L", expirationDate: "2026-08-29" });
  const scheduled = { vestingTermsId, effectiveDate: "2026-01-15", quantity: "4800" };
  const option = await org.option(ada, planId, { certificateId: "OPT-C", ...scheduled, expirationDate: "2036-01-15" });
  await org.run("issue-warrant", {
    ...{ stakeholderId: fund, stockClassId, quantity: "100", exercisePrice: "1", certificateId: "W-1" },
    ...{ effectiveDate: "2024-01-01", expirationDate: "2026-11-01" },
  });
  await org.run("issue-convertible", {
    ...{ stakeholderId: fund, quantity: "1000", certificateId: "SAFE-1", effectiveDate: "2024-01-01" },
    convertibleTerms: {
      ...{ convertibleType: "SAFE", maturityDate: "2026-09-01", valuationCap: "1000000", discountPercent: "20" },
    },
  });
  await org.valuation(stockClassId, { effectiveDate: "2025-10-01" });
  await org.made(`/equity-plans/${planId}`, { expirationDate: "2026-12-15" }, "PATCH");
  await org.made("/approvals", { title: "Grant to Ada", entityType: "Option Grant", dueDate: "2026-07-01" });
  await org.made("/vesting-milestones", {
    ...{ name: "First customer", targetDate: "2026-08-01", securityId: option, quantity: "1" },
  });
  await org.shares(ada, stockClassId, {
    ...{ certificateId: "CS-83B", quantity: "4800", vestingTermsId, effectiveDate: "2026-05-21" },
  });
  return company;
}

/** A company of some forty records with dates between 2025 and 2028. */
export async function randomCompany(org: Org, seed: number): Promise<Org> {
  const random = new Random(seed);
  const { stockClassId, planId, vestingTermsId, ada, lena, fund } = await base(org);
  const other = await org.shareClass({
    name: "Series A",
    defaultIdPrefix: "SA-",
    classType: "PREFERRED",
    seniority: 2,
  });
  const day = (from: number, to: number) =>
    `${random.between(from, to)}-${String(random.between(1, 12)).padStart(2, "0")}-${String(random.between(1, 28)).padStart(2, "0")}`;
  const upToToday = () =>
    [day(2024, 2025), `2026-0${random.between(1, 5)}-${random.between(10, 28)}`][random.below(2)] ?? "";
  const holders = [ada, lena, fund] as const;
  const securities: { id: string; holder: string; on: string; isOption: boolean }[] = [];
  for (let at = 0; at < 14; at++) {
    const [holder, on] = [random.pick(holders), upToToday()];
    const scheduled = random.chance(0.6) ? { vestingTermsId } : {};
    const terms = { ...scheduled, effectiveDate: on, quantity: String(48 * random.between(1, 50)) };
    const isOption = random.chance(0.6);
    const expirationDate = day(2026, 2028);
    const id = isOption
      ? await org.option(holder, planId, { ...terms, expirationDate })
      : await org.shares(holder, stockClassId, terms);
    securities.push({ id, holder, on, isOption });
  }
  for (const each of securities) {
    const what = random.below(8);
    const effectiveDate = "2026-06-01";
    const { id: securityId, holder, isOption } = each;
    if (what === 0) await org.cancel(securityId, "12", effectiveDate);
    if (what === 1) {
      const toStakeholderId = random.pick(holders);
      const move = { securityId, fromStakeholderId: holder, toStakeholderId, quantity: "24", effectiveDate };
      if (toStakeholderId !== holder) await org.run("transfer", move);
    }
    if (what === 2 && isOption) {
      const early = { quantity: "24", exercisePrice: "1", earlyExercise: true, effectiveDate };
      await org.run("exercise", { securityId, ...early });
    }
    if (what === 3 && !isOption) await org.run("retract", { securityId, reason: "wrong", effectiveDate });
  }
  for (const [at, classId] of [stockClassId, stockClassId, stockClassId, other, other].entries()) {
    const expirationDate = random.chance(0.3) ? `2026-0${random.between(6, 9)}-11` : null;
    const status = random.pick(["APPROVED", "APPROVED", "EXPIRED", "DRAFT"]);
    const effectiveDate = at < 2 ? day(2024, 2025) : `2026-0${random.between(1, 5)}-03`;
    await org.valuation(classId, { effectiveDate, status, ...(expirationDate ? { expirationDate } : {}) });
  }
  for (let at = 0; at < 4; at++) {
    await org.made("/approvals", { title: `Approval ${at}`, entityType: "Other", dueDate: day(2025, 2027) });
    await org.made("/vesting-milestones", { name: `Goal ${at}`, targetDate: day(2025, 2027) });
    await org.plan(stockClassId, { planName: `Plan ${at}`, expirationDate: day(2026, 2027) });
    await org.run("issue-convertible", {
      ...{ stakeholderId: fund, quantity: "1000", certificateId: `N-${at}`, effectiveDate: "2024-01-01" },
      convertibleTerms: { convertibleType: "SAFE", valuationCap: "1000000", maturityDate: day(2025, 2027) },
    });
  }
  await org.run("split", { stockClassId, numerator: 3, denominator: 1, rounding: "DOWN", effectiveDate: "2026-06-01" });
  return org;
}
