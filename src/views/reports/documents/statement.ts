// Statement of one holder: securities type by type, with totals and the holder's part of the whole. Pure.

import { formatDecimal, isDecimalText, parseDecimal, sum, ZERO } from "../../../kernel/numbers/decimal.ts";
import type { SecurityType } from "../../../storage/database/schema.ts";
import { percentInWords } from "../../cap-table/layout/percents.ts";
import type { Company, Head } from "../report-company.ts";
import { capOf, kindOf, termsOf } from "../sheets/convertibles.ts";
import { classOf, outstandingOf, planOf, type Registered, registered } from "../sheets/register-sheet.ts";
import { beginningLine, COPY, entryInWords, formedIn, stopInWords, vestedHeader, vestedOpenOf } from "./certificate.ts";
import type { Block, Line, PaperDocument, TableColumn } from "./document-model.ts";
import { priceOf } from "./price.ts";
import { ratioLines } from "./summary-paper.ts";
import { amount, grouped, legalNameOf } from "./words.ts";

interface Shape {
  readonly type: SecurityType;
  readonly title: string;
  readonly grouping: string;
  readonly price: string;
}

const SHAPES: readonly Shape[] = [
  { type: "STOCK", title: "Stock", grouping: "Class", price: "Price" },
  { type: "STOCK_OPTION", title: "Options", grouping: "Plan", price: "Exercise price" },
  { type: "WARRANT", title: "Warrants", grouping: "Class", price: "Exercise price" },
  { type: "CONVERTIBLE", title: "Convertibles", grouping: "Kind", price: "Cap" },
];

/** What a statement is made from. */
export interface Stated {
  readonly company: Company;
  readonly holder: { readonly id: string; readonly name: string };
  /** The entry that it goes up to. */
  readonly latest: Head;
  /** Whether it is the holder's own copy, which tells nothing of the whole. */
  readonly isCopy: boolean;
}

/** The statement of a holder. */
export function holderStatement({ company, holder, latest, isCopy }: Stated): PaperDocument {
  const tables = SHAPES.flatMap((shape) => tableOf({ company, holder, latest, isCopy }, shape));
  const asOf: Line = ["As of", company.asked.asOf];
  return {
    kind: "H",
    legalName: company.organization.legalName,
    formedIn: formedIn(company),
    title: "HOLDER STATEMENT",
    blocks: [
      {
        kind: "pairs",
        bold: "Holder",
        lines: [...(isCopy ? [COPY] : []), ["Holder", legalNameOf(holder)], ...beginningLine(company), asOf],
      },
      ...tables,
      { kind: "pairs", lines: [...stopsOf(company, holder.id), ...totalsOf(company, holder.id, isCopy)] },
    ],
    entry: entryInWords(latest),
    stamp: null,
  };
}

/** The open securities of a type; an empty list if the holder has no such security. */
function tableOf({ company, holder, isCopy }: Stated, shape: Shape): Block[] {
  const held = [...registered(company, shape.type, ({ stakeholderId }) => stakeholderId === holder.id)].filter(
    (each) => outstandingOf(each) > ZERO,
  );
  if (held.length === 0) return [];
  const isConvertible = shape.type === "CONVERTIBLE";
  const columns: TableColumn[] = [
    { header: "Number", weight: 2 },
    { header: shape.grouping, weight: 3 },
    { header: "Date", weight: 2 },
    { header: "Outstanding", weight: 3, isFigure: true },
    ...(isConvertible ? [] : [{ header: vestedHeader(shape.type), weight: 3, isFigure: true }]),
    { header: shape.price, weight: 3, isFigure: true },
    { header: isConvertible ? "Matures" : "Expires", weight: 2 },
  ];
  const quantity = formatDecimal(sum(held.map(outstandingOf)));
  const vested = formatDecimal(sum(held.map(vestedOpenOf)));
  const totals = isConvertible
    ? ["Total", "", "", principalOf(held, quantity), "", ""]
    : ["Total", "", "", grouped(quantity), grouped(vested), "", ""];
  return [{ kind: "table", title: shape.title, columns, rows: held.map((each) => rowOf(each, shape, isCopy)), totals }];
}

/** The certificates of which vesting stopped. */
function stopsOf(company: Company, holderId: string): Line[] {
  const held = registered(company, "STOCK", ({ stakeholderId }) => stakeholderId === holderId);
  return [...held].flatMap((each): Line[] => {
    const stop = outstandingOf(each) > ZERO ? stopInWords(each) : null;
    return stop === null ? [] : [["Vesting", `${each.row?.certificateId ?? each.state.id}: ${stop}`]];
  });
}

/** What is owed in all: nothing where it is in several currencies. */
function principalOf(held: readonly Registered[], sum: string): string {
  const [currency, ...others] = new Set(held.map(({ company, row }) => row?.currency ?? company.currency));
  return currency !== undefined && others.length === 0 ? `${grouped(sum)} ${currency}` : "";
}

function rowOf(security: Registered, { type }: Shape, isCopy: boolean): string[] {
  const { company, flow, state, row } = security;
  const currency = row?.currency ?? company.currency;
  const isConvertible = type === "CONVERTIBLE";
  const grouping = isConvertible ? kindOf(security) : type === "STOCK_OPTION" ? planOf(security) : classOf(security);
  const price = isConvertible ? capOf(security) : type === "STOCK" ? priceOf(security, isCopy) : state.exercisePrice;
  const outstanding = grouped(formatDecimal(outstandingOf(security)));
  return [
    row?.certificateId ?? state.id,
    grouping ?? "",
    flow.date,
    isConvertible ? `${outstanding} ${currency}` : outstanding,
    ...(isConvertible ? [] : [grouped(formatDecimal(vestedOpenOf(security)))]),
    amount(price, currency) ?? "",
    endOf(security) ?? "",
  ];
}

/** The day on which it matures or expires; null for stock, even if its record kept an exercised option's day. */
function endOf(security: Registered): string | null {
  const { type } = security.state;
  if (type === "CONVERTIBLE") return termsOf(security).maturityDate;
  return type === "STOCK" ? null : (security.row?.expirationDate ?? null);
}

function totalsOf(company: Company, holderId: string, isCopy: boolean): Line[] {
  const { totals } = company.table;
  const own = company.table.stakeholders.find(({ id }) => id === holderId);
  const figure = (text: string | undefined) => (text !== undefined && isDecimalText(text) ? parseDecimal(text) : ZERO);
  const [outstanding, diluted] = [figure(own?.outstanding), figure(own?.asConverted)];
  const [stock, all] = [
    ["Outstanding stock", grouped(formatDecimal(outstanding))],
    ["Fully diluted", grouped(formatDecimal(diluted))],
  ] as const;
  if (isCopy) return [stock, all, ...ratioLines(company)];
  return [
    stock,
    ["Of all outstanding stock", percentInWords({ part: outstanding, whole: figure(totals.outstanding) })],
    all,
    ["Of the fully diluted whole", percentInWords({ part: diluted, whole: figure(totals.asConverted) })],
    ...ratioLines(company),
  ];
}
