// A certificate, or the statement of a grant or a convertible, of one security. Pure.

import { type Decimal, formatDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import type { SecurityType } from "../../../storage/database/schema.ts";
import { beginsOn } from "../../cap-table/beginning.ts";
import { NO_HOLDER } from "../../cap-table/layout/by-holder.ts";
import type { Flow } from "../flows.ts";
import type { Company, Head } from "../report-company.ts";
import { capOf, dayCountOf, kindOf, termsOf } from "../sheets/convertibles.ts";
import {
  adjustedOf,
  classOf,
  exercisableOf,
  numberOf,
  outstandingOf,
  planOf,
  type Registered,
  statusOf,
  stoppedOnOf,
  unvestedOf,
} from "../sheets/register-sheet.ts";
import type { Block, Line, PaperDocument } from "./document-model.ts";
import { priceOf } from "./price.ts";
import { amount, grouped, legalNameOf } from "./words.ts";

const TITLES: Readonly<Record<SecurityType, string>> = {
  STOCK: "STOCK CERTIFICATE",
  STOCK_OPTION: "OPTION GRANT STATEMENT",
  WARRANT: "WARRANT CERTIFICATE",
  CONVERTIBLE: "CONVERTIBLE STATEMENT",
};

/** What a certificate is made from. */
export interface Certified {
  readonly company: Company;
  readonly securityId: string;
  /** The holder's name on paper; null without a holder. */
  readonly holder: { readonly name: string } | null;
  /** The latest entry that counts for it. */
  readonly latest: Head;
  /** Whether it is the holder's own copy, which tells nothing of others. */
  readonly isCopy: boolean;
}

/** The remark on a holder's own copy, which is not signed. */
export const COPY: Line = ["Copy", "For the holder: a view of the register, not a signed document"];

/** The certificate; null where the security was not there on the day. */
export function certificateOf({ company, securityId, holder, latest, isCopy }: Certified): PaperDocument | null {
  const flow = company.flows.securities.get(securityId);
  const state = company.view.state.securities.get(securityId);
  if (!flow || !state) return null;
  const row = company.descriptionsOf([securityId]).get(securityId);
  const security: Registered = { company, flow, state, row };
  const holderName = holder === null ? NO_HOLDER : legalNameOf(holder);
  const blocks: Block[] = [
    {
      kind: "pairs",
      bold: "Outstanding",
      lines: [...(isCopy ? [COPY] : []), ...present(linesOf(security, holderName, isCopy))],
    },
    ...legendsOf(security),
    ...(isCopy ? [] : [{ kind: "signatures", count: 2 } as const]),
  ];
  return {
    kind: "C",
    legalName: company.organization.legalName,
    formedIn: formedIn(company),
    title: TITLES[state.type],
    blocks,
    entry: entryInWords(latest),
    stamp: state.status === "ACTIVE" ? null : statusOf(security),
  };
}

/** `formed in DE, US`; null where that is not known. */
export function formedIn({ organization }: Company): string | null {
  const parts = [organization.countrySubdivisionOfFormation, organization.countryOfFormation];
  return parts.filter((part) => part !== null).join(", ") || null;
}

/** Where a document stands in the ledger. */
export function entryInWords({ sequence, effectiveDate, createdAt }: Head): string {
  if (effectiveDate === null) return "no entry yet";
  return `${sequence} of ${effectiveDate}, recorded ${createdAt}`;
}

type MaybeLine = readonly [label: string, value: string | null | undefined];

function present(lines: readonly MaybeLine[]): readonly Line[] {
  return lines.flatMap(([label, value]): Line[] => (value ? [[label, value]] : []));
}

function linesOf(security: Registered, holder: string, isCopy: boolean): MaybeLine[] {
  const { company, flow, state, row } = security;
  const { type } = state;
  const currency = row?.currency ?? company.currency;
  const isGrant = type === "STOCK_OPTION" || type === "WARRANT";
  const terms = termsOf(security);
  const quantity = formatDecimal(outstandingOf(security));
  const stockClass = company.view.names.classes.find(({ id }) => id === state.stockClassId);
  return [
    ["Number", row?.certificateId],
    ["Holder", holder],
    ["Class", type === "CONVERTIBLE" ? null : classOf(security)],
    ["Plan", planOf(security)],
    [issuedLabel(security), issued(security, currency, isCopy)],
    ["Split", splits(flow)],
    ...(isCopy && !isFirstHolder(security) ? [] : changes(security, currency)),
    ["Outstanding", type === "CONVERTIBLE" ? amount(quantity, currency) : `${grouped(quantity)} ${unitOf(type)}`],
    ["Price per share", type === "STOCK" ? amount(priceOf(security, isCopy), currency) : null],
    ["Exercise price", isGrant ? amount(state.exercisePrice, currency) : null],
    ["Par value", type === "STOCK" ? amount(stockClass?.parValue, currency) : null],
    ["Type", row?.optionType],
    ["Kind", type === "CONVERTIBLE" ? kindOf(security) : null],
    ["Valuation cap", amount(capOf(security), currency)],
    ["Discount", terms.discountPercent === null ? null : `${terms.discountPercent}%`],
    ["Interest", interest(security)],
    ["Matures", terms.maturityDate],
    ["Expires", isGrant ? row?.expirationDate : null],
    ...vestingLines(security),
    // What it came of may be another's.
    ["From", isCopy ? null : flow.from.map((id) => numberOf(company, id)).join(", ")],
    ["Status", statusOf(security)],
    ["As of", company.asked.asOf],
  ];
}

function unitOf(type: SecurityType): string {
  return type === "STOCK" ? "shares" : type === "STOCK_OPTION" ? "options" : "warrant shares";
}

/** What the figure is called with which a security began. */
function issuedLabel({ flow, state: { type } }: Registered): string {
  if (type === "CONVERTIBLE") return "Principal";
  return flow.how === "Issued" && type === "STOCK_OPTION" ? "Granted" : "Issued";
}

/** Whether it was made for the holder that it has. */
function isFirstHolder({ flow, state }: Pick<Registered, "flow" | "state">): boolean {
  return flow.madeFor === state.stakeholderId;
}

/** What lies between the figure at first and the outstanding one, as the ledgers' sheets have it: what is not nothing. */
function changes(security: Registered, currency: string): MaybeLine[] {
  const { transferred, exercised, converted, repurchased, cancelled } = security.flow.taken;
  const figures: readonly (readonly [string, Decimal])[] = [
    ["Adjusted", adjustedOf(security)],
    ["Transferred", transferred],
    ["Exercised", exercised],
    ["Converted", converted],
    ["Repurchased", repurchased],
    ["Cancelled", cancelled],
  ];
  return figures.map(([label, figure]) => {
    if (figure === ZERO) return [label, null];
    const sign = figure < ZERO ? "-" : "";
    const text = formatDecimal(figure < ZERO ? -figure : figure);
    const shown = security.state.type === "CONVERTIBLE" ? amount(text, currency) : grouped(text);
    return [label, `${sign}${shown}`];
  });
}

/** How much it was at first: on the holder's copy only where it was the holder's then. */
function issued({ flow, state }: Pick<Registered, "flow" | "state">, currency: string, isCopy: boolean): string {
  if (isCopy && !isFirstHolder({ flow, state })) return flow.date;
  const figure = formatDecimal(flow.issued);
  return `${state.type === "CONVERTIBLE" ? amount(figure, currency) : grouped(figure)} on ${flow.date}`;
}

/** What made of what was issued what there is now. */
function splits({ sequence, splits: all }: Flow): string {
  const since = all.filter((split) => split.sequence > sequence);
  return since.map(({ numerator, denominator, date }) => `${numerator} for ${denominator} on ${date}`).join(", ");
}

/** One rate as the years go by, or each with the day from which it counts. */
function interest(security: Registered): string | null {
  const { interestRates } = termsOf(security);
  const [first, second] = interestRates;
  if (!first) return null;
  const days = dayCountOf(security);
  const rates = second
    ? interestRates.map(({ ratePercent, startDate }) => `${ratePercent}% a year from ${startDate}`).join(", ")
    : `${first.ratePercent}% a year`;
  return `${rates}${days === null ? "" : `, ${days}`}`;
}

function vestingLines(security: Registered): MaybeLine[] {
  const { row, state } = security;
  if (state.type === "CONVERTIBLE" || row === undefined) return [];
  if (row.vestingTermsId === null && unvestedOf(security) === 0n) return [];
  const lines: MaybeLine[] = [
    [vestedHeader(state.type), grouped(formatDecimal(vestedOpenOf(security)))],
    ["Unvested", grouped(formatDecimal(unvestedOf(security)))],
    ["Vesting", stopInWords(security)],
  ];
  if (state.type !== "STOCK_OPTION") return lines;
  return [...lines, ["Exercisable", grouped(formatDecimal(exercisableOf(security)))]];
}

/** That vesting stopped, and when; null where it goes on. */
export function stopInWords(security: Registered): string | null {
  const day = stoppedOnOf(security);
  return day === null ? null : `Vesting stopped on ${day}`;
}

/** What has vested of what is outstanding: with what has not, the outstanding figure of the same paper. */
export function vestedOpenOf(security: Registered): Decimal {
  return outstandingOf(security) - unvestedOf(security);
}

/** What that is called: of what can be exercised, registers count the exercised part as vested, too. */
export function vestedHeader(type: SecurityType): string {
  return type === "STOCK_OPTION" || type === "WARRANT" ? "Vested, not exercised" : "Vested";
}

/** On a paper of a day before the ledger begins: that it says nothing about that day. */
export function beginningLine({ beginning }: Company): readonly Line[] {
  return beginning === null ? [] : [["Ledger", beginsOn(beginning)]];
}

/** The class's legends, then the security's own. */
function legendsOf({ company, row, state }: Registered): Block[] {
  const stockClass = company.view.names.classes.find(({ id }) => id === state.stockClassId);
  const own = JSON.parse(row?.stockLegendIds ?? "[]") as string[];
  const ofClass = JSON.parse(stockClass?.stockLegendIds ?? "[]") as string[];
  const lines = [...new Set([...ofClass, ...own])].flatMap((id): Line[] => {
    const legend = company.legends.get(id);
    return legend ? [[legend.name, legend.text]] : [];
  });
  return lines.length === 0 ? [] : [{ kind: "texts", title: "Legends", lines }];
}
