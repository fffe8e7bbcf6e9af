// A service with a holder to issue shares to, and the loads that the parts put on it.
import type { Requests } from "./load.ts";
import type { Service } from "./programs.ts";

/** Whom shares are issued to, and of which class. */
export interface Company {
  readonly stakeholderId: string;
  readonly stockClassId: string;
}

/** Makes a stakeholder and a share class, whose token the service deploys by itself. */
export async function makeCompany(service: Service): Promise<Company> {
  const made = async (path: string, body: object) => JSON.parse(await service.call("POST", path, body)).id as string;
  const displayName = "Ada Lovelace";
  return {
    stakeholderId: await made("/stakeholders", { displayName, name: { legalName: displayName }, type: "INDIVIDUAL" }),
    stockClassId: await made("/share-classes", {
      name: "Common",
      classType: "COMMON",
      defaultIdPrefix: "CS-",
      initialSharesAuthorized: "999999999999999",
      votesPerShare: "1",
      seniority: 1,
    }),
  };
}

/** Waits until the class has its token. */
export async function waitForToken(service: Service, { stockClassId }: Company): Promise<void> {
  const status = async () => JSON.parse(await service.call("GET", `/share-classes/${stockClassId}`)).tokenizationStatus;
  while ((await status()) !== "DEPLOYED") await Bun.sleep(50);
}

let next = 0;

/** Issues shares over and over, each time with a certificate number and an idempotency key of its own. */
export function issuing({ headers }: Service, company: Company, connections: number, seconds: number): Requests {
  next += 1_000_000;
  const body = { ...company, quantity: "100", certificateId: "B-{n}", effectiveDate: "2026-01-15" };
  return {
    connections,
    seconds,
    method: "POST",
    path: "/api/v1/transactions/issue-shares",
    headers: { ...headers, "idempotency-key": "bench-{n}" },
    body: JSON.stringify(body),
    from: next,
    expect: 201,
  };
}

/** Asks for the same path over and over. */
export function getting({ headers }: Service, path: string, connections: number, seconds: number): Requests {
  return { connections, seconds, method: "GET", path: `/api/v1${path}`, headers, from: 0, expect: 200 };
}

/** Asks the static server, with the headers that the service would get. */
export function gettingStatic(service: Service, connections: number, seconds: number): Requests {
  return { ...getting(service, "", connections, seconds), path: "/static" };
}
