// Flows of each security, plan and class during a replay as of a day: its creation, its outflows by kind of entry, and
// its end. Registers and roll-forwards are made from it. Pure.

import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, floorDivide, ONE, parseDecimal, scale, ZERO } from "../../kernel/numbers/decimal.ts";
import { type Members, membersOf } from "../../ledger/members.ts";
import { OwnPrices } from "../../ledger/replay/own-prices.ts";
import type { LedgerState } from "../../ledger/replay/state.ts";
import { editedDifference, withheldOf } from "../../ledger/rules/charges.ts";
import { isIssuance } from "../../ledger/rules/effects.ts";
import { readSplit, type Split, splitFilter, splitPrice } from "../../ledger/splits/stock-split.ts";
import type { ClassState, EntryDraft, PlanState } from "../../ledger/types.ts";
import type { PlacedEntry } from "../../ledger/vested/vesting-book.ts";
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
function takingOf({ type }: EntryDraft, { isConversion }: Members): Taking | null {
  if (type.endsWith("_TRANSFER")) return "transferred";
  if (type.endsWith("_EXERCISE")) return "exercised";
  if (type === "CONVERTIBLE_CONVERSION") return "converted";
  if (type === "STOCK_REPURCHASE") return "repurchased";
  if (!type.endsWith("_CANCELLATION") && type !== "STOCK_RETRACTION") return null;
  return isConversion ? "converted" : "cancelled";
}

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
  /** The plans of securities before the entry that is followed. */
  readonly #planOf = new Map<string, string>();
  readonly #plans = new Map<string, PlanState>();
  readonly #classes = new Map<string, ClassState>();
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
    for (const [id, plan] of plans) this.#plans.set(id, plan);
    for (const [id, stockClass] of classes) this.#classes.set(id, stockClass);
    const first = { sequence: null, date: null, what: "First figure", before: null } as const;
    const unsaid = { boardApprovalDate: null, stockholderApprovalDate: null };
    for (const { id, reserved } of plans.values()) this.reserves.set(id, [{ ...first, ...unsaid, after: reserved }]);
    for (const { id, authorized } of classes.values()) {
      this.authorized.set(id, [{ ...first, ...unsaid, after: authorized }]);
    }
  }

  skip(): void {}

  follow(placed: PlacedEntry, state: LedgerState): void {
    const { entry, sequence } = placed;
    if (entry.effectiveDate > this.#asOf) return;
    this.#counted[sequence] = true;
    const said = membersOf(entry);
    this.prices.follow(entry, said);
    this.#noteSplit(placed, state);
    this.#noteTaking(entry, said, state);
    this.#noteMaking(placed, said, state);
    this.#notePlans(entry, said, state);
    this.#noteFigures(placed, said, state);
    this.#noteClosing(entry, said, state);
    this.#keep(entry, said, state);
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

  #noteTaking(entry: EntryDraft, said: Members, state: LedgerState): void {
    const taking = takingOf(entry, said);
    const flow = this.securities.get(entry.securityId ?? "");
    if (flow && said.isCorrection && said.takesBack === null) flow.issued += editedDifference(entry) ?? ZERO;
    if (flow && said.imported.isDefault) flow.returned += this.#returned(flow.id, state);
    if (taking === null || !flow || said.isDirectEdit) return;
    const { objectId, taken } = said.imported;
    const quantity = parseDecimal(entry.quantity ?? taken ?? "0");
    flow.taken = { ...flow.taken, [taking]: flow.taken[taking] + quantity };
    if (taking === "exercised") flow.exercisedNow += quantity;
    if (taking === "cancelled") flow.cancelledNow += quantity;
    if (taking === "exercised") flow.withheld += withheldOf(entry);
    if (taking === "converted") flow.sharesIssued += parseDecimal(said.resultingQuantity ?? "0");
    if (objectId !== null) this.#causes.set(objectId, { securityId: flow.id, taking });
    flow.returned += this.#returned(flow.id, state);
  }

  /** What an entry on a security gave back to its plan. */
  #returned(securityId: string, state: LedgerState): Decimal {
    const planId = this.#planOf.get(securityId);
    if (planId === undefined) return ZERO;
    const [before, after] = [this.#plans.get(planId)?.available, state.plans.get(planId)?.available];
    return (after ?? ZERO) - (before ?? ZERO);
  }

  #noteMaking({ entry, sequence }: PlacedEntry, said: Members, state: LedgerState): void {
    const isIssued = isIssuance(entry);
    const made = state.securities.get((isIssued ? entry.securityId : said.newSecurityId) ?? "");
    if (!made || this.securities.has(made.id)) return;
    if (!isIssued && said.isConversion) return; // Its issuance makes it.
    const flow: Flow = {
      id: made.id,
      sequence,
      date: entry.effectiveDate,
      how: isIssued ? (said.isConversion ? "Conversion" : "Issued") : howOf(entry, said),
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
  #notePlans(entry: EntryDraft, said: Members, state: LedgerState): void {
    if (entry.type === "STOCK_SPLIT") {
      const split = readSplit(entry.metadata);
      for (const id of split.equityPlanIds) {
        const issued = this.stockIssued.get(id);
        if (issued === undefined) continue;
        this.stockIssued.set(id, scale(issued, split.numerator, split.denominator));
      }
      return;
    }
    const isGrant = isIssuance(entry) && !said.isConversion;
    if (!isGrant && !said.isDirectEdit) return;
    if (state.securities.get(entry.securityId ?? "")?.type !== "STOCK") return;
    for (const { id, available } of this.#plans.values()) {
      const granted = available - (state.plans.get(id)?.available ?? ZERO);
      if (granted !== ZERO) this.stockIssued.set(id, (this.stockIssued.get(id) ?? ZERO) + granted);
    }
  }

  /** Securities that the same splits concerned share the list of them. */
  #noteSplit({ entry, sequence }: PlacedEntry, state: LedgerState): void {
    if (entry.type !== "STOCK_SPLIT") return;
    const split: SplitOf = { ...readSplit(entry.metadata), sequence, date: entry.effectiveDate };
    this.#restateTaken(split);
    const isConcerned = splitFilter(split);
    const lists = new Map<readonly SplitOf[], readonly SplitOf[]>();
    for (const id of split.securityIds ?? state.securities.keys()) {
      const [flow, now] = [this.securities.get(id), state.securities.get(id)];
      if (!flow || !now || !isConcerned(now)) continue;
      const list = lists.get(flow.splits) ?? [...flow.splits, split];
      lists.set(flow.splits, list);
      flow.splits = list;
      flow.withheld = splitWithheld(flow.withheld, split);
    }
  }

  /** What the cap table says of a plan is in the shares of after the splits of its class: what was taken is, too. */
  #restateTaken({ equityPlanIds, numerator, denominator }: Split): void {
    const plans = new Set(equityPlanIds);
    if (plans.size === 0) return;
    for (const flow of this.securities.values()) {
      if (!plans.has(this.#planOf.get(flow.id) ?? "")) continue;
      flow.exercisedNow = scale(flow.exercisedNow, numerator, denominator);
      flow.cancelledNow = scale(flow.cancelledNow, numerator, denominator);
    }
  }

  #noteFigures({ entry, sequence }: PlacedEntry, said: Members, state: LedgerState): void {
    const { boardApprovalDate, stockholderApprovalDate } = said;
    const change = { sequence, date: entry.effectiveDate, what: wordOf(entry, said) };
    const approvals = { boardApprovalDate, stockholderApprovalDate };
    for (const { id, reserved: after } of state.plans.values()) {
      const before = this.#plans.get(id)?.reserved ?? null;
      if (before !== after) this.reserves.get(id)?.push({ ...change, before, after, ...approvals });
    }
    for (const { id, authorized: after } of state.classes.values()) {
      const before = this.#classes.get(id)?.authorized ?? null;
      if (before !== after) this.authorized.get(id)?.push({ ...change, before, after, ...approvals });
    }
  }

  #noteClosing(entry: EntryDraft, said: Members, state: LedgerState): void {
    for (const id of this.#touched(entry, said, state)) {
      const flow = this.securities.get(id);
      const now = state.securities.get(id);
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

  /** The securities that an entry may have changed. */
  #touched(entry: EntryDraft, said: Members, state: LedgerState): Iterable<string> {
    if (entry.type === "STOCK_SPLIT") return state.securities.keys();
    return [entry.securityId, said.newSecurityId].filter((id) => id !== null);
  }

  #keep(entry: EntryDraft, said: Members, state: LedgerState): void {
    for (const id of this.#touched(entry, said, state)) {
      const planId = state.securities.get(id)?.equityPlanId ?? null;
      if (planId !== null) this.#planOf.set(id, planId);
      else this.#planOf.delete(id);
    }
    for (const plan of state.plans.values()) this.#plans.set(plan.id, plan);
    for (const stockClass of state.classes.values()) this.#classes.set(stockClass.id, stockClass);
  }
}

/** As the schedule multiplies what was exercised (ledger/vested/vesting-account.ts): whole shares stay whole. */
function splitWithheld(withheld: Decimal, { numerator, denominator }: Split): Decimal {
  if (withheld === ZERO) return ZERO;
  if (withheld % ONE !== ZERO) return scale(withheld, numerator, denominator);
  return floorDivide(withheld * numerator, denominator * ONE) * ONE;
}

function howOf(entry: EntryDraft, said: Members): HowMade {
  const taking = takingOf(entry, said);
  return (taking && MADE_BY[taking]) ?? "Issued";
}

function wordOf({ type }: EntryDraft, { initialFigure }: Members): string {
  if (type === "STOCK_SPLIT") return "Split";
  return initialFigure.after === null ? "Adjustment" : "Correction of the first figure";
}
