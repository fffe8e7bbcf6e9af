// The sheet Cap table: holders with their stock by class, their options by plan, and their convertibles. Pure.

import { type Decimal, formatDecimal, max, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { largestFirst } from "../../../kernel/numbers/ratios.ts";
import { amountIn } from "../money.ts";
import type { Basis, Company } from "../report-company.ts";
import { type Column, type Share, type Sheet, sheetOf } from "../sheet.ts";
import { moneyIn, percent, plus, summed, text } from "../sheet-columns.ts";
import { ADDED, addedIn, classesInOrder, hasAdded, secondShare } from "./summary.ts";

/** The row of securities without a holder: only an import brings them. */
export const NO_HOLDER = "(no holder)";

/** A line: a holder, or what a plan has available. */
interface Line {
  readonly id: string | null;
  readonly name: string;
  readonly isPool: boolean;
  /** Whether it tells but one more amount of the holder above. */
  readonly isMore: boolean;
  /** By class. */
  readonly stock: ReadonlyMap<string, Decimal>;
  /** By plan. */
  readonly options: ReadonlyMap<string | null, Decimal>;
  readonly outstanding: Decimal | null;
  readonly warrants: Decimal | null;
  /** By how much conversion makes stock and warrants more. */
  readonly added: Decimal | null;
  /** As converted. */
  readonly fullyDiluted: Decimal;
  /** Its part of all shares as converted, in a column that adds up; null if it is not part of them. */
  readonly percentDiluted: string | null;
  /** Principal in one currency; words where it is not the company's. */
  readonly principal: string | null;
}

/** What a holder has of open options, by plan, and of convertibles. */
function tallyHolders(company: Company) {
  const options = new Map<string | null, Map<string | null, Decimal>>();
  /** By holder, then by currency. */
  const principal = new Map<string | null, Map<string, Decimal>>();
  const convertibles = company.descriptionsOf(company.view.convertibles.map(({ id }) => id));
  for (const security of company.view.open) {
    const { stakeholderId: holder, equityPlanId, quantity } = security;
    if (security.type === "STOCK_OPTION") {
      const byPlan = options.get(holder) ?? new Map<string | null, Decimal>();
      options.set(holder, byPlan.set(equityPlanId, (byPlan.get(equityPlanId) ?? ZERO) + quantity));
    } else if (security.type === "CONVERTIBLE") {
      const currency = convertibles.get(security.id)?.currency ?? company.currency;
      const byCurrency = principal.get(holder) ?? new Map<string, Decimal>();
      principal.set(holder, byCurrency.set(currency, (byCurrency.get(currency) ?? ZERO) + quantity));
    }
  }
  return { options, principal };
}

/** A holder's principal in each currency, the company's first. */
function amountsOf(company: Company, principal: ReadonlyMap<string, Decimal> = new Map()): readonly string[] {
  const own = (currency: string) => (currency === company.currency ? 0 : 1);
  const sorted = [...principal].sort(([a], [b]) => own(a) - own(b) || (a < b ? -1 : 1));
  return sorted.map(([currency, amount]) => amountIn(company, formatDecimal(amount), currency) ?? "");
}

/** Holders as the cap table orders them, those who have convertibles only by name, and what plans have available. */
function linesOf(company: Company): Line[] {
  const { options, principal } = tallyHolders(company);
  const { totals } = company.table;
  const named = (id: string | null) => (id === null ? NO_HOLDER : (company.names.holders.get(id) ?? id));
  const all = largestFirst(company.table.stakeholders).map(
    ({ id, holdings, outstanding, warrants, ...figures }): Line => ({
      id,
      name: named(id),
      isPool: false,
      isMore: false,
      stock: new Map(holdings.map(({ stockClassId, quantity }) => [stockClassId, parseDecimal(quantity)])),
      options: options.get(id) ?? new Map(),
      outstanding: parseDecimal(outstanding),
      warrants: parseDecimal(warrants),
      added: addedIn(figures),
      fullyDiluted: parseDecimal(figures.asConverted),
      percentDiluted: figures.percentAsConverted,
      principal: amountsOf(company, principal.get(id))[0] ?? null,
    }),
  );
  const holdsShares = ({ outstanding, warrants, fullyDiluted }: Line) =>
    fullyDiluted > ZERO || (outstanding ?? ZERO) > ZERO || (warrants ?? ZERO) > ZERO;
  const [holders, lenders] = [all.filter(holdsShares), all.filter((line) => !holdsShares(line))];
  lenders.sort((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1));
  const pools = company.table.equityPlans.map(({ name, available }): Line => {
    const left = max(parseDecimal(available), ZERO);
    const none = { stock: new Map(), options: new Map(), outstanding: null, warrants: null, added: null };
    const percentDiluted = company.table.equityPlans.length === 1 ? totals.percentPoolAsConverted : null;
    const nothing = { id: null, isPool: true, isMore: false, principal: null };
    return { name: `Available: ${name}`, ...nothing, ...none, fullyDiluted: left, percentDiluted };
  });
  const withMore = (line: Line): Line[] => {
    const [, ...others] = amountsOf(company, principal.get(line.id));
    const nothing = { stock: new Map(), options: new Map(), outstanding: null, warrants: null, added: null };
    return [
      line,
      ...others.map((amount) => ({
        ...{ ...line, ...nothing, fullyDiluted: ZERO, percentDiluted: null },
        ...{ isMore: true, principal: amount },
      })),
    ];
  };
  return [...[...holders, ...lenders].flatMap(withMore), ...pools];
}

/** Lays the sheet out. */
export function capTableSheet(company: Company, basis: Basis): Sheet {
  const rows = linesOf(company);
  const classes = classesInOrder(company);
  const plans = company.table.equityPlans;
  const { totals } = company.table;
  const whole = { outstanding: parseDecimal(totals.outstanding), diluted: parseDecimal(totals.asConverted) };
  const granted = whole.diluted - parseDecimal(totals.poolAvailable);
  const second = secondShare(basis);
  const { summedMoney } = moneyIn(company.currency);
  const orNull = (line: Line, figure: Decimal | null | undefined) =>
    line.isPool || line.isMore ? null : formatDecimal(figure ?? ZERO);
  const known = new Set(plans.map(({ id }) => id));
  const ofNoPlan = (line: Line) => {
    let sum = ZERO;
    for (const [plan, figure] of line.options) if (plan === null || !known.has(plan)) sum += figure;
    return sum;
  };
  const classKeys = classes.map(({ id }) => `class ${id}`);
  const planKeys = plans.map(({ id }) => `plan ${id}`);
  const added = hasAdded(company)
    ? [summed<Line>("added", ADDED, (line) => (line.added === null ? null : formatDecimal(line.added)))]
    : [];
  const columns: Column<Line>[] = [
    text("holder", "Holder", (line) => line.name),
    ...classes.map(({ id, name }) => summed<Line>(`class ${id}`, name, (line) => orNull(line, line.stock.get(id)))),
    summed("outstanding", "Outstanding", (line) => orNull(line, line.outstanding), plus(...classKeys)),
    percent(
      "percentOutstanding",
      "% outstanding",
      (line) => (line.outstanding === null ? null : { part: line.outstanding, whole: whole.outstanding }),
      { isSummed: true, formula: { kind: "share", plus: ["outstanding"], of: "total" } },
    ),
    ...plans.map(({ id, name }) =>
      summed<Line>(`plan ${id}`, `Options: ${name}`, (line) => orNull(line, line.options.get(id))),
    ),
    summed("options", "Options without a plan", (line) => orNull(line, ofNoPlan(line))),
    summed("warrants", "Warrants", (line) => orNull(line, line.warrants)),
    ...added,
    dilutedColumn(["outstanding", ...planKeys, "options", "warrants", ...added.map(({ key }) => key)]),
    ...(second
      ? [
          percent<Line>(
            "percentDiluted",
            second.header,
            (line) => {
              if (line.isMore) return null;
              if (second.hasPool) return shareOf(line, whole.diluted);
              return line.isPool ? null : { part: line.fullyDiluted, whole: granted };
            },
            {
              isSummed: true,
              formula: {
                kind: "share",
                plus: ["fullyDiluted"],
                of: "total",
                lessRows: second.hasPool ? 0 : plans.length,
              },
            },
          ),
        ]
      : []),
    summedMoney("principal", "Convertibles, principal", ({ principal }) => principal),
    text("id", "Stakeholder id", (line) => line.id),
  ];
  const printed = columns.length - 1;
  const shape = { key: "cap-table", name: "Cap table", isSnapshot: true, frozen: 1, printed, columns };
  return sheetOf({ ...shape, rows: () => rows });
}

/** A line's part of all as converted. */
function shareOf({ fullyDiluted, percentDiluted }: Line, whole: Decimal): Share {
  return { part: fullyDiluted, whole, ...(percentDiluted === null ? {} : { percent: percentDiluted }) };
}

/** Of a holder it is a sum of cells; what a plan has available stands there itself. */
function dilutedColumn(keys: readonly string[]): Column<Line> {
  const column = summed<Line>(
    "fullyDiluted",
    "Fully diluted",
    (line) => (line.isMore ? null : formatDecimal(line.fullyDiluted)),
    plus(...keys),
  );
  return { ...column, isValue: (line) => line.isPool || line.isMore };
}
