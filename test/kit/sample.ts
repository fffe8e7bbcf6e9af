// A company as a founder or a lawyer would know it, for pictures and tests of pages: 9 holders, three classes, two rounds,
// a plan with grants that vest, a warrant, a convertible, a split, a transfer, an exercise. Made through the API.
import type { Ask } from "./company.ts";

/** The ids of what {@link makeSampleCompany} made, by names of its own. */
export interface SampleCompany {
  readonly holders: Readonly<Record<string, string>>;
  readonly classes: { readonly common: string; readonly seed: string; readonly seriesA: string };
  readonly plan: string;
  readonly terms: string;
  readonly grant: string;
  /** Charles's certificate. */
  readonly shares: string;
  /** An approval of which one step is decided, and a corporate action. */
  readonly approval: string;
  readonly corporateAction: string;
  /** The newest entry of the ledger. */
  readonly entry: string;
}

const HOLDERS = [
  ["ada", "Ada Lovelace", "INDIVIDUAL", ["FOUNDER", "EXECUTIVE"], "ada@acme.example"],
  ["charles", "Charles Babbage", "INDIVIDUAL", ["FOUNDER"], "charles@acme.example"],
  ["jacquard", "Jacquard Capital Fund I", "INSTITUTION", ["INVESTOR"], "legal@jacquard.example"],
  ["analytical", "Analytical Ventures II, L.P.", "INSTITUTION", ["INVESTOR"], "ops@analytical.example"],
  ["elodie", "Élodie Brontë-Łukasiewicz", "INDIVIDUAL", ["EMPLOYEE"], "elodie@acme.example"],
  ["george", "George Boole", "INDIVIDUAL", ["EMPLOYEE"], "george@acme.example"],
  ["mary", "Mary Somerville", "INDIVIDUAL", ["ADVISOR"], "mary@somerville.example"],
  ["joan", "Joan Clarke", "INDIVIDUAL", ["EX_EMPLOYEE"], null],
  ["kurt", "Kurt Friedrich Gödel", "INDIVIDUAL", ["CONSULTANT"], "kurt@acme.example"],
] as const;

/** The quantity of Kurt's grant: a fraction, which pages must show; a document's pictures have whole shares alone. */
export const WITH_FRACTION = "45000.5";

/** Makes the company in the organization that `ask` asks. */
export async function makeSampleCompany(ask: Ask, granted = WITH_FRACTION): Promise<SampleCompany> {
  await ask("PATCH", "/organization", { legalName: "Acme Robotics, Inc.", formationDate: "2021-03-01" });
  const holders: Record<string, string> = {};
  for (const [key, displayName, type, relationships, email] of HOLDERS) {
    const body = { displayName, name: { legalName: displayName }, type, relationships, ...(email ? { email } : {}) };
    holders[key] = idOf(await ask("POST", "/stakeholders", body));
  }
  const classes = await makeClasses(ask);
  const { plan, terms } = await makePlan(ask, classes.common);
  const shares = await issueShares(ask, holders, classes);
  const grant = await issueRights(ask, { holders, classes, plan, terms, granted });
  const governance = await makeGovernance(ask, holders);
  const { data } = await ask("GET", "/transactions?limit=1");
  return { holders, classes, plan, terms, grant, shares, ...governance, entry: data[0].id as string };
}

async function makeGovernance(ask: Ask, holders: Readonly<Record<string, string>>) {
  const steps = [{ name: "Board of directors" }, { name: "Counsel" }];
  const { data } = await ask("POST", "/approvals", { title: "Second closing", entityType: "Stock Issuance", steps });
  await ask("POST", `/approvals/${data.id}/submit`);
  await ask("PATCH", `/approvals/${data.id}/steps/${data.steps[0].id}`, { status: "APPROVED", comment: "In minutes" });
  const relatedObjects = [{ objectType: "STAKEHOLDER", objectId: holders.kurt }];
  const agreement = { title: "Agreement ES-4", path: "es-4.pdf", relatedObjects, isSharedWithHolders: true };
  const document = idOf(await ask("POST", "/documents", agreement));
  const corporateAction = idOf(
    await ask("POST", "/corporate-actions", {
      ...{ type: "Financing Round", title: "Series A", status: "Finalized", effectiveDate: "2024-02-20" },
      metadata: { boardApprovalDate: "2024-02-15", documentIds: [document] },
    }),
  );
  return { approval: data.id as string, corporateAction };
}

// biome-ignore lint/suspicious/noExplicitAny: answers are of every shape
function idOf(answer: any): string {
  const { id, data } = answer;
  return id ?? data.id ?? data.securityId ?? data.newSecurityId ?? data.transactionId;
}

async function makeClasses(ask: Ask) {
  const make = async (body: object) => idOf(await ask("POST", "/share-classes", { votesPerShare: "1", ...body }));
  const common = await make({
    name: "Common",
    classType: "COMMON",
    defaultIdPrefix: "CS-",
    initialSharesAuthorized: "20000000",
    seniority: 3,
    parValue: "0.0001",
    boardApprovalDate: "2021-03-01",
  });
  const preferred = { classType: "PREFERRED", liquidationPreferenceMultiple: "1" };
  const seed = await make({
    ...preferred,
    name: "Series Seed",
    defaultIdPrefix: "PS-",
    initialSharesAuthorized: "3000000",
    seniority: 2,
    pricePerShare: "0.8",
    boardApprovalDate: "2022-06-01",
  });
  const seriesA = await make({
    ...preferred,
    name: "Series A",
    defaultIdPrefix: "PA-",
    initialSharesAuthorized: "4500000",
    seniority: 1,
    pricePerShare: "2.4113",
    boardApprovalDate: "2024-02-15",
  });
  return { common, seed, seriesA };
}

async function makePlan(ask: Ask, common: string) {
  const plan = idOf(
    await ask("POST", "/equity-plans", {
      planName: "2021 Equity Incentive Plan",
      planType: "ISO",
      initialSharesReserved: "1200000",
      stockClassIds: [common],
      adoptedDate: "2021-03-01",
      boardApprovalDate: "2021-03-01",
    }),
  );
  const month = { type: "TIME_BASED", periodType: "MONTHS" };
  const terms = idOf(
    await ask("POST", "/vesting-terms", {
      name: "4 years, 1 year cliff",
      description: "A quarter after a year, then monthly.",
      allocationMethod: "CUMULATIVE_ROUND_DOWN",
      triggerType: "TIME_BASED",
      vestingConditions: [
        {
          id: "cliff",
          trigger: { ...month, periodLength: 12, occurrences: 1 },
          portion: { numerator: 12, denominator: 48 },
          nextConditionId: "monthly",
        },
        {
          id: "monthly",
          trigger: { ...month, periodLength: 1, occurrences: 36 },
          portion: { numerator: 1, denominator: 48 },
        },
      ],
      totalVestingMonths: 48,
      cliffMonths: 12,
    }),
  );
  await ask("POST", "/valuations", {
    type: "409A",
    status: "APPROVED",
    stockClassId: common,
    pricePerShare: "0.21",
    effectiveDate: "2023-05-01",
    expirationDate: "2024-04-30",
    provider: "Turing Valuations",
  });
  return { plan, terms };
}

interface Made {
  readonly holders: Readonly<Record<string, string>>;
  readonly classes: SampleCompany["classes"];
}

async function issueShares(ask: Ask, holders: Made["holders"], { common, seed, seriesA }: Made["classes"]) {
  const issue = async (key: string, stockClassId: string, quantity: string, effectiveDate: string) => {
    const { certificateId } = await ask("GET", `/share-classes/${stockClassId}/next-certificate`);
    const dates = { effectiveDate, boardApprovalDate: effectiveDate };
    const body = { stakeholderId: holders[key], stockClassId, certificateId, quantity, ...dates };
    return idOf(await ask("POST", "/transactions/issue-shares", body));
  };
  const adas = await issue("ada", common, "2250000", "2021-03-01");
  const charless = await issue("charles", common, "1750000", "2021-03-01");
  await ask("POST", "/transactions/split", {
    stockClassId: common,
    numerator: 2,
    denominator: 1,
    effectiveDate: "2021-10-01",
  });
  await issue("analytical", seed, "1875000", "2022-06-10");
  await issue("mary", seed, "62500", "2022-06-10");
  await ask("POST", "/transactions/transfer", {
    securityId: adas,
    fromStakeholderId: holders.ada,
    toStakeholderId: holders.mary,
    quantity: "80000",
    effectiveDate: "2023-02-01",
  });
  await issue("jacquard", seriesA, "3317500", "2024-02-20");
  await issue("analytical", seriesA, "829375", "2024-02-20");
  return charless;
}

interface Granting extends Made {
  readonly plan: string;
  readonly terms: string;
  readonly granted: string;
}

async function issueRights(ask: Ask, { holders, classes, plan, terms, granted }: Granting) {
  let grants = 0;
  const grant = async (key: string, quantity: string, effectiveDate: string, more: object = {}) => {
    grants += 1;
    const body = {
      certificateId: `ES-${grants}`,
      ...{ stakeholderId: holders[key], stockPlanId: plan, quantity, effectiveDate, exercisePrice: "0.21" },
      ...{
        optionType: "NSO",
        vestingTermsId: terms,
        vestingStartDate: effectiveDate,
        boardApprovalDate: effectiveDate,
      },
    };
    return idOf(await ask("POST", "/transactions/issue-options", { ...body, ...more }));
  };
  await grant("elodie", "240000", "2022-12-01");
  const georges = await grant("george", "180000", "2023-03-01");
  await grant("joan", "120000", "2023-06-01");
  const kurts = await grant("kurt", granted, "2023-06-01", { expirationDate: "2033-06-01" });
  await ask("POST", "/transactions/exercise", {
    securityId: georges,
    quantity: "30000",
    exercisePrice: "0.21",
    effectiveDate: "2025-01-15",
  });
  await ask("POST", "/transactions/issue-warrant", {
    ...{ stakeholderId: holders.jacquard, quantity: "150000", exercisePrice: "2.4113", certificateId: "W-1" },
    ...{ stockClassId: classes.seriesA, effectiveDate: "2024-02-20" },
  });
  await ask("POST", "/transactions/issue-convertible", {
    ...{ stakeholderId: holders.mary, quantity: "50000", certificateId: "SAFE-1", convertibleType: "SAFE" },
    ...{ valuationCap: "12000000", discountPercent: "20", effectiveDate: "2025-09-01" },
  });
  return kurts;
}
