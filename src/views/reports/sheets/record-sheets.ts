// The sheets Valuations, Stakeholders and Transactions: what is recorded, and the ledger itself. Pure.
import type { TProperties } from "@sinclair/typebox";
import { canonicalText } from "../../../storage/database/log/log-hash.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { kindOf, type SheetColumn, schemaAt } from "../../../storage/records/register.ts";
import { STAKEHOLDER_FIELDS, STAKEHOLDER_REGISTER } from "../../../storage/records/stakeholder.ts";
import { VALUATION_FIELDS, VALUATION_REGISTER } from "../../../storage/records/valuation.ts";
import { amountIn } from "../money.ts";
import type { Company } from "../report-company.ts";
import { type Column, type Sheet, sheetOf } from "../sheet.ts";
import { date, integer, moneyIn, quantity, text, timestamp } from "../sheet-columns.ts";
import { numberOf } from "./register-sheet.ts";

/** What a cell of a record's sheet is read with besides its row. */
interface Reading<R> {
  readonly company: Company;
  /** The currency of the row's amounts; null for the organization's. */
  readonly currencyOf: (row: R) => string | null;
}

/** The columns of a register's sheet. */
function registerColumns<R extends object>(
  fields: TProperties,
  columns: Readonly<Record<string, SheetColumn>>,
  { company, currencyOf }: Reading<R>,
): Column<R>[] {
  const { money } = moneyIn(company.currency);
  return Object.entries(columns).map(([key, { header, member = key, isMoney = false }]) => {
    const schema = schemaAt(fields, member);
    const kind = schema ? kindOf(schema) : "text";
    const read = (row: R) => storedText(row, member);
    if (isMoney) return money(key, header, (row) => amountIn(company, read(row), currencyOf(row)));
    if (kind === "day") return date(key, header, read);
    if (kind === "class") return text(key, header, (row) => company.names.classes.get(read(row) ?? ""));
    if (kind === "many") return text(key, header, (row) => JSON.parse(read(row) ?? "[]").join("; "));
    return text(key, header, read);
  });
}

/** A member as a row stores it: of an object its JSON has it. */
function storedText(row: object, member: string): string | null {
  const [name = "", ...inner] = member.split(".");
  const stored = (row as Readonly<Record<string, string | null>>)[name] ?? null;
  return stored === null || inner.length === 0 ? stored : (JSON.parse(stored)[inner.join(".")] ?? null);
}

/** Lays Valuations out: those in effect by the day. A valuation is in its class's currency. */
export function valuationsSheet(company: Company): Sheet {
  const currencies = new Map(company.view.names.classes.map(({ id, currency }) => [id, currency]));
  const columns = registerColumns<Row<"valuations">>(VALUATION_FIELDS, VALUATION_REGISTER.sheet, {
    company,
    currencyOf: ({ stockClassId }) => currencies.get(stockClassId ?? "") ?? null,
  });
  const shape = { key: "valuations", name: "Valuations", isSnapshot: false, frozen: 2, printed: 12, columns };
  return sheetOf({ ...shape, rows: () => company.valuations });
}

/** Lays Stakeholders out, by creation. */
export function stakeholdersSheet(company: Company): Sheet {
  const columns = registerColumns<Row<"stakeholders">>(STAKEHOLDER_FIELDS, STAKEHOLDER_REGISTER.sheet, {
    company,
    currencyOf: () => null,
  });
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
