// A small company for the tests of ledger operations, and answers cut down to what a table row can show.
import { verifyDatabase } from "../../src/safekeeping/verify/verify.ts";
import type { Environment } from "../../src/server/config.ts";
import { makeShareClass, makeStakeholder } from "../kit/records.ts";
import { type Answer, startTestServer, type TestServer } from "../kit/service.ts";

export type Given = Readonly<Record<string, unknown>>;

/** Two holders, two classes and a plan for the common class. */
export interface Company {
  readonly server: TestServer;
  readonly holder: string;
  readonly other: string;
  readonly common: string;
  readonly preferred: string;
  readonly plan: string;
}

let counter = 0;

/** A free certificate number. */
export function freshCertificate(): string {
  return `T-${++counter}`;
}

/** Starts a server and makes the company on it. */
export async function foundCompany(environment: Environment = {}): Promise<Company> {
  const server = await startTestServer({ CAPTABLE_LOG: "off", ...environment });
  const [holder, other] = [await makeStakeholder(server), await makeStakeholder(server)];
  const common = await makeShareClass(server, { defaultIdPrefix: "CS-" });
  const preferred = await makeShareClass(server, { classType: "PREFERRED", name: "Series A", defaultIdPrefix: "PA-" });
  const plan = await makePlan(server, { stockClassIds: [common] });
  return { server, holder, other, common, preferred, plan };
}

/** Makes an equity plan with 100,000 reserved and returns its id. */
export async function makePlan(server: TestServer, given: Given = {}): Promise<string> {
  const body = { planName: `Plan ${++counter}`, initialSharesReserved: "100000", ...given };
  return made(await server.api("POST", "/equity-plans", body));
}

/** Makes vesting terms and returns their id. */
export async function makeTerms(server: TestServer, vestingConditions: readonly Given[], given: Given = {}) {
  const body = { name: `Terms ${++counter}`, description: "For a test", vestingConditions, ...given };
  return made(await server.api("POST", "/vesting-terms", body));
}

/** Runs a typed operation. */
export function run(company: Company, route: string, body: Given): Promise<Answer> {
  return company.server.api("POST", `/transactions/${route}`, body);
}

/** Runs a typed operation that must succeed and returns its `data`. */
export async function done(company: Company, route: string, body: Given): Promise<Record<string, string>> {
  const answer = await run(company, route, body);
  if (answer.status >= 300) throw new Error(`${route}: ${answer.status} ${answer.text}`);
  return answer.json.data;
}

function made(answer: Answer): string {
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return answer.json.id;
}

/** Issues stock and returns the security's id. */
export async function stock(company: Company, given: Given = {}): Promise<string> {
  const body = {
    stakeholderId: company.holder,
    stockClassId: company.common,
    quantity: "1000",
    certificateId: freshCertificate(),
    effectiveDate: "2024-01-01",
    ...given,
  };
  return (await done(company, "issue-shares", body)).securityId ?? "";
}

/** Grants options with a strike of 0.25 and returns the security's id. */
export async function option(company: Company, given: Given = {}): Promise<string> {
  const body = {
    stakeholderId: company.holder,
    stockPlanId: company.plan,
    quantity: "1000",
    exercisePrice: "0.25",
    optionType: "ISO",
    certificateId: freshCertificate(),
    effectiveDate: "2024-01-01",
    ...given,
  };
  return (await done(company, "issue-options", body)).securityId ?? "";
}

/** Issues a warrant on the common class with a strike of 1.50 and returns the security's id. */
export async function warrant(company: Company, given: Given = {}): Promise<string> {
  const body = {
    stakeholderId: company.holder,
    stockClassId: company.common,
    quantity: "1000",
    exercisePrice: "1.50",
    certificateId: freshCertificate(),
    effectiveDate: "2024-01-01",
    ...given,
  };
  return (await done(company, "issue-warrant", body)).securityId ?? "";
}

/** Issues a SAFE of 50,000 and returns the security's id. */
export async function convertible(company: Company, given: Given = {}): Promise<string> {
  const body = {
    stakeholderId: company.holder,
    quantity: "50000",
    certificateId: freshCertificate(),
    convertibleType: "SAFE",
    effectiveDate: "2024-01-01",
    ...given,
  };
  return (await done(company, "issue-convertible", body)).securityId ?? "";
}

/** The record at a path, open or wrapped. */
export async function get(company: Company, path: string): Promise<Record<string, unknown>> {
  const answer = await company.server.api("GET", path);
  return answer.json.data ?? answer.json;
}

/** A security's status and quantity in one word, for instance `ACTIVE 750`. */
export async function standing(company: Company, securityId: string): Promise<string> {
  const { status, quantity } = await get(company, `/securities/${securityId}`);
  return `${status} ${quantity}`;
}

/** What is left of the plan's reserve. */
export async function available(company: Company, plan = company.plan): Promise<unknown> {
  return (await get(company, `/equity-plans/${plan}`)).currentSharesReserved;
}

/** Status, kind and pointers of an answer in one line: `201`, `422 #/quantity`, `409 invalid-state`. */
export function outcome(answer: Answer): string {
  if (answer.status < 300) return String(answer.status);
  const kind = String(answer.json.type).split("/").at(-1);
  const pointers = answer.json.errors?.map((error: Record<string, string>) => error.pointer ?? error.parameter);
  return [answer.status, ...(pointers ?? [kind])].join(" ");
}

/** The newest ledger entries, oldest of them first. */
export async function lastEntries(company: Company, count: number): Promise<Record<string, unknown>[]> {
  const answer = await company.server.api("GET", `/transactions?limit=${count}`);
  return answer.json.data.toReversed();
}

/** What `verify` finds wrong; nothing when the ledger explains every stored row. */
export function differences(company: Company): unknown[] {
  return verifyDatabase(company.server.app.reader).differences.map(({ code, subject, detail }) => [
    code,
    subject,
    detail,
  ]);
}
