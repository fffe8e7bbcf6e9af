// Builds the OCF objects of ledger entries: issuances, transactions that take of a security, balances, restatements,
// returns to the pool, adjustments. Tracks the exported id of each security, and the days before which no object may be
// dated. Which entry takes which shape is decided by moves.ts, edits.ts, split-objects.ts, vesting-objects.ts and
// settle.ts.

import { type Decimal, min, ZERO } from "../../../kernel/numbers/decimal.ts";
import { membersOf, type ToldCapitalization } from "../../../ledger/members.ts";
import type { ClassTerms } from "../../../ledger/rules/class-terms.ts";
import { type EntryDraft, type SecurityState, textOf } from "../../../ledger/types.ts";
import type { VestingBook } from "../../../ledger/vested/vesting-book.ts";
import { isUndated } from "../../../ledger/vesting/parcels.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { ratioMechanismToOcf } from "../codec/class-rights.ts";
import { financingTriggerId } from "../codec/convertible.ts";
import * as tx from "../codec/ending.ts";
import { type Adjusting, ratioAdjustmentOf, returnToPoolOf, vestingOf } from "../codec/event-codec.ts";
import { rowComment } from "../codec/found-again.ts";
import { conversionTriggerId, exerciseTriggerId, issuanceToOcf } from "../codec/issuance.ts";
import { derivedId } from "../codec/values-to-ocf.ts";
import { type JsonObject, textOf as memberOf, objectsOf } from "../json.ts";
import { isReturnedByDefault } from "../story/pools.ts";
import { VestingExport } from "./adjustments/parcels.ts";
import { type Holding, Holdings, later } from "./holdings.ts";
import { type Notes, silent } from "./notes.ts";
import { atPrices, balanceOf } from "./originals.ts";
import type { LedgerSource, Step } from "./source.ts";

/** Under which ids and on which day a security is issued. */
export interface IssuedAs {
  readonly objectId: string;
  /** The security's id in OCF from now on. */
  readonly openId: string;
  readonly date: string;
}

/** The same, with what depends on whether the security is new or what is left of one. */
interface Issuing extends IssuedAs {
  /** The start of vesting in force. */
  readonly start: string | null;
  readonly isBalance: boolean;
  /** Says that the date is another than the ledger's. */
  readonly moved?: string | null;
}

/** An entry that takes of a security: the security before it, and the members of the transaction that says so. */
export interface Taking {
  readonly step: Step;
  readonly was: SecurityState;
  readonly on: tx.Reducing;
}

/** Writes the objects of one export. */
export class OcfWriter {
  readonly source: LedgerSource;
  readonly notes: Notes;
  readonly holdings = new Holdings();
  readonly vesting: VestingExport;
  /** Plans of which a grant used up more shares than it came to hold, and just returned them. */
  readonly returnedShort = new Set<string>();

  constructor(source: LedgerSource, notes: Notes, bookOf: () => VestingBook) {
    this.source = source;
    this.notes = notes;
    this.vesting = new VestingExport(source, bookOf);
  }

  /** Issues a security in OCF: under its own id, or as a balance of itself. */
  *issued(step: Step, id: string, as: Issuing): Generator<JsonObject> {
    const found = this.source.findSecurity(id);
    if (found === null) return;
    const { event, entry, state } = step;
    const { entry: draft } = event;
    const row = this.source.asOf(found, entry.sequence);
    const { objectId, openId, date, start, isBalance } = as;
    const quantity = this.heldBy(step, id);
    const original = isBalance ? this.source.findOriginalIssuance(id) : null;
    const prices = this.source.corrections.hasSplits ? state.security(id) : row;
    const { pricePerShare, exercisePrice } = prices;
    const issuing = { id, sequence: entry.sequence, date, start, quantity };
    const parcels = row.type === "CONVERTIBLE" ? null : this.vesting.parcelsOf(issuing);
    const description = isBalance ? "What is left after a partial operation." : textOf(draft.metadata, "description");
    yield original
      ? balanceOf(atPrices(original, prices), as, quantity, parcels)
      : issuanceToOcf(
          {
            ...{ row, objectId, securityId: openId, date, quantity, pricePerShare, exercisePrice, isBalance, parcels },
            currency: this.source.currencyOf(row, this.notes.add),
            equityPlanId: this.exportedPlanOf(id),
            classPrice: this.source.classPrice(row.stockClassId),
            comments: [description, as.moved ?? null, isBalance ? null : rowComment(draft.metadata)],
          },
          this.notes.add,
        );
    const hasTerms = parcels === null || parcels.some(isUndated);
    this.holdings.put(id, { openId, since: date, vestingStart: start, hasTerms });
    if (hasTerms) yield* this.#vestingStarts(row, as);
  }

  /** The starts of vesting of a security that was just issued: an object of its own for each condition that starts. */
  *#vestingStarts(row: Row<"securities">, { objectId, openId, start }: Issuing): Generator<JsonObject> {
    const conditions = this.source.conditionsOf(row.vestingTermsId);
    if (conditions === null || start === null || row.type === "CONVERTIBLE") return;
    for (const condition of conditions.starts) {
      const id = derivedId(objectId, `vesting-start ${condition}`);
      yield vestingOf({ id, date: start, securityId: openId, type: row.type, comments: [] }, "START", condition);
    }
  }

  /** The members of a transaction that takes `quantity` of a security, and perhaps makes another one of it. */
  reducing(step: Step, was: SecurityState, quantity: Decimal): tx.Reducing {
    const { entry, event, state } = step;
    const { entry: draft } = event;
    const holding = this.holding(was.id);
    const made = state.securities.get(membersOf(draft).newSecurityId ?? "");
    let date = later(step.day, holding.since);
    for (const security of [was, made]) if (security) date = this.dayOf(security, date);
    const isAmount = was.type === "CONVERTIBLE" || draft.type === "STOCK_REPURCHASE";
    const note = isAmount ? this.notes.add : silent;
    return {
      id: entry.id,
      date,
      securityId: holding.openId,
      type: was.type,
      quantity,
      balanceId: this.heldBy(step, was.id) > ZERO ? derivedId(entry.id, "balance") : null,
      currency: this.source.currencyOf(this.source.findSecurity(was.id), note),
      comments: [this.moved(draft, date)],
    };
  }

  /** Issues what an operation left, under the balance's id. */
  *balance({ step, was, on }: Taking): Generator<JsonObject> {
    const { balanceId: openId, date } = on;
    if (openId === null) this.holdings.close(was.id);
    else yield* this.reissued(step, was, { objectId: derivedId(step.entry.id, "balance issuance"), openId, date });
  }

  /** Issues a security once more under another id, with the figures and the start of vesting that it has now. */
  *reissued(step: Step, { id }: SecurityState, as: IssuedAs): Generator<JsonObject> {
    const start = this.holding(id).vestingStart ?? this.source.findSecurity(id)?.vestingStartDate ?? null;
    yield* this.issued(step, id, { ...as, start, isBalance: true });
  }

  /**
   * Issues a security anew whose vesting a reader could not derive from the exported objects: OCF has no word for all
   * that vests.
   */
  *correctReading(step: Step): Generator<JsonObject> {
    const security = step.state.securities.get(step.event.entry.securityId ?? "");
    const isOpen = security?.status === "ACTIVE" && security.quantity > ZERO && !this.holdings.isClosed(security.id);
    if (!isOpen || !this.vesting.isMisread(security.id, step.entry.sequence)) return;
    yield* this.restate(step, security, "Vests by these days now");
  }

  /** Ends a security and opens it anew: under a split with the figures that it gave, else as it is. */
  *restate(step: Step, was: SecurityState, reason: string): Generator<JsonObject> {
    const { id: causeId } = step.entry;
    const isSplit = step.event.kind === "split";
    const openId = derivedId(causeId, `balance ${was.id}`);
    const held = this.heldBy(step, was.id);
    const isLeft = held > ZERO;
    const id = derivedId(causeId, `restatement ${was.id}`);
    const reducing = this.reducing(step, was, isSplit ? was.quantity : held);
    const on = { ...reducing, id, balanceId: isLeft && isSplit ? openId : null };
    if (was.type === "STOCK") yield tx.reissuanceOf(on, isLeft ? [openId] : [], isSplit ? causeId : null, reason);
    else if (!isSplit) yield tx.transferOf(on, openId, reason);
    else {
      yield tx.cancellationOf(on, reason);
      yield* this.returnToPool({ step, was, on }, ZERO);
    }
    if (!isLeft) return this.holdings.close(was.id);
    const objectId = derivedId(causeId, `balance issuance ${was.id}`);
    yield* this.reissued(step, was, { objectId, openId, date: on.date });
  }

  /** Issues a security anew with the figures of now, where a reader takes it to be `read`. */
  *renumber(step: Step, read: SecurityState): Generator<JsonObject> {
    const { id: causeId } = step.entry;
    const openId = derivedId(causeId, `balance ${read.id}`);
    const on = {
      ...this.reducing(step, read, read.quantity),
      id: derivedId(causeId, `restatement ${read.id}`),
      balanceId: openId,
    };
    const reason = "In shares of after the split of its class";
    const splitId = this.holdings.lastSplitOf(read.stockClassId);
    if (read.type === "STOCK") yield tx.reissuanceOf(on, [openId], splitId, reason);
    else {
      yield tx.cancellationOf(on, reason);
      yield* this.returnToPool({ step, was: read, on }, ZERO);
    }
    yield* this.reissued(step, read, {
      objectId: derivedId(causeId, `balance issuance ${read.id}`),
      openId,
      date: on.date,
    });
  }

  /**
   * States what went back to the plan, and that nothing did if OCF's readers would assume it by default. No more goes
   * back than is taken: if rounding by splits took shares away, the plan's figures are restated for the rest.
   */
  *returnToPool({ step, was, on }: Taking, returned: Decimal, isRetraction = false): Generator<JsonObject> {
    const planId = this.exportedPlanOf(was.id);
    if (planId === null) return;
    const action = isRetraction ? "RETRACTION" : "CANCELLATION";
    const isUnsaid = was.type === "STOCK_OPTION" && isReturnedByDefault(action, this.source.returnsByDefault(planId));
    if (returned === ZERO && !isUnsaid) return;
    const reason = returned === ZERO ? "Not returned to the pool" : "Returned to the pool";
    const event = { ...on, id: derivedId(step.entry.id, `return ${on.securityId}`) };
    if (returned > on.quantity) this.returnedShort.add(planId);
    yield returnToPoolOf(event, planId, min(returned, on.quantity), reason);
  }

  /** The common members of a transaction on a class or plan. */
  adjusting(id: string, draft: EntryDraft, date: string): Adjusting {
    const { metadata } = draft;
    return {
      id,
      date,
      boardApprovalDate: textOf(metadata, "boardApprovalDate"),
      stockholderApprovalDate: textOf(metadata, "stockholderApprovalDate"),
      comments: [textOf(metadata, "description"), this.moved(draft, date)],
    };
  }

  /** A ratio adjustment: the ratio by which a class converts from then on. Rounded down, if no rounding is recorded. */
  adjustedRatio(what: Adjusting, stockClassId: string, terms: ClassTerms): JsonObject {
    const currency = this.source.currencyOfClass(stockClassId);
    const mechanism = ratioMechanismToOcf({ rounding: "FLOOR", ...terms }, terms.pricePerShare, currency);
    return ratioAdjustmentOf(what, stockClassId, mechanism);
  }

  /** The trigger of a warrant or convertible: the first of an imported one, else the one that its issuance was given. */
  triggerOf({ id, type }: SecurityState, openId: string): string | null {
    const original = this.source.findOriginalIssuance(id);
    const row = this.source.findSecurity(id);
    if (original === null && type === "WARRANT") return exerciseTriggerId(openId);
    if (original === null) return (row && financingTriggerId(row)) ?? conversionTriggerId(openId);
    const [first] = objectsOf(original, type === "WARRANT" ? "exercise_triggers" : "conversion_triggers");
    return first ? memberOf(first, "trigger_id") : null;
  }

  /** What counted in a conversion, of what the export holds: securities by the ids under which they stand in OCF. */
  countedBy({
    stockClassIds,
    equityPlanIds,
    securityIds,
    excludedSecurityIds,
  }: ToldCapitalization): ToldCapitalization {
    const stand = (ids: readonly string[]) => ids.map((id) => this.holding(id).openId);
    return {
      stockClassIds,
      equityPlanIds: equityPlanIds.filter((id) => this.source.hasPlan(id)),
      securityIds: stand(securityIds),
      excludedSecurityIds: stand(excludedSecurityIds),
    };
  }

  /** The plan that issuances of the security name: the one of today, as a direct edit of it is a correction. */
  exportedPlanOf(securityId: string): string | null {
    const planId = this.source.findSecurity(securityId)?.equityPlanId ?? null;
    return planId !== null && this.source.hasPlan(planId) ? planId : null;
  }

  /** The class that the export shows: the one of today, as a direct edit of it is a correction. */
  exportedClassOf(security: SecurityState): string | null {
    if (!this.source.corrections.isReclassified(security.id)) return security.stockClassId;
    return this.source.findSecurity(security.id)?.stockClassId ?? null;
  }

  /** Where the security stands in OCF. */
  holding(id: string): Holding {
    return this.holdings.of(id, this.source.findSecurity(id)?.grantDate ?? "");
  }

  /** What the security holds in OCF after the entry in hand: the ledger's figure, corrected by later edits. */
  heldBy({ entry, state }: Step, id: string): Decimal {
    return state.security(id).quantity + this.source.corrections.sumAfter(id, entry.sequence);
  }

  /** The day of something on a security that is to be dated `date`: with stock, not before a split of its class. */
  dayOf(security: SecurityState, date: string): string {
    if (security.type !== "STOCK") return date;
    const classId = this.exportedClassOf(security);
    const day = this.holdings.dayInClass(classId, this.holdings.dayInClass(security.stockClassId, date));
    this.holdings.noteStock(classId, day);
    return day;
  }

  /** Says that an entry's object is dated otherwise than the entry; null where it is not. */
  moved(draft: EntryDraft, date: string): string | null {
    return date === draft.effectiveDate ? null : this.movedFrom(draft.effectiveDate);
  }

  /** Says and notes that what the ledger dates so is dated otherwise. */
  movedFrom(date: string): string {
    this.notes.add(
      "OCF applies by date what the ledger applies in the order of recording; a date was moved to keep it",
    );
    return `Dated ${date} in the ledger.`;
  }
}
