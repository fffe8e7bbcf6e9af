// Reads back the records and events that rows made, right after their steps, as read-back.ts does for securities.

import { isSameFigure } from "../../../kernel/numbers/decimal.ts";
import { foldName } from "../../../kernel/text/names.ts";
import { getRecord } from "../../../storage/database/records.ts";
import type { Row } from "../../../storage/database/sql.ts";
import type { Importing } from "../record/importing.ts";
import { said } from "../rows/read-field.ts";
import { tell } from "../rows/row.ts";
import type { SheetRow } from "../rows/understand.ts";
import { findLastEntry } from "../store.ts";
import { type ComparedTable, recordedOf } from "./differing.ts";
import { meansOf, type Recorded, type Said } from "./made.ts";
import { NotAsWritten } from "./read-back.ts";

/** A record that a row made: its table and id, and the ids that the row's names stand for. */
export interface RecordMade {
  readonly table: ComparedTable;
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const plain = (text: unknown): Said | null =>
  text === null || text === undefined ? null : { text: String(text), means: String(text) };

/** Reads back a record. Throws {@link NotAsWritten} if it differs from its row. */
export function readBackRecord(importing: Importing, row: SheetRow, { table, id, body }: RecordMade): Recorded {
  const { tx, orgId } = importing;
  const record = getRecord<Row<ComparedTable>>(tx, table, orgId, id);
  const texts = Object.entries(recordedOf(table, record)).map(([field, value]) => {
    const [first] = Array.isArray(value) ? value : [value];
    return [field, plain(first)] as const;
  });
  const recorded = { ...Object.fromEntries(texts), ...NAMED[table](record as never, importing) };
  const named = namedBy(table, body);
  for (const field of row.fields.keys()) {
    const made = recorded[field];
    const written = named[field] ?? said(row, field);
    if (made === undefined || written === undefined || (made && isAlike(field, made.means, written))) continue;
    throw new NotAsWritten(row, field, made?.text ?? "nothing");
  }
  return recorded;
}

/** Lists are kept in an order of their own, and some texts, such as e-mail addresses, without capitals. */
function isAlike(field: string, made: string, written: string): boolean {
  if (field === "relationships") return meansOf(made.split(";")) === meansOf(written.split(";"));
  return isSameFigure(made, written) || foldName(made) === foldName(written);
}

/** The ids that a row's names stand for, of those that its record refers to. */
function namedBy(table: ComparedTable, body: RecordMade["body"]): Readonly<Record<string, string | undefined>> {
  const list = (name: string) => (Array.isArray(body[name]) ? meansOf(body[name] as string[]) : undefined);
  const stockClass = table === "valuations" ? { class: String(body.stockClassId) } : {};
  return { classes: list("stockClassIds"), legends: list("stockLegendIds"), ...stockClass };
}

/** A record's name, and its references. */
const NAMED = {
  stakeholders: (row: Row<"stakeholders">): Recorded => ({
    holder: plain((JSON.parse(row.name) as { readonly legalName?: string }).legalName),
    relationships: plain((JSON.parse(row.relationships) as string[]).join(";")),
  }),
  share_classes: (row: Row<"share_classes">, { names }: Importing): Recorded => ({
    class: plain(row.name),
    legends: names.legends(JSON.parse(row.stockLegendIds)),
  }),
  equity_plans: (row: Row<"equity_plans">, { names }: Importing): Recorded => ({
    plan: plain(row.planName),
    classes: names.classes(JSON.parse(row.stockClassIds)),
  }),
  vesting_terms: (row: Row<"vesting_terms">): Recorded => ({ terms: plain(row.name) }),
  valuations: (row: Row<"valuations">, { names }: Importing): Recorded => ({
    type: plain(row.type),
    class: names.stockClass(row.stockClassId),
    price: plain(row.pricePerShare),
    effective: plain(row.effectiveDate),
  }),
} as const;

/** The fields of an event that must equal its row; those that its operation does not take are not recorded. */
const HELD = ["date", "quantity", "price", "numerator", "denominator"] as const;

/**
 * Reads back the entry of an event; null after reporting a figure that the event makes otherwise, because its operation
 * does not take it: a retraction's is the whole. Throws {@link NotAsWritten} if a requested value is not recorded.
 */
export function readBackEvent(
  importing: Importing,
  row: SheetRow,
  body: Readonly<Record<string, unknown>>,
): Recorded | null {
  const { tx, orgId, names } = importing;
  const entry = findLastEntry(tx, { orgId });
  const metadata = JSON.parse(entry?.metadata ?? "{}") as Readonly<Record<string, unknown>>;
  const text = (name: string) => (typeof metadata[name] === "string" ? metadata[name] : null);
  const isSubject = (field: string) => row.fields.has(field);
  const recorded: Recorded = {
    date: plain(entry?.effectiveDate),
    certificate: names.certificate(entry?.securityId ?? null),
    class: isSubject("class") ? names.stockClass(text("stockClassId")) : null,
    plan: isSubject("plan") ? names.plan(text("equityPlanId")) : null,
    quantity: plain(text("newSharesAuthorized") ?? text("newSharesReserved") ?? entry?.quantity),
    price: plain(metadata.pricePerShare ?? metadata.exercisePrice),
    reason: plain(metadata.cancellationReason ?? metadata.reason),
    returnToPool: plain(metadata.returnToPool),
    numerator: plain(metadata.numerator),
    denominator: plain(metadata.denominator),
    boardApproval: plain(metadata.boardApprovalDate),
    stockholderApproval: plain(metadata.stockholderApprovalDate),
    description: plain(metadata.description),
  };
  for (const field of HELD) {
    const [made, written] = [recorded[field], said(row, field)];
    if (!made || written === undefined || isSameFigure(made.means, written)) continue;
    if (Object.values(body).some((asked) => String(asked) === written)) throw new NotAsWritten(row, field, made.text);
    tell(importing, row, "differs-from-source", field, `the row says ${written}; its event makes ${made.text}`);
    return null;
  }
  return recorded;
}
