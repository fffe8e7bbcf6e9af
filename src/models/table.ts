// The pro forma table of a company, and what separates two of them (MODELLING section 3). Stock and warrants count as
// converted, each security rounded by its class's rule; options count one for one, convertibles are listed. Pure.
import { type Decimal, formatDecimal, ZERO } from "../kernel/decimal.ts";
import { percentColumn, percentOf, percentOfDecimals, percentText } from "./columns.ts";
import {
  asConverted,
  availableOf,
  type Company,
  classesByKey,
  type Held,
  type Holder,
  type ModelClass,
} from "./company.ts";
import { fraction } from "./fraction.ts";

export interface TableHolding {
  readonly stockClassId: string | null;
  readonly name: string;
  readonly quantity: string;
  readonly asConverted: string;
}

export interface TableHolder {
  readonly stakeholderId: string | null;
  readonly name: string | null;
  readonly outstanding: string;
  readonly options: string;
  readonly warrants: string;
  readonly fullyDiluted: string;
  readonly percentOutstanding: string;
  readonly percentFullyDiluted: string;
  readonly holdings: readonly TableHolding[];
}

export interface TableClass {
  readonly stockClassId: string | null;
  readonly name: string;
  readonly classType: "COMMON" | "PREFERRED";
  readonly shares: string;
  readonly asConverted: string;
  readonly percentFullyDiluted: string;
}

export interface ProFormaTable {
  readonly classes: readonly TableClass[];
  readonly holders: readonly TableHolder[];
  readonly pool: { readonly available: string; readonly percentFullyDiluted: string };
  readonly convertibles: readonly {
    readonly securityId: string | null;
    readonly name: string;
    readonly stakeholderId: string | null;
    readonly quantity: string;
  }[];
  readonly totals: {
    readonly outstanding: string;
    readonly options: string;
    readonly warrants: string;
    readonly poolAvailable: string;
    readonly fullyDiluted: string;
  };
}

/** What somebody holds, in figures. */
interface Position {
  readonly holder: Holder;
  outstanding: Decimal;
  options: Decimal;
  warrants: Decimal;
  readonly byClass: Map<string, { quantity: Decimal; asConverted: Decimal }>;
}

/** The figures of a company that other models start from. */
export interface Figures {
  readonly positions: readonly Position[];
  readonly byClass: ReadonlyMap<string, { quantity: Decimal; asConverted: Decimal }>;
  readonly outstanding: Decimal;
  readonly options: Decimal;
  readonly warrants: Decimal;
  readonly available: Decimal;
  readonly fullyDiluted: Decimal;
}

export const fullyDilutedOf = (position: Position): Decimal =>
  position.outstanding + position.options + position.warrants;

/** What a security counts as converted; a convertible counts nothing. */
export function countOf(security: Held, classes: ReadonlyMap<string, ModelClass>): Decimal {
  if (security.type === "CONVERTIBLE") return ZERO;
  if (security.type === "STOCK_OPTION") return security.quantity;
  return asConverted(security.quantity, security.classKey === null ? null : classes.get(security.classKey));
}

/** Adds up who holds what. Positions are in the order of the company's holders. */
export function figuresOf(company: Company): Figures {
  const classes = classesByKey(company);
  const positions = new Map<string, Position>();
  const byClass = new Map<string, { quantity: Decimal; asConverted: Decimal }>();
  const holders = new Map(company.holders.map((holder) => [holder.key, holder]));
  let [outstanding, options, warrants] = [ZERO, ZERO, ZERO];
  for (const security of company.held) {
    if (security.type === "CONVERTIBLE") continue;
    const holder = holders.get(security.holder);
    if (!holder) throw new Error(`nobody has the key ${security.holder}`);
    const position = positions.get(holder.key) ?? {
      holder,
      outstanding: ZERO,
      options: ZERO,
      warrants: ZERO,
      byClass: new Map(),
    };
    positions.set(holder.key, position);
    const count = countOf(security, classes);
    if (security.type === "STOCK") {
      position.outstanding += count;
      outstanding += count;
      for (const sums of [position.byClass, byClass]) addTo(sums, security.classKey, security.quantity, count);
    } else if (security.type === "STOCK_OPTION") {
      position.options += count;
      options += count;
    } else {
      position.warrants += count;
      warrants += count;
    }
  }
  const available = availableOf(company);
  return {
    positions: company.holders.flatMap(({ key }) => positions.get(key) ?? []),
    byClass,
    outstanding,
    options,
    warrants,
    available,
    fullyDiluted: outstanding + options + warrants + available,
  };
}

/** The figures with another reserve; nothing else counts it. */
export function withReserve(figures: Figures, available: Decimal): Figures {
  return { ...figures, available, fullyDiluted: figures.fullyDiluted - figures.available + available };
}

function addTo(
  sums: Map<string, { quantity: Decimal; asConverted: Decimal }>,
  key: string,
  quantity: Decimal,
  count: Decimal,
): void {
  const sum = sums.get(key) ?? { quantity: ZERO, asConverted: ZERO };
  sum.quantity += quantity;
  sum.asConverted += count;
  sums.set(key, sum);
}

/** The table of a company; `figures` are its own where they are known. */
export function tableOf(company: Company, figures = figuresOf(company)): ProFormaTable {
  const rows = [...figures.positions].sort((a, b) => {
    const difference = fullyDilutedOf(b) - fullyDilutedOf(a);
    return difference < ZERO ? -1 : difference > ZERO ? 1 : 0;
  });
  const ofOutstanding = percentColumn(rows.map(({ outstanding }) => outstanding));
  const ofAll = percentColumn([...rows.map(fullyDilutedOf), figures.available]);
  const { available } = figures;
  const places = new Map(company.classes.map((each, index) => [each.key, { ...each, index }]));
  const holderIds = new Map(company.holders.map(({ key, id }) => [key, id]));
  return {
    classes: company.classes.map((each) => classRow(each, figures)),
    holders: rows.map((row, index) => holderRow(row, places, [ofOutstanding[index] ?? 0n, ofAll[index] ?? 0n])),
    pool: { available: formatDecimal(available), percentFullyDiluted: percentText(ofAll[rows.length] ?? 0n) },
    convertibles: company.held.flatMap(({ type, id, name, holder, quantity }) =>
      type === "CONVERTIBLE"
        ? [{ securityId: id, name, stakeholderId: holderIds.get(holder) ?? null, quantity: formatDecimal(quantity) }]
        : [],
    ),
    totals: {
      outstanding: formatDecimal(figures.outstanding),
      options: formatDecimal(figures.options),
      warrants: formatDecimal(figures.warrants),
      poolAvailable: formatDecimal(available),
      fullyDiluted: formatDecimal(figures.fullyDiluted),
    },
  };
}

function classRow({ key, id, name, classType }: ModelClass, figures: Figures): TableClass {
  const { quantity, asConverted: count } = figures.byClass.get(key) ?? { quantity: ZERO, asConverted: ZERO };
  return {
    stockClassId: id,
    name,
    classType,
    shares: formatDecimal(quantity),
    asConverted: formatDecimal(count),
    percentFullyDiluted: percentOfDecimals(count, figures.fullyDiluted),
  };
}

function holderRow(
  position: Position,
  classes: ReadonlyMap<string, ModelClass & { readonly index: number }>,
  [ofOutstanding, ofAll]: readonly [bigint, bigint],
): TableHolder {
  const { holder, outstanding, options, warrants, byClass } = position;
  return {
    stakeholderId: holder.id,
    name: holder.name,
    outstanding: formatDecimal(outstanding),
    options: formatDecimal(options),
    warrants: formatDecimal(warrants),
    fullyDiluted: formatDecimal(fullyDilutedOf(position)),
    percentOutstanding: percentText(ofOutstanding),
    percentFullyDiluted: percentText(ofAll),
    holdings: [...byClass]
      .map(([key, sum]) => ({ ...sum, of: classes.get(key) }))
      .sort((a, b) => (a.of?.index ?? 0) - (b.of?.index ?? 0))
      .flatMap(({ of, quantity, asConverted: count }) =>
        of
          ? [
              {
                stockClassId: of.id,
                name: of.name,
                quantity: formatDecimal(quantity),
                asConverted: formatDecimal(count),
              },
            ]
          : [],
      ),
  };
}

export interface Dilution {
  readonly stakeholderId: string | null;
  readonly name: string | null;
  readonly percentBefore: string;
  readonly percentAfter: string;
  readonly points: string;
  readonly dilutionPercent: string | null;
}

/** How each holder's part of the fully diluted shares changed: those of the table after, then those gone. */
export function dilutionOf(before: ProFormaTable, after: ProFormaTable): readonly Dilution[] {
  const keyOf = ({ stakeholderId, name }: TableHolder) => (stakeholderId === null ? `n:${name}` : `s:${stakeholderId}`);
  const was = new Map(before.holders.map((row) => [keyOf(row), row]));
  const is = new Set(after.holders.map(keyOf));
  const gone = before.holders.filter((row) => !is.has(keyOf(row)));
  return [
    ...after.holders.map((row) => dilution(row, was.get(keyOf(row)), row)),
    ...gone.map((row) => dilution(row, row, undefined)),
  ];
}

function dilution(
  { stakeholderId, name }: TableHolder,
  before: TableHolder | undefined,
  after: TableHolder | undefined,
): Dilution {
  const [a, b] = [millionths(before), millionths(after)];
  return {
    stakeholderId,
    name,
    percentBefore: percentText(a),
    percentAfter: percentText(b),
    points: percentText(b - a),
    dilutionPercent: a === 0n ? null : percentText(percentOf(fraction(a - b), fraction(a))),
  };
}

function millionths(row: TableHolder | undefined): bigint {
  return row ? BigInt(row.percentFullyDiluted.replace(".", "")) : 0n;
}
