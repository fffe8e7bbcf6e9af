// Organizations for the tests of the health report: records made through the API, or by an import where the API refuses
// them, and what the report says.
import { expect } from "bun:test";
import { makeShareClass, makeStakeholder } from "../../kit/records.ts";
import type { Answer, TestServer } from "../../kit/service.ts";

/** The day on which the tests take place. */
export const TODAY = "2026-06-01";

type Given = Readonly<Record<string, unknown>>;

/** A finding as the API answers it. */
export interface ShownFinding {
  readonly code: string;
  readonly severity: string;
  readonly count: number;
  readonly subjects: readonly { readonly resourceType: string; readonly id: string; readonly name: string }[];
  readonly detail: string;
  readonly action: string | null;
}

let counter = 0;

/** One organization, by its API. */
export class Org {
  readonly server: TestServer;
  readonly id: string;

  constructor(server: TestServer, id: string) {
    this.server = server;
    this.id = id;
  }

  call(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.server.api(method, path, body, { orgId: this.id });
  }

  /** Makes something that must succeed; returns what is answered. */
  async made(path: string, body: Given, method = "POST"): Promise<Record<string, string>> {
    const answer = await this.call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json.data ?? answer.json;
  }

  holder(given: Given = {}): Promise<string> {
    return makeStakeholder(this.server, { email: "holder@example.com", ...given }, { orgId: this.id });
  }

  shareClass(given: Given = {}): Promise<string> {
    return makeShareClass(this.server, given, { orgId: this.id });
  }

  /** A plan for one class. */
  async plan(stockClassId: string, given: Given = {}): Promise<string> {
    const body = { planName: "2024 Plan", initialSharesReserved: "1000", stockClassIds: [stockClassId], ...given };
    return (await this.made("/equity-plans", body)).id ?? "";
  }

  /** Runs a typed operation; returns the id of the security that it made. */
  async run(operation: string, given: Given): Promise<string> {
    const data = await this.made(`/transactions/${operation}`, given);
    return data.securityId ?? data.newSecurityId ?? "";
  }

  shares(stakeholderId: string, stockClassId: string, given: Given = {}): Promise<string> {
    const body = {
      stakeholderId,
      stockClassId,
      quantity: "100",
      certificateId: fresh("CS"),
      effectiveDate: "2024-01-01",
    };
    return this.run("issue-shares", { ...body, ...given });
  }

  option(stakeholderId: string, stockPlanId: string, given: Given = {}): Promise<string> {
    const terms = { quantity: "100", exercisePrice: "1", optionType: "NSO", certificateId: fresh("OPT") };
    return this.run("issue-options", { stakeholderId, stockPlanId, ...terms, effectiveDate: "2024-01-01", ...given });
  }

  cancel(securityId: string, quantity: string, effectiveDate: string): Promise<string> {
    const how = { cancellationReason: "FORFEITURE", returnToPool: true };
    return this.run("cancel", { securityId, quantity, effectiveDate, ...how });
  }

  valuation(stockClassId: string, given: Given = {}): Promise<Record<string, string>> {
    const body = { type: "409A", status: "APPROVED", stockClassId, pricePerShare: "1", effectiveDate: "2026-01-01" };
    return this.made("/valuations", { ...body, ...given });
  }

  /** Imports objects beside a holder `ada` and a class `common` of 1,000 shares. */
  async import(...objects: readonly Given[]): Promise<void> {
    const all = [ADA, COMMON, ...objects];
    const files = Map.groupBy(all, ({ object_type: type }) => FILES[String(type)] ?? "transactions.json");
    const entityFiles = Object.fromEntries([...files].map(([name, items]) => [name, { items }]));
    const { status, json } = await this.call("POST", "/cap-table/ocf-import", { manifest: MANIFEST, entityFiles });
    expect({ status, errors: json.data?.errors }).toEqual({ status: 200, errors: [] });
    const taken = Object.values<number>(json.data.imported).reduce((total, count) => total + count, 0);
    expect(taken).toBe(all.length);
  }

  async findings(): Promise<readonly ShownFinding[]> {
    const answer = await this.server.api("GET", "/cap-table/health", undefined, { orgId: this.id, role: "VIEWER" });
    expect(answer.status).toBe(200);
    return answer.json.data.findings;
  }

  async find(code: string): Promise<ShownFinding | null> {
    return (await this.findings()).find((finding) => finding.code === code) ?? null;
  }
}

function fresh(prefix: string): string {
  return `${prefix}-${++counter}`;
}

const FILES: Readonly<Record<string, string>> = {
  STAKEHOLDER: "stakeholders.json",
  STOCK_CLASS: "stock_classes.json",
  STOCK_PLAN: "stock_plans.json",
  VESTING_TERMS: "vesting_terms.json",
  VALUATION: "valuations.json",
};
const MANIFEST = {
  file_type: "OCF_MANIFEST_FILE",
  ocf_version: "1.2.0",
  issuer: { object_type: "ISSUER", id: "issuer", legal_name: "Acme, Inc." },
  as_of: "2026-01-01T00:00:00Z",
  generated_at: "2026-01-01T00:00:00Z",
  comments: [],
};
const ADA = {
  object_type: "STAKEHOLDER",
  id: "ada",
  name: { legal_name: "Ada" },
  stakeholder_type: "INDIVIDUAL",
  contact_info: { emails: [{ email_type: "BUSINESS", email_address: "ada@example.com" }] },
};
const COMMON = {
  object_type: "STOCK_CLASS",
  id: "common",
  name: "Common",
  class_type: "COMMON",
  default_id_prefix: "CS-",
  initial_shares_authorized: "1000",
  votes_per_share: "1",
  seniority: "1",
};

/** An OCF issuance of stock in the imported class. */
export function stockIssuance(id: string, quantity: string, given: Given = {}): Given {
  return {
    ...{ object_type: "TX_STOCK_ISSUANCE", id: `tx-${id}`, date: "2024-02-01", security_id: id, custom_id: `N-${id}` },
    ...{ stakeholder_id: "ada", stock_class_id: "common", quantity, board_approval_date: "2024-01-01" },
    ...{ share_price: { amount: "1", currency: "USD" }, security_law_exemptions: [], stock_legend_ids: [] },
    ...given,
  };
}

/** An OCF grant of options in the imported class. */
export function grant(id: string, quantity: string, given: Given = {}): Given {
  return {
    ...{ object_type: "TX_EQUITY_COMPENSATION_ISSUANCE", id: `tx-${id}`, date: "2024-02-01", security_id: id },
    ...{ custom_id: `N-${id}`, stakeholder_id: "ada", stock_class_id: "common", quantity, expiration_date: null },
    ...{ compensation_type: "OPTION_NSO", exercise_price: { amount: "1", currency: "USD" } },
    ...{ security_law_exemptions: [], termination_exercise_windows: [], board_approval_date: "2024-01-01" },
    ...given,
  };
}

/** An OCF plan over the imported class. */
export const IMPORTED_PLAN = {
  ...{ object_type: "STOCK_PLAN", id: "plan", plan_name: "Imported Plan", initial_shares_reserved: "100" },
  ...{ default_cancellation_behavior: "RETURN_TO_POOL", stock_class_ids: ["common"] },
};

/** OCF vesting terms: monthly from a start, or all at an event. */
export function importedTerms(id: string, kind: "time" | "event"): Given {
  const start = { id: "start", quantity: "0", trigger: { type: "VESTING_START_DATE" }, next_condition_ids: ["month"] };
  const period = { type: "MONTHS", length: 1, occurrences: 48, day_of_month: "VESTING_START_DAY_OR_LAST_DAY_OF_MONTH" };
  const month = {
    ...{ id: "month", portion: { numerator: "1", denominator: "48" }, next_condition_ids: [] },
    trigger: { type: "VESTING_SCHEDULE_RELATIVE", period, relative_to_condition_id: "start" },
  };
  const sale = { id: "sale", portion: { numerator: "1", denominator: "1" }, trigger: { type: "VESTING_EVENT" } };
  const conditions = kind === "time" ? [start, month] : [{ ...sale, next_condition_ids: [] }];
  const words = { name: id, description: id, allocation_type: "CUMULATIVE_ROUND_DOWN" };
  return { object_type: "VESTING_TERMS", id, ...words, vesting_conditions: conditions };
}
