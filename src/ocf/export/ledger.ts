// The ledger as OCF transactions: replays it by the ledger's own rules and has written down, entry by entry, what each
// did. Entries that an import brought are replayed and not written: their originals go out instead.
import { present } from "../../kernel/assert.ts";
import { parseDecimal, ZERO } from "../../kernel/decimal.ts";
import { toldClassTerms, toldConversion } from "../../ledger/class-terms.ts";
import { isIssuance } from "../../ledger/effects.ts";
import { membersOf } from "../../ledger/members.ts";
import { PlanUses } from "../../ledger/plan-use.ts";
import { toDraft } from "../../ledger/replay.ts";
import { readSplit } from "../../ledger/split.ts";
import type { LedgerState } from "../../ledger/state.ts";
import { type EntryDraft, type SecurityState, textOf } from "../../ledger/types.ts";
import { authorizedAdjustmentOf, poolAdjustmentOf } from "../codec/event.ts";
import type { JsonObject } from "../json.ts";
import { AdjustedFigures } from "./adjusted.ts";
import { chargeObjects } from "./charge-gaps.ts";
import { editObjects } from "./edits.ts";
import { later } from "./holdings.ts";
import { moveObjects } from "./moves.ts";
import type { Notes } from "./notes.ts";
import { figuresOf, PoolGaps } from "./pool-gaps.ts";
import { ReadCharges } from "./read-charges.ts";
import { restatePlan, settleObjects } from "./settle.ts";
import type { LedgerSource, Step } from "./source.ts";
import { splitObjects } from "./split.ts";
import type { ExportedEntry } from "./store.ts";
import { vestingObjects } from "./vesting.ts";
import { OcfWriter } from "./writer.ts";

/** Entries between two turns of the event loop. */
const TURN_EVERY = 200;

/** Walks the ledger in its order. */
export class LedgerExport {
  readonly #source: LedgerSource;
  readonly #notes: Notes;
  readonly #state: LedgerState;
  readonly #uses = new PlanUses();
  readonly #writer: OcfWriter;
  /** What a reader makes of what goes out. */
  readonly #pools = new PoolGaps();
  readonly #figures = new AdjustedFigures();
  readonly #charges: ReadCharges;
  /** Imported securities with shares that wait for a milestone, and the last imported entry on each. */
  readonly #waiting = new Map<string, Step>();
  #lastDay = "";

  constructor(source: LedgerSource, notes: Notes) {
    this.#source = source;
    this.#notes = notes;
    this.#state = source.initial;
    this.#writer = new OcfWriter(source, notes);
    this.#charges = new ReadCharges(source.onlyClassOf);
  }

  /** The objects, lazily; an empty text after many entries of which there was nothing to write. */
  *objects(): Generator<JsonObject | ""> {
    let read = 0;
    for (const entry of this.#source.entries) {
      if (++read % TURN_EVERY === 0) yield "";
      const draft = toDraft(entry);
      if (draft === null || draft.recordOnly) {
        this.#notes.add("an entry that only records something has no OCF form; left out");
        continue;
      }
      if (entry.isImported === 1) this.#applyImported(entry, draft);
      else {
        yield* this.#read(this.#restateWaiting(draft.securityId ?? "", entry.sequence - 1));
        yield* this.#mirrored(entry, draft);
      }
    }
    for (const id of [...this.#waiting.keys()]) {
      yield* this.#read(this.#restateWaiting(id, Number.MAX_SAFE_INTEGER));
    }
    yield* this.#read(settleObjects(this.#settling()));
    yield* chargeObjects(this.#settling(), this.#charges);
  }

  /** Writes an entry, and follows what a reader makes of the plans. */
  *#mirrored(entry: ExportedEntry, draft: EntryDraft): Generator<JsonObject> {
    const before = figuresOf(this.#state, this.#uses);
    yield* this.#read(this.#write(this.#step(entry, draft)));
    this.#pools.follow(before, figuresOf(this.#state, this.#uses));
    this.#lastDay = draft.effectiveDate;
    for (const planId of this.#writer.returnedShort) {
      yield* this.#read(restatePlan(this.#settling(), planId, { cause: entry.id, date: draft.effectiveDate }));
    }
    this.#writer.returnedShort.clear();
    if (draft.type !== "STOCK_SPLIT") return;
    const { stockClassId, equityPlanIds } = readSplit(draft.metadata);
    const at = { cause: entry.id, date: this.#writer.holdings.dayInClass(stockClassId, draft.effectiveDate) };
    for (const planId of equityPlanIds) yield* this.#read(restatePlan(this.#settling(), planId, at));
  }

  *#read(objects: Iterable<JsonObject>): Generator<JsonObject> {
    for (const object of objects) {
      this.#pools.read(object);
      this.#figures.read(object);
      this.#charges.read(object);
      yield object;
    }
  }

  #settling() {
    return {
      writer: this.#writer,
      state: this.#state,
      uses: this.#uses,
      pools: this.#pools,
      figures: this.#figures,
      lastDay: this.#lastDay,
    };
  }

  /** Applies an entry. */
  #apply(entry: ExportedEntry, draft: EntryDraft): void {
    this.#uses.apply(this.#state, draft);
    this.#writer.vesting.follow({ entry: draft, sequence: entry.sequence }, this.#state);
  }

  #step(entry: ExportedEntry, draft: EntryDraft): Step {
    const state = this.#state;
    const was = draft.securityId === null ? undefined : state.securities.get(draft.securityId);
    const available = () => state.plans.get(was?.equityPlanId ?? "")?.available ?? ZERO;
    const availableBefore = available();
    const isSplit = draft.type === "STOCK_SPLIT";
    const before = isSplit ? { securities: new Map(state.securities), plans: new Map(state.plans) } : null;
    this.#apply(entry, draft);
    return { entry, draft, state, was, returned: available() - availableBefore, before };
  }

  *#write(step: Step): Generator<JsonObject> {
    const { draft, was, before } = step;
    const writer = this.#writer;
    if (membersOf(draft).isDirectEdit) yield* editObjects(writer, step);
    else if (before) yield* splitObjects(writer, step, before);
    else if (draft.type.endsWith("_ADJUSTMENT")) yield* this.#adjust(step);
    else if (draft.type.endsWith("_ISSUANCE")) yield* this.#issue(step);
    else if (draft.type.startsWith("VESTING_")) yield* vestingObjects(writer, step);
    else if (was) yield* moveObjects(writer, step, was);
    yield* writer.correctReading(step);
  }

  /** What an import brought is dated as it came; later entries on the class must not slip before it. */
  #applyImported(entry: ExportedEntry, draft: EntryDraft): void {
    const { securityId, type, effectiveDate } = draft;
    const { stockClassId, equityPlanId } = membersOf(draft);
    const { holdings, vesting } = this.#writer;
    const isCounted = isIssuance(draft) || type === "STOCK_OPTION_EXERCISE";
    const before = isCounted ? figuresOf(this.#state, this.#uses) : null;
    this.#charges.pass(draft, this.#state, () => this.#apply(entry, draft));
    const security = securityId === null ? undefined : this.#state.securities.get(securityId);
    if (security) {
      vesting.pass(draft);
      if (vesting.isWaiting(security.id)) this.#waiting.set(security.id, this.#stepOfImported(entry, draft));
    }
    if (before && security) {
      this.#pools.follow(before, figuresOf(this.#state, this.#uses));
      this.#readImported(draft, security);
    }
    if (security) this.#writer.dayOf(security, effectiveDate);
    const isMove = !isIssuance(draft) && !type.startsWith("VESTING");
    if (isMove && security?.status === "ACTIVE") holdings.touch(security.id, effectiveDate);
    holdings.dayOfTerms(toldClassTerms(draft.metadata), effectiveDate);
    if (type === "STOCK_SPLIT") holdings.dayOfSplit(String(stockClassId), effectiveDate);
    const adjusted = stockClassId ?? equityPlanId;
    if (type.endsWith("_ADJUSTMENT") && adjusted !== null) holdings.dayOfAdjustment(adjusted, effectiveDate);
    this.#figures.pass(draft);
    this.#pools.passReturn(draft, (id) => this.#source.returnsByDefault(id));
  }

  #stepOfImported(entry: ExportedEntry, draft: EntryDraft): Step {
    return { entry, draft, state: this.#state, was: undefined, returned: ZERO, before: null };
  }

  /** Issues an imported security anew, before what was made here of it, where its original does not say what waits. */
  *#restateWaiting(id: string, sequence: number): Generator<JsonObject> {
    const [step, security] = [this.#waiting.get(id), this.#state.securities.get(id)];
    this.#waiting.delete(id);
    if (!step || security?.status !== "ACTIVE" || security.quantity === ZERO) return;
    if (!this.#writer.vesting.isMisread(id, sequence)) return;
    yield* this.#writer.restate({ ...step, entry: { ...step.entry, sequence } }, security, "Waits for a milestone");
  }

  /** Originals go out with the quantity and the plan that later edits gave them. */
  #readImported(draft: EntryDraft, { id, type }: SecurityState): void {
    const quantity = parseDecimal(draft.quantity ?? "0");
    if (!isIssuance(draft)) {
      this.#pools.exercise(id, quantity);
      return;
    }
    const date = this.#source.findSecurity(id)?.grantDate;
    const planId = this.#writer.exportedPlanOf(id);
    if (date === undefined || planId === null || (type !== "STOCK" && type !== "STOCK_OPTION")) return;
    const corrected = this.#source.corrections.sumAfter(id, 0);
    if (corrected !== ZERO || planId !== membersOf(draft).equityPlanId) this.#charges.forget(id);
    const issued = quantity + corrected;
    this.#pools.grant(planId, { id, date, quantity: issued }, membersOf(draft).imported.resultOf !== null);
  }

  *#adjust({ entry, draft, state }: Step): Generator<JsonObject> {
    const { stockClassId: classId, equityPlanId: planId } = membersOf(draft);
    const id = classId ?? planId;
    if (id === null) return;
    const { holdings } = this.#writer;
    const day = holdings.dayOfTerms(toldClassTerms(draft.metadata), draft.effectiveDate);
    const date = holdings.dayOfAdjustment(id, day);
    const what = this.#writer.adjusting(entry.id, draft, date);
    const conversion = classId === null ? null : toldConversion(draft.metadata, classId);
    if (classId !== null && conversion !== null) {
      const { terms, isWritten } = conversion;
      if (isWritten) yield this.#writer.adjustedRatio(what, classId, terms);
      return;
    }
    const authorized = classId === null ? null : (state.classes.get(classId)?.authorized ?? null);
    if (classId !== null && authorized !== null) yield authorizedAdjustmentOf(what, classId, authorized);
    if (planId !== null && this.#source.hasPlan(planId)) {
      yield poolAdjustmentOf(what, planId, state.plan(planId).reserved);
    }
  }

  *#issue(step: Step): Generator<JsonObject> {
    const { entry, draft, state } = step;
    const id = present(draft.securityId, "an issuance's security");
    const row = this.#source.findSecurity(id);
    if (row === null) return;
    const writer = this.#writer;
    const date = writer.dayOf(
      state.security(id),
      later(row.grantDate, writer.holdings.firstDayOf(id) ?? row.grantDate),
    );
    const start = this.#source.corrections.isRestarted(id)
      ? (textOf(draft.metadata, "vestingStartDate") ?? draft.effectiveDate)
      : row.vestingStartDate;
    const moved = date === row.grantDate ? null : writer.movedFrom(row.grantDate);
    yield* writer.issued(step, id, { objectId: entry.id, openId: id, date, start, isBalance: false, moved });
  }
}
