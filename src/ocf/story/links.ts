// What the transactions of a package have to do with each other: which one makes a security, under which split it is
// reissued, and of which securities the package says itself what returns to a pool. Pure.

import { madeBy, sourcesOf } from "../codec/ending.ts";
import { textOf } from "../json.ts";
import { type OcfObject, YIELD_EVERY } from "./object.ts";

/** The links between transactions and what they make. */
export interface Links<T extends OcfObject = OcfObject> {
  /** The transactions that name a security as result or balance, in the package's order, by the security's id. */
  readonly makers: ReadonlyMap<string, readonly T[]>;
  /** By the id of a split: the securities whose certificates the package reissues under it, old and new. */
  readonly reissuedUnder: ReadonlyMap<string, ReadonlySet<string>>;
  /** Securities of which the package says itself what returns to the pool. */
  readonly returned: ReadonlySet<string>;
  /** The splits of each class. */
  readonly splits: ReadonlyMap<string, readonly T[]>;
}

/** Gathers what the objects say of each other. */
export function* linksOf<T extends OcfObject>(objects: readonly T[]): Generator<void, Links<T>> {
  const makers = new Map<string, T[]>();
  const reissuedUnder = new Map<string, Set<string>>();
  const returned = new Set<string>();
  const splits = new Map<string, T[]>();
  for (const [i, object] of objects.entries()) {
    if (i % YIELD_EVERY === 0) yield;
    const { type, value } = object;
    if (type.canonicalType === "TX_STOCK_PLAN_RETURN_TO_POOL") returned.add(textOf(value, "security_id") ?? "");
    if (type.canonicalType === "TX_STOCK_CLASS_SPLIT") add(splits, textOf(value, "stock_class_id") ?? "", object);
    if (type.action === null || type.action === "ISSUANCE") continue;
    const made = new Set(madeBy(value));
    for (const id of made) add(makers, id, object);
    const split = textOf(value, "split_transaction_id");
    if (split === null || type.action !== "REISSUANCE") continue;
    const reissued = reissuedUnder.get(split) ?? new Set();
    for (const id of [...made, ...sourcesOf(object)]) reissued.add(id);
    reissuedUnder.set(split, reissued);
  }
  return { makers, reissuedUnder, returned, splits };
}

function add<T>(lists: Map<string, T[]>, id: string, object: T): void {
  const known = lists.get(id);
  if (known) known.push(object);
  else lists.set(id, [object]);
}
