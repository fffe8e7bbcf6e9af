// The ledger entries of a direct edit of a security: an edit changes totals too, and the ledger explains each. Pure.

import type { CalendarDate } from "../../kernel/date.ts";
import { formatDecimal, parseDecimal } from "../../kernel/numbers/decimal.ts";
import type { SecurityStatus, SecurityType } from "../../storage/database/schema.ts";
import type { EntryDraft, Metadata, SecurityState, TransactionType } from "../types.ts";

/** The entry type for a security that is given a status: the type's entry of that name, or else its cancellation. */
function entryTypeOfStatus(type: SecurityType, status: SecurityStatus): TransactionType {
  switch (status) {
    case "ACTIVE":
      return `${type}_ISSUANCE`;
    case "TRANSFERRED":
      return `${type}_TRANSFER`;
    case "EXERCISED":
      return type === "STOCK_OPTION" || type === "WARRANT" ? `${type}_EXERCISE` : `${type}_CANCELLATION`;
    case "CONVERTED":
      return type === "CONVERTIBLE" ? "CONVERTIBLE_CONVERSION" : `${type}_CANCELLATION`;
    case "REPURCHASED":
      return type === "STOCK" ? "STOCK_REPURCHASE" : `${type}_CANCELLATION`;
    case "CANCELLED":
      return `${type}_CANCELLATION`;
  }
}

/** The members whose edit the ledger tells, as they are to be; those left out stay. */
export interface DirectEdit {
  readonly stakeholderId?: string | undefined;
  readonly stockClassId?: string | null | undefined;
  readonly equityPlanId?: string | null | undefined;
  /** As sent. */
  readonly quantity?: string | undefined;
  readonly status?: SecurityStatus | undefined;
}

/**
 * The entries of a direct edit, in the order holder, class or plan, quantity, status; what stays the same has no entry.
 */
export function directEdits(security: SecurityState, edit: DirectEdit, effectiveDate: CalendarDate): EntryDraft[] {
  const { id, type } = security;
  const entries: EntryDraft[] = [];
  let { stakeholderId, quantity } = security;
  const append = (entryType: TransactionType, moved: bigint, before: Metadata, after: Metadata, more?: Metadata) => {
    const metadata = { directEdit: true, before, after, ...more };
    const draft = { type: entryType, securityId: id, stakeholderId, quantity: formatDecimal(moved), effectiveDate };
    entries.push({ ...draft, metadata });
  };
  if (edit.stakeholderId !== undefined && edit.stakeholderId !== stakeholderId) {
    const after = { stakeholderId: edit.stakeholderId };
    append(`${type}_TRANSFER`, quantity, { stakeholderId }, after, { toStakeholderId: edit.stakeholderId });
    stakeholderId = edit.stakeholderId;
  }
  const [before, after] = classOrPlanChange(security, edit);
  if (Object.keys(after).length > 0) {
    append(`${type}_CANCELLATION`, quantity, before, after);
    append(`${type}_ISSUANCE`, quantity, before, after);
  }
  const difference = edit.quantity === undefined ? 0n : parseDecimal(edit.quantity) - quantity;
  if (edit.quantity !== undefined && difference !== 0n) {
    const [verb, moved] =
      difference > 0n ? (["ISSUANCE", difference] as const) : (["CANCELLATION", -difference] as const);
    const [from, to] = [{ quantity: formatDecimal(quantity) }, { quantity: edit.quantity }];
    append(`${type}_${verb}`, moved, from, to, { difference: formatDecimal(difference) });
    quantity += difference;
  }
  if (edit.status !== undefined && edit.status !== security.status) {
    const entryType = entryTypeOfStatus(type, edit.status);
    append(entryType, quantity, { status: security.status }, { status: edit.status });
  }
  return entries;
}

function classOrPlanChange(security: SecurityState, edit: DirectEdit): [before: Metadata, after: Metadata] {
  const [before, after]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const name of ["stockClassId", "equityPlanId"] as const) {
    if (edit[name] === undefined || edit[name] === security[name]) continue;
    before[name] = security[name];
    after[name] = edit[name];
  }
  return [before, after];
}
