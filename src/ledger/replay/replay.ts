// Replay from the first entry: entries as drafts again, and the figures of classes and plans before any entry. `verify`
// and the cap table as of a date both start here. Pure.

import { type Decimal, isDecimalText, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Row } from "../../storage/database/sql.ts";
import { membersOf } from "../members.ts";
import { readSplit, type Split } from "../splits/stock-split.ts";
import type { EntryDraft, Metadata, TransactionType } from "../types.ts";
import { TRANSACTION_TYPES } from "../types.ts";
import { isIssuance } from "./event.ts";
import { type CorrectedPrices, LedgerState } from "./state.ts";

const KNOWN_TYPES: ReadonlySet<string> = new Set(TRANSACTION_TYPES);

/** The columns of a stored entry that a replay reads. */
export type StoredEntry = Pick<
  Row<"transactions">,
  "type" | "securityId" | "stakeholderId" | "quantity" | "effectiveDate" | "metadata" | "recordOnly"
>;

/** Turns a stored entry back into the recorded draft; null if its type or its metadata cannot be read. */
export function toDraft(row: StoredEntry): EntryDraft | null {
  const metadata = readMetadata(row.metadata);
  if (metadata === null || !isTransactionType(row.type)) return null;
  const { type, securityId, stakeholderId, quantity, effectiveDate } = row;
  return { type, securityId, stakeholderId, quantity, effectiveDate, metadata, recordOnly: row.recordOnly === 1 };
}

/** The split that a stored entry records; null for any other entry. */
export function splitIn({ type, metadata }: Pick<StoredEntry, "type" | "metadata">): Split | null {
  const told = type === "STOCK_SPLIT" ? readMetadata(metadata) : null;
  return told && readSplit(told);
}

/** Whether a stored entry creates a security, rather than correcting one. */
export function isIssuanceRow(row: StoredEntry): boolean {
  const draft = toDraft(row);
  return draft !== null && isIssuance(draft);
}

function isTransactionType(text: string): text is TransactionType {
  return KNOWN_TYPES.has(text);
}

function readMetadata(text: string | null): Metadata | null {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Metadata) : null;
  } catch {
    return null;
  }
}

type InitialClass = Pick<Row<"share_classes">, "id" | "initialSharesAuthorized">;
type InitialPlan = Pick<Row<"equity_plans">, "id" | "initialSharesReserved" | "stockClassIds">;

/**
 * The cap table before the first entry: every class and plan as created, nothing issued or granted.
 *
 * Creating a class or a plan is not a ledger entry, and a `PATCH` overwrites the initial figure; but that `PATCH`
 * appends an adjustment with the figure before it. So the figure at creation is the `before` of the first such
 * adjustment, or today's initial figure if it was never adjusted. `adjustments` are the class and plan adjustments,
 * oldest first. With `correctedPrices` securities are created at those.
 */
export function initialState(
  classes: Iterable<InitialClass>,
  plans: Iterable<InitialPlan>,
  adjustments: Iterable<StoredEntry>,
  correctedPrices?: CorrectedPrices,
): LedgerState {
  const atCreation = figuresAtCreation(adjustments);
  const state = new LedgerState(undefined, correctedPrices);
  for (const { id, initialSharesAuthorized } of classes) {
    const authorized = figure(atCreation.get(id) ?? initialSharesAuthorized);
    state.classes.set(id, { id, authorized, issued: ZERO });
  }
  for (const { id, initialSharesReserved, stockClassIds } of plans) {
    const reserved = figure(atCreation.get(id) ?? initialSharesReserved) ?? ZERO;
    state.plans.set(id, { id, reserved, available: reserved, stockClassIds: JSON.parse(stockClassIds) });
  }
  return state;
}

/** The initial figure before its first edit, by the id of the class or plan; only for edited ones. */
function figuresAtCreation(adjustments: Iterable<StoredEntry>): Map<string, string> {
  const figures = new Map<string, string>();
  for (const row of adjustments) {
    const draft = toDraft(row);
    if (draft === null || draft.recordOnly) continue;
    const { stockClassId, equityPlanId, initialFigure } = membersOf(draft);
    const id = stockClassId ?? equityPlanId;
    const { before } = initialFigure;
    if (id !== null && before !== null && !figures.has(id)) figures.set(id, before);
  }
  return figures;
}

/** A figure as the ledger reads it; null for a word such as `UNLIMITED`, which sets no limit. */
function figure(text: string): Decimal | null {
  return isDecimalText(text) ? parseDecimal(text) : null;
}
