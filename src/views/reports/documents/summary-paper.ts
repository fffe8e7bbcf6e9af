// The cap table on one page: classes, the largest holders, the pool and the totals. Pure.

import { formatDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { classColumns, classLines, classPoolLines } from "../../cap-table/layout/by-class.ts";
import { holderLines, holdsShares, POOL } from "../../cap-table/layout/by-holder.ts";
import { holderColumns, othersLine } from "../../cap-table/layout/holder-columns.ts";
import type { LayoutColumn } from "../../cap-table/layout/layout-column.ts";
import { type PercentColumn, percentInWords } from "../../cap-table/layout/percents.ts";
import { RATIOS_LABEL, ratiosOf } from "../../cap-table/layout/ratios.ts";
import type { Basis } from "../keys.ts";
import { type Company, layoutOf } from "../report-company.ts";
import { secondPercent } from "../sheets/laid-out.ts";
import { outstandingOf, registered } from "../sheets/register-sheet.ts";
import { beginningLine, entryInWords, formedIn } from "./certificate.ts";
import type { Block, Line, PaperDocument, TableColumn } from "./document-model.ts";
import { amount, grouped } from "./words.ts";

const HOLDERS_MAX = 20;

/** The summary. */
export function capTableSummary(company: Company, basis: Basis): PaperDocument {
  return {
    kind: "S",
    legalName: company.organization.legalName,
    formedIn: formedIn(company),
    title: "CAP TABLE SUMMARY",
    blocks: [
      { kind: "pairs", lines: [...beginningLine(company), ["As of", company.asked.asOf]] },
      classTable(company, basis),
      holderTable(company, basis),
      { kind: "pairs", lines: totalLines(company) },
    ],
    entry: entryInWords(company.head),
    stamp: null,
  };
}

function classTable(company: Company, basis: Basis): Block {
  const source = layoutOf(company);
  const all = classColumns(source);
  const columns = [
    { ...onPaper(all.name), weight: 7 },
    ...[all.authorized, all.outstanding, all.options, all.warrants, all.asConverted].map(onPaper),
    ...percents(basis, all),
  ];
  return tableOf("Classes", columns, [...classLines(source), ...classPoolLines(source.table)]);
}

function holderTable(company: Company, basis: Basis): Block {
  const source = layoutOf(company);
  const all = holderColumns(source);
  const columns = [
    { ...onPaper(all.name), weight: 6 },
    ...[all.outstanding, all.asConverted].map(onPaper),
    ...percents(basis, all),
  ];
  const holding = holderLines(source.table).filter(holdsShares);
  const [first, others] = [holding.slice(0, HOLDERS_MAX), holding.slice(HOLDERS_MAX)];
  return tableOf("Holders", columns, [...first, ...(others.length > 0 ? [othersLine(others)] : [])]);
}

/** A column on paper: figures with their thousands set apart. */
interface PaperColumn<L> extends TableColumn {
  cell(line: L): string;
}

const FIGURE_WEIGHT = 3;

function onPaper<L>({ heading: header, kind, cell }: LayoutColumn<L>): PaperColumn<L> {
  const isText = kind === "text";
  const shown = (line: L) => (isText ? (cell(line) ?? "") : grouped(cell(line) ?? ""));
  return { header, weight: FIGURE_WEIGHT, ...(isText ? {} : { isFigure: true }), cell: shown };
}

type Percents<L> = Readonly<Record<"percentOutstanding" | "percentDiluted" | "percentGranted", PercentColumn<L>>>;

function percents<L>(basis: Basis, all: Percents<L>): readonly PaperColumn<L>[] {
  return [all.percentOutstanding, secondPercent(basis, all)].flatMap((column) => {
    if (column === null) return [];
    const shown = (line: L) => {
      const part = column.part(line);
      return part === null ? "" : percentInWords(part);
    };
    return [{ ...onPaper(column), cell: shown }];
  });
}

function tableOf<L>(title: string, columns: readonly PaperColumn<L>[], lines: readonly L[]): Block {
  const rows = lines.map((line) => columns.map(({ cell }) => cell(line)));
  return { kind: "table", title, columns: columns.map(({ cell: _, ...column }) => column), rows, totals: null };
}

/** Which classes do not count one for one; nothing where all do. */
export function ratioLines({ table }: Company): Line[] {
  const ratios = ratiosOf(table.shareClasses);
  return ratios.length === 0 ? [] : [[`${RATIOS_LABEL}:`, ratios.join(", ")]];
}

function totalLines(company: Company): Line[] {
  const { totals } = company.table;
  const lines: Line[] = [
    ["Outstanding stock", grouped(totals.outstanding)],
    ["Options", grouped(totals.options)],
    ["Warrants", grouped(totals.warrants)],
    [POOL, grouped(totals.poolAvailable)],
    ["Fully diluted", grouped(totals.asConverted)],
    ...ratioLines(company),
  ];
  const owed = new Map<string, bigint>();
  for (const each of registered(company, "CONVERTIBLE")) {
    const currency = each.row?.currency ?? company.currency;
    owed.set(currency, (owed.get(currency) ?? ZERO) + outstandingOf(each));
  }
  for (const [currency, principal] of owed) {
    if (principal > ZERO) lines.push(["Convertibles, principal", amount(formatDecimal(principal), currency) ?? ""]);
  }
  return lines;
}
