// A company with something of everything, made through the API: what its export must say in OCF.
import { makeShareClass, makeStakeholder } from "../../../kit/records.ts";
import type { TestServer } from "../../../kit/service.ts";

type Body = Readonly<Record<string, unknown>>;
/** What is asked of a service here. */
type Service = Pick<TestServer, "api">;

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
export type Shape = any;

/** The ids of what was made, by name. */
export type Ids = Readonly<Record<string, string>>;

/** Calls the API and insists on success; returns the answer's object without its envelope. */
export async function done(server: Service, method: string, path: string, body?: Body): Promise<Record<string, Shape>> {
  const answer = await server.api(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json.data ?? answer.json;
}

/** Makes the company. */
export async function makeCompany(server: Service): Promise<Ids> {
  const post = (path: string, body: Body) => done(server, "POST", path, body);
  const tx = (route: string, body: Body) => post(`/transactions/${route}`, body);
  await done(server, "PATCH", "/organization", {
    legalName: 'Société "Générale" & Söhne / 株式会社',
    email: "info@example.com",
    phone: "+41 44 123 4567",
    address: { street: "1 Main St", city: "Dover", countrySubdivision: "DE", country: "US", postalCode: "19901" },
    taxIds: [{ taxId: "12-3456789", country: "US" }],
  });
  const ids: Record<string, string> = {};
  ids.document = (await post("/documents", { title: "Charter", path: "charter.pdf", md5: "0".repeat(32) })).id;
  await post("/documents", { title: "Without a checksum", uri: "https://example.com/x.pdf" });
  ids.legend = (await post("/stock-legends", { name: "Restricted", text: "Not registered." })).id;
  ids.ada = await makeStakeholder(server, {
    relationships: ["FOUNDER", "EXECUTIVE"],
    email: "ada@example.com",
    sourceDocumentId: ids.document,
    comments: "First",
  });
  ids.bob = await makeStakeholder(server, { relationships: ["EMPLOYEE"] });
  ids.fund = await makeStakeholder(server, { type: "INSTITUTION", email: "office@fund.example" });
  ids.common = await makeShareClass(server, {
    initialSharesAuthorized: "10000000",
    pricePerShare: "0.01",
    seniority: 2,
  });
  ids.preferred = await makeShareClass(server, {
    name: "Series A",
    classType: "PREFERRED",
    defaultIdPrefix: "PA-",
    liquidationPreferenceMultiple: "1",
    isParticipating: true,
  });
  ids.plan = (
    await post("/equity-plans", { planName: "2026 Plan", initialSharesReserved: "100000", stockClassIds: [ids.common] })
  ).id;
  ids.openPlan = (await post("/equity-plans", { planName: "No class", initialSharesReserved: "500" })).id;
  await post("/valuations", valuation(ids, { type: "409A", status: "APPROVED" }));
  await post("/valuations", valuation(ids, { type: "BOARD", status: "APPROVED" }));
  await post("/valuations", valuation(ids, { type: "409A" }));
  ids.terms = (await post("/vesting-terms", VESTING)).id;
  ids.exitTerms = (await post("/vesting-terms", EXIT_VESTING)).id;
  await makeStock(tx, ids);
  await makeGrants(tx, ids);
  await makeWarrantsAndConvertibles(tx, ids);
  return ids;
}

function valuation(ids: Ids, given: Body): Body {
  return { stockClassId: ids.common, pricePerShare: "0.25", effectiveDate: "2026-01-10", provider: "Fair", ...given };
}

const VESTING = {
  name: "Four years",
  description: "Monthly after a year",
  vestingConditions: [
    {
      id: "cliff",
      trigger: { type: "TIME_BASED", periodLength: 1, periodType: "YEARS" },
      portion: { numerator: 12, denominator: 48 },
      nextConditionId: "monthly",
    },
    {
      id: "monthly",
      trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" },
      portion: { numerator: 1, denominator: 48 },
      cliffConditionId: "cliff",
    },
  ],
};

const EXIT_VESTING = {
  name: "At exit",
  description: "All when the company is sold",
  triggerType: "EVENT_BASED",
  vestingConditions: [
    {
      id: "exit",
      trigger: { type: "EVENT_BASED", eventDescription: "Sale of the company" },
      portion: { numerator: 1, denominator: 1 },
    },
  ],
};

type Transact = (route: string, body: Body) => Promise<Record<string, Shape>>;

async function makeStock(tx: Transact, ids: Record<string, string>): Promise<void> {
  const issue = async (certificateId: string, given: Body) =>
    (
      await tx("issue-shares", {
        stakeholderId: ids.ada,
        stockClassId: ids.common,
        quantity: "1000",
        certificateId,
        effectiveDate: "2026-01-15",
        ...given,
      })
    ).securityId;
  ids.founder = await issue("CS-1", { quantity: "100001.50", pricePerShare: "0.0001", vestingTermsId: ids.terms });
  ids.sold = await issue("CS-2", { quantity: "5000" });
  ids.gone = await issue("CS-3", {});
  ids.series = await issue("PA-1", { stakeholderId: ids.fund, stockClassId: ids.preferred, pricePerShare: "2" });
  await tx("transfer", transfer(ids.sold, ids.ada, ids.fund, "1200", { pricePerShare: "0.5", transferReason: "Sale" }));
  await tx("transfer", transfer(ids.sold, ids.ada, ids.bob, "800", { effectiveDate: "2025-01-01" }));
  await tx("repurchase", { securityId: ids.sold, quantity: "500", pricePerShare: "0.75", effectiveDate: "2026-03-01" });
  await tx("cancel", { ...cancel(ids.sold, "100"), cancellationReason: "TERMINATION", description: "left" });
  await tx("retract", { securityId: ids.gone, reason: "Never paid", effectiveDate: "2026-03-05" });
  await tx("convert", {
    securityId: ids.series,
    stockClassId: ids.common,
    quantity: "400",
    resultingQuantity: "800",
    notByRight: true,
    effectiveDate: "2026-03-10",
  });
}

function transfer(securityId: unknown, from: unknown, to: unknown, quantity: string, given: Body): Body {
  const parties = { fromStakeholderId: from, toStakeholderId: to };
  return { securityId, ...parties, quantity, effectiveDate: "2026-02-01", ...given };
}

function cancel(securityId: unknown, quantity: string): Body {
  return { securityId, quantity, cancellationReason: "FORFEITURE", effectiveDate: "2026-04-01" };
}

async function makeGrants(tx: Transact, ids: Record<string, string>): Promise<void> {
  const grant = async (certificateId: string, given: Body) =>
    (
      await tx("issue-options", {
        stakeholderId: ids.bob,
        stockPlanId: ids.plan,
        quantity: "4800",
        exercisePrice: "0.25",
        optionType: "ISO",
        certificateId,
        effectiveDate: "2026-01-20",
        ...given,
      })
    ).securityId;
  ids.option = await grant("O-1", { vestingTermsId: ids.terms, vestingStartDate: "2024-01-20" });
  ids.exitOption = await grant("O-2", { vestingTermsId: ids.exitTerms, optionType: "NSO" });
  ids.returned = await grant("O-3", {});
  ids.retired = await grant("O-4", {});
  await tx("exercise", {
    securityId: ids.option,
    quantity: "1000",
    exercisePrice: "0.25",
    effectiveDate: "2026-03-01",
    paymentMethod: "NET_EXERCISE",
  });
  await tx("cancel", { ...cancel(ids.option, "300"), returnToPool: true });
  await tx("cancel", { ...cancel(ids.returned, "4800"), returnToPool: true });
  await tx("cancel", cancel(ids.retired, "800"));
  await tx("record-vesting-event", { securityId: ids.exitOption, conditionId: "exit", effectiveDate: "2026-05-01" });
  await tx("record-vesting-event", { securityId: ids.option, quantity: "10", effectiveDate: "2026-05-01" });
  await tx("accelerate-vesting", {
    securityId: ids.option,
    quantity: "100",
    reason: "Good leaver",
    effectiveDate: "2026-05-02",
  });
  await tx("start-vesting", { securityId: ids.option, effectiveDate: "2024-02-01" });
}

async function makeWarrantsAndConvertibles(tx: Transact, ids: Record<string, string>): Promise<void> {
  const common = { stakeholderId: ids.fund, effectiveDate: "2026-01-25" };
  const warrant = { ...common, stockClassId: ids.common, exercisePrice: "1.50", expirationDate: "2031-01-25" };
  ids.warrant = (await tx("issue-warrant", { ...warrant, quantity: "900", certificateId: "W-1" })).securityId;
  ids.partWarrant = (await tx("issue-warrant", { ...warrant, quantity: "333", certificateId: "W-2" })).securityId;
  const exercise = { securityId: ids.warrant, exercisePrice: "1.5", effectiveDate: "2026-06-01" };
  await tx("exercise", { ...exercise, quantity: "300" });
  const safe = { ...common, convertibleType: "SAFE", valuationCap: "8000000", discountPercent: "20" };
  ids.safe = (await tx("issue-convertible", { ...safe, quantity: "250000", certificateId: "SAFE-1" })).securityId;
  const note = { ...common, convertibleType: "NOTE", interestRate: "6.5", maturityDate: "2028-01-25", seniority: 2 };
  ids.note = (await tx("issue-convertible", { ...note, quantity: "100000", certificateId: "N-1" })).securityId;
  const other = { ...common, convertibleType: "CONVERTIBLE_SECURITY", quantity: "5", certificateId: "C-1" };
  ids.other = (await tx("issue-convertible", other)).securityId;
  await tx("convert", {
    securityId: ids.safe,
    stockClassId: ids.preferred,
    quantity: "150000",
    resultingQuantity: "75000",
    effectiveDate: "2026-07-01",
  });
  await tx("cancel", cancel(ids.other, "2"));
}

/** Nothing that follows the corrections of today may be dated before them. */
const TODAY = new Date().toISOString().slice(0, 10);

/** Corrects, deletes and splits what {@link makeCompany} made. */
export async function changeCompany(server: Service, made: Ids): Promise<Ids> {
  const ids: Record<string, string> = { ...made };
  const patch = (path: string, body: Body) => done(server, "PATCH", path, body);
  const security = (name: string, body: Body) => patch(`/securities/${ids[name]}`, body);
  const post = async (given: Body) => (await done(server, "POST", "/securities", { ...BY_HAND(ids), ...given })).id;
  const tx: Transact = (route, body) => done(server, "POST", `/transactions/${route}`, body);

  ids.corrected = await post({ certificateId: "H-1" });
  await security("corrected", { quantity: "750", stakeholderId: ids.bob });
  ids.partCorrected = await post({ certificateId: "H-2" });
  await tx("cancel", cancel(ids.partCorrected, "100"));
  await security("partCorrected", { quantity: "950" });
  await security("partCorrected", { stockClassId: ids.preferred });
  for (const status of ["CANCELLED", "REPURCHASED", "TRANSFERRED", "CONVERTED"]) {
    await post({ certificateId: `S-${status}`, status });
  }
  ids.reopened = await post({ certificateId: "H-3", status: "CANCELLED" });
  await security("reopened", { status: "ACTIVE" });
  const option = { type: "STOCK_OPTION", stockPlanId: ids.plan, exercisePrice: "0.3", optionType: "NSO" };
  ids.handOption = await post({ ...option, certificateId: "HO-1", quantity: "100" });
  await security("handOption", { quantity: "60" });
  ids.doneOption = await post({ ...option, certificateId: "HO-2", quantity: "40", status: "EXERCISED" });
  ids.goneOption = await post({ ...option, certificateId: "HO-3", quantity: "50" });
  await done(server, "DELETE", `/securities/${ids.goneOption}`);
  ids.gone2 = await post({ certificateId: "H-4", stakeholderId: await makeStakeholder(server) });
  await done(server, "DELETE", `/securities/${ids.gone2}`);
  await post({ type: "WARRANT", certificateId: "HW-1", status: "EXERCISED", exercisePrice: "1" });
  await post({ type: "CONVERTIBLE", certificateId: "HC-1", status: "CONVERTED", stockClassId: undefined });

  await patch(`/share-classes/${ids.common}`, { initialSharesAuthorized: "12000000", name: "Common stock" });
  await tx("adjust-authorized", {
    stockClassId: ids.preferred,
    newSharesAuthorized: "2000000",
    effectiveDate: "2026-08-01",
  });
  await patch(`/equity-plans/${ids.plan}`, { initialSharesReserved: "120000" });
  await tx("adjust-reserve", { equityPlanId: ids.plan, newSharesReserved: "130000", effectiveDate: TODAY });
  await done(server, "POST", "/transactions", { type: "STOCK_ISSUANCE", effectiveDate: "2026-01-01", quantity: "5" });

  await tx("split", { stockClassId: ids.common, numerator: 3, denominator: 2, effectiveDate: TODAY });
  await tx("cancel", cancel(ids.founder, "3"));
  await security("corrected", { quantity: "2000" });
  await tx("cancel", { ...cancel(ids.option, "10"), returnToPool: true });
  await security("handOption", { quantity: "80" });
  await tx("issue-shares", {
    stakeholderId: ids.fund,
    stockClassId: ids.common,
    quantity: "70",
    certificateId: "CS-900",
    effectiveDate: "2026-02-01",
  });
  await tx("adjust-reserve", { equityPlanId: ids.plan, newSharesReserved: "200000", effectiveDate: TODAY });
  await done(server, "POST", "/transactions/retract", {
    securityId: ids.exitOption,
    reason: "Never signed",
    effectiveDate: TODAY,
  });
  return ids;
}

const BY_HAND = (ids: Ids): Body => ({
  type: "STOCK",
  stakeholderId: ids.ada,
  stockClassId: ids.common,
  quantity: "1001",
  pricePerShare: "1",
  grantDate: "2026-01-30",
});
