// The sheet Summary: classes, what of options and warrants is of no class, and what plans have available. Pure.

import { formatDecimal, isDecimalText, multiply, ONE, parseDecimal, scale } from "../../../kernel/numbers/decimal.ts";
import { priceThen } from "../../../ledger/replay/terms-then.ts";
import { isOneForOne } from "../../../ledger/rules/conversion.ts";
import type { Row as Stored } from "../../../storage/database/sql.ts";
import { type ClassLine, classColumns, classLines, classPoolLines } from "../../cap-table/layout/by-class.ts";
import { hasAdded } from "../../cap-table/layout/holder-columns.ts";
import type { Basis } from "../keys.ts";
import { amountIn } from "../money.ts";
import { type Company, layoutOf } from "../report-company.ts";
import { type Column, type Sheet, sheetOf } from "../sheet.ts";
import { less, moneyIn, plus, quantity, text } from "../sheet-columns.ts";
import { laidOut, secondPercent } from "./laid-out.ts";

/** A row: a line of the cap table, with what the records of its class say; null for a line that is no class. */
interface Row {
  readonly line: ClassLine;
  readonly kind: string | null;
  readonly votesPerShare: string | null;
  /** Whether its votes are not outstanding × votes per share. */
  readonly votesOtherwise: boolean;
  readonly issuePrice: string | null;
  readonly cashRaised: string | null;
  readonly preference: string | null;
}

const NO_CLASS_RECORD = {
  ...{ kind: null, votesPerShare: null, votesOtherwise: false, issuePrice: null, cashRaised: null, preference: null },
};

function rowsOf(company: Company): readonly Row[] {
  const records = new Map(company.view.names.classes.map((row) => [row.id, row]));
  const ofClass = (line: ClassLine): Row => {
    const row = records.get(line.id ?? "");
    if (!row) return { line, ...NO_CLASS_RECORD };
    const outstanding = line.outstanding ?? "0";
    return {
      line,
      kind: row.classType === "COMMON" ? "Common" : "Preferred",
      votesPerShare: row.votesPerShare,
      votesOtherwise: votesOtherwise(company, row, { outstanding, votes: line.votes ?? "0" }),
      issuePrice: amountIn(company, classPrice(company, row), row.currency),
      cashRaised: company.amounts.raised.get(row.id) ?? "0",
      preference: preferenceOf(company, row, outstanding),
    };
  };
  const source = layoutOf(company);
  return [...classLines(source), ...classPoolLines(source.table)].map(ofClass);
}

/** The names of the classes whose votes are no product of their cells. */
export function votingOtherwise(company: Company): readonly string[] {
  return rowsOf(company).flatMap((row) => (row.votesOtherwise ? [row.line.name] : []));
}

/** Whether a class's votes are no product of its cells: it votes as converted, at another ratio than 1 or in fractions. */
function votesOtherwise(
  { view }: Company,
  { id, votesBasis, votesPerShare }: Stored<"share_classes">,
  { outstanding, votes }: { readonly outstanding: string; readonly votes: string },
): boolean {
  if (votesBasis === "AS_CONVERTED" && !isOneForOne(view.conversions.get(id))) return true;
  return multiply(parseDecimal(outstanding), parseDecimal(votesPerShare)) !== parseDecimal(votes);
}

/** What a share of the class cost at the moment. */
function classPrice({ classTerms }: Company, { id, pricePerShare }: Stored<"share_classes">): string | null {
  return priceThen(pricePerShare, classTerms.earlier.get(id));
}

/**
 * Outstanding × the class price × the multiple, rounded once as the models' claim is; null where the price is not
 * known.
 */
function preferenceOf(company: Company, row: Stored<"share_classes">, outstanding: string): string | null {
  const { liquidationPreferenceMultiple: multiple } = row;
  const price = classPrice(company, row);
  if (row.classType !== "PREFERRED" || price === null || !isDecimalText(price)) return null;
  const times = multiple === null ? ONE : parseDecimal(multiple);
  const preference = scale(parseDecimal(outstanding), parseDecimal(price) * times, ONE * ONE);
  return amountIn(company, formatDecimal(preference), row.currency);
}

/** Lays the sheet out. */
export function summarySheet(company: Company, basis: Basis): Sheet {
  const rows = rowsOf(company);
  const all = classColumns(layoutOf(company));
  const column = laidOut(({ line }: Row) => line);
  const { money, summedMoney } = moneyIn(company.currency);
  const second = secondPercent(basis, all);
  const added = hasAdded(company.table) ? [column.summed(all.added)] : [];
  const diluted = ["outstanding", "options", "warrants", ...added.map(({ key }) => key), "pool"];
  const columns: Column<Row>[] = [
    column.text(all.name),
    text("kind", "Kind", ({ kind }) => kind),
    column.summed(all.authorized),
    column.summed(all.outstanding),
    column.summedFigures(all.notIssued, less(["authorized"], "outstanding")),
    column.summed(all.options),
    column.summed(all.warrants),
    column.summed(all.pool),
    ...added,
    column.summed(all.asConverted, plus(...diluted)),
    column.percent(all.percentOutstanding),
    ...(second ? [column.percent(second, { minus: basis === "FULLY_DILUTED" ? [] : ["pool"] })] : []),
    quantity("votesPerShare", "Votes per share", (row) => row.votesPerShare),
    {
      ...column.summed(all.votes, { kind: "product", of: ["outstanding", "votesPerShare"] }),
      isValue: (row) => row.votesOtherwise,
    },
    money("issuePrice", "Issue price", (row) => row.issuePrice),
    summedMoney("cashRaised", "Cash raised", (row) => row.cashRaised),
    summedMoney("preference", "Liquidation preference", (row) => row.preference),
  ];
  return sheetOf({ key: "summary", name: "Summary", isSnapshot: true, frozen: 1, columns, rows: () => rows });
}
