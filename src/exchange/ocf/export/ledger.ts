// Exports the ledger as OCF transactions: replays it by the ledger's own rules and writes the effects, entry by entry.
// Entries that an import brought are replayed and not written: their originals are exported instead.
import { present } from "../../../kernel/assert.ts";
import { parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import type { LedgerEvent } from "../../../ledger/replay/event.ts";
import type { LedgerState } from "../../../ledger/replay/state.ts";
import { toldClassTerms, toldConversion } from "../../../ledger/rules/class-terms.ts";
import { type SecurityState, textOf } from "../../../ledger/types.ts";
import { authorizedAdjustmentOf, poolAdjustmentOf } from "../codec/event-codec.ts";
import type { JsonObject } from "../json.ts";
import { AcceptanceExport, type Placed } from "./acceptances.ts";
import { AdjustedFigures } from "./adjustments/adjusted.ts";
import { chargeObjects } from "./adjustments/charge-gaps.ts";
import { editObjects } from "./adjustments/edits.ts";
import { figuresOf, PoolGaps } from "./adjustments/pool-gaps.ts";
import { ReadCharges } from "./adjustments/read-charges.ts";
import { restatePlan, settleObjects } from "./adjustments/settle.ts";
import type { DayWalk, Walked } from "./day-walk.ts";
import { later } from "./holdings.ts";
import { moveObjects } from "./moves.ts";
import type { Notes } from "./notes.ts";
import type { LedgerSource, Step } from "./source.ts";
import { splitObjects } from "./split-objects.ts";
import type { KnownAcceptance } from "./store.ts";
import { vestingObjects } from "./vesting-objects.ts";
import { OcfWriter } from "./writer.ts";

/** Entries between two turns of the event loop. */
const TURN_EVERY = 200;

/** Walks the ledger in its order. */
export class LedgerExport {
  readonly #source: LedgerSource;
  readonly #notes: Notes;
  readonly #walk: DayWalk;
  readonly #writer: OcfWriter;
  /** A reader's view of the exported objects. */
  readonly #pools = new PoolGaps();
  readonly #figures = new AdjustedFigures();
  readonly #charges: ReadCharges;
  readonly #acceptances: AcceptanceExport;
  /** Imported securities with shares that wait for a milestone, and the last imported entry on each. */
  readonly #waiting = new Map<string, Step>();
  #lastDay = "";
  /** What the ledger said of every plan before the entry in hand. */
  #planFigures: ReturnType<typeof figuresOf>;

  constructor(source: LedgerSource, notes: Notes, acceptances: readonly KnownAcceptance[] = []) {
    this.#source = source;
    this.#notes = notes;
    this.#walk = source.walk;
    this.#writer = new OcfWriter(source, notes, () => this.#walk.books.book);
    this.#charges = new ReadCharges(source.onlyClassOf);
    this.#acceptances = new AcceptanceExport(this.#writer, acceptances);
    this.#planFigures = this.#figuresNow();
  }

  get #state(): LedgerState {
    return this.#walk.books.state;
  }

  #figuresNow() {
    const { state, uses } = this.#walk.books;
    return figuresOf(state, uses);
  }

  /** The objects, lazily; an empty text after many entries without an object. */
  *objects(): Generator<JsonObject | ""> {
    let read = 0;
    for (const walked of this.#walk.steps()) {
      if (++read % TURN_EVERY === 0) yield "";
      if (walked.event === null) {
        this.#notes.add("an entry that only records something has no OCF form; left out");
        continue;
      }
      yield* this.#accepted(this.#acceptances.before(walked), walked.entry.sequence - 1);
      const step = this.#step(walked);
      if (step.entry.isImported === 1) yield* this.#read(this.#passImported(step));
      else {
        yield* this.#read(this.#restateWaiting(step.event.entry.securityId ?? "", step.entry.sequence - 1));
        yield* this.#mirrored(step);
      }
      this.#planFigures = this.#figuresNow();
    }
    for (const id of [...this.#waiting.keys()]) {
      yield* this.#read(this.#restateWaiting(id, Number.MAX_SAFE_INTEGER));
    }
    yield* this.#read(settleObjects(this.#settling()));
    yield* chargeObjects(this.#settling(), this.#charges);
    yield* this.#accepted(this.#acceptances.rest(), Number.MAX_SAFE_INTEGER);
  }

  /** What is accepted is what is issued anew where an import's original does not state it. */
  *#accepted(due: readonly Placed[], sequence: number): Generator<JsonObject> {
    for (const each of due) {
      yield* this.#read(this.#restateWaiting(each.of.securityId, sequence));
      yield* this.#acceptances.written(each);
    }
  }

  /** Writes an entry, and follows a reader's figures of the plans. */
  *#mirrored(step: Step): Generator<JsonObject> {
    const { entry, event, day } = step;
    yield* this.#read(this.#write(step));
    this.#pools.follow(this.#planFigures, this.#figuresNow());
    this.#lastDay = later(this.#lastDay, day);
    for (const planId of this.#writer.returnedShort) {
      yield* this.#read(restatePlan(this.#settling(), planId, { cause: entry.id, date: day }));
    }
    this.#writer.returnedShort.clear();
    const exercisedOf = event.entry.type === "STOCK_OPTION_EXERCISE" ? (step.was?.equityPlanId ?? null) : null;
    // A reader counts shares; the plan counts what they charge, which a split of one of its classes leaves as it is.
    if (exercisedOf !== null && this.#pools.of(exercisedOf).exercised !== ZERO) {
      yield* this.#read(restatePlan(this.#settling(), exercisedOf, { cause: entry.id, date: day }));
    }
    if (event.kind !== "split") return;
    const { stockClassId, equityPlanIds } = event.split;
    const at = { cause: entry.id, date: this.#writer.holdings.dayInClass(stockClassId, day) };
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
      ...this.#walk.books,
      pools: this.#pools,
      figures: this.#figures,
      lastDay: this.#lastDay,
    };
  }

  #step(walked: Walked): Step {
    const planId = walked.was?.equityPlanId ?? "";
    const available = walked.state.plans.get(planId)?.available ?? ZERO;
    return { ...walked, returned: available - (this.#planFigures.get(planId)?.available ?? ZERO) };
  }

  *#write(step: Step): Generator<JsonObject> {
    const { event, was, before } = step;
    const writer = this.#writer;
    if (event.kind === "edited") yield* editObjects(writer, step);
    else if (event.kind === "split" && before) yield* splitObjects(writer, { ...step, event }, before);
    else if (event.kind === "adjusted") yield* this.#adjust(step);
    else if (event.kind === "issued") yield* this.#issue(step);
    else if (event.kind === "fact") yield* vestingObjects(writer, step);
    else if (was) yield* moveObjects(writer, step, was);
    yield* writer.correctReading(step);
  }

  /** What an import brought is dated as it came; later entries on the class must not slip before it. */
  *#passImported(step: Step): Generator<JsonObject> {
    const { event } = step;
    const { kind, said, entry: draft } = event;
    const { securityId, type, effectiveDate } = draft;
    const { stockClassId, equityPlanId } = said;
    const { holdings, vesting } = this.#writer;
    const isCounted = kind === "issued" || type === "STOCK_OPTION_EXERCISE";
    this.#charges.pass(event, { before: step, state: this.#state });
    const security = securityId === null ? undefined : this.#state.securities.get(securityId);
    if (security) {
      vesting.pass(event);
      if (vesting.isWaiting(security.id) || vesting.isToldLate(security.id)) {
        this.#waiting.set(security.id, { ...step, was: undefined, returned: ZERO, before: null });
      }
    }
    if (isCounted && security) {
      this.#pools.follow(this.#planFigures, this.#figuresNow());
      this.#readImported(event, security);
    }
    if (security) this.#writer.dayOf(security, effectiveDate);
    const isMove = kind !== "issued" && kind !== "fact";
    if (isMove && security?.status === "ACTIVE") holdings.touch(security.id, effectiveDate);
    holdings.dayOfTerms(toldClassTerms(draft.metadata), effectiveDate);
    if (event.kind === "split")
      holdings.dayOfSplit(event.split.stockClassId, effectiveDate, said.imported.objectId ?? step.entry.id);
    const adjusted = stockClassId ?? equityPlanId;
    if (kind === "adjusted" && adjusted !== null) holdings.dayOfAdjustment(adjusted, effectiveDate);
    this.#figures.pass(event);
    this.#pools.passReturn(draft, (id) => this.#source.returnsByDefault(id));
    if (security && kind === "issued") yield* this.#renumber(step, security);
    const { sequence } = step.entry;
    const isLast = security && vesting.isToldLate(security.id) && this.#source.lastImported(security.id) === sequence;
    if (isLast) yield* this.#restateWaiting(security.id, sequence);
  }

  /** Issues imported stock or options anew if a split multiplied them that was recorded later and is dated earlier. */
  *#renumber(step: Step, security: SecurityState): Generator<JsonObject> {
    const said = parseDecimal(step.event.entry.quantity ?? "0");
    if (said === security.quantity || security.status !== "ACTIVE") return;
    const read = { ...security, quantity: said + this.#source.corrections.sumAfter(security.id, step.entry.sequence) };
    yield* this.#writer.renumber(step, read);
  }

  /**
   * Issues an imported security anew, before entries that were made here about it, if its original does not state the
   * waiting shares.
   */
  *#restateWaiting(id: string, sequence: number): Generator<JsonObject> {
    const [step, security] = [this.#waiting.get(id), this.#state.securities.get(id)];
    this.#waiting.delete(id);
    if (!step || security?.status !== "ACTIVE" || security.quantity === ZERO) return;
    if (!this.#writer.vesting.isMisread(id, sequence)) return;
    const reason = this.#writer.vesting.isWaiting(id) ? "Waits for a milestone" : "Vests by these days now";
    yield* this.#writer.restate({ ...step, entry: { ...step.entry, sequence } }, security, reason);
  }

  /** Originals go out with the quantity and the plan that later edits gave them. */
  #readImported({ kind, entry, said }: LedgerEvent, { id, type }: SecurityState): void {
    const quantity = parseDecimal(entry.quantity ?? "0");
    if (kind !== "issued") {
      this.#pools.exercise(id, quantity);
      return;
    }
    const date = this.#source.findSecurity(id)?.grantDate;
    const planId = this.#writer.exportedPlanOf(id);
    if (date === undefined || planId === null || (type !== "STOCK" && type !== "STOCK_OPTION")) return;
    const corrected = this.#source.corrections.sumAfter(id, 0);
    if (corrected !== ZERO || planId !== said.equityPlanId) this.#charges.forget(id);
    const issued = quantity + corrected;
    this.#pools.grant(planId, { id, date, quantity: issued }, said.imported.resultOf !== null);
  }

  *#adjust({ entry, event, state, day: on }: Step): Generator<JsonObject> {
    const { entry: draft, said } = event;
    const { stockClassId: classId, equityPlanId: planId } = said;
    const id = classId ?? planId;
    if (id === null) return;
    const { holdings } = this.#writer;
    const day = holdings.dayOfTerms(toldClassTerms(draft.metadata), on);
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
    const { entry, event, state } = step;
    const { entry: draft } = event;
    const id = present(draft.securityId, "an issuance's security");
    const row = this.#source.findSecurity(id);
    if (row === null) return;
    const writer = this.#writer;
    const { effectiveDate } = draft;
    const date = writer.dayOf(state.security(id), later(step.day, writer.holdings.firstDayOf(id) ?? step.day));
    // A start that is recorded after a split goes out with what is issued anew by then: what is issued first says it,
    // too.
    const isToldLater = this.#source.corrections.isRestarted(id) && this.#source.nextSplit(id, entry.sequence) === null;
    const start = isToldLater ? (textOf(draft.metadata, "vestingStartDate") ?? effectiveDate) : row.vestingStartDate;
    const moved = writer.moved(draft, date);
    yield* writer.issued(step, id, { objectId: entry.id, openId: id, date, start, isBalance: false, moved });
  }
}
