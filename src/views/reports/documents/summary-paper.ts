// The cap table on one page: classes, the largest holders, the pool and the totals. Pure.

import { formatDecimal, parseDecimal, sum, ZERO } from "../../../kernel/numbers/decimal.ts";
import { largestFirst, RATIOS_LABEL, ratiosOf } from "../../../kernel/numbers/ratios.ts";
import type { Basis, Company } from "../report-company.ts";
import { NO_HOLDER } from "../sheets/cap-table.ts";
import { outstandingOf, registered } from "../sheets/register-sheet.ts";
import { type SummaryLine, secondShare, summaryLines } from "../sheets/summary.ts";
import { beginningLine, entryInWords, formedIn } from "./certificate.ts";
import type { Block, Line, PaperDocument, TableColumn } from "./document-model.ts";
import { amount, grouped, percentText } from "./words.ts";

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

/** The whole of the second percentage; null without such a percentage. */
function wholeOf(company: Company, basis: Basis): bigint | null {
  const { totals } = company.table;
  const diluted = parseDecimal(totals.asConverted);
  if (basis === "OUTSTANDING") return null;
  return basis === "FULLY_DILUTED" ? diluted : diluted - parseDecimal(totals.poolAvailable);
}

function shareColumns(basis: Basis): TableColumn[] {
  const second = secondShare(basis);
  const first: TableColumn = { header: "% outstanding", weight: 3, isFigure: true };
  return second ? [first, { header: second.header, weight: 3, isFigure: true }] : [first];
}

function classTable(company: Company, basis: Basis): Block {
  const { classes, pools } = summaryLines(company);
  const outstanding = parseDecimal(company.table.totals.outstanding);
  const whole = wholeOf(company, basis);
  const cell = (text: string | null) => (text === null ? "" : grouped(text));
  const row = (line: SummaryLine) => {
    const isOfWhole = whole !== null && (basis === "FULLY_DILUTED" || line.pool === null);
    return [
      line.name,
      cell(line.authorized),
      cell(line.outstanding),
      cell(line.options),
      cell(line.warrants),
      cell(formatDecimal(line.fullyDiluted)),
      line.outstanding === null ? "" : percentText(parseDecimal(line.outstanding), outstanding),
      ...(whole === null ? [] : [isOfWhole ? percentText(line.fullyDiluted, whole) : ""]),
    ];
  };
  const figure = (header: string): TableColumn => ({ header, weight: 3, isFigure: true });
  const columns = [
    { header: "Class", weight: 7 },
    ...["Authorized", "Outstanding", "Options", "Warrants", "Fully diluted"].map(figure),
    ...shareColumns(basis),
  ];
  return { kind: "table", title: "Classes", columns, rows: [...classes, ...pools].map(row), totals: null };
}

function holderTable(company: Company, basis: Basis): Block {
  const { stakeholders, totals } = company.table;
  const outstanding = parseDecimal(totals.outstanding);
  const whole = wholeOf(company, basis);
  const figures = (held: readonly (typeof stakeholders)[number][]) => {
    const of = (name: "outstanding" | "asConverted") => sum(held.map((each) => parseDecimal(each[name])));
    const second = whole === null ? [] : [percentText(of("asConverted"), whole)];
    const shown = [of("outstanding"), of("asConverted")].map((each) => grouped(formatDecimal(each)));
    return [...shown, percentText(of("outstanding"), outstanding), ...second];
  };
  const holding = largestFirst(stakeholders).filter(({ fullyDiluted }) => parseDecimal(fullyDiluted) > ZERO);
  const [first, others] = [holding.slice(0, HOLDERS_MAX), holding.slice(HOLDERS_MAX)];
  const named = (id: string | null) => (id === null ? NO_HOLDER : (company.names.holders.get(id) ?? id));
  const rows = first.map((each) => [named(each.id), ...figures([each])]);
  if (others.length > 0) rows.push([`Others (${others.length})`, ...figures(others)]);
  const columns: TableColumn[] = [
    { header: "Holder", weight: 6 },
    { header: "Outstanding", weight: 3, isFigure: true },
    { header: "Fully diluted", weight: 3, isFigure: true },
    ...shareColumns(basis),
  ];
  return { kind: "table", title: "Holders", columns, rows, totals: null };
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
    ["Pool available", grouped(totals.poolAvailable)],
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
