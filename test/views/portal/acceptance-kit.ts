// Companies whose holders are asked to accept what they hold, on a server with a clock of its own.
import { expect } from "bun:test";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { Org } from "../health/support.ts";
import { member, type Person } from "./support.ts";

/** The day on which the tests take place. */
export const TODAY = "2026-06-01";
/** What of an entry of the portal's list stands in a request. */
export interface Waiting {
  readonly securityId: string;
  readonly digest: string;
  readonly state: string;
  readonly text: string;
  readonly terms: { readonly statement: readonly (readonly [string, string])[]; readonly vesting: readonly unknown[] };
  readonly documents: readonly { readonly id: string; readonly sha256: string | null }[];
}

/** A server whose clock is set by the tests. */
export class Asking {
  static async start(): Promise<Asking> {
    const clock = { nowMs: Date.parse(`${TODAY}T12:00:00Z`) };
    const runtime = { ...systemRuntime, nowMs: () => clock.nowMs };
    return new Asking(await startTestServer({ CAPTABLE_LOG: "off", CAPTABLE_RATE_LIMIT: "0" }, { runtime }), clock);
  }

  readonly server: TestServer;
  readonly clock: { nowMs: number };

  constructor(server: TestServer, clock: { nowMs: number }) {
    this.server = server;
    this.clock = clock;
  }

  /** An organization that asks, with a class, a plan, and two holders. */
  async company(legalName = "Acme, Inc.") {
    const org = new Org(this.server, await this.server.newOrganization(legalName));
    await org.made("/organization", { asksAcceptance: true }, "PATCH");
    const stockClassId = await org.shareClass({ initialSharesAuthorized: "1000000" });
    const planId = await org.plan(stockClassId, { initialSharesReserved: "50000" });
    const ada = await org.holder({ displayName: "Ada", name: { legalName: "Ada King" } });
    const bob = await org.holder({ displayName: "Bob", name: { legalName: "Robert Roe" } });
    const as = (stakeholderIds: string[], given: object = {}) =>
      member(this.server, { orgId: org.id, stakeholderIds, nowMs: this.clock.nowMs, ...given });
    const security = async (id: string) => (await org.call("GET", `/securities/${id}`)).json;
    return { org, stockClassId, planId, ada, bob, as, security };
  }

  /** What verification finds. */
  verified() {
    return verifyDatabase(this.server.app.reader);
  }
}

/** What the portal shows of acceptances. */
export async function listed(person: Person): Promise<readonly Waiting[]> {
  const { status, text, json } = await person.ask("GET", "/portal/acceptances");
  expect({ status, text: status === 200 ? "" : text }).toEqual({ status: 200, text: "" });
  return json.data.items;
}

/** What waits of one security. */
export async function waitingFor(person: Person, securityId: string): Promise<Waiting> {
  const found = (await listed(person)).find((each) => each.securityId === securityId);
  if (!found) throw new Error(`nothing of ${securityId} waits`);
  return found;
}

/** Accepts with a digest. */
export function acceptWith(person: Person, { securityId, digest }: Pick<Waiting, "securityId" | "digest">) {
  return person.ask("POST", "/portal/acceptances", { securityId, digest });
}

/** The status and the kind of an answer that refuses. */
export function refusal({ status, json }: { readonly status: number; readonly json: { readonly type?: string } }) {
  return { status, slug: json.type?.split("/").at(-1) };
}
