// Fully diluted in percent: of holders and of what plans have available, in columns that add up. Pure.
import { percentColumn, type Ties } from "../kernel/columns.ts";
import type { Decimal } from "../kernel/decimal.ts";
import type { Holding } from "./holding.ts";

/** What somebody holds as converted. */
export type Diluted = Pick<Holding, "outstandingAsConverted" | "asConverted">;

/** Percentages in millionths of a percent point, in the order in which the holders were given. */
export interface DilutedColumns {
  /** Of outstanding stock: they add up to 100. */
  readonly outstanding: readonly bigint[];
  /** Of all as converted; with the pool's they add up to 100. */
  readonly asConverted: readonly bigint[];
  readonly pool: bigint;
}

/** The places of holders, the largest first, ties in the order in which they are given. */
export function bySize(holders: readonly Diluted[]): readonly number[] {
  const sizes = holders.map(({ asConverted }) => asConverted);
  return sizes.map((_size, place) => place).sort(largerFirst(sizes));
}

function largerFirst(sizes: readonly Decimal[]): Ties {
  return (a, b) => {
    const [one, other] = [sizes[a] ?? 0n, sizes[b] ?? 0n];
    return one === other ? a - b : one > other ? -1 : 1;
  };
}

/**
 * The percentages of holders, who are given by creation, and of what plans have available. What cutting off leaves goes
 * to the largest remainders, ties to the larger holder, and to the pool last.
 */
export function dilutedColumns(holders: readonly Diluted[], available: Decimal): DilutedColumns {
  const sizes = holders.map(({ asConverted }) => asConverted);
  const ties = largerFirst([...sizes, -1n]);
  const stock = holders.map(({ outstandingAsConverted }) => outstandingAsConverted);
  const asConverted = percentColumn([...sizes, available], ties);
  const pool = asConverted.pop() ?? 0n;
  return { outstanding: percentColumn(stock, ties), asConverted, pool };
}
