// An organization of the real service, driven step by step through its own routes inside the real writer's transaction.

import type { Call } from "../../src/kernel/call.ts";
import { findFaults } from "../../src/kernel/check.ts";
import { Problem, problem } from "../../src/kernel/problem.ts";
import { insertOrganization } from "../../src/resources/organization/store.ts";
import type { ReadRoute, Reply, WriteRoute } from "../../src/resources/route.ts";
import type { Tx } from "../../src/storage/database/sql.ts";
import { RollBack } from "../../src/storage/database/writer.ts";
import { LOADED_ROUTES } from "../kit/loaded-routes.ts";
import { jsonOf } from "../kit/reply.ts";
import { type Asking, type Ids, requestOf, termsBody, withoutGaps } from "./bodies.ts";
import { TODAY } from "./model/dates.ts";
import { START } from "./model/start.ts";
import type { Step } from "./model/step.ts";
import { VARIANTS } from "./model/terms.ts";

const ROUTES = new Map(LOADED_ROUTES.map((route) => [`${route.method} ${route.path}`, route]));

/** What a step came to: done, or refused with a problem. */
export type Outcome =
  | { readonly isDone: true }
  | { readonly isDone: false; readonly slug: string; readonly detail: string };

export class Company {
  readonly orgId: string;
  readonly ids: Ids = { holders: [], classes: [], plans: [], securities: [], terms: [], milestones: [] };
  readonly tx: Tx;

  /** Makes an organization with its holders, classes, plans and vesting terms; or takes up one that is there. */
  constructor(tx: Tx, orgId: string | null = null) {
    this.tx = tx;
    this.orgId = orgId ?? Bun.randomUUIDv7();
    if (orgId === null) this.#found();
  }

  #found(): void {
    const { tx } = this;
    insertOrganization(tx, newCall(this.orgId, "POST /"), { legalName: "Model, Inc.", isNamed: 1 });
    for (let index = 0; index < START.holders; index++) {
      const displayName = `Holder ${index}`;
      const body = { displayName, name: { legalName: displayName }, type: "INDIVIDUAL" };
      this.ids.holders.push(idOf(this.call({ name: "POST /api/v1/stakeholders", body })));
    }
    for (const { authorized: initialSharesAuthorized, classType, approvals } of START.classes) {
      const rest = { name: "Class", classType, defaultIdPrefix: "C-", votesPerShare: "1", seniority: 1 };
      const [boardApprovalDate, stockholderApprovalDate] = approvals;
      const body = withoutGaps({ initialSharesAuthorized, ...rest, boardApprovalDate, stockholderApprovalDate });
      this.ids.classes.push(idOf(this.call({ name: "POST /api/v1/share-classes", body })));
    }
    for (const { reserve: initialSharesReserved, classes, adopted, boardApproval } of START.plans) {
      const stockClassIds = classes.map((index) => this.ids.classes[index]);
      const days = { adoptedDate: adopted, boardApprovalDate: boardApproval };
      const body = { planName: "Plan", initialSharesReserved, stockClassIds, ...withoutGaps(days) };
      this.ids.plans.push(idOf(this.call({ name: "POST /api/v1/equity-plans", body })));
    }
    for (const [terms] of VARIANTS) {
      const body = { name: "Terms", description: "Of the histories", ...termsBody(terms) };
      this.ids.terms.push(idOf(this.call({ name: "POST /api/v1/vesting-terms", body })));
    }
  }

  /** Does a step in a savepoint of its own, which a refusal, and the end of a dry run, rolls back. */
  run(step: Step, isDry = false): Outcome {
    const { sqlite } = this.tx;
    sqlite.exec("SAVEPOINT step");
    try {
      const reply = this.call(requestOf(step, this.ids, isDry));
      if (!isDry) this.#learn(step, reply);
      return { isDone: true };
    } catch (error) {
      sqlite.exec("ROLLBACK TO step");
      if (error instanceof Problem) {
        const detail = `${error.detail} ${JSON.stringify(error.errors ?? [])}`;
        return { isDone: false, slug: error.slug, detail };
      }
      if (isDry && error instanceof RollBack) return { isDone: true };
      throw error;
    } finally {
      sqlite.exec("RELEASE step");
    }
  }

  /** Calls a route that writes. */
  call({ name, id, body }: Asking): Reply {
    const route = ROUTES.get(name) as WriteRoute | undefined;
    if (!route) throw new Error(`there is no route ${name}`);
    const faults = route.body ? findFaults(route.body, body) : [];
    if (faults.length > 0) throw problem("validation-failed", JSON.stringify(faults));
    return route.run(this.tx, newCall(this.orgId, name), { params: id === undefined ? {} : { id }, body });
  }

  /** Reads a route. */
  read(path: string, query: Readonly<Record<string, string>> = {}, id = ""): unknown {
    const route = ROUTES.get(`GET /api/v1${path}`) as ReadRoute | undefined;
    if (!route) throw new Error(`there is no route ${path}`);
    return jsonOf(route.run(this.tx, { orgId: this.orgId, params: { id }, query, nowMs: instant }));
  }

  #learn(step: Step, reply: Reply): void {
    const made = madeId(reply);
    if (made === null || step.op === "record-only") return;
    if (step.op === "add-milestone") this.ids.milestones.push(made);
    else this.ids.securities.push(made);
  }
}

/** What the clock says; each call moves it on. */
let instant = Date.parse(`${TODAY}T00:00:00Z`);

/** Sets the clock of calls, so that a history's instants do not depend on those before it. */
export function setClock(ms: number): void {
  instant = ms;
}

/** A call of a route, at an instant of its own. */
export function newCall(orgId: string, name: string): Call {
  const [method = null, path = null] = name.split(" ");
  const at = new Date(instant++).toISOString();
  const newId = () => Bun.randomUUIDv7();
  const who = { actor: "api-key", apiKeyId: null, accountId: null, actorName: null, sessionId: null } as const;
  return { orgId, ...who, requestId: null, method, path, at, today: TODAY, newId };
}

interface Made {
  readonly id?: string;
  readonly securityId?: string;
  readonly newSecurityId?: string;
  readonly data?: Made;
}

function idOf(reply: Reply): string {
  return (reply.json as { readonly id: string }).id;
}

/** The id of the record that a write made; null where it made none. */
function madeId(reply: Reply): string | null {
  if (reply.status !== 201) return null;
  const { id, data } = reply.json as Made;
  return id ?? data?.securityId ?? data?.newSecurityId ?? null;
}
