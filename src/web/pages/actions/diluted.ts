// By how much an action changes what holders have fully diluted: stock and warrants count as converted, each security by
// itself, so only what comes out exactly is told. Pure.
import { convertedBy, type RightRounding } from "../../../kernel/numbers/converted.ts";
import { ONE, parseDecimal, sum } from "../../../kernel/numbers/decimal.ts";
import type { CapTable, SecurityType } from "./spec.ts";

/** How a holder's securities of a type grow or shrink. */
export interface Move {
  readonly holderId: string | null;
  readonly type: SecurityType;
  /** Of stock and warrants. */
  readonly stockClassId: string | null;
  readonly before: bigint;
  readonly by: bigint;
}

/** How a class converts. */
export interface Rights {
  readonly numerator: string;
  readonly denominator: string;
  readonly rounding: RightRounding;
}

function countIn(quantity: bigint, rights: Rights | null | undefined): bigint {
  if (!rights) return quantity;
  const ratio = { numerator: parseDecimal(rights.numerator), denominator: parseDecimal(rights.denominator) };
  return convertedBy(quantity, { ratio, rounding: rights.rounding });
}

/** Whether sums convert as their securities do: nothing is rounded. */
function isExact({ numerator, denominator }: Rights, quantities: readonly bigint[]): boolean {
  const isWhole = parseDecimal(numerator) % parseDecimal(denominator) === 0n;
  return isWhole && quantities.every((quantity) => quantity % ONE === 0n);
}

/**
 * By holder, what an action adds; `changed` are the rights that it leaves of classes that convert otherwise after it.
 * Null where that follows from single securities that are not known here.
 */
export function dilutedMoves(
  moves: readonly Move[],
  changed: ReadonlyMap<string, Rights>,
  { shareClasses, stakeholders, byClass }: CapTable,
): ReadonlyMap<string, bigint> | null {
  const rights = new Map(shareClasses.map(({ id, conversion }) => [id, conversion]));
  const added = new Map<string, bigint>();
  const add = (holderId: string | null, by: bigint) => {
    if (by !== 0n) added.set(holderId ?? "", (added.get(holderId ?? "") ?? 0n) + by);
  };
  for (const { holderId, stockClassId, before, by } of moves) {
    if (changed.has(stockClassId ?? "")) continue;
    const own = rights.get(stockClassId ?? "");
    add(holderId, countIn(before + by, own) - countIn(before, own));
  }
  for (const [id, after] of changed) {
    // Warrants of a class stand in no sum of a holder.
    if (byClass.some(({ stockClassId, warrants }) => stockClassId === id && warrants !== "0")) return null;
    const held = stakeholders.flatMap((holder) =>
      holder.holdings.filter(({ stockClassId }) => stockClassId === id).map((each) => ({ ...each, holder: holder.id })),
    );
    const own = moves.filter(({ stockClassId }) => stockClassId === id);
    for (const holderId of new Set([...held.map(({ holder }) => holder), ...own.map((move) => move.holderId)])) {
      const now = held.find(({ holder }) => holder === holderId);
      const quantity = parseDecimal(now?.quantity ?? "0");
      const then = quantity + sum(own.filter((move) => move.holderId === holderId).map(({ by }) => by));
      if (!isExact(after, [quantity, then])) return null;
      add(holderId, countIn(then, after) - parseDecimal(now?.asConverted ?? "0"));
    }
  }
  return added;
}
