// The sheet Cap table: holders with their stock by class, their options by plan, and their convertibles. Pure.

import { type Decimal, formatDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { type HolderLine, holderLines } from "../../cap-table/layout/by-holder.ts";
import { hasAdded, holderColumns, poolLines } from "../../cap-table/layout/holder-columns.ts";
import type { Basis } from "../keys.ts";
import { amountIn } from "../money.ts";
import { type Company, layoutOf } from "../report-company.ts";
import { type Column, type Sheet, sheetOf } from "../sheet.ts";
import { moneyIn, plus, summed } from "../sheet-columns.ts";
import { laidOut, secondPercent } from "./laid-out.ts";

/** A row: a line of the cap table, with what its answer does not tell of a holder. */
interface Row {
  readonly line: HolderLine;
  /** By plan; null where the row has no figures, as it tells but one more amount of the holder above. */
  readonly options: ReadonlyMap<string | null, Decimal> | null;
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

/** The holders, a row more for each further currency, and what plans have available. */
function rowsOf(company: Company): readonly Row[] {
  const { options, principal } = tallyHolders(company);
  const holders = holderLines(company.table).flatMap((line): Row[] => {
    const [first = null, ...others] = amountsOf(company, principal.get(line.id));
    const more = { ...line, held: {} };
    return [
      { line, options: options.get(line.id) ?? new Map(), principal: first },
      ...others.map((amount) => ({ line: more, options: null, principal: amount })),
    ];
  });
  return [...holders, ...poolLines(company.table).map((line) => ({ line, options: null, principal: null }))];
}

/** Lays the sheet out. */
export function capTableSheet(company: Company, basis: Basis): Sheet {
  const rows = rowsOf(company);
  const plans = company.table.equityPlans;
  const all = holderColumns(layoutOf(company));
  const column = laidOut(({ line }: Row) => line);
  const { summedMoney } = moneyIn(company.currency);
  const known = new Set(plans.map(({ id }) => id));
  const optionsOf = (key: string, heading: string, isOf: (plan: string | null) => boolean) =>
    summed<Row>(key, heading, ({ options }) => {
      if (options === null) return null;
      let sum = ZERO;
      for (const [plan, figure] of options) if (isOf(plan)) sum += figure;
      return formatDecimal(sum);
    });
  const second = secondPercent(basis, all);
  const classes = all.classes.map((each) => column.summed(each));
  const byPlan = plans.map(({ id, name }) => optionsOf(`plan ${id}`, `Options: ${name}`, (plan) => plan === id));
  const withoutPlan = optionsOf("options", "Options without a plan", (plan) => plan === null || !known.has(plan));
  const options = [...byPlan, withoutPlan];
  const added = hasAdded(company.table) ? [column.summed(all.added)] : [];
  const warrants = column.summed(all.warrants);
  const diluted = ["outstanding", ...[...options, warrants, ...added].map(({ key }) => key)];
  const columns: Column<Row>[] = [
    column.text(all.name),
    ...classes,
    column.summed(all.outstanding, plus(...classes.map(({ key }) => key))),
    column.percent(all.percentOutstanding),
    ...options,
    warrants,
    ...added,
    // Of a holder it is a sum of cells; what a plan has available stands there itself.
    { ...column.summed(all.asConverted, plus(...diluted)), isValue: (row) => row.options === null },
    ...(second ? [column.percent(second, { lessRows: basis === "FULLY_DILUTED" ? 0 : plans.length })] : []),
    summedMoney("principal", "Convertibles, principal", ({ principal }) => principal),
    column.text(all.id),
  ];
  const printed = columns.length - 1;
  const shape = { key: "cap-table", name: "Cap table", isSnapshot: true, frozen: 1, printed, columns };
  return sheetOf({ ...shape, rows: () => rows });
}
