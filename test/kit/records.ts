// Makes records through the API, with as little said as the API allows.
import type { TestServer } from "./service.ts";

/** What is asked of a service here. */
type Service = Pick<TestServer, "api">;

type Given = Readonly<Record<string, unknown>>;
interface Where {
  readonly orgId?: string;
}

let counter = 0;

async function created(server: Service, path: string, body: Given, where: Where): Promise<string> {
  const answer = await server.api("POST", path, body, where);
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
  return answer.json.id ?? answer.json.data.id ?? answer.json.data.securityId ?? answer.json.data.newSecurityId;
}

/** Makes a stakeholder and returns its id. */
export function makeStakeholder(server: Service, given: Given = {}, where: Where = {}): Promise<string> {
  const name = `Holder ${++counter}`;
  const body = { displayName: name, name: { legalName: name }, type: "INDIVIDUAL", ...given };
  return created(server, "/stakeholders", body, where);
}

/** Makes a share class with a million authorized shares and returns its id. */
export function makeShareClass(server: Service, given: Given = {}, where: Where = {}): Promise<string> {
  const body = {
    name: "Common",
    classType: "COMMON",
    defaultIdPrefix: "CS-",
    initialSharesAuthorized: "1000000",
    votesPerShare: "1",
    seniority: 1,
    ...given,
  };
  return created(server, "/share-classes", body, where);
}

/** Issues shares and returns the security's id. */
export function issueShares(server: Service, given: Given, where: Where = {}): Promise<string> {
  const certificateId = `CERT-${++counter}`;
  const body = { quantity: "1000", certificateId, effectiveDate: "2026-01-15", ...given };
  return created(server, "/transactions/issue-shares", body, where);
}
