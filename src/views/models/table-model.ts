// The pro forma table of a company, and the dilution between two of them. Stock and warrants count as converted, each
// security rounded by its class's rule; options count one for one, convertibles are listed. Pure.

import { percentText } from "../../kernel/numbers/columns.ts";
import { type Decimal, formatDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { bySize, dilutedColumns } from "../cap-table/diluted.ts";
import { type CountedSecurity, collectHoldings, convertedOf, type Holding } from "../cap-table/holding.ts";
import { percentOf, percentOfDecimals } from "./answer-columns.ts";
import { fraction } from "./fraction.ts";
import { availableOf, type Company, classesByKey, type Held, type Holder, type ModelClass } from "./model-company.ts";

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

/** What a holder has, as converted. */
export interface Position {
  readonly holder: Holder;
  readonly outstanding: Decimal;
  readonly options: Decimal;
  readonly warrants: Decimal;
  readonly fullyDiluted: Decimal;
  readonly held: Holding;
}

/** The figures of a company that other models start from. */
export interface Figures {
  readonly positions: readonly Position[];
  /** The outstanding stock of a class, by its key; null for a class without stock. */
  stockOf(classKey: string): { readonly quantity: Decimal; readonly asConverted: Decimal } | null;
  readonly outstanding: Decimal;
  readonly options: Decimal;
  readonly warrants: Decimal;
  readonly available: Decimal;
  readonly fullyDiluted: Decimal;
}

/** What a security counts as converted; a convertible counts nothing. */
export function countOf(security: Held, classes: ReadonlyMap<string, ModelClass>): Decimal {
  return security.type === "CONVERTIBLE" ? ZERO : convertedOf(countedIn(security), classes);
}

/** A security as the cap table counts it. */
function countedIn(security: Held): CountedSecurity {
  const { type, quantity } = security;
  const stockClassId = type === "CONVERTIBLE" ? null : security.classKey;
  return { type, quantity, stockClassId, equityPlanId: type === "STOCK_OPTION" ? security.planKey : null };
}

/** Adds up who holds what. Positions are in the order of the company's holders. */
export function figuresOf(company: Company): Figures {
  const classes = classesByKey(company);
  const lines = company.held
    .filter(({ type }) => type !== "CONVERTIBLE")
    .map((held) => {
      const security = countedIn(held);
      return { security, holder: held.holder, unvested: ZERO, converted: convertedOf(security, classes) };
    });
  const { all, byHolder } = collectHoldings(lines);
  const available = availableOf(company);
  return {
    positions: company.holders.flatMap((holder) => positionOf(holder, byHolder.get(holder.key))),
    stockOf: (classKey) => stockIn(all, classKey),
    outstanding: all.outstandingAsConverted,
    options: all.options,
    warrants: all.warrantsAsConverted,
    available,
    fullyDiluted: all.asConverted + available,
  };
}

function positionOf(holder: Holder, held: Holding | undefined): Position[] {
  if (!held) return [];
  const { outstandingAsConverted: outstanding, options, warrantsAsConverted: warrants, asConverted } = held;
  return [{ holder, outstanding, options, warrants, fullyDiluted: asConverted, held }];
}

function stockIn(held: Holding, classKey: string) {
  const { outstanding, outstandingAsConverted } = held.of(classKey);
  return outstanding === ZERO ? null : { quantity: outstanding, asConverted: outstandingAsConverted };
}

/** The figures with another reserve; nothing else counts it. */
export function withReserve(figures: Figures, available: Decimal): Figures {
  return { ...figures, available, fullyDiluted: figures.fullyDiluted - figures.available + available };
}

/** The table of a company; `figures` are its own where they are known. */
export function tableOf(company: Company, figures = figuresOf(company)): ProFormaTable {
  const { available, positions } = figures;
  const { outstanding, asConverted, pool } = dilutedColumns(
    positions.map(({ held }) => held),
    available,
  );
  const holderIds = new Map(company.holders.map(({ key, id }) => [key, id]));
  const rows = bySize(positions.map(({ held }) => held)).flatMap((place) => {
    const position = positions[place];
    const percents = [outstanding[place], asConverted[place]].map((each) => percentText(each ?? 0n));
    return position ? [holderRow(position, company.classes, percents)] : [];
  });
  return {
    classes: company.classes.map((each) => classRow(each, figures)),
    holders: rows,
    pool: { available: formatDecimal(available), percentFullyDiluted: percentText(pool) },
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
  const { quantity, asConverted: count } = figures.stockOf(key) ?? { quantity: ZERO, asConverted: ZERO };
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
  { holder, outstanding, options, warrants, fullyDiluted, held }: Position,
  classes: readonly ModelClass[],
  [percentOutstanding = "", percentFullyDiluted = ""]: readonly string[],
): TableHolder {
  return {
    stakeholderId: holder.id,
    name: holder.name,
    outstanding: formatDecimal(outstanding),
    options: formatDecimal(options),
    warrants: formatDecimal(warrants),
    fullyDiluted: formatDecimal(fullyDiluted),
    percentOutstanding,
    percentFullyDiluted,
    holdings: classes.flatMap(({ key, id, name }) => {
      const stock = stockIn(held, key);
      if (stock === null) return [];
      const [quantity, asConverted] = [formatDecimal(stock.quantity), formatDecimal(stock.asConverted)];
      return [{ stockClassId: id, name, quantity, asConverted }];
    }),
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
