// A reader's figure of each security's charge on its plan, by the rules of our own import (ledger/rules/charges.ts,
// pools.ts). If the ledger's differs, after edits or when a plan was for other classes when one of them was split,
// charge-gaps.ts states it. Pure bookkeeping.
import { type Decimal, floorDivide, formatDecimal, min, scale, ZERO } from "../../../../kernel/numbers/decimal.ts";
import { toStored } from "../../../../ledger/imported-members.ts";
import { type LedgerEvent, readEntry } from "../../../../ledger/replay/event.ts";
import type { LedgerState, MovingCharge } from "../../../../ledger/replay/state.ts";
import {
  isHeldAgainstPlan,
  madeBy as madeByEntry,
  movingCharge,
  partOf,
  shareOfCharge,
  writeCharges,
} from "../../../../ledger/rules/charges.ts";
import type { Split } from "../../../../ledger/splits/stock-split.ts";
import type { EntryDraft, SecurityState } from "../../../../ledger/types.ts";
import { amountMoved, amountTaken, balanceId, ENDINGS, madeBy } from "../../codec/ending.ts";
import { EVENT_MEMBERS } from "../../codec/event-codec.ts";
import { SECURITY_TYPES } from "../../codec/issuance.ts";
import { decimalOf, type JsonObject, textOf } from "../../json.ts";
import { objectType } from "../../schemas/schema-registry.ts";
import { later } from "../holdings.ts";
import type { Step } from "../source.ts";

/** A security in a reader's view. */
interface Read {
  readonly type: SecurityState["type"];
  readonly stockClassId: string | null;
  readonly equityPlanId: string | null;
  quantity: Decimal;
  /** Null if it cannot be known. */
  charge: Decimal | null;
  readonly issuedOn: string;
  /** The last day of anything on it. */
  lastDay: string;
}

/** Charges on their way to securities that are not issued yet; null from a source whose charge cannot be known. */
interface Moving {
  readonly moving: MovingCharge | null;
  readonly isKnown: boolean;
  left: Decimal;
}

/** What an entry found, and what it made. */
interface Passed {
  readonly before: Pick<Step, "was" | "before">;
  readonly state: LedgerState;
}

/** A security's charge for a reader, by its id in OCF. */
export class ReadCharges {
  readonly #securities = new Map<string, Read>();
  readonly #moving = new Map<string, Moving>();
  readonly #onlyClassOf: (planId: string) => string | null;
  /** By class: the day of its last split. */
  readonly #splitDays = new Map<string, string>();

  /** `onlyClassOf` says the class of a plan that the package has for one alone. */
  constructor(onlyClassOf: (planId: string) => string | null) {
    this.#onlyClassOf = onlyClassOf;
  }

  /** The charge; null if it cannot be known. */
  of(id: string): Decimal | null {
    return this.#securities.get(id)?.charge ?? null;
  }

  /** The earliest day that a statement about the security may have, so that it does not change earlier entries. */
  lastDayOf(id: string): string {
    const last = this.#securities.get(id)?.lastDay ?? "";
    return [...this.#splitDays.values()].reduce(later, last);
  }

  /** Records an exported object. */
  read(object: JsonObject): void {
    const type = objectType(String(object.object_type));
    const date = textOf(object, "date") ?? "";
    if (!type) return;
    if (type.canonicalType === "TX_STOCK_CLASS_SPLIT") {
      const { numerator, denominator } = EVENT_MEMBERS.TX_STOCK_CLASS_SPLIT(object);
      this.#split(String(object.stock_class_id), [BigInt(numerator), BigInt(denominator)], date);
    } else if (type.action === "ISSUANCE" && type.family !== null) {
      this.#issue(object, SECURITY_TYPES[type.family], date);
    } else this.#end(object, date);
  }

  /** Records an imported entry, which was just applied to the ledger: a reader of its original does the same. */
  pass(event: LedgerEvent, { before: step, state }: Passed): void {
    const { entry: draft } = event;
    if (event.kind === "split") this.#noteSplit(event.split.stockClassId, draft.effectiveDate);
    const named = event.kind === "split" ? concernedBy(event.split) : [draft.securityId ?? "", ...madeOf(event)];
    const had = (id: string) => (id === draft.securityId ? step.was : step.before?.securities.get(id));
    const before = new Map(named.map((id) => [id, had(id)]));
    for (const [id, was] of before) {
      const [now, read] = [state.securities.get(id), this.#securities.get(id)];
      if (!now) continue;
      const isSame = was === undefined || (read !== undefined && read.charge === (was.charge ?? ZERO));
      const { type, stockClassId, equityPlanId, quantity } = now;
      const charge = isSame ? (now.charge ?? ZERO) : null;
      const issuedOn = read?.issuedOn ?? draft.effectiveDate;
      const lastDay = later(read?.lastDay ?? "", draft.effectiveDate);
      this.#securities.set(id, { type, stockClassId, equityPlanId, quantity, charge, issuedOn, lastDay });
    }
  }

  /** Records that a security's charge cannot be known, because edits changed what its original says. */
  forget(id: string): void {
    const read = this.#securities.get(id);
    if (read) read.charge = null;
  }

  #issue(object: JsonObject, type: SecurityState["type"], date: string): void {
    const id = textOf(object, "security_id") ?? "";
    const equityPlanId = textOf(object, "stock_plan_id");
    const quantity = decimalOf(object, "quantity") ?? ZERO;
    const under = this.#moving.get(id);
    this.#moving.delete(id);
    let charge: Decimal | null = ZERO;
    if (under && !under.isKnown) charge = null;
    else if (isHeldAgainstPlan(type, equityPlanId)) charge = under ? taken(under, equityPlanId, quantity) : quantity;
    if (this.#isBehindSplit(equityPlanId, date)) charge = null;
    const stockClassId = textOf(object, "stock_class_id");
    this.#securities.set(id, { type, stockClassId, equityPlanId, quantity, charge, issuedOn: date, lastDay: date });
  }

  /** Whether a reader, who goes by date, has the plan's class split after what is recorded after the split. */
  #isBehindSplit(equityPlanId: string | null, date: string): boolean {
    const stockClassId = equityPlanId === null ? null : this.#onlyClassOf(equityPlanId);
    return date < (this.#splitDays.get(stockClassId ?? "") ?? "");
  }

  #noteSplit(stockClassId: string, date: string): void {
    this.#splitDays.set(stockClassId, later(this.#splitDays.get(stockClassId) ?? "", date));
  }

  #end(object: JsonObject, date: string): void {
    const id = textOf(object, "security_id") ?? "";
    const source = this.#securities.get(id);
    const type = objectType(String(object.object_type));
    if (!source) return;
    source.lastDay = later(source.lastDay, date);
    if (!type || type.action === null || ENDINGS[type.action] === undefined) return;
    if (this.#isBehindSplit(source.equityPlanId, date)) source.charge = null;
    const amount = amountMoved(source.type, object);
    const shares = amountTaken(type, object, amount, source.quantity);
    const before = source.charge ?? ZERO;
    const off = source.quantity === ZERO ? ZERO : shareOfCharge(before, shares, source.quantity);
    const entry = drafted(object, { id, source, amount, shares, before, after: before - off });
    this.#move(object, readEntry(entry), source);
    source.quantity -= shares;
    if (source.charge !== null) source.charge -= off;
  }

  #move(object: JsonObject, event: LedgerEvent, { charge }: Read): void {
    const balance = balanceId(object);
    const results = madeBy(object).filter((id) => id !== balance);
    const isKnown = charge !== null;
    const to = (id: string): Moving => {
      const moving = movingCharge(event, id, ZERO);
      return { moving, isKnown, left: moving?.left ?? ZERO };
    };
    const [first] = results;
    const shared = first === undefined ? null : to(first);
    for (const id of results) if (shared) this.#moving.set(id, shared);
    if (balance !== null) this.#moving.set(balance, to(balance));
  }

  #split(stockClassId: string, [numerator, denominator]: readonly [bigint, bigint], date: string): void {
    this.#noteSplit(stockClassId, date);
    for (const read of this.#securities.values()) {
      if (read.issuedOn > date) continue;
      const isCharged = read.equityPlanId !== null && this.#onlyClassOf(read.equityPlanId) === stockClassId;
      if (isCharged && read.charge !== null) read.charge = floorDivide(read.charge * numerator, denominator);
      if (read.type !== "STOCK" || read.stockClassId !== stockClassId) continue;
      read.quantity = scale(read.quantity, numerator, denominator);
    }
  }
}

function taken(under: Moving, equityPlanId: string, quantity: Decimal): Decimal {
  const { moving } = under;
  if (moving === null || moving.equityPlanId !== equityPlanId) return ZERO;
  const part = partOf({ ...moving, left: under.left }, quantity);
  under.left -= part;
  return part;
}

function madeOf({ kind, entry, said }: LedgerEvent): readonly string[] {
  return entry.securityId === null || kind === "issued" ? [] : madeByEntry(said);
}

function concernedBy({ securityIds, chargedSecurityIds }: Split): readonly string[] {
  return [...new Set([...(securityIds ?? []), ...chargedSecurityIds])];
}

/** What a transaction takes, as our import would record it: as much of it as charges are moved by. */
function drafted(
  object: JsonObject,
  taking: {
    readonly id: string;
    readonly source: Read;
    readonly amount: Decimal | null;
    readonly shares: Decimal;
    readonly before: Decimal;
    readonly after: Decimal;
  },
): EntryDraft {
  const { id, source, amount, shares, before, after } = taking;
  const balance = balanceId(object);
  const { equityPlanId } = source;
  const moved = amount !== null && amount > ZERO ? min(amount, source.quantity) : shares;
  return {
    type: `${source.type}_CANCELLATION`,
    securityId: id,
    stakeholderId: null,
    quantity: formatDecimal(moved),
    effectiveDate: "",
    metadata: {
      resultingSecurityIds: madeBy(object).filter((each) => each !== balance),
      ...(balance === null ? {} : { balanceSecurityId: balance }),
      ...toStored({ taken: formatDecimal(shares) }),
      charges: equityPlanId === null ? [] : writeCharges([{ securityId: id, equityPlanId, before, after }]),
    },
  };
}
