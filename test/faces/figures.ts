// Figures of a cap table by name, so that every place that shows one can be compared with every other. A figure of zero
// is left out: one place lists who holds nothing, another does not.
import { formatDecimal, parseDecimal, ZERO } from "../../src/kernel/numbers/decimal.ts";

/** Figures by name: `holder|ID|options`, `class|ID|votes`, `total|pool`. */
export type Figures = ReadonlyMap<string, string>;

/** Collects figures; those of one name add up. */
export class Collected {
  readonly #figures = new Map<string, bigint>();

  /** Adds a decimal, with or without groups of thousands; nothing for what is empty. */
  add(name: readonly (string | null)[], text: string | null | undefined): void {
    if (text === null || text === undefined || text === "") return;
    const isNegative = text.startsWith("-");
    const plain = parseDecimal(text.replace(/^-/, "").replaceAll(",", ""));
    const key = name.map((part) => part ?? "").join("|");
    this.#figures.set(key, (this.#figures.get(key) ?? ZERO) + (isNegative ? -plain : plain));
  }

  get figures(): Figures {
    const told = [...this.#figures].filter(([, figure]) => figure !== ZERO);
    return new Map(
      told.map(([key, figure]) => [key, figure < ZERO ? `-${formatDecimal(-figure)}` : formatDecimal(figure)]),
    );
  }
}

/** What kind of figure a name is of: the same without the ids. */
export function kindOf(name: string): string {
  const parts = name.split("|");
  return parts.filter((_, at) => at % 2 === 0 || parts.length === 2).join("|");
}

interface HolderLine {
  readonly id: string | null;
  readonly holdings: readonly { readonly stockClassId: string; readonly quantity: string }[];
}

/** What the tests look at of a cap table. */
export interface Table {
  readonly stakeholders: readonly (HolderLine & Readonly<Record<string, unknown>>)[];
  readonly byClass: readonly ({ readonly stockClassId: string | null } & Readonly<Record<string, unknown>>)[];
  readonly shareClasses: readonly { readonly id: string; readonly name: string; readonly issued: string }[];
  readonly equityPlans: readonly { readonly id: string; readonly available: string; readonly reserved: string }[];
  readonly totals: Readonly<Record<string, string>>;
}

export const HOLDER_FIGURES = ["outstanding", "options", "warrants", "vested", "unvested", "asConverted"] as const;
/** What stock and warrants count as converted. */
export const CONVERTED = ["outstandingAsConverted", "warrantsAsConverted"] as const;
export const CLASS_FIGURES = ["outstanding", "options", "warrants", "asConverted", "votes"] as const;
const TOTALS = { poolAvailable: "pool" } as const;

/** The figures of `GET /cap-table`, with which all others are compared. */
export function figuresOfTable({ stakeholders, byClass, shareClasses, equityPlans, totals }: Table): Figures {
  const all = new Collected();
  for (const { id, holdings, ...figures } of stakeholders) {
    for (const name of [...HOLDER_FIGURES, ...CONVERTED]) all.add(["holder", id, name], figures[name] as string);
    for (const { stockClassId, quantity } of holdings) all.add(["holder", id, "class", stockClassId], quantity);
  }
  for (const { stockClassId, ...figures } of byClass) {
    for (const name of CLASS_FIGURES) all.add(["class", stockClassId, name], figures[name] as string);
  }
  for (const { id, issued } of shareClasses) all.add(["class", id, "issued"], issued);
  for (const { id, available, reserved } of equityPlans) {
    all.add(["plan", id, "available"], available);
    all.add(["plan", id, "reserved"], reserved);
  }
  for (const name of ["outstanding", "options", "warrants", "poolAvailable", "asConverted", ...CONVERTED]) {
    all.add(["total", TOTALS[name as keyof typeof TOTALS] ?? name], totals[name]);
  }
  return all.figures;
}

/** Where two places say different figures of the kinds that the second tells: each name with both. */
export function differences(table: Figures, face: Figures, kinds: ReadonlySet<string>): string[] {
  const names = new Set([...table.keys(), ...face.keys()].filter((name) => kinds.has(kindOf(name))));
  return [...names]
    .filter((name) => table.get(name) !== face.get(name))
    .map((name) => `${name}: ${table.get(name) ?? "0"}, ${face.get(name) ?? "0"}`);
}
