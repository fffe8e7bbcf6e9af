// Fully diluted percentages of holders and of the plans' available reserves, in columns that add up. Pure.
import { type Column, columnOfPercents, type Ties } from "../../kernel/numbers/columns.ts";
import type { Decimal } from "../../kernel/numbers/decimal.ts";
import type { Holding } from "./holding.ts";

/** A holder's as-converted shares. */
export type Diluted = Pick<Holding, "outstandingAsConverted" | "asConverted">;

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
 * The percentages of holders, who are given by creation, and of what plans have available, in millionths of a percent
 * point. What cutting off leaves goes to the largest remainders, ties to the larger holder, and to the pool last.
 */
export function dilutedColumns(holders: readonly Diluted[], available: Decimal): DilutedColumns {
  const sizes = holders.map(({ asConverted }) => asConverted);
  const ties = largerFirst([...sizes, -1n]);
  const stock = holders.map(({ outstandingAsConverted }) => outstandingAsConverted);
  return new DilutedColumns(columnOfPercents(stock, ties), columnOfPercents([...sizes, available], ties), sizes.length);
}

/** Two columns, each worked out when it is asked for: one holder's part is found without the parts of all others. */
export class DilutedColumns {
  readonly #outstanding: Column;
  readonly #asConverted: Column;
  readonly #holders: number;

  constructor(outstanding: Column, asConverted: Column, holders: number) {
    [this.#outstanding, this.#asConverted, this.#holders] = [outstanding, asConverted, holders];
  }

  /** Of outstanding stock: they add up to 100. */
  get outstanding(): readonly bigint[] {
    return this.#outstanding.all();
  }

  /** Of all as converted; with the pool's they add up to 100. */
  get asConverted(): readonly bigint[] {
    return this.#asConverted.all().slice(0, this.#holders);
  }

  get pool(): bigint {
    return this.#asConverted.part(this.#holders);
  }

  /** Of the holder in a place. */
  of(place: number): { readonly outstanding: bigint; readonly asConverted: bigint } {
    return { outstanding: this.#outstanding.part(place), asConverted: this.#asConverted.part(place) };
  }
}
