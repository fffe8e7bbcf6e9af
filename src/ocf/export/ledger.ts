// The ledger as OCF transactions: replays it by the ledger's own rules and writes down, entry by entry, what each did.
// Entries that an import brought are replayed and not written: their originals go out instead.
import type { Row } from "../../database/sql.ts";
import { present } from "../../kernel/assert.ts";
import { type Decimal, parseDecimal, ZERO } from "../../kernel/decimal.ts";
import { isIssuance, textOf } from "../../ledger/effects.ts";
import { PlanUses } from "../../ledger/plan-use.ts";
import { toDraft } from "../../ledger/replay.ts";
import { readSplit } from "../../ledger/split.ts";
import type { LedgerState } from "../../ledger/state.ts";
import type { EntryDraft, SecurityState } from "../../ledger/types.ts";
import { type JsonObject, textOf as memberOf, objectsOf } from "../json.ts";
import { type Adjusting, authorizedAdjustmentOf, poolAdjustmentOf } from "../mapping/adjustment-to-ocf.ts";
import { conversionTriggerId, exerciseTriggerId, issuanceToOcf } from "../mapping/issuance-to-ocf.ts";
import * as tx from "../mapping/transaction-to-ocf.ts";
import { derivedId, type Note } from "../mapping/values-to-ocf.ts";
import type { NamedConditions } from "../mapping/vesting-terms-to-ocf.ts";
import { AdjustedFigures } from "./adjusted.ts";
import { editObjects } from "./edits.ts";
import type { Foreknown } from "./foreknown.ts";
import { Holdings, later } from "./holdings.ts";
import { moveObjects } from "./moves.ts";
import { type Notes, silent } from "./notes.ts";
import { atPrices, balanceOf } from "./originals.ts";
import { VestingExport, type VestingSource } from "./parcels.ts";
import { figuresOf, PoolMirror } from "./pools.ts";
import { restatePlan, settleObjects } from "./settle.ts";
import { splitObjects } from "./split.ts";
import type { ExportedEntry } from "./store.ts";
import { startVesting, vestingObjects } from "./vesting.ts";

/** What the ledger's export asks of the rest. */
export interface LedgerSource extends VestingSource {
  readonly orgId: string;
  readonly entries: Iterable<ExportedEntry>;
  /** The cap table before the first entry. */
  readonly initial: LedgerState;
  readonly foreknown: Foreknown;
  findSecurity(id: string): Row<"securities"> | null;
  /** The imported issuance of a security as it goes out, or null for one that was made here. */
  findOriginalIssuance(id: string): JsonObject | null;
  /** Classes and plans that the export holds although they were deleted, and the days on which they were. */
  readonly deletedClasses: ReadonlyMap<string, string>;
  readonly deletedPlans: ReadonlyMap<string, string>;
  /** Whether the export holds the plan. */
  hasPlan(id: string): boolean;
  returnsByDefault(planId: string): boolean;
  classPrice(stockClassId: string | null): string | null;
  /** Of a security's amounts. */
  currencyOf(security: Row<"securities"> | null, note: Note): string;
  /** The conditions of exported vesting terms; null where there are none. */
  conditionsOf(vestingTermsId: string | null): NamedConditions | null;
}

/** One entry, with the cap table around it. */
export interface Step {
  readonly entry: ExportedEntry;
  readonly draft: EntryDraft;
  readonly before: ReadonlyMap<string, SecurityState>;
}

/** Entries between two turns of the event loop. */
const TURN_EVERY = 200;

/** Writes the ledger as OCF transactions, in the order of the ledger. */
export class LedgerExport {
  readonly source: LedgerSource;
  readonly notes: Notes;
  readonly state: LedgerState;
  readonly holdings = new Holdings();
  readonly uses = new PlanUses();
  readonly figures = new AdjustedFigures();
  /** The first possible day of securities that a conversion of stock made. */
  readonly notBefore = new Map<string, string>();
  readonly vesting: VestingExport;
  readonly #pools = new PoolMirror();
  /** Imported securities with shares that wait for a milestone, and the last imported entry on each. */
  readonly #waiting = new Map<string, Step>();
  #lastDay = "";

  constructor(source: LedgerSource, notes: Notes) {
    this.source = source;
    this.notes = notes;
    this.state = source.initial;
    this.vesting = new VestingExport(source);
  }

  /** The objects, lazily; an empty text after many entries of which there was nothing to write. */
  *objects(): Generator<JsonObject | ""> {
    let read = 0;
    for (const entry of this.source.entries) {
      if (++read % TURN_EVERY === 0) yield "";
      const draft = toDraft(entry);
      if (draft === null || draft.recordOnly) {
        this.notes.add("an entry that only records something has no OCF form; left out");
        continue;
      }
      if (entry.isImported === 1) this.#pass(entry, draft);
      else {
        yield* this.#read(this.#restateWaiting(draft.securityId ?? "", entry.sequence - 1));
        yield* this.#mirrored(entry, draft);
      }
    }
    for (const id of [...this.#waiting.keys()]) {
      yield* this.#read(this.#restateWaiting(id, Number.MAX_SAFE_INTEGER));
    }
    yield* settleObjects(this, this.#pools, this.#lastDay);
  }

  /** Writes an entry, and follows what a reader makes of the plans. */
  *#mirrored(entry: ExportedEntry, draft: EntryDraft): Generator<JsonObject> {
    const before = figuresOf(this);
    yield* this.#read(this.#write(entry, draft));
    this.#pools.follow(before, figuresOf(this));
    this.#lastDay = draft.effectiveDate;
    if (draft.type !== "STOCK_SPLIT") return;
    const { stockClassId, equityPlanIds } = readSplit(draft.metadata);
    const at = { cause: entry.id, date: this.holdings.dayInClass(stockClassId, draft.effectiveDate) };
    for (const planId of equityPlanIds) yield* this.#read(restatePlan(this, this.#pools, planId, at));
  }

  *#read(objects: Iterable<JsonObject>): Generator<JsonObject> {
    for (const object of objects) {
      this.#pools.read(object);
      this.figures.read(object);
      yield object;
    }
  }

  *#write(entry: ExportedEntry, draft: EntryDraft): Generator<JsonObject> {
    const id = draft.securityId;
    const isSplit = draft.type === "STOCK_SPLIT";
    const was = id === null ? undefined : this.state.securities.get(id);
    const plan = was?.equityPlanId ?? null;
    const availableBefore = plan === null ? ZERO : (this.state.plans.get(plan)?.available ?? ZERO);
    const before = isSplit ? new Map(this.state.securities) : new Map(was ? [[was.id, was]] : []);
    const plansBefore = isSplit ? new Map(this.state.plans) : null;
    this.uses.apply(this.state, draft);
    this.vesting.follow({ entry: draft, sequence: entry.sequence }, this.state);
    const step = { entry, draft, before };
    const returned = plan === null ? ZERO : (this.state.plans.get(plan)?.available ?? ZERO) - availableBefore;
    if (draft.metadata.directEdit === true) yield* editObjects(this, step, returned);
    else if (plansBefore) yield* splitObjects(this, step, plansBefore);
    else if (draft.type.endsWith("_ADJUSTMENT")) yield* this.#adjust(step);
    else if (draft.type.endsWith("_ISSUANCE")) yield* this.#issue(step);
    else if (draft.type.startsWith("VESTING_")) yield* vestingObjects(this, step);
    else if (was) yield* moveObjects(this, step, was, returned);
    yield* this.#correctReading(step);
  }

  /** What an import brought is dated as it came; later entries on the class must not slip before it. */
  #pass(entry: ExportedEntry, draft: EntryDraft): void {
    const { sequence } = entry;
    const { securityId, type, effectiveDate, metadata } = draft;
    const before = isIssuance(draft) || type === "STOCK_OPTION_EXERCISE" ? figuresOf(this) : null;
    this.uses.apply(this.state, draft);
    this.vesting.follow({ entry: draft, sequence }, this.state);
    const security = securityId === null ? undefined : this.state.securities.get(securityId);
    if (security) this.vesting.pass(draft);
    if (security && this.vesting.isWaiting(security.id)) {
      this.#waiting.set(security.id, { entry, draft, before: new Map() });
    }
    if (before && security) {
      this.#pools.follow(before, figuresOf(this));
      this.#readImported(draft, security);
    }
    if (security) this.dayOf(security, effectiveDate);
    const isMove = !isIssuance(draft) && !type.startsWith("VESTING");
    if (isMove && security?.status === "ACTIVE") this.holdings.touch(security.id, effectiveDate);
    if (type === "STOCK_SPLIT") this.holdings.dayOfSplit(String(metadata.stockClassId), effectiveDate);
    const adjusted = textOf(metadata, "stockClassId") ?? textOf(metadata, "equityPlanId");
    if (type.endsWith("_ADJUSTMENT") && adjusted !== null) this.holdings.dayOfAdjustment(adjusted, effectiveDate);
    this.figures.pass(draft);
    this.#pools.passReturn(draft, (id) => this.source.returnsByDefault(id));
  }

  /** Originals go out with the quantity and the plan that later edits gave them. */
  #readImported(draft: EntryDraft, { id, type }: SecurityState): void {
    const quantity = parseDecimal(draft.quantity ?? "0");
    if (!isIssuance(draft)) {
      this.#pools.exercise(id, quantity);
      return;
    }
    const row = this.source.findSecurity(id);
    const planId = row === null ? null : this.#exportedPlanOf(row);
    if (row === null || planId === null || (type !== "STOCK" && type !== "STOCK_OPTION")) return;
    const issued = quantity + this.source.foreknown.correction(id, 0);
    const grant = { id, date: row.grantDate, quantity: issued, isImported: true };
    this.#pools.issue(planId, grant, draft.metadata.ocfResultOf !== undefined);
  }

  /** The plan that issuances name: the one of today, as a direct edit of it is a correction. */
  #exportedPlanOf({ equityPlanId }: Row<"securities">): string | null {
    return equityPlanId !== null && this.source.hasPlan(equityPlanId) ? equityPlanId : null;
  }

  *#adjust({ entry, draft }: Step): Generator<JsonObject> {
    const classId = textOf(draft.metadata, "stockClassId");
    const planId = textOf(draft.metadata, "equityPlanId");
    const id = classId ?? planId;
    if (id === null) return;
    const what = this.adjusting(entry.id, draft, this.holdings.dayOfAdjustment(id, draft.effectiveDate));
    const authorized = classId === null ? null : (this.state.classes.get(classId)?.authorized ?? null);
    if (classId !== null && authorized !== null) yield authorizedAdjustmentOf(what, classId, authorized);
    if (planId !== null && this.source.hasPlan(planId)) {
      yield poolAdjustmentOf(what, planId, this.state.plan(planId).reserved);
    }
  }

  /** The common members of a transaction on a class or plan. */
  adjusting(id: string, draft: EntryDraft, date: string, ...comments: readonly (string | null)[]): Adjusting {
    const { metadata } = draft;
    return {
      id,
      date,
      boardApprovalDate: textOf(metadata, "boardApprovalDate"),
      stockholderApprovalDate: textOf(metadata, "stockholderApprovalDate"),
      comments: [...comments, textOf(metadata, "description"), this.moved(draft, date)],
    };
  }

  *#issue(step: Step): Generator<JsonObject> {
    const { entry, draft } = step;
    const id = present(draft.securityId, "an issuance's security");
    const row = this.source.findSecurity(id);
    if (row === null) return;
    const state = this.state.security(id);
    const floor = later(row.grantDate, this.notBefore.get(id) ?? row.grantDate);
    const date = this.dayOf(state, floor);
    const start = this.source.foreknown.isRestarted(id)
      ? (textOf(draft.metadata, "vestingStartDate") ?? draft.effectiveDate)
      : row.vestingStartDate;
    const moved = date === row.grantDate ? null : this.#movedFrom(row.grantDate);
    yield* this.issued(step, id, { objectId: entry.id, openId: id, date, start, isBalance: false, moved });
  }

  /** Issues a security in OCF: under its own id, or as a balance of itself. */
  *issued(
    { entry, draft }: Step,
    id: string,
    as: {
      readonly objectId: string;
      readonly openId: string;
      readonly date: string;
      readonly start: string | null;
      readonly isBalance: boolean;
      readonly moved?: string | null;
    },
  ): Generator<JsonObject> {
    const row = this.source.findSecurity(id);
    if (row === null) return;
    const state = this.state.security(id);
    const quantity = this.heldBy(id, entry.sequence);
    const original = as.isBalance ? this.source.findOriginalIssuance(id) : null;
    const prices = this.source.foreknown.hasSplits ? state : row;
    const parcels =
      row.type === "CONVERTIBLE"
        ? null
        : this.vesting.parcelsOf({ id, sequence: entry.sequence, date: as.date, start: as.start, quantity });
    const description = as.isBalance
      ? "What is left after a partial operation."
      : textOf(draft.metadata, "description");
    yield original
      ? balanceOf(atPrices(original, prices), as, quantity, parcels)
      : issuanceToOcf(
          {
            row,
            objectId: as.objectId,
            securityId: as.openId,
            date: as.date,
            quantity,
            pricePerShare: prices.pricePerShare,
            exercisePrice: prices.exercisePrice,
            currency: this.source.currencyOf(row, this.notes.add),
            equityPlanId: this.#exportedPlanOf(row),
            classPrice: this.source.classPrice(row.stockClassId),
            isBalance: as.isBalance,
            parcels,
            comments: [description, as.moved ?? null],
          },
          this.notes.add,
        );
    const hasTerms = parcels === null || parcels.some(({ date }) => date === null);
    this.holdings.put(id, { openId: as.openId, since: as.date, vestingStart: as.start, hasTerms });
    if (hasTerms) yield* startVesting(this, row, as);
  }

  /** The class that the export shows: the one of today, as a direct edit of it is a correction. */
  exportedClassOf(security: SecurityState): string | null {
    if (!this.source.foreknown.isReclassified(security.id)) return security.stockClassId;
    return this.source.findSecurity(security.id)?.stockClassId ?? null;
  }

  /** The day of something on a security that is to be dated `date`: with stock, not before a split of its class. */
  dayOf(security: SecurityState, date: string): string {
    if (security.type !== "STOCK") return date;
    const day = this.holdings.dayInClass(security.stockClassId, date);
    return this.holdings.dayInClass(this.exportedClassOf(security), day);
  }

  /** What the security holds in OCF after the entry in hand: the ledger's figure, corrected by later edits. */
  heldBy(id: string, sequence: number): Decimal {
    return this.state.security(id).quantity + this.source.foreknown.correction(id, sequence);
  }

  /** The members of a transaction that takes `quantity` of a security, and perhaps makes another one of it. */
  reducing({ entry, draft }: Step, was: SecurityState, quantity: Decimal): tx.Reducing {
    const holding = this.holding(was);
    const made = this.state.securities.get(textOf(draft.metadata, "newSecurityId") ?? "");
    let date = later(draft.effectiveDate, holding.since);
    for (const security of [was, made]) if (security) date = this.dayOf(security, date);
    const left = this.heldBy(was.id, entry.sequence);
    const isAmount = was.type === "CONVERTIBLE" || draft.type === "STOCK_REPURCHASE";
    const note = isAmount ? this.notes.add : silent;
    return {
      id: entry.id,
      date,
      securityId: holding.openId,
      type: was.type,
      quantity,
      balanceId: left > ZERO ? derivedId(entry.id, "balance") : null,
      currency: this.source.currencyOf(this.source.findSecurity(was.id), note),
      comments: [this.moved(draft, date)],
    };
  }

  holding(was: Pick<SecurityState, "id">) {
    return this.holdings.of(was.id, this.source.findSecurity(was.id)?.grantDate ?? "");
  }

  /** Issues what an operation left, under the balance's id. */
  *balance(step: Step, was: SecurityState, on: tx.Reducing): Generator<JsonObject> {
    const { balanceId: openId, date } = on;
    if (openId === null) this.holdings.close(was.id);
    else yield* this.reissued(step, was, { objectId: derivedId(step.entry.id, "balance issuance"), openId, date });
  }

  /** Issues a security once more under another id, with the figures and the start of vesting that it has now. */
  *reissued(
    step: Step,
    was: SecurityState,
    as: { readonly objectId: string; readonly openId: string; readonly date: string },
  ): Generator<JsonObject> {
    const start = this.holding(was).vestingStart ?? this.source.findSecurity(was.id)?.vestingStartDate ?? null;
    yield* this.issued(step, was.id, { ...as, start, isBalance: true });
  }

  /** Issues a security anew whose vesting nobody could tell from what went out: OCF has no word for all that vests. */
  *#correctReading(step: Step): Generator<JsonObject> {
    const security = this.state.securities.get(step.draft.securityId ?? "");
    const isOpen = security?.status === "ACTIVE" && security.quantity > ZERO && !this.holdings.isClosed(security.id);
    if (!isOpen || !this.vesting.isMisread(security.id, step.entry.sequence)) return;
    yield* this.restate(step, security, "Vests by these days now");
  }

  /** Issues an imported security anew, before what was made here of it, where its original does not say what waits. */
  *#restateWaiting(id: string, sequence: number): Generator<JsonObject> {
    const [step, security] = [this.#waiting.get(id), this.state.securities.get(id)];
    this.#waiting.delete(id);
    if (!step || security?.status !== "ACTIVE" || security.quantity === ZERO) return;
    if (!this.vesting.isMisread(id, sequence)) return;
    yield* this.restate({ ...step, entry: { ...step.entry, sequence } }, security, "Waits for a milestone");
  }

  /** Ends a security and opens it anew: under a split with the figures that it gave, else as it is. */
  *restate(step: Step, was: SecurityState, reason: string): Generator<JsonObject> {
    const { id: causeId, sequence } = step.entry;
    const isSplit = step.draft.type === "STOCK_SPLIT";
    const openId = derivedId(causeId, `balance ${was.id}`);
    const isLeft = this.heldBy(was.id, sequence) > ZERO;
    const id = derivedId(causeId, `restatement ${was.id}`);
    const quantity = isSplit ? was.quantity : this.heldBy(was.id, sequence);
    const on = { ...this.reducing(step, was, quantity), id, balanceId: isLeft && isSplit ? openId : null };
    if (was.type === "STOCK") yield tx.reissuanceOf(on, isLeft ? [openId] : [], isSplit ? causeId : null, reason);
    else if (!isSplit) yield tx.transferOf(on, openId, reason);
    else {
      yield tx.cancellationOf(on, reason);
      yield* this.returnToPool(step, on, was, ZERO, false);
    }
    if (!isLeft) return this.holdings.close(was.id);
    const objectId = derivedId(causeId, `balance issuance ${was.id}`);
    yield* this.reissued(step, was, { objectId, openId, date: on.date });
  }

  /** Says what went back to the plan, and that nothing did where OCF's readers would suppose it by default. */
  *returnToPool(
    { entry }: Pick<Step, "entry">,
    on: tx.Reducing,
    was: SecurityState,
    returned: Decimal,
    isRetraction: boolean,
  ): Generator<JsonObject> {
    const row = this.source.findSecurity(was.id);
    const planId = row === null ? null : this.#exportedPlanOf(row);
    if (planId === null) return;
    const isDefault = was.type === "STOCK_OPTION" && (isRetraction || this.source.returnsByDefault(planId));
    if (returned === ZERO && !isDefault) return;
    const reason = returned === ZERO ? "Not returned to the pool" : "Returned to the pool";
    const event = { ...on, id: derivedId(entry.id, `return ${on.securityId}`) };
    yield tx.returnToPoolOf(event, planId, returned, reason);
  }

  /** The trigger of a warrant or convertible: the first of an imported one, else the one that its issuance was given. */
  triggerOf({ id, type }: SecurityState, openId: string): string | null {
    const original = this.source.findOriginalIssuance(id);
    if (original === null) return type === "WARRANT" ? exerciseTriggerId(openId) : conversionTriggerId(openId);
    const [first] = objectsOf(original, type === "WARRANT" ? "exercise_triggers" : "conversion_triggers");
    return first ? memberOf(first, "trigger_id") : null;
  }

  moved(draft: EntryDraft, date: string): string | null {
    return date === draft.effectiveDate ? null : this.#movedFrom(draft.effectiveDate);
  }

  #movedFrom(date: string): string {
    this.notes.add(
      "OCF applies by date what the ledger applies in the order of recording; a date was moved to keep it",
    );
    return `Dated ${date} in the ledger.`;
  }
}
