// Corrections from the first day: the corrected values count from the issuance on, as if it had been issued so.
import type { Static } from "@sinclair/typebox";
import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, formatDecimal, isSameFigure, parseDecimal } from "../../kernel/numbers/decimal.ts";
import { membersOf } from "../../ledger/members.ts";
import { isFirstOfTwo, isIssuance, readEntry } from "../../ledger/replay/event.ts";
import { toDraft } from "../../ledger/replay/replay.ts";
import { listEntriesOn, listSplits } from "../../ledger/replay/replay-store.ts";
import { editedDifference } from "../../ledger/rules/charges.ts";
import { splitsThrough } from "../../ledger/rules/dates.ts";
import type { EntryDraft, Metadata, SecurityState } from "../../ledger/types.ts";
import { type DirectEdit, directEdits } from "../../ledger/writes/direct-edits.ts";
import { findAny } from "../../storage/database/records.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import type { SecurityPatch } from "./schema.ts";

type SecurityRow = Row<"securities">;

/** An entry as stored, with its id. */
interface Stored {
  readonly row: Row<"transactions">;
  readonly entry: EntryDraft;
}

function entriesOn(db: Reader, { orgId, id }: SecurityRow): readonly Stored[] {
  return listEntriesOn(db, orgId, id).flatMap((row) => {
    const entry = toDraft(row);
    return entry === null ? [] : [{ row, entry }];
  });
}

/**
 * The reason why a security cannot be corrected from its first day, in a sentence; null if it can. Other entries depend
 * on it: a security made from it, a split, an entry other than its issuance, direct edits and starts of vesting.
 */
export function obstacleTo(db: Reader, security: SecurityRow): string | null {
  if (security.status !== "ACTIVE") return `The security is ${security.status}: correct needs an ACTIVE one.`;
  if (security.originSecurityId !== null)
    return `The security was made from another one, ${security.originSecurityId}.`;
  const entries = entriesOn(db, security);
  const [issued] = entries;
  if (!issued || !isIssuance(issued.entry)) return "The ledger has no issuance of the security.";
  const splits = listSplits(db, security.orgId);
  const [split] = classesHad(security, entries).flatMap((stockClassId) =>
    splitsThrough(splits, { ...security, stockClassId, quantity: "1" }, issued.row.sequence),
  );
  if (split) return `The security went through the split of ${split.effectiveDate} (${split.id}).`;
  const other = entries.find(({ entry }, at) => at > 0 && !isPassed(entry));
  if (!other) return null;
  const { type, effectiveDate, id } = other.row;
  return `The ledger has a ${type} of ${effectiveDate} on the security (${id}), which depends on the record as it was.`;
}

/** The classes of a security now and before direct edits: a split of each of them may have multiplied it. */
function classesHad({ stockClassId }: SecurityRow, entries: readonly Stored[]): readonly (string | null)[] {
  const before = entries.map(({ entry }) => membersOf(entry).before.stockClassId);
  return [...new Set([stockClassId, ...before.filter((id) => id !== undefined)])];
}

function isPassed(entry: EntryDraft): boolean {
  const { isDirectEdit, vestingStopped } = membersOf(entry);
  return isDirectEdit || (entry.type === "VESTING_START" && vestingStopped === null);
}

/** The classes and plans that earlier edits of a security name: reversing the edits moves their figures. */
export function namedByEdits(db: Reader, security: SecurityRow) {
  const edits = entriesOn(db, security).map(({ entry }) => membersOf(entry));
  const named = edits.filter(({ isDirectEdit }) => isDirectEdit).flatMap(({ before, after }) => [before, after]);
  return {
    classes: named.map(({ stockClassId }) => stockClassId),
    plans: named.map(({ equityPlanId }) => equityPlanId),
  };
}

/** The further members of a correction's entry. */
export interface Correcting {
  readonly reason: string | null;
  readonly patch: Static<typeof SecurityPatch>;
}

/**
 * The entries of a correction: earlier direct edits are reversed, each on its own day, and the new values count from
 * the issuance on.
 */
export function correctionEntries(
  db: Reader,
  security: SecurityRow,
  { state, edit: given }: { readonly state: SecurityState; readonly edit: DirectEdit },
  { reason, patch }: Correcting,
): EntryDraft[] {
  const { status: _status, ...edit } = given;
  const entries = entriesOn(db, security);
  const said: Metadata = { correction: true, ...(reason === null ? {} : { reason }) };
  const back = takenBack(entries, state);
  const backEntries = back.entries.map(({ draft, takesBack }) => withSaid(draft, { ...said, takesBack }));
  const { stakeholderId, stockClassId, equityPlanId, quantity } = state;
  const kept = {
    stakeholderId: stakeholderId ?? undefined,
    stockClassId,
    equityPlanId,
    quantity: formatDecimal(quantity),
  };
  const whole = backEntries.length === 0 ? edit : { ...kept, ...definedOf(edit) };
  const issuedOn = entries[0]?.entry.effectiveDate ?? security.grantDate;
  const set = directEdits(back.state, whole, issuedOn).map((draft) => withSaid(draft, said));
  const prices = pricesOf(security, patch);
  const isTold = prices !== null || (reason !== null && changesMembers(security, patch));
  const lone = backEntries.length === 0 || prices !== null;
  // A correction without a ledger change still needs an entry with the reason and the earlier values.
  const told = set.length === 0 && isTold && lone ? [priceEntry(back.state, issuedOn, said)] : set;
  const last = told.at(-1);
  return [...backEntries, ...(last && prices ? [...told.slice(0, -1), withSaid(last, { prices })] : told)];
}

/** The entry of a correction that moves no shares: of a price, or of descriptive members. */
function priceEntry(
  { id, type, stakeholderId }: SecurityState,
  effectiveDate: CalendarDate,
  said: Metadata,
): EntryDraft {
  const metadata = { directEdit: true, before: {}, after: {}, ...said };
  return { type: `${type}_ISSUANCE`, securityId: id, stakeholderId, quantity: "0", effectiveDate, metadata };
}

/** Whether a patch changes recorded members outside the ledger. */
function changesMembers(security: SecurityRow, patch: Correcting["patch"]): boolean {
  const recorded = security as Readonly<Record<string, unknown>>;
  const { quantity: _quantity, pricePerShare: _price, exercisePrice: _strike, ...others } = patch;
  const isOther = ([name, now]: [string, unknown]) =>
    name in recorded && typeof now !== "object" && recorded[name] !== now;
  return changesWhatWasPaid(security, patch) || Object.entries(others).some(isOther);
}

/** A security after an edit. */
export function editedState(state: SecurityState, edit: DirectEdit): SecurityState {
  const { quantity = formatDecimal(state.quantity), ...set } = definedOf(edit);
  return { ...state, ...set, quantity: parseDecimal(quantity) } as SecurityState;
}

function definedOf(edit: DirectEdit): DirectEdit {
  return Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined));
}

function withSaid(draft: EntryDraft, said: Metadata): EntryDraft {
  return { ...draft, metadata: { ...draft.metadata, ...said } };
}

/** The price, or strike, before and after; null if the correction leaves it. */
function pricesOf(security: SecurityRow, { pricePerShare, exercisePrice }: Correcting["patch"]) {
  const [before, after] =
    security.type === "STOCK" ? [security.pricePerShare, pricePerShare] : [security.exercisePrice, exercisePrice];
  return after === undefined || isSamePrice(before, after) ? null : { before, after };
}

function isSamePrice(before: string | null, after: string | null): boolean {
  return before === null || after === null ? before === after : isSameFigure(before, after);
}

interface TakenBack {
  readonly entries: readonly { readonly draft: EntryDraft; readonly takesBack: string }[];
  /** The security as it was issued. */
  readonly state: SecurityState;
}

/** Reverses the standing direct edits, the last one first; statuses stay, each from its own day on. */
function takenBack(stored: readonly Stored[], now: SecurityState): TakenBack {
  const gone = new Set(stored.map(({ entry }) => membersOf(entry).takesBack));
  const edits = stored.filter(({ row, entry }) => {
    const { isDirectEdit, isCorrection, before } = membersOf(entry);
    const isTwin = isFirstOfTwo(readEntry(entry));
    return isDirectEdit && !isCorrection && before.status === undefined && !isTwin && !gone.has(row.id);
  });
  const entries: { readonly draft: EntryDraft; readonly takesBack: string }[] = [];
  let state = now;
  for (const { row, entry } of edits.toReversed()) {
    const { edit, before } = inverseOf(entry, state);
    const drafts = directEdits(state, edit, entry.effectiveDate);
    entries.push(...drafts.map((draft) => ({ draft, takesBack: row.id })));
    state = before;
  }
  return { entries, state };
}

/** The edit that reverses one, and the security before it. */
function inverseOf(entry: EntryDraft, state: SecurityState) {
  const said = membersOf(entry);
  const { before: was } = said;
  const difference: Decimal | null = editedDifference(said);
  const quantity = difference === null ? state.quantity : state.quantity - difference;
  const { quantity: _quantity, stakeholderId, ...others } = was;
  const edit: DirectEdit = {
    ...others,
    ...(stakeholderId === undefined || stakeholderId === null ? {} : { stakeholderId }),
    ...(difference === null ? {} : { quantity: formatDecimal(quantity) }),
  };
  const { quantity: _edited, ...set } = edit;
  return { edit, before: { ...state, ...definedOf(set), quantity } as SecurityState };
}

/** Whether a patch states the consideration. */
export function paysAnew({ pricePerShare, exercisePrice, totalConsideration }: Correcting["patch"]): boolean {
  return pricePerShare !== undefined || exercisePrice !== undefined || totalConsideration !== undefined;
}

/**
 * Whether a patch states another consideration than recorded, which was then never true on any day. Repeating it, as a
 * form that sends all of its fields does, changes nothing.
 */
export function changesWhatWasPaid(security: SecurityRow, patch: Correcting["patch"]): boolean {
  const { pricePerShare, exercisePrice, statedConsideration, purchasePrice } = security;
  const pairs = [
    [pricePerShare, patch.pricePerShare],
    [exercisePrice, patch.exercisePrice],
    [patch.totalConsideration === null ? statedConsideration : purchasePrice, patch.totalConsideration],
  ] as const;
  return pairs.some(([was, now]) => now !== undefined && !isSamePrice(was, now));
}

/** The values that past days keep after an edit that counts from its own day on, in words; null if nothing changes. */
export function movedBy(db: Reader, security: SecurityRow, edit: DirectEdit): string | null {
  const { quantity, ...ids } = edit;
  const isOther = (name: "stakeholderId" | "stockClassId" | "equityPlanId") =>
    ids[name] !== undefined && ids[name] !== security[name];
  const { orgId, stakeholderId, stockClassId, equityPlanId } = security;
  const moved = [
    ...(quantity !== undefined && parseDecimal(quantity) !== parseDecimal(security.quantity)
      ? [security.quantity]
      : []),
    ...(isOther("stakeholderId")
      ? [(stakeholderId && findAny(db, "stakeholders", orgId, stakeholderId)?.displayName) ?? "no holder"]
      : []),
    ...(isOther("stockClassId")
      ? [(stockClassId && findAny(db, "share_classes", orgId, stockClassId)?.name) ?? "no class"]
      : []),
    ...(isOther("equityPlanId")
      ? [(equityPlanId && findAny(db, "equity_plans", orgId, equityPlanId)?.planName) ?? "no plan"]
      : []),
  ];
  return moved.length === 0 ? null : moved.join(", ");
}
