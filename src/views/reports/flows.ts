// Flows of each security, plan and class during a replay as of a day: its creation, its outflows by kind of entry, and
// its end. Registers and roll-forwards are made from it. Pure.

import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, ONE, parseDecimal, scale, ZERO } from "../../kernel/numbers/decimal.ts";
import { splitPrice } from "../../kernel/numbers/split-figures.ts";
import type { LedgerEvent, SplitEvent } from "../../ledger/replay/event.ts";
import { OwnPrices } from "../../ledger/replay/own-prices.ts";
import type { LedgerState } from "../../ledger/replay/state.ts";
import { editedDifference, withheldOf } from "../../ledger/rules/charges.ts";
import { type Split, splitCount } from "../../ledger/splits/stock-split.ts";
import type { SecurityStatus } from "../../storage/database/schema.ts";
import type { Companion } from "../cap-table/view.ts";

/** How a security came to be. */
export type HowMade = "Issued" | "Transfer" | "Exercise" | "Conversion";

/** The kinds of entries that take from a security. */
export type Taking = "transferred" | "exercised" | "converted" | "repurchased" | "cancelled";

/** A split of a security's class. */
export interface SplitOf extends Split {
  readonly sequence: number;
  readonly date: CalendarDate;
}

/** What happened to one security. */
export interface Flow {
  readonly id: string;
  /** The entry that made it. */
  readonly sequence: number;
  readonly date: CalendarDate;
  how: HowMade;
  /** The holder for whom it was made. */
  readonly madeFor: string | null;
  /** With the corrections of that day. */
  issued: Decimal;
  /** Per share, as issued. */
  readonly price: string | null;
  /** The splits that concerned it, or what it came of. */
  splits: readonly SplitOf[];
  /** Whether money was paid for it, which it is not where an exercise was paid in shares. */
  readonly isPaid: boolean;
  from: readonly string[];
  to: readonly string[];
  /** What went out by entries that are no direct edits. */
  taken: Readonly<Record<Taking, Decimal>>;
  /** What net exercises withheld of what they took, in the shares of after later splits. */
  withheld: Decimal;
  /** What was exercised and cancelled of it, in the shares of after later splits of its plan. */
  exercisedNow: Decimal;
  cancelledNow: Decimal;
  /** What of it went back to its plan's pool. */
  returned: Decimal;
  /** The shares that conversions of it made. */
  sharesIssued: Decimal;
  closedOn: CalendarDate | null;
  /** What closed it; null while it is open. */
  closedAs: SecurityStatus | "RETRACTED" | null;
}

/** A change of a plan's reserve, or of a class's authorized shares. */
export interface FigureChange {
  /** The entry; null for the figure with which it was made. */
  readonly sequence: number | null;
  readonly date: CalendarDate | null;
  readonly what: string;
  readonly before: Decimal | null;
  /** Null where there is no limit. */
  readonly after: Decimal | null;
  readonly boardApprovalDate: CalendarDate | null;
  readonly stockholderApprovalDate: CalendarDate | null;
}

/** Most securities are issued and that is all: they share what is empty. */
const NOTHING_TAKEN: Readonly<Record<Taking, Decimal>> = {
  transferred: ZERO,
  exercised: ZERO,
  converted: ZERO,
  repurchased: ZERO,
  cancelled: ZERO,
};

const NONE: readonly string[] = [];
const NO_SPLITS: readonly SplitOf[] = [];

/** The price per share in the shares of today, of the price that the ledger keeps: an import's splits leave it as it was. */
export function priceNow({ splits }: Flow, kept: string | null): string | null {
  return splits.filter(({ isStockOnly }) => isStockOnly).reduce(splitPrice, kept);
}

/** Which kind of taking an entry is; null where it takes nothing. */
function takingOf({ kind, how, said }: LedgerEvent): Taking | null {
  if (kind === "moved") return MOVED[how];
  if (kind !== "taken") return null;
  if (how === "repurchase") return "repurchased";
  return said.isConversion ? "converted" : "cancelled";
}

const MOVED = { transfer: "transferred", exercise: "exercised", conversion: "converted" } as const;

const MADE_BY: Readonly<Partial<Record<Taking, HowMade>>> = {
  transferred: "Transfer",
  exercised: "Exercise",
  converted: "Conversion",
};

/** Follows a replay and notes the flows. */
export class Flows implements Companion {
  readonly securities = new Map<string, Flow>();
  /** By plan. */
  readonly reserves = new Map<string, FigureChange[]>();
  /** By class. */
  readonly authorized = new Map<string, FigureChange[]>();
  /** Stock issued directly under a plan, restated for splits as what was granted is. */
  readonly stockIssued = new Map<string, Decimal>();
  /** Whose prices are their holders' own, and not what a former holder paid. */
  readonly prices = new OwnPrices();
  readonly #asOf: CalendarDate;
  /** Whether the entry of a place counts; one that was not followed has no place here. */
  readonly #counted: boolean[] = [];
  /** Of imports: the security and the kind of a transaction, by its object's id, and what names it as its cause. */
  readonly #causes = new Map<string, { readonly securityId: string; readonly taking: Taking }>();
  readonly #results: { readonly flow: Flow; readonly resultOf: string }[] = [];

  constructor(asOf: CalendarDate) {
    this.#asOf = asOf;
  }

  /** Whether an entry counts. */
  counts(sequence: number): boolean {
    return this.#counted[sequence] ?? false;
  }

  begin({ plans, classes }: LedgerState): void {
    const first = { sequence: null, date: null, what: "First figure", before: null } as const;
    const unsaid = { boardApprovalDate: null, stockholderApprovalDate: null };
    for (const { id, reserved } of plans.values()) this.reserves.set(id, [{ ...first, ...unsaid, after: reserved }]);
    for (const { id, authorized } of classes.values()) {
      this.authorized.set(id, [{ ...first, ...unsaid, after: authorized }]);
    }
  }

  follow(event: LedgerEvent, state: LedgerState): void {
    if (event.entry.effectiveDate > this.#asOf) return;
    this.#counted[event.sequence] = true;
    this.prices.follow(event);
    if (event.kind === "split") this.#noteSplit(event, state);
    this.#noteTaking(event, state);
    this.#noteMaking(event, state);
    this.#noteGrant(event, state);
    this.#noteFigures(event, state);
    this.#noteClosing(event, state);
  }

  /** Joins what imports brought apart: results, and what they came of. To be called at the end. */
  finish(): void {
    for (const { flow, resultOf } of this.#results.splice(0)) {
      const cause = this.#causes.get(resultOf);
      if (!cause) continue;
      flow.how = MADE_BY[cause.taking] ?? flow.how;
      this.#join(cause.securityId, flow);
    }
  }

  #join(sourceId: string, made: Flow): void {
    const source = this.securities.get(sourceId);
    if (!made.from.includes(sourceId)) made.from = [...made.from, sourceId];
    if (source && !source.to.includes(made.id)) source.to = [...source.to, made.id];
  }

  #noteTaking(event: LedgerEvent, state: LedgerState): void {
    const { entry, said } = event;
    const taking = takingOf(event);
    const flow = this.securities.get(entry.securityId ?? "");
    if (flow && said.isCorrection && said.takesBack === null) flow.issued += editedDifference(said) ?? ZERO;
    if (flow && said.imported.isDefault) flow.returned += returnedBy(flow.id, state);
    if (taking === null || !flow) return;
    const { objectId, taken } = said.imported;
    const quantity = parseDecimal(entry.quantity ?? taken ?? "0");
    flow.taken = { ...flow.taken, [taking]: flow.taken[taking] + quantity };
    if (taking === "exercised") flow.exercisedNow += quantity;
    if (taking === "cancelled") flow.cancelledNow += quantity;
    if (taking === "exercised") flow.withheld += withheldOf(said);
    if (taking === "converted") flow.sharesIssued += parseDecimal(said.resultingQuantity ?? "0");
    if (objectId !== null) this.#causes.set(objectId, { securityId: flow.id, taking });
    flow.returned += returnedBy(flow.id, state);
  }

  #noteMaking(event: LedgerEvent, state: LedgerState): void {
    const { entry, sequence, said } = event;
    const isIssued = event.kind === "issued";
    const made = state.securities.get((isIssued ? entry.securityId : said.newSecurityId) ?? "");
    if (!made || this.securities.has(made.id)) return;
    if (!isIssued && said.isConversion) return; // Its issuance makes it.
    const flow: Flow = {
      id: made.id,
      sequence,
      date: entry.effectiveDate,
      how: isIssued ? (said.isConversion ? "Conversion" : "Issued") : howOf(event),
      madeFor: made.stakeholderId,
      issued: made.quantity,
      price: made.pricePerShare,
      splits: isIssued ? NO_SPLITS : (this.securities.get(entry.securityId ?? "")?.splits ?? NO_SPLITS),
      isPaid: (said.paymentMethod ?? "CASH") === "CASH",
      from: NONE,
      to: NONE,
      taken: NOTHING_TAKEN,
      withheld: ZERO,
      exercisedNow: ZERO,
      cancelledNow: ZERO,
      returned: ZERO,
      sharesIssued: ZERO,
      closedOn: null,
      closedAs: null,
    };
    this.securities.set(made.id, flow);
    const source = isIssued ? said.originSecurityId : entry.securityId;
    if (source !== null) this.#join(source, flow);
    const { resultOf } = said.imported;
    if (resultOf !== null) this.#results.push({ flow, resultOf });
  }

  /** Stock under a plan: as PlanUses counts what is granted (ledger/rules/plan-use.ts), but of stock alone. */
  #noteGrant({ kind, entry, said }: LedgerEvent, state: LedgerState): void {
    if ((kind !== "issued" || said.isConversion) && kind !== "edited") return;
    if (state.securities.get(entry.securityId ?? "")?.type !== "STOCK") return;
    for (const [id, { available }] of state.before.plans) {
      const granted = available - state.plan(id).available;
      if (granted !== ZERO) this.stockIssued.set(id, (this.stockIssued.get(id) ?? ZERO) + granted);
    }
  }

  /** Securities that the same splits concerned share the list of them. */
  #noteSplit(event: SplitEvent, state: LedgerState): void {
    const split: SplitOf = { ...event.split, sequence: event.sequence, date: event.entry.effectiveDate };
    this.#restatePlans(split, state);
    const lists = new Map<readonly SplitOf[], readonly SplitOf[]>();
    for (const id of state.before.securities.keys()) {
      const [flow, now] = [this.securities.get(id), state.security(id)];
      if (!flow || !event.concerns(now)) continue;
      const list = lists.get(flow.splits) ?? [...flow.splits, split];
      lists.set(flow.splits, list);
      flow.splits = list;
      flow.withheld = splitCount(flow.withheld, split, flow.withheld % ONE === ZERO);
    }
  }

  /** What the cap table says of a plan is in the shares of after the splits of its class: what it was used for is, too. */
  #restatePlans({ equityPlanIds, numerator, denominator }: Split, state: LedgerState): void {
    const plans = new Set(equityPlanIds);
    if (plans.size === 0) return;
    for (const id of plans) {
      const issued = this.stockIssued.get(id);
      if (issued !== undefined) this.stockIssued.set(id, scale(issued, numerator, denominator));
    }
    for (const flow of this.securities.values()) {
      if (!plans.has(state.security(flow.id).equityPlanId ?? "")) continue;
      flow.exercisedNow = scale(flow.exercisedNow, numerator, denominator);
      flow.cancelledNow = scale(flow.cancelledNow, numerator, denominator);
    }
  }

  #noteFigures(event: LedgerEvent, state: LedgerState): void {
    const { entry, sequence, said } = event;
    const { boardApprovalDate, stockholderApprovalDate } = said;
    const change = { sequence, date: entry.effectiveDate, what: wordOf(event) };
    const approvals = { boardApprovalDate, stockholderApprovalDate };
    for (const [id, { reserved: before }] of state.before.plans) {
      const { reserved: after } = state.plan(id);
      if (before !== after) this.reserves.get(id)?.push({ ...change, before, after, ...approvals });
    }
    for (const [id, { authorized: before }] of state.before.classes) {
      const { authorized: after } = state.stockClass(id);
      if (before !== after) this.authorized.get(id)?.push({ ...change, before, after, ...approvals });
    }
  }

  #noteClosing({ entry, said }: LedgerEvent, { before, securities }: LedgerState): void {
    for (const id of before.securities.keys()) {
      const flow = this.securities.get(id);
      const now = securities.get(id);
      if (!flow || !now) continue;
      if (now.status === "ACTIVE") {
        flow.closedOn = null;
        flow.closedAs = null;
      } else if (flow.closedAs === null) {
        flow.closedOn = entry.effectiveDate;
        flow.closedAs = said.isRetraction ? "RETRACTED" : now.status;
      }
    }
  }
}

/** What the last entry, which was on a security, gave back to its plan. */
function returnedBy(securityId: string, state: LedgerState): Decimal {
  const planId = state.securityBefore(securityId)?.equityPlanId ?? "";
  const before = state.before.plans.get(planId);
  return before ? state.plan(planId).available - before.available : ZERO;
}

function howOf(event: LedgerEvent): HowMade {
  const taking = takingOf(event);
  return (taking && MADE_BY[taking]) ?? "Issued";
}

function wordOf({ kind, said }: LedgerEvent): string {
  if (kind === "split") return "Split";
  return said.initialFigure.after === null ? "Adjustment" : "Correction of the first figure";
}
