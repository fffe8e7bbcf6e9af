// Sums of open options and warrants, by the class, plan or organization that keeps them: what may still be issued is known
// without listing securities. Pure.
import { type Decimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { SecurityState } from "../types.ts";

/** The record that keeps a sum, and its column; an organization's id is its own. */
export interface SumPlace {
  readonly table: "share_classes" | "equity_plans" | "organizations";
  readonly id: string;
  readonly column: "openOptions" | "openWarrants";
}

type Award = Pick<SecurityState, "type" | "status" | "quantity" | "stockClassId" | "equityPlanId">;

/**
 * The sum that a security is part of: that of its class; of an option without a class that of its plan, and without
 * either that of the organization. Null for what is not an ACTIVE option or warrant, and for a warrant without a class,
 * which counts in no class.
 */
export function sumPlaceOf(orgId: string, { type, status, stockClassId, equityPlanId }: Award): SumPlace | null {
  if (status !== "ACTIVE" || (type !== "STOCK_OPTION" && type !== "WARRANT")) return null;
  const column = type === "WARRANT" ? "openWarrants" : "openOptions";
  if (stockClassId !== null) return { table: "share_classes", id: stockClassId, column };
  if (type === "WARRANT") return null;
  return equityPlanId === null
    ? { table: "organizations", id: orgId, column }
    : { table: "equity_plans", id: equityPlanId, column };
}

/** Sums, or differences of sums, by place. */
export class OpenSums {
  readonly #sums = new Map<string, { readonly place: SumPlace; quantity: Decimal }>();
  readonly #orgId: string;

  constructor(orgId: string) {
    this.#orgId = orgId;
  }

  /** Sums that are given by place. */
  static of(orgId: string, given: Iterable<readonly [place: SumPlace, quantity: Decimal]>): OpenSums {
    const sums = new OpenSums(orgId);
    for (const [place, quantity] of given) sums.#moveAt(place, quantity);
    return sums;
  }

  /** Adds a security's quantity where it counts. */
  add(security: Award): void {
    this.#move(security, security.quantity);
  }

  /** Takes a security's quantity off where it counts. */
  take(security: Award): void {
    this.#move(security, -security.quantity);
  }

  /** The sum of a place. */
  of({ table, id, column }: SumPlace): Decimal {
    return this.#sums.get(`${table} ${column} ${id}`)?.quantity ?? ZERO;
  }

  /** Every sum but those of zero. */
  *all(): Generator<readonly [place: SumPlace, quantity: Decimal]> {
    for (const { place, quantity } of this.#sums.values()) if (quantity !== ZERO) yield [place, quantity];
  }

  #move(security: Award, quantity: Decimal): void {
    const place = sumPlaceOf(this.#orgId, security);
    if (place !== null) this.#moveAt(place, quantity);
  }

  #moveAt(place: SumPlace, quantity: Decimal): void {
    const key = `${place.table} ${place.column} ${place.id}`;
    const sum = this.#sums.get(key);
    if (sum) sum.quantity += quantity;
    else this.#sums.set(key, { place, quantity });
  }
}
