// Links between a package's transactions: which one makes a security, under which split it is reissued, and for which
// securities the package itself states what returns to a pool. Pure.
import { textOf } from "../json.ts";
import { YIELD_EVERY } from "./object.ts";
import type { StoryEvent } from "./story-event.ts";

/** The links between transactions and what they make. */
export interface Links<T extends StoryEvent = StoryEvent> {
  /** The transactions that name a security as result or balance, in the package's order, by the security's id. */
  readonly makers: ReadonlyMap<string, readonly T[]>;
  /** By the id of a split: the securities whose certificates the package reissues under it, old and new. */
  readonly reissuedUnder: ReadonlyMap<string, ReadonlySet<string>>;
  /** Securities whose return to the pool the package itself states. */
  readonly returned: ReadonlySet<string>;
  /** The splits of each class. */
  readonly splits: ReadonlyMap<string, readonly T[]>;
}

/** Collects the links between events. */
export function* linksOf<T extends StoryEvent>(events: readonly T[]): Generator<void, Links<T>> {
  const makers = new Map<string, T[]>();
  const reissuedUnder = new Map<string, Set<string>>();
  const returned = new Set<string>();
  const splits = new Map<string, T[]>();
  for (const [i, event] of events.entries()) {
    if (i % YIELD_EVERY === 0) yield;
    const { type, value, kind, makes, sources } = event;
    if (type.canonicalType === "TX_STOCK_PLAN_RETURN_TO_POOL") returned.add(textOf(value, "security_id") ?? "");
    if (kind === "SPLIT") add(splits, textOf(value, "stock_class_id") ?? "", event);
    for (const id of new Set(makes)) add(makers, id, event);
    const split = type.action === "REISSUANCE" ? textOf(value, "split_transaction_id") : null;
    if (split === null) continue;
    const reissued = reissuedUnder.get(split) ?? new Set();
    for (const id of [...makes, ...sources]) reissued.add(id);
    reissuedUnder.set(split, reissued);
  }
  return { makers, reissuedUnder, returned, splits };
}

function add<T>(lists: Map<string, T[]>, id: string, event: T): void {
  const known = lists.get(id);
  if (known) known.push(event);
  else lists.set(id, [event]);
}
