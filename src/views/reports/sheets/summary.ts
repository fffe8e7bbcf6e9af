// The sheet Summary: classes, what of options and warrants is of no class, and what plans have available. Pure.

import {
  type Decimal,
  formatDecimal,
  isDecimalText,
  max,
  multiply,
  ONE,
  parseDecimal,
  scale,
  ZERO,
} from "../../../kernel/numbers/decimal.ts";
import { priceThen } from "../../../ledger/replay/terms-then.ts";
import { isOneForOne } from "../../../ledger/rules/conversion.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { amountIn } from "../money.ts";
import type { Basis, Company } from "../report-company.ts";
import { type Column, type Share, type Sheet, sheetOf } from "../sheet.ts";
import { less, moneyIn, percent, plus, quantity, summed, text } from "../sheet-columns.ts";

/** A line of the summary; words and figures as the cap table's, null for what a line has not. */
export interface SummaryLine {
  readonly name: string;
  readonly kind: string | null;
  readonly authorized: string | null;
  readonly outstanding: string | null;
  readonly options: string | null;
  readonly warrants: string | null;
  readonly pool: string | null;
  /** By how much conversion makes stock and warrants more; a minus where it makes them less. */
  readonly added: Decimal | null;
  /** As converted. */
  readonly fullyDiluted: Decimal;
  readonly votesPerShare: string | null;
  readonly votes: string | null;
  /** Whether its votes are not outstanding × votes per share. */
  readonly votesOtherwise: boolean;
  readonly issuePrice: string | null;
  readonly cashRaised: string | null;
  readonly preference: string | null;
}

/** COMMON first, then by seniority from the highest number, then by creation. */
export function classesInOrder(company: Company): readonly Row<"share_classes">[] {
  const shown = new Set(company.table.shareClasses.map(({ id }) => id));
  const classes = company.view.names.classes.filter(({ id }) => shown.has(id));
  const rank = ({ classType }: Row<"share_classes">) => (classType === "COMMON" ? 0 : 1);
  return classes.toSorted((a, b) => rank(a) - rank(b) || (rank(a) === 1 ? b.seniority - a.seniority : 0));
}

/** The lines of classes and of what is of no class, and those of what is available. */
export function summaryLines(company: Company): { readonly classes: SummaryLine[]; readonly pools: SummaryLine[] } {
  const { table } = company;
  const { raised } = company.amounts;
  const byClass = new Map(table.byClass.map((line) => [line.stockClassId, line]));
  const classes = classesInOrder(company).map((row): SummaryLine => {
    const line = byClass.get(row.id);
    const authorized = table.shareClasses.find(({ id }) => id === row.id)?.authorized ?? null;
    const { outstanding = "0", options = "0", warrants = "0", asConverted = "0", votes = "0" } = line ?? {};
    return {
      name: row.name,
      kind: row.classType === "COMMON" ? "Common" : "Preferred",
      authorized,
      outstanding,
      options,
      warrants,
      pool: null,
      added: line ? addedIn(line) : ZERO,
      fullyDiluted: parseDecimal(asConverted),
      votesPerShare: row.votesPerShare,
      votes,
      votesOtherwise: votesOtherwise(company, row, { outstanding, votes }),
      issuePrice: amountIn(company, classPrice(company, row), row.currency),
      cashRaised: raised.get(row.id) ?? "0",
      preference: preferenceOf(company, row, parseDecimal(outstanding)),
    };
  });
  const none = byClass.get(null);
  const rest = none ? [classless(none)] : [];
  return { classes: [...classes, ...rest], pools: table.equityPlans.map(poolLine) };
}

/** Whether a class's votes are no product of its cells: it votes as converted, at another ratio than 1 or in fractions. */
function votesOtherwise(
  { view }: Company,
  { id, votesBasis, votesPerShare }: Row<"share_classes">,
  { outstanding, votes }: { readonly outstanding: string; readonly votes: string },
): boolean {
  if (votesBasis === "AS_CONVERTED" && !isOneForOne(view.conversions.get(id))) return true;
  return multiply(parseDecimal(outstanding), parseDecimal(votesPerShare)) !== parseDecimal(votes);
}

/** What conversion adds to what is held, as issued and as converted. */
export function addedIn(held: { readonly fullyDiluted: string; readonly asConverted: string }): Decimal {
  return parseDecimal(held.asConverted) - parseDecimal(held.fullyDiluted);
}

/** Whether a book tells what conversion adds: it does of any class or holder. */
export function hasAdded({ table }: Company): boolean {
  return [...table.byClass, ...table.stakeholders].some((line) => addedIn(line) !== ZERO);
}

const NO_MONEY = { votesPerShare: null, issuePrice: null, cashRaised: null, preference: null } as const;
const NO_VOTES = { votes: null, votesOtherwise: false, added: null } as const;

function classless({ options, warrants, asConverted }: Company["table"]["byClass"][number]): SummaryLine {
  const nothing = { kind: null, authorized: null, outstanding: null, pool: null, ...NO_MONEY, ...NO_VOTES };
  return { name: "No class", ...nothing, options, warrants, fullyDiluted: parseDecimal(asConverted) };
}

/** An overdrawn plan has nothing available, and takes nothing from others. */
function poolLine({ name, available }: Company["table"]["equityPlans"][number]): SummaryLine {
  const pool = max(parseDecimal(available), ZERO);
  const nothing = {
    kind: null,
    authorized: null,
    outstanding: null,
    options: null,
    warrants: null,
    ...NO_MONEY,
    ...NO_VOTES,
  };
  return { name: `Available: ${name}`, ...nothing, pool: formatDecimal(pool), fullyDiluted: pool };
}

/** What a share of the class cost at the moment. */
function classPrice({ classTerms }: Company, { id, pricePerShare }: Row<"share_classes">): string | null {
  return priceThen(pricePerShare, classTerms.earlier.get(id));
}

/**
 * Outstanding × the class price × the multiple, rounded once as the models' claim is; null where the price is not
 * known.
 */
function preferenceOf(company: Company, row: Row<"share_classes">, outstanding: Decimal): string | null {
  const { liquidationPreferenceMultiple: multiple } = row;
  const price = classPrice(company, row);
  if (row.classType !== "PREFERRED" || price === null || !isDecimalText(price)) return null;
  const times = multiple === null ? ONE : parseDecimal(multiple);
  const preference = scale(outstanding, parseDecimal(price) * times, ONE * ONE);
  return amountIn(company, formatDecimal(preference), row.currency);
}

/** The column that tells what conversion adds. */
export const ADDED = "Added by conversion";

/** The header and the whole of the second percentage; null without such a percentage. */
export function secondShare(basis: Basis): { readonly header: string; readonly hasPool: boolean } | null {
  if (basis === "OUTSTANDING") return null;
  const hasPool = basis === "FULLY_DILUTED";
  return { header: hasPool ? "% fully diluted" : "% granted", hasPool };
}

/** Lays the sheet out. */
export function summarySheet(company: Company, basis: Basis): Sheet {
  const { classes, pools } = summaryLines(company);
  const { totals } = company.table;
  const outstanding = parseDecimal(totals.outstanding);
  const fullyDiluted = parseDecimal(totals.asConverted);
  const granted = fullyDiluted - parseDecimal(totals.poolAvailable);
  const { money, summedMoney } = moneyIn(company.currency);
  const second = secondShare(basis);
  const secondColumn: Column<SummaryLine>[] = second
    ? [
        percent(
          "percentDiluted",
          second.header,
          (line): Share | null => {
            if (second.hasPool) return { part: line.fullyDiluted, whole: fullyDiluted };
            return line.pool === null ? { part: line.fullyDiluted, whole: granted } : null;
          },
          {
            isSummed: true,
            formula: { kind: "share", plus: ["fullyDiluted"], minus: second.hasPool ? [] : ["pool"], of: "total" },
          },
        ),
      ]
    : [];
  const added = hasAdded(company)
    ? [summed<SummaryLine>("added", ADDED, (line) => (line.added === null ? null : formatDecimal(line.added)))]
    : [];
  const columns: Column<SummaryLine>[] = [
    text("class", "Class", (line) => line.name),
    text("kind", "Kind", (line) => line.kind),
    summed("authorized", "Authorized", (line) => line.authorized),
    summed("outstanding", "Outstanding", (line) => line.outstanding),
    summed("notIssued", "Not issued", notIssued, less(["authorized"], "outstanding")),
    summed("options", "Options", (line) => line.options),
    summed("warrants", "Warrants", (line) => line.warrants),
    summed("pool", "Pool available", (line) => line.pool),
    ...added,
    summed(
      "fullyDiluted",
      "Fully diluted",
      (line) => formatDecimal(line.fullyDiluted),
      plus("outstanding", "options", "warrants", ...added.map(({ key }) => key), "pool"),
    ),
    percent(
      "percentOutstanding",
      "% outstanding",
      (line) => (line.outstanding === null ? null : { part: parseDecimal(line.outstanding), whole: outstanding }),
      { isSummed: true, formula: { kind: "share", plus: ["outstanding"], of: "total" } },
    ),
    ...secondColumn,
    quantity("votesPerShare", "Votes per share", (line) => line.votesPerShare),
    {
      ...summed<SummaryLine>("votes", "Votes", (line) => line.votes, {
        kind: "product",
        of: ["outstanding", "votesPerShare"],
      }),
      isValue: (line) => line.votesOtherwise,
    },
    money("issuePrice", "Issue price", (line) => line.issuePrice),
    summedMoney("cashRaised", "Cash raised", (line) => line.cashRaised),
    summedMoney("preference", "Liquidation preference", (line) => line.preference),
  ];
  const rows = [...classes, ...pools];
  return sheetOf({ key: "summary", name: "Summary", isSnapshot: true, frozen: 1, columns, rows: () => rows });
}

function notIssued({ authorized, outstanding }: SummaryLine): string | null {
  if (authorized === null || outstanding === null || !isDecimalText(authorized)) return null;
  return formatDecimal(parseDecimal(authorized) - parseDecimal(outstanding));
}
