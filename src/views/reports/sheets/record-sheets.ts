// The sheets Valuations, Stakeholders and Transactions: what is recorded, and the ledger itself. Pure.
import { canonicalText } from "../../../storage/database/log/log-hash.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { amountIn } from "../money.ts";
import type { Company } from "../report-company.ts";
import { type Column, type Sheet, sheetOf } from "../sheet.ts";
import { date, integer, moneyIn, quantity, text, timestamp } from "../sheet-columns.ts";
import { numberOf } from "./register-sheet.ts";

/** Lays Valuations out: those in effect by the day. A valuation is in its class's currency. */
export function valuationsSheet(company: Company): Sheet {
  const { money } = moneyIn(company.currency);
  const currencies = new Map(company.view.names.classes.map(({ id, currency }) => [id, currency]));
  const amount = (row: Row<"valuations">, figure: string | null) =>
    amountIn(company, figure, currencies.get(row.stockClassId ?? "") ?? null);
  const columns: Column<Row<"valuations">>[] = [
    text("type", "Type", ({ type }) => type),
    text("status", "Status", ({ status }) => status),
    text("class", "Class", ({ stockClassId }) => company.names.classes.get(stockClassId ?? "")),
    money("price", "Price per share", (row) => amount(row, row.pricePerShare)),
    date("effective", "Effective", ({ effectiveDate }) => effectiveDate),
    date("expires", "Expires", ({ expirationDate }) => expirationDate),
    text("provider", "Provider", ({ provider }) => provider),
    text("report", "Report", ({ reportId }) => reportId),
    money("fair", "Fair market value", (row) => amount(row, row.fairMarketValue)),
    money("enterprise", "Enterprise value", (row) => amount(row, row.enterpriseValue)),
    date("board", "Board approval", ({ boardApprovalDate }) => boardApprovalDate),
    date("holders", "Stockholder approval", ({ stockholderApprovalDate }) => stockholderApprovalDate),
    text("comments", "Comments", ({ comments }) => comments),
    text("id", "Id", ({ id }) => id),
  ];
  const shape = { key: "valuations", name: "Valuations", isSnapshot: false, frozen: 2, printed: 12, columns };
  return sheetOf({ ...shape, rows: () => company.valuations });
}

interface Name {
  readonly legalName: string;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
}

/** A stakeholder's name in its parts, as it is kept. */
export function nameOf(row: Pick<Row<"stakeholders">, "name">): Name {
  return JSON.parse(row.name);
}

/** Lays Stakeholders out, by creation. */
export function stakeholdersSheet(company: Company): Sheet {
  const columns: Column<Row<"stakeholders">>[] = [
    text("holder", "Holder", ({ displayName }) => displayName),
    text("legalName", "Legal name", (row) => nameOf(row).legalName),
    text("type", "Type", ({ type }) => type),
    text("status", "Status", ({ status }) => status),
    text("relationships", "Relationships", ({ relationships }) => JSON.parse(relationships ?? "[]").join("; ")),
    text("email", "Email", ({ email }) => email),
    text("number", "Holder number", ({ issuerAssignedId }) => issuerAssignedId),
    text("verification", "Verification", ({ verificationStatus }) => verificationStatus),
    text("firstName", "First name", (row) => nameOf(row).firstName),
    text("lastName", "Last name", (row) => nameOf(row).lastName),
    text("comments", "Comments", ({ comments }) => comments),
    text("id", "Id", ({ id }) => id),
  ];
  const shape = { key: "stakeholders", name: "Stakeholders", isSnapshot: false, frozen: 1, printed: 8, columns };
  return sheetOf({ ...shape, rows: () => company.stakeholders() });
}

/** Stored texts up to here are not cut once they are canonical: only figures get longer by it, and few. */
const SURELY_WHOLE = 4_000;

/** What an entry says besides, in canonical form. */
const details: Column<Row<"transactions">> = {
  ...text("details", "Details", ({ metadata }) => (metadata === null ? null : canonicalText(metadata))),
  measured: ({ metadata }) =>
    metadata === null || metadata.length <= SURELY_WHOLE ? metadata : canonicalText(metadata),
};

/** Lays Transactions out: all entries up to the head, those too that do not count. */
export function transactionsSheet(company: Company): Sheet {
  const { flows, names } = company;
  const columns: Column<Row<"transactions">>[] = [
    integer("entry", "Entry", ({ sequence }) => sequence),
    date("effective", "Effective", ({ effectiveDate }) => effectiveDate),
    text("type", "Type", ({ type }) => type),
    text("number", "Certificate", ({ securityId }) =>
      securityId === null ? null : certificateOf(company, securityId),
    ),
    text("holder", "Holder", ({ stakeholderId }) => names.holders.get(stakeholderId ?? "")),
    quantity("quantity", "Quantity", (row) => row.quantity),
    text("counted", "Counted", ({ sequence }) => (flows.counts(sequence) ? "Yes" : "No")),
    timestamp("recorded", "Recorded", ({ createdAt }) => createdAt),
    details,
    text("recordOnly", "Record only", ({ recordOnly }) => (recordOnly === 1 ? "Yes" : "No")),
    text("hash", "Hash", ({ hash }) => hash),
    text("previousHash", "Previous hash", ({ previousHash }) => previousHash),
    text("securityId", "Security id", ({ securityId }) => securityId),
    text("stakeholderId", "Stakeholder id", ({ stakeholderId }) => stakeholderId),
    text("id", "Id", ({ id }) => id),
  ];
  const shape = { key: "transactions", name: "Transactions", isSnapshot: false, frozen: 1, printed: 8, columns };
  return sheetOf({ ...shape, rows: () => company.entries() });
}

function certificateOf(company: Company, id: string): string | null {
  return company.numbers.has(id) ? numberOf(company, id) : null;
}
