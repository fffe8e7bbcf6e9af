// What clients want of the service: requests that mostly fit the existing records, as an earlier read would have
// told it, and sometimes do not. Several clients choose at once, so that what they want may not go together.
import type { Reader } from "../../src/storage/database/sql.ts";
import type { Random } from "../kit/random.ts";
import { anyAddress } from "./node.ts";

/** A request, without who makes it. */
export interface Wish {
  readonly method: "POST" | "PATCH" | "DELETE";
  /** Below `/api/v1`. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Whether it takes an Idempotency-Key. */
  readonly isKeyed: boolean;
}

interface Security {
  readonly id: string;
  readonly type: string;
  readonly quantity: string;
  readonly stakeholderId: string;
  readonly exercisePrice: string | null;
}

const KINDS = {
  person: 3,
  class: 1,
  plan: 1,
  issue: 9,
  options: 3,
  convertible: 1,
  gated: 2,
  approval: 4,
  transfer: 6,
  exercise: 3,
  cancel: 4,
  repurchase: 2,
  convert: 1,
  retract: 1,
  split: 1,
  authorized: 1,
  reserve: 1,
  wallet: 2,
  edit: 2,
  delete: 1,
  rename: 1,
} as const;

const CLASSES_MAX = 3;
const PLANS_MAX = 2;

/** Chooses requests for one organization. */
export class Wishes {
  readonly #random: Random;
  readonly #db: Reader;
  readonly #orgId: string;
  readonly #today: string;
  readonly #certificate: string;

  /** `certificate` is a free certificate number. */
  constructor(random: Random, db: Reader, orgId: string, today: string, certificate: string) {
    this.#random = random;
    this.#db = db;
    this.#orgId = orgId;
    this.#today = today;
    this.#certificate = certificate;
  }

  /** Any request that the existing records allow. */
  any(): Wish {
    return this.#make(this.#random.weighted(KINDS)) ?? this.#beginning();
  }

  #beginning(): Wish {
    if (this.#ids("stakeholders").length < 2) return this.#person();
    if (this.#ids("share_classes").length === 0) return this.#class();
    return this.#ids("equity_plans").length === 0 ? this.#plan() : (this.#make("issue") as Wish);
  }

  #make(kind: keyof typeof KINDS): Wish | null {
    const holder = this.#random.maybe(this.#ids("stakeholders"));
    const stockClassId = this.#random.maybe(this.#ids("share_classes"));
    const stockPlanId = this.#random.maybe(this.#ids("equity_plans"));
    switch (kind) {
      case "person":
        return this.#person();
      case "class":
        return this.#ids("share_classes").length < CLASSES_MAX ? this.#class() : null;
      case "plan":
        return stockClassId && this.#ids("equity_plans").length < PLANS_MAX ? this.#plan() : null;
      case "approval":
        return this.#approval();
      case "wallet":
        return holder ? change(`/stakeholders/${holder}`, { walletAddress: anyAddress(this.#random) }) : null;
      case "rename":
        return stockClassId ? change(`/share-classes/${stockClassId}`, this.#figure("initialSharesAuthorized")) : null;
      case "split": {
        const ratio = { numerator: this.#random.between(1, 3), denominator: this.#random.between(1, 2) };
        return stockClassId ? this.#record("split", { stockClassId, ...ratio }) : null;
      }
      case "authorized":
        return stockClassId
          ? this.#record("adjust-authorized", { stockClassId, ...this.#figure("newSharesAuthorized") })
          : null;
      case "reserve":
        return stockPlanId
          ? this.#record("adjust-reserve", { equityPlanId: stockPlanId, ...this.#figure("newSharesReserved") })
          : null;
      case "issue":
      case "options":
      case "convertible":
      case "gated":
        return holder && stockClassId ? this.#issue(kind, holder, stockClassId, stockPlanId) : null;
      default:
        return this.#change(kind);
    }
  }

  #issue(kind: string, stakeholderId: string, stockClassId: string, stockPlanId: string | undefined): Wish | null {
    const isTaken = this.#random.chance(0.05);
    const certificateId = isTaken ? "TAKEN" : this.#certificate;
    const common = { stakeholderId, certificateId, quantity: String(this.#random.between(1, 200)) };
    if (kind === "issue") return this.#record("issue-shares", { ...common, stockClassId });
    if (kind === "convertible") return this.#record("issue-convertible", { ...common, convertibleType: "SAFE" });
    if (kind === "gated") {
      const approvalId = this.#random.maybe(this.#ids("approvals"));
      const rest = { type: "STOCK", stockClassId, grantDate: this.#today, ...(approvalId ? { approvalId } : {}) };
      return create("/securities", { ...common, ...rest });
    }
    if (!stockPlanId) return null;
    return this.#record("issue-options", { ...common, stockPlanId, exercisePrice: "1.5", optionType: "NSO" });
  }

  /** Something done to a security that is there. */
  #change(kind: string): Wish | null {
    const type = { exercise: "STOCK_OPTION", repurchase: "STOCK" }[kind];
    const security = this.#security(type);
    if (!security) return null;
    const { id: securityId, stakeholderId: fromStakeholderId } = security;
    const quantity = this.#share(security);
    const stockClassId = this.#random.maybe(this.#ids("share_classes"));
    switch (kind) {
      case "transfer": {
        const toStakeholderId = this.#random.maybe(this.#ids("stakeholders"));
        return this.#record("transfer", { securityId, fromStakeholderId, toStakeholderId, quantity });
      }
      case "exercise":
        return this.#record("exercise", { securityId, quantity, exercisePrice: security.exercisePrice ?? "1.5" });
      case "cancel": {
        const rest = { cancellationReason: "TERMINATION", returnToPool: this.#random.chance(0.5) };
        return this.#record("cancel", { securityId, quantity, ...rest });
      }
      case "repurchase":
        return this.#record("repurchase", { securityId, quantity, pricePerShare: "1" });
      case "convert":
        return this.#record("convert", { securityId, stockClassId, resultingQuantity: quantity });
      case "retract":
        return this.#record("retract", { securityId, reason: "Issued in error" });
      case "delete":
        return { method: "DELETE", path: `/securities/${securityId}`, isKeyed: false };
      default: {
        const stakeholder = this.#random.maybe(this.#ids("stakeholders"));
        const edits = [{ quantity }, { stakeholderId: stakeholder }, { status: "CANCELLED" }, { status: "ACTIVE" }];
        return change(`/securities/${securityId}`, this.#random.maybe(edits) ?? {});
      }
    }
  }

  /** The next step of an approval, or a new one. */
  #approval(): Wish {
    const approvals = this.#db.sqlite
      .prepare<[string], { id: string; state: string; stepId: string }>(
        `SELECT approvals.id, approvals.state, approval_steps.id AS stepId FROM approvals
        JOIN approval_steps ON approval_steps.approvalId = approvals.id
        WHERE approvals.orgId = ? AND state <> 'Locked' ORDER BY approvals.seq`,
      )
      .all(this.#orgId);
    const approval = this.#random.maybe(approvals);
    if (!approval)
      return create("/approvals", { title: "T", entityType: "Stock Issuance", steps: [{ name: "Board" }] });
    const path = `/approvals/${approval.id}`;
    if (approval.state === "Draft") return { method: "POST", path: `${path}/submit`, isKeyed: false };
    if (approval.state === "Approved") return { method: "POST", path: `${path}/lock`, isKeyed: false };
    return change(`${path}/steps/${approval.stepId}`, { status: "APPROVED" });
  }

  #person(): Wish {
    const displayName = `Holder ${this.#certificate}`;
    const wallet = this.#random.chance(0.7) ? { walletAddress: anyAddress(this.#random) } : {};
    return create("/stakeholders", { displayName, name: { legalName: displayName }, type: "INDIVIDUAL", ...wallet });
  }

  #class(): Wish {
    const rest = { classType: "COMMON", defaultIdPrefix: `${this.#certificate}-`, votesPerShare: "1", seniority: 1 };
    return create("/share-classes", { name: "Common", ...this.#figure("initialSharesAuthorized"), ...rest });
  }

  #plan(): Wish {
    const stockClassIds = this.#ids("share_classes").slice(0, 1);
    return create("/equity-plans", { planName: "Plan", ...this.#figure("initialSharesReserved"), stockClassIds });
  }

  #record(operation: string, body: Readonly<Record<string, unknown>>): Wish {
    return create(`/transactions/${operation}`, { ...body, effectiveDate: this.#today });
  }

  #figure(name: string): Readonly<Record<string, unknown>> {
    return { [name]: this.#random.pick(["500", "5000", "100000"]) };
  }

  /** All that a security holds, some of it, or more. */
  #share({ quantity }: Security): string {
    const whole = Number.parseInt(quantity, 10);
    if (this.#random.chance(0.35) || whole < 2) return quantity === "0" ? "1" : quantity;
    return this.#random.chance(0.1) ? "0.5" : String(this.#random.between(1, whole + 1));
  }

  #security(type: string | undefined): Security | undefined {
    const open = this.#db.sqlite
      .prepare<[string], Security>(
        `SELECT id, type, quantity, stakeholderId, exercisePrice FROM securities
        WHERE orgId = ? AND deletedAt IS NULL AND status = 'ACTIVE' ORDER BY seq DESC LIMIT 12`,
      )
      .all(this.#orgId);
    return this.#random.maybe(type === undefined ? open : open.filter((security) => security.type === type));
  }

  #ids(table: "stakeholders" | "share_classes" | "equity_plans" | "approvals"): string[] {
    return this.#db.sqlite
      .prepare<[string], string>(`SELECT id FROM ${table} WHERE orgId = ? AND deletedAt IS NULL ORDER BY seq`)
      .pluck()
      .all(this.#orgId);
  }
}

function create(path: string, body: Readonly<Record<string, unknown>>): Wish {
  return { method: "POST", path, body, isKeyed: true };
}

function change(path: string, body: Readonly<Record<string, unknown>>): Wish {
  return { method: "PATCH", path, body, isKeyed: false };
}
