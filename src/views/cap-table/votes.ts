// Votes of stock (charters: preferred votes as converted; a holder's fractions are summed before rounding to whole
// votes). Pure.

import {
  type Decimal,
  floorDivide,
  greatestCommonDivisor,
  multiply,
  ONE,
  parseDecimal,
  ZERO,
} from "../../kernel/numbers/decimal.ts";
import type { Conversions } from "../../ledger/rules/conversion.ts";
import type { Row } from "../../storage/database/sql.ts";
import type { Holding } from "./holding.ts";
import type { Names } from "./view.ts";

/** What of a class says how it votes. */
export type VotingClass = Pick<Row<"share_classes">, "id" | "votesPerShare" | "votesBasis">;

/** By what votes are counted on a day. */
export interface VotesBy {
  readonly conversions: Conversions;
  readonly names: Pick<Names, "votesRounding">;
}

/** Whole votes of `n ÷ d`: a fraction is no vote, or halves and more are one. */
function wholeVotes(n: bigint, d: bigint, rounding: Names["votesRounding"]): Decimal {
  return (rounding === "DOWN" ? floorDivide(n, d) : floorDivide(2n * n + d, 2n * d)) * ONE;
}

/** Tells the votes of a holder's stock of one class alone; votes per share as cut at ten places. */
export function votesOf(row: VotingClass, { conversions, names }: VotesBy): (holding: Holding) => Decimal {
  const perShare = parseDecimal(row.votesPerShare);
  const { numerator, denominator } = conversions.get(row.id)?.ratio ?? { numerator: ONE, denominator: ONE };
  const [n, d] = [perShare * numerator, ONE * ONE * denominator];
  const unit = greatestCommonDivisor(n, d);
  return (holding) => {
    const { outstanding } = holding.of(row.id);
    if (outstanding === ZERO) return ZERO;
    if (row.votesBasis === "PER_SHARE") return multiply(outstanding, perShare);
    return wholeVotes(outstanding * (n / unit), d / unit, names.votesRounding);
  };
}
