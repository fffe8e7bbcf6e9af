// A company with several records of every kind, and something in nearly every column: what a check of all tables needs.
// It is made through the API alone, so that programs of other versions can make it too.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = join(import.meta.dir, "../fixtures/ocf/small");

/** Calls the API below `/api/v1` as ADMIN; returns the answer's JSON. Throws unless it succeeds. */
// biome-ignore lint/suspicious/noExplicitAny: answers are of every shape
export type Ask = (method: string, path: string, body?: unknown) => Promise<any>;

/** How to ask a service that listens at `url`, with `key`. */
export function asking(url: string, key: string): Ask {
  return async (method, path, body) => {
    const isBytes = body instanceof Uint8Array;
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": isBytes ? "text/plain" : "application/json",
    };
    const content = isBytes ? Buffer.from(body) : JSON.stringify(body);
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: content }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? {} : JSON.parse(text);
  };
}

/** The ids of what {@link makeWholeCompany} made. */
export interface WholeCompany {
  readonly holders: readonly [string, string];
  readonly shareClass: string;
  readonly plan: string;
  readonly document: string;
  readonly approval: string;
  readonly stock: string;
  readonly option: string;
  readonly convertible: string;
  readonly viewerKey: string;
}

/** Makes the company. Waits until its shares have tokens, so that the columns of tokens are filled as well. */
export async function makeWholeCompany(ask: Ask): Promise<WholeCompany> {
  const id = async (path: string, body: unknown) => idOf(await ask("POST", path, body));
  await ask("PATCH", "/organization", {
    legalName: "Whole, Inc.",
    dba: "Whole",
    formationDate: "2020-01-02",
    countryOfFormation: "US",
    countrySubdivisionOfFormation: "DE",
    taxIds: [{ taxId: "12-3456789", country: "US" }],
    email: "office@example.com",
    phone: "+1 555 0100",
    address: { street: "1 Main St", city: "Dover", countrySubdivision: "DE", country: "US", postalCode: "19901" },
    initialSharesAuthorized: "10000000",
    comments: "for a test",
  });
  const viewerKey = await id("/api-keys", { name: "Viewer", role: "VIEWER" });
  await ask("DELETE", `/api-keys/${await id("/api-keys", { name: "Left", role: "ADMIN" })}`);
  // Nothing is sent: the machine of a test has no such name.
  const endpoint = await id("/webhook-endpoints", { url: "https://hooks.invalid/whole", description: "Payroll" });
  await ask("PATCH", `/webhook-endpoints/${endpoint}`, { status: "DISABLED" });
  const record = { record: await makeDocuments(id, ask) };
  const people = await makePeople(id, ask, record.record.document);
  const made = await makeClasses(id, ask, record.record);
  const securities = await makeSecurities(id, ask, { ...people, ...made, ...record.record });
  await makeRest(id, ask, securities);
  await importSmall(ask);
  await waitForTokens(ask, securities.stock);
  const { holders } = people;
  const { shareClass, plan, approval } = made;
  return { holders, shareClass, plan, approval, document: record.record.document, ...securities, viewerKey };
}

type Make = (path: string, body: unknown) => Promise<string>;

// biome-ignore lint/suspicious/noExplicitAny: answers are of every shape
function idOf(answer: any): string {
  const { id, data } = answer;
  return id ?? data.id ?? data.securityId ?? data.newSecurityId ?? data.transactionId;
}

async function makeDocuments(id: Make, ask: Ask) {
  const document = await id("/documents", { title: "Charter", path: "charter.txt", comments: "signed" });
  const related = [{ objectType: "DOCUMENT", objectId: document }];
  const other = await id("/documents", {
    title: "Minutes",
    uri: "https://example.com/minutes",
    relatedObjects: related,
  });
  for (const [each, text] of [
    [document, "the charter"],
    [other, "the minutes"],
  ]) {
    await ask("PUT", `/documents/${each}/content`, new TextEncoder().encode(text));
  }
  const legend = await id("/stock-legends", { name: "Act", text: "Not registered.", comments: "US" });
  await id("/stock-legends", { name: "Lock-up", text: "180 days." });
  return { document, legend };
}

async function makePeople(id: Make, ask: Ask, sourceDocumentId: string) {
  const person = (displayName: string, more: object) => ({
    displayName,
    name: { legalName: `${displayName} Whole`, firstName: displayName, lastName: "Whole" },
    type: "INDIVIDUAL",
    ...more,
  });
  const ada = await id(
    "/stakeholders",
    person("Ada", {
      email: "ada@example.com",
      issuerAssignedId: "1",
      comments: "founder",
      relationships: ["FOUNDER"],
      sourceDocumentId,
    }),
  );
  const bo = await id(
    "/stakeholders",
    person("Bö", { walletAddress: "0x52908400098527886E0F7030069857D2E4169EE7", relationships: ["EMPLOYEE"] }),
  );
  await ask("PATCH", `/stakeholders/${bo}`, { status: "FORMER", verificationStatus: "VERIFIED" });
  await ask("DELETE", `/stakeholders/${await id("/stakeholders", person("Gone", {}))}`);
  return { holders: [ada, bo] as const };
}

async function makeClasses(id: Make, ask: Ask, { document, legend }: { document: string; legend: string }) {
  const dates = { boardApprovalDate: "2026-01-02", stockholderApprovalDate: "2026-01-03", comments: "as resolved" };
  const common = {
    name: "Common",
    classType: "COMMON",
    defaultIdPrefix: "CS-",
    initialSharesAuthorized: "1000000",
    votesPerShare: "1",
    seniority: 2,
    parValue: "0.0001",
    pricePerShare: "1",
    stockLegendIds: [legend],
    sourceDocumentId: document,
    ...dates,
  };
  const shareClass = await id("/share-classes", common);
  const preferred = { liquidationPreferenceMultiple: "1", participationCapMultiple: "2", isParticipating: true };
  const other = { ...common, classType: "PREFERRED", name: "Seed", defaultIdPrefix: "PS-", seniority: 1, ...preferred };
  await id("/share-classes", other);
  await ask("PATCH", `/share-classes/${shareClass}`, { initialSharesAuthorized: "2000000" });
  const valuation = await id("/valuations", {
    type: "409A",
    status: "APPROVED",
    stockClassId: shareClass,
    pricePerShare: "1.25",
    effectiveDate: "2026-01-15",
    expirationDate: "2027-01-15",
    provider: "Valuers",
    reportId: "R-1",
    fairMarketValue: "1250000",
    enterpriseValue: "2000000",
    sourceDocumentId: document,
    ...dates,
  });
  const draft = { type: "BOARD", status: "DRAFT", pricePerShare: "1", effectiveDate: "2026-02-01" };
  await id("/valuations", { ...draft, stockClassId: shareClass });
  const plan = await id("/equity-plans", {
    planName: "2026 Plan",
    planType: "ISO",
    initialSharesReserved: "100000",
    stockClassIds: [shareClass],
    adoptedDate: "2026-01-02",
    expirationDate: "2036-01-02",
    sourceDocumentId: document,
    ...dates,
  });
  await id("/equity-plans", { planName: "Old Plan", initialSharesReserved: "500", stockClassIds: [shareClass] });
  const month = { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" };
  const monthly = {
    name: "Monthly",
    description: "48 months",
    allocationMethod: "CUMULATIVE_ROUNDING",
    triggerType: "TIME_BASED",
    vestingConditions: [
      {
        id: "m",
        trigger: { ...month, occurrences: 48 },
        portion: { numerator: 1, denominator: 48 },
        nextConditionId: "m",
      },
    ],
    comments: "usual",
  };
  const terms = await id("/vesting-terms", { ...monthly, totalVestingMonths: 48, cliffMonths: 0.5 });
  await id("/vesting-terms", { ...monthly, name: "Monthly, too" });
  const steps = [{ name: "Board" }, { name: "Counsel" }];
  const { data } = await ask("POST", "/approvals", {
    title: "Issue",
    entityType: "Stock Issuance",
    dueDate: "2026-02-01",
    notes: "urgent",
    steps,
  });
  const approval: string = data.id;
  await ask("POST", `/approvals/${approval}/submit`);
  for (const step of data.steps) {
    await ask("PATCH", `/approvals/${approval}/steps/${step.id}`, { status: "APPROVED", comment: "fine" });
  }
  await ask("POST", `/approvals/${approval}/lock`);
  await ask("POST", "/approvals", { title: "Later", entityType: "Other", steps });
  return { shareClass, plan, valuation, terms, approval };
}

interface Ids
  extends Record<"shareClass" | "plan" | "valuation" | "terms" | "approval" | "document" | "legend", string> {
  readonly holders: readonly [string, string];
}

async function makeSecurities(id: Make, ask: Ask, ids: Ids) {
  const [ada, bo] = ids.holders;
  const stockClassId = ids.shareClass;
  const stock = await id("/securities", {
    type: "STOCK",
    stakeholderId: ada,
    stockClassId,
    certificateId: "CS-100",
    quantity: "1000.50",
    pricePerShare: "0.01",
    totalConsideration: "10",
    grantDate: "2026-01-15",
    valuationId: ids.valuation,
    boardApprovalDate: "2026-01-14",
    comments: "founder's",
    sourceDocumentId: ids.document,
    approvalId: ids.approval,
    stockLegendIds: [ids.legend],
  });
  await id("/securities", {
    type: "STOCK",
    stakeholderId: bo,
    stockClassId,
    certificateId: "CS-101",
    quantity: "5",
    grantDate: "2026-01-15",
  });
  await id("/transactions/transfer", {
    securityId: stock,
    fromStakeholderId: ada,
    toStakeholderId: bo,
    quantity: "100",
    effectiveDate: "2026-02-01",
  });
  const option = await id("/transactions/issue-options", {
    stakeholderId: bo,
    stockPlanId: ids.plan,
    quantity: "4800",
    exercisePrice: "1.25",
    optionType: "ISO",
    certificateId: "ES-1",
    effectiveDate: "2026-01-20",
    expirationDate: "2036-01-19",
    vestingTermsId: ids.terms,
    vestingStartDate: "2026-01-20",
  });
  await id("/transactions/exercise", {
    securityId: option,
    quantity: "100",
    exercisePrice: "1.25",
    effectiveDate: "2026-06-01",
  });
  const holder = { stakeholderId: ada, effectiveDate: "2026-03-01" };
  await id("/transactions/issue-warrant", {
    ...holder,
    quantity: "10",
    exercisePrice: "2",
    certificateId: "W-1",
    stockClassId,
  });
  const convertible = await id("/transactions/issue-convertible", {
    ...holder,
    quantity: "50000",
    certificateId: "SAFE-1",
    convertibleType: "SAFE",
    valuationCap: "5000000",
    discountPercent: "20",
  });
  await ask("PATCH", `/securities/${convertible}`, { comments: "side letter" });
  return { stock, option, convertible };
}

async function makeRest(id: Make, ask: Ask, { option }: { readonly option: string }): Promise<void> {
  const reached = await id("/vesting-milestones", {
    name: "First customer",
    description: "pays",
    targetDate: "2026-06-30",
    securityId: option,
    quantity: "10",
  });
  await ask("POST", `/vesting-milestones/${reached}/complete`, { evidenceNote: "invoice 1" });
  await id("/vesting-milestones", { name: "Second customer" });
  const action = { type: "Financing Round", title: "Seed", summary: "sale", effectiveDate: "2026-01-15" };
  await id("/corporate-actions", { ...action, metadata: { notes: "signed" } });
  await id("/corporate-actions", { ...action, title: "Series A" });
  await id("/scenarios", { name: "As it is", description: "today", model: "CAP_TABLE", input: {} });
  await id("/scenarios", { name: "Sold", model: "WATERFALL", input: { exitValues: ["10000000"] } });
}

async function importSmall(ask: Ask): Promise<void> {
  const files = readdirSync(PACKAGE).map((name) => [name, JSON.parse(readFileSync(join(PACKAGE, name), "utf8"))]);
  const { "ocf_manifest.json": manifest, ...entityFiles } = Object.fromEntries(files);
  const { data } = await ask("POST", "/cap-table/ocf-import", { manifest, entityFiles });
  if (data.errors.length > 0) throw new Error(JSON.stringify(data.errors));
}

/** Waits for the tokens of stock; without a chain there are none. */
async function waitForTokens(ask: Ask, security: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const { tokenStatus } = await ask("GET", `/securities/${security}`);
    if (tokenStatus === "MINTED" || tokenStatus === "NOT_APPLICABLE") return;
    await Bun.sleep(100);
  }
  throw new Error("the shares did not get their tokens");
}
