// A company with so much stock that what concerns all of it is written piece by piece.

import { callWithoutRequest } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { LongWrites } from "../../../src/server/long-writes/loop.ts";
import { PIECE } from "../../../src/storage/database/long-writes.ts";
import type { Reader } from "../../../src/storage/database/sql.ts";
import type { Writer } from "../../../src/storage/database/writer.ts";
import { failClass } from "../../../src/tokens/jobs/record.ts";
import { setTokenStatus } from "../../../src/tokens/jobs/stock-store.ts";
import { Service } from "../../kit/in-process.ts";

/** Securities of a company: three pieces. */
export const COUNT = 2 * PIECE + 50;

/** What finishes long writes, a piece at a time when it is told to. */
export function finisher(db: Reader, writer: Writer): LongWrites {
  const onTrouble = (_line: unknown, thrown: unknown) => {
    throw thrown;
  };
  return new LongWrites({ db, writer, runtime: systemRuntime, isBusy: () => false, onTrouble });
}

/** No test's: ids follow from the seed. */
const ORIGINAL_SEED = 1_000_000;

let original: Promise<{ readonly database: Uint8Array; readonly company: Company }> | null = null;

async function makeOriginal() {
  const service = await Service.start(ORIGINAL_SEED);
  try {
    const company = await Company.make(service);
    return { database: service.image(), company };
  } finally {
    await service.stop();
  }
}

/** A company with much stock that names one valuation and waits for one approval. */
export class Company {
  readonly certificates = new Map<string, string>();
  approvalId = "";
  otherApprovalId = "";
  valuationId = "";
  stockClassId = "";
  stakeholderId = "";
  otherHolderId = "";
  readonly service: Service;
  readonly orgId: string;
  readonly pieces: LongWrites;

  private constructor(service: Service, orgId: string) {
    this.service = service;
    this.orgId = orgId;
    this.pieces = finisher(service.reader, service.writer);
  }

  static async make(service: Service, count = COUNT): Promise<Company> {
    const company = new Company(service, await service.newOrganization());
    await company.#fill(count);
    return company;
  }

  /** The company with all its stock, in a service of its own: made once, and copied. */
  static async copy(seed: number): Promise<Company> {
    original ??= makeOriginal();
    const { database, company } = await original;
    const copy = new Company(await Service.start(seed, database), company.orgId);
    const { approvalId, otherApprovalId, valuationId, stockClassId, stakeholderId, otherHolderId } = company;
    Object.assign(copy, { approvalId, otherApprovalId, valuationId, stockClassId, stakeholderId, otherHolderId });
    for (const [certificateId, id] of company.certificates) copy.certificates.set(certificateId, id);
    return copy;
  }

  async api(method: string, path: string, body?: unknown) {
    const answer = await this.service.api(method, path, body, { orgId: this.orgId });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  }

  async #approval(): Promise<string> {
    const given = { title: "Founders", entityType: "Stock Issuance", steps: [{ name: "Board" }] };
    const { data } = await this.api("POST", "/approvals", given);
    await this.api("POST", `/approvals/${data.id}/submit`);
    await this.api("PATCH", `/approvals/${data.id}/steps/${data.steps[0].id}`, { status: "APPROVED" });
    return data.id;
  }

  async #holder(): Promise<string> {
    const named = { displayName: "Ada", name: { legalName: "Ada" } };
    return (await this.api("POST", "/stakeholders", { ...named, type: "INDIVIDUAL", relationships: ["FOUNDER"] })).id;
  }

  async #fill(count: number): Promise<void> {
    const preferred = { name: "Common", defaultIdPrefix: "CS", initialSharesAuthorized: "1000000000" };
    const made = await this.api("POST", "/share-classes", {
      ...preferred,
      classType: "COMMON",
      votesPerShare: "1",
      seniority: 1,
    });
    this.stockClassId = made.id ?? made.data.id;
    [this.stakeholderId, this.otherHolderId] = [await this.#holder(), await this.#holder()];
    const valuation = { type: "409A", pricePerShare: "1.25", effectiveDate: "2026-01-15" };
    const valued = await this.api("POST", "/valuations", { ...valuation, stockClassId: this.stockClassId });
    this.valuationId = valued.id ?? valued.data.id;
    [this.approvalId, this.otherApprovalId] = [await this.#approval(), await this.#approval()];
    for (let number = 1; number <= count; number++) await this.issue(`CS-${number}`);
  }

  async issue(certificateId: string): Promise<void> {
    const { stakeholderId, stockClassId, valuationId, approvalId } = this;
    const references = { stakeholderId, stockClassId, valuationId, approvalId };
    const given = { type: "STOCK", quantity: "10", grantDate: "2026-01-15", certificateId, ...references };
    const { id } = await this.api("POST", "/securities", given);
    this.certificates.set(certificateId, id);
  }

  /** What every security shows, by its certificate. */
  async seen(): Promise<Record<string, unknown>> {
    const seen: Record<string, unknown> = {};
    let cursor: string | null = "";
    while (cursor !== null) {
      const page = await this.api("GET", `/securities?limit=100${cursor ? `&cursor=${cursor}` : ""}`);
      for (const row of page.items) seen[row.certificateId] = this.#shown(row);
      cursor = page.nextCursor;
    }
    return seen;
  }

  /** The same with ids that are alike in every company. */
  #shown(row: Record<string, unknown>) {
    const { status, quantity, tokenStatus, tokenError, valuationId, approvalId } = row;
    const approval = approvalId === this.approvalId ? "first" : approvalId === null ? null : "other";
    return { status, quantity, tokenStatus, tokenError, valuation: valuationId === null ? null : "named", approval };
  }

  async countOf(tokenStatus: string): Promise<number> {
    let [count, cursor] = [0, "" as string | null];
    while (cursor !== null) {
      const page = await this.api(
        "GET",
        `/securities?limit=100&tokenStatus=${tokenStatus}${cursor ? `&cursor=${cursor}` : ""}`,
      );
      count += page.items.length;
      cursor = page.nextCursor;
    }
    return count;
  }

  /** Rows whose column holds the value, as they are stored. */
  stored(condition: string): number {
    const sql = `select count(*) as count from securities where "orgId" = ? and (${condition})`;
    return (this.service.reader.sqlite.prepare(sql).get(this.orgId) as { count: number }).count;
  }

  async finish(): Promise<number> {
    let pieces = 0;
    while (await this.pieces.step()) pieces++;
    return pieces;
  }

  /** Has the class fail as one whose token could not be made. */
  async fail(): Promise<void> {
    const call = callWithoutRequest(systemRuntime, this.orgId, "job");
    await this.service.writer.submit((tx) => {
      failClass(tx, call, this.stockClassId, "no funds");
      for (const id of this.certificates.values()) {
        setTokenStatus(tx, call, id, { tokenStatus: "FAILED", tokenError: "no funds" });
      }
    });
  }
}
