// An organization that calls are made in: the records that are there by now, so that what is sent names some of them,
// and the service has something to do.
import type { Route } from "../../src/resources/route.ts";
import type { Service } from "../kit/in-process.ts";
import type { Pick } from "../kit/random.ts";
import type { Answer } from "../kit/service.ts";
import { makeRecords, pathOf } from "../matrix/world.ts";

/** What is known of a security: what the API shows. */
export interface KnownSecurity {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly stakeholderId: string | null;
  readonly stockClassId: string | null;
  readonly quantity: string;
  readonly exercisePrice: string | null;
  readonly vestingTermsId: string | null;
}

/** An id that no record has. */
export const UNKNOWN = "0190f5a2-6c1e-7b3a-9d4e-000000000000";

/** An organization with some records of every kind. */
export class TestCompany {
  /** By URL segment (`stakeholders`, `steps`, …), newest last; deleted ones stay. */
  readonly ids = new Map<string, string[]>();
  /** The approval of each step. */
  readonly approvalOf = new Map<string, string>();
  readonly cursors: string[] = [];
  certificates = 0;
  securities: readonly KnownSecurity[] = [];

  private constructor(
    readonly service: Service,
    readonly orgId: string,
    readonly key: string,
  ) {}

  /** Makes an organization with a record of every kind, and what the operations need besides. */
  static async create(service: Service): Promise<TestCompany> {
    const orgId = await service.newOrganization();
    const company = new TestCompany(service, orgId, await service.key(orgId));
    const made = await makeRecords(service, orgId);
    for (const [segment, id] of Object.entries(made)) company.ids.set(segment, [id]);
    company.approvalOf.set(made.steps ?? "", made.approvals ?? "");
    const make = async (segment: string, body: unknown, path = `/${segment}`): Promise<string> => {
      const { status, text, json } = await company.api("POST", path, body);
      if (status !== 201) throw new Error(`POST ${path}: ${status} ${text}`);
      const id: string = json.id ?? json.data.securityId;
      company.note(segment, id);
      return id;
    };
    await make("stakeholders", { displayName: "Grace", name: { legalName: "Grace" }, type: "INDIVIDUAL" });
    const preferred = { name: "Series A", classType: "PREFERRED", defaultIdPrefix: "PA-", seniority: 2 };
    await make("share-classes", { ...preferred, initialSharesAuthorized: "500000", votesPerShare: "2" });
    const sale = await make("vesting-terms", {
      name: "On a sale",
      description: "Half monthly, half when the company is sold",
      vestingConditions: [
        {
          id: "month",
          trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS", occurrences: 24 },
          portion: { numerator: 1, denominator: 48 },
        },
        { id: "sale", trigger: { type: "EVENT_BASED" }, portion: { numerator: 1, denominator: 2 } },
      ],
    });
    const grant = { stakeholderId: made.stakeholders, stockPlanId: made["equity-plans"], effectiveDate: "2024-06-15" };
    for (const [certificateId, vestingTermsId] of [
      ["OPT-1", made["vesting-terms"]],
      ["OPT-2", sale],
    ]) {
      const body = {
        ...grant,
        quantity: "240",
        exercisePrice: "0.5",
        optionType: "NSO",
        certificateId,
        vestingTermsId,
      };
      await make("securities", body, "/transactions/issue-options");
    }
    await company.look();
    return company;
  }

  api(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.service.api(method, path, body, { orgId: this.orgId });
  }

  /** Reads the securities anew. */
  async look(): Promise<void> {
    this.securities = (await this.api("GET", "/securities?limit=100")).json.items;
  }

  note(segment: string, id: string): void {
    const known = this.ids.get(segment);
    if (known) known.push(id);
    else this.ids.set(segment, [id]);
  }

  /** Learns of what a call made. */
  learn(route: Route, answer: Answer): void {
    if (answer.status >= 300) return;
    const cursor: unknown = answer.json.nextCursor;
    if (typeof cursor === "string") this.cursors.push(cursor);
    const location = answer.headers.get("location");
    if (location === null) return;
    const [segment = "", id = "", inner, innerId] = location.replace("/api/v1/", "").split("/").map(decodeURIComponent);
    if (inner === undefined || innerId === undefined) {
      this.note(segment, id);
      return;
    }
    this.note(inner, innerId);
    if (pathOf(route).endsWith("/steps")) this.approvalOf.set(innerId, id);
  }

  /** Some record's id, a recent one more often; an unknown one if there is no record. */
  some(segment: string, pick: Pick): string {
    const known = this.ids.get(segment) ?? [];
    const recent = pick(2) === 0 ? known.slice(-5) : known;
    return recent[pick(Math.max(1, recent.length))] ?? UNKNOWN;
  }

  /** The parameters of a route's path. */
  pathIds(route: Route, pick: Pick): Record<string, string> {
    const segment = pathOf(route).split("/")[1] ?? "";
    if (!pathOf(route).includes("{stepId}")) return { id: this.some(segment, pick) };
    const stepId = this.some("steps", pick);
    return { id: this.approvalOf.get(stepId) ?? UNKNOWN, stepId };
  }
}
