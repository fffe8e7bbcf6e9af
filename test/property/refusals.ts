// What an import must refuse because something was changed here: written from the rules alone, on the package's objects
// and what is known to have been changed.
import type { Fields } from "../exchange/ocf/objects.ts";
import { isSplit, issuedIn, madeIn } from "./cut.ts";
import type { Changed } from "./newcomer.ts";

/** What is in a package and has not come in yet, and what the organization has. */
export interface Coming {
  /** The transactions of the whole package. */
  readonly transactions: readonly Fields[];
  /** Those of them that are in already. */
  readonly isIn: (object: Fields) => boolean;
  readonly plans: readonly Fields[];
  readonly changed: Changed;
}

const ENDING = /_(CANCELLATION|TRANSFER|REPURCHASE|CONVERSION|REISSUANCE|RETRACTION|EXERCISE|RELEASE)$/;

/** The keys of the transactions that must be refused, as `TX_STOCK_TRANSFER id`. */
export function mustBeRefused(coming: Coming): Set<string> {
  const refusing = new Refusing(coming);
  return refusing.refused;
}

export const keyOf = ({ object_type: type, id }: Fields): string => `${type} ${id}`;

class Refusing {
  readonly refused = new Set<string>();
  readonly #coming: Coming;
  readonly #issuances: ReadonlyMap<string, Fields>;
  readonly #makers: ReadonlyMap<string, Fields>;
  readonly #missing = new Set<string>();
  /** Securities of which a transaction was refused: what the package says next of what they hold is not so here. */
  readonly #stale = new Set<string>();
  /** Classes of which a split was refused. */
  readonly #classes = new Set<string>();

  constructor(coming: Coming) {
    this.#coming = coming;
    const { transactions } = coming;
    this.#issuances = new Map(transactions.flatMap((each) => pair(issuedIn(each), each)));
    this.#makers = new Map(transactions.flatMap((each) => madeIn(each).flatMap((id) => pair(id, each))));
    for (const object of this.#byDate()) this.#look(object);
  }

  /** By date, and nothing before what it builds on: what has to wait comes right after that. */
  #byDate(): Fields[] {
    const out: Fields[] = [];
    let waiting: Fields[] = [];
    const isReady = (object: Fields): boolean => {
      const made = issuedIn(object);
      const before = made === null ? this.#issuances.get(String(object.security_id)) : this.#makers.get(made);
      return before === undefined || out.includes(before);
    };
    const dated = this.#coming.transactions.toSorted((a, b) => compare(String(a.date), String(b.date)));
    for (const object of dated) {
      waiting.push(object);
      for (let next = waiting.find(isReady); next; next = waiting.find(isReady)) {
        out.push(next);
        waiting = waiting.filter((each) => each !== next);
      }
    }
    return out;
  }

  #look(object: Fields): void {
    if (this.#coming.isIn(object) || !this.#isToBeRefused(object)) return;
    this.refused.add(keyOf(object));
    const issued = issuedIn(object);
    if (issued !== null) this.#missing.add(issued);
    if (isSplit(object)) this.#classes.add(String(object.stock_class_id));
    if (ENDING.test(String(object.object_type))) this.#stale.add(String(object.security_id));
    for (const id of madeIn(object)) if (!this.#isThere(id)) this.#missing.add(id);
  }

  #isToBeRefused(object: Fields): boolean {
    const { changed } = this.#coming;
    const issued = issuedIn(object);
    if (issued !== null) {
      if (this.#isInDeleted(object)) return true;
      const maker = this.#makers.get(issued);
      const isMadeByApplied = maker !== undefined && !this.refused.has(keyOf(maker));
      return this.#missing.has(issued) || (!isMadeByApplied && this.#classes.has(this.#classOf(issued)));
    }
    if (isSplit(object)) {
      const id = String(object.stock_class_id);
      return this.#classes.has(id) || changed.classes.has(id);
    }
    if (object.stock_class_id !== undefined) return this.#classes.has(String(object.stock_class_id));
    if (object.security_id === undefined) return false;
    const id = String(object.security_id);
    const type = String(object.object_type);
    if (this.#missing.has(id) || this.#classes.has(this.#classOf(id))) return true;
    if (type.startsWith("TX_VESTING_")) return changed.vesting.has(id);
    const isReturn = type === "TX_STOCK_PLAN_RETURN_TO_POOL";
    const isChanged = changed.securities.has(id) || this.#stale.has(id) || this.#isSplitBefore(object, id);
    if ((ENDING.test(type) || isReturn) && isChanged) return true;
    return madeIn(object).some((made) => !this.#isThere(made) && this.#isResultRefused(object, made));
  }

  /** Whether a split made here multiplied the stock as it came in, and the transaction, dated later, knows nothing of it. */
  #isSplitBefore({ date }: Fields, securityId: string): boolean {
    const { object_type: type, date: issued, stock_class_id: classId } = this.#issuances.get(securityId) ?? {};
    if (type !== "TX_STOCK_ISSUANCE") return false;
    return this.#coming.changed.splits.some(({ stockClassId, day }) => {
      return stockClassId === classId && String(issued) <= day && day < String(date);
    });
  }

  #isResultRefused(object: Fields, made: string): boolean {
    const classId = this.#classOf(made);
    const date = String(this.#issuances.get(made)?.date);
    const isSplitBetween = this.#coming.transactions.some((split) => {
      const isBetween = isSplit(split) && String(object.date) < String(split.date) && String(split.date) <= date;
      return (
        isBetween &&
        split.stock_class_id === classId &&
        !this.#coming.isIn(split) &&
        this.#coming.changed.classes.has(classId)
      );
    });
    const issuance = this.#issuances.get(made);
    return this.#classes.has(classId) || isSplitBetween || (issuance !== undefined && this.#isInDeleted(issuance));
  }

  /** Whether it issues stock of a class, or anything under a plan, that is there no more. */
  #isInDeleted({ object_type: type, stock_class_id: classId, stock_plan_id: planId }: Fields): boolean {
    const { deleted } = this.#coming.changed;
    return (type === "TX_STOCK_ISSUANCE" && deleted.has(String(classId))) || deleted.has(String(planId));
  }

  #isThere(id: string): boolean {
    const issuance = this.#issuances.get(id);
    return issuance !== undefined && this.#coming.isIn(issuance);
  }

  /** The class of a security, or that it is exercised into; that of an option without one is its plan's only one. */
  #classOf(securityId: string): string {
    const { stock_class_id: named, stock_plan_id: planId } = this.#issuances.get(securityId) ?? {};
    if (named !== undefined) return String(named);
    const [trigger] = (this.#issuances.get(securityId)?.exercise_triggers ?? []) as Trigger[];
    const exercised = trigger?.conversion_right?.converts_to_stock_class_id;
    if (exercised !== undefined) return exercised;
    const classes = this.#coming.plans.find(({ id }) => id === planId)?.stock_class_ids;
    return Array.isArray(classes) && classes.length === 1 ? String(classes[0]) : "";
  }
}

interface Trigger {
  readonly conversion_right?: { readonly converts_to_stock_class_id?: string };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function pair(id: string | null, object: Fields): [string, Fields][] {
  return id === null ? [] : [[id, object]];
}
