// Token plan: the operations by which some securities reach their wanted tokens. Pure.
import { type Decimal, min, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Position } from "./token-store.ts";

/** One effect: shares leave a security's address, arrive at one, or both. */
export interface Move {
  readonly kind: "cancel" | "transfer" | "issue";
  readonly from: Position | null;
  readonly to: Position | null;
  readonly amount: Decimal;
}

interface Change extends Position {
  left: Decimal;
}

/**
 * The moves from the securities' present tokens (`was`) to the wanted ones (`wanted`), cancellations first so that the
 * supply never exceeds either total. Shares that change their security but not their address need no move.
 */
export function planMoves(was: readonly Position[], wanted: readonly Position[]): Move[] {
  const falls: Change[] = [];
  const rises: Change[] = [];
  const before = new Map(was.map((position) => [position.securityId, position]));
  for (const to of wanted) {
    const from = before.get(to.securityId);
    const stays = from && from.address === to.address ? min(from.quantity, to.quantity) : ZERO;
    if (to.quantity > stays) rises.push({ ...to, left: to.quantity - stays });
  }
  const after = new Map(wanted.map((position) => [position.securityId, position]));
  for (const from of was) {
    const to = after.get(from.securityId);
    const stays = to && to.address === from.address ? min(from.quantity, to.quantity) : ZERO;
    if (from.quantity > stays) falls.push({ ...from, left: from.quantity - stays });
  }
  match(falls, rises, true);
  const transfers = match(falls, rises, false);
  const cancels = falls.filter(({ left }) => left > ZERO).map((from) => move("cancel", from, null, from.left));
  const issues = rises.filter(({ left }) => left > ZERO).map((to) => move("issue", null, to, to.left));
  return [...cancels, ...transfers, ...issues];
}

/** Pairs decreases with increases, at one address or between two; subtracts each pair from both. */
function match(falls: readonly Change[], rises: readonly Change[], isSameAddress: boolean): Move[] {
  const moves: Move[] = [];
  for (const from of falls) {
    for (const to of rises) {
      const amount = min(from.left, to.left);
      if (amount === ZERO || (from.address === to.address) !== isSameAddress) continue;
      from.left -= amount;
      to.left -= amount;
      moves.push(move("transfer", from, to, amount));
    }
  }
  return moves;
}

function move(kind: Move["kind"], from: Position | null, to: Position | null, amount: Decimal): Move {
  return { kind, from, to, amount };
}
