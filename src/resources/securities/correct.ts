// Corrections from the first day: what was recorded wrong is right from the issuance on, as if it had been issued so.
import type { Static } from "@sinclair/typebox";
import type { Reader, Row } from "../../database/sql.ts";
import { type Decimal, formatDecimal, parseDecimal } from "../../kernel/decimal.ts";
import { editedDifference } from "../../ledger/charges.ts";
import { splitsThrough } from "../../ledger/dates.ts";
import { isIssuance } from "../../ledger/effects.ts";
import { membersOf } from "../../ledger/members.ts";
import { toDraft } from "../../ledger/replay.ts";
import { listEntriesOn, listSplits } from "../../ledger/replay-store.ts";
import type { EntryDraft, Metadata, SecurityState } from "../../ledger/types.ts";
import { type DirectEdit, directEdits } from "./rules.ts";
import type { SecurityPatch } from "./schema.ts";

type SecurityRow = Row<"securities">;

/** An entry as it is stored, with its id. */
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
 * Why a security cannot be corrected from its first day, in a sentence; null where it can. Something rests on what it
 * was then: a security made of it, a split, an entry other than its issuance, direct edits and starts of vesting.
 */
export function obstacleTo(db: Reader, security: SecurityRow): string | null {
  if (security.status !== "ACTIVE") return `The security is ${security.status}: correct needs an ACTIVE one.`;
  if (security.originSecurityId !== null) return `The security was made of another one, ${security.originSecurityId}.`;
  const entries = entriesOn(db, security);
  const [issued] = entries;
  if (!issued || !isIssuance(issued.entry)) return "The ledger has no issuance of the security.";
  const [split] = splitsThrough(listSplits(db, security.orgId), security, issued.row.sequence);
  if (split) return `The security went through the split of ${split.effectiveDate} (${split.id}).`;
  const other = entries.find(({ entry }, at) => at > 0 && !isPassed(entry));
  if (!other) return null;
  const { type, effectiveDate, id } = other.row;
  return `The ledger has a ${type} of ${effectiveDate} on the security (${id}): what it did rests on the record as it was.`;
}

function isPassed(entry: EntryDraft): boolean {
  const { isDirectEdit, vestingStopped } = membersOf(entry);
  return isDirectEdit || (entry.type === "VESTING_START" && vestingStopped === null);
}

/** What a correction is to say besides what it changes. */
export interface Correcting {
  readonly reason: string | null;
  readonly patch: Static<typeof SecurityPatch>;
}

/**
 * The entries of a correction: earlier direct edits are taken back, each on its own day, and what the security is to be
 * counts from its issuance on.
 */
export function correctionEntries(
  db: Reader,
  security: SecurityRow,
  { state, edit }: { readonly state: SecurityState; readonly edit: DirectEdit },
  { reason, patch }: Correcting,
): EntryDraft[] {
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
  const last = set.at(-1);
  const prices = pricesOf(security, patch);
  return [...backEntries, ...(last && prices ? [...set.slice(0, -1), withSaid(last, { prices })] : set)];
}

function definedOf(edit: DirectEdit): DirectEdit {
  return Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined));
}

function withSaid(draft: EntryDraft, said: Metadata): EntryDraft {
  return { ...draft, metadata: { ...draft.metadata, ...said } };
}

/** The price, or strike, before and after; null where the correction leaves it. */
function pricesOf(security: SecurityRow, { pricePerShare, exercisePrice }: Correcting["patch"]) {
  const [before, after] =
    security.type === "STOCK" ? [security.pricePerShare, pricePerShare] : [security.exercisePrice, exercisePrice];
  return after === undefined ? null : { before, after };
}

interface TakenBack {
  readonly entries: readonly { readonly draft: EntryDraft; readonly takesBack: string }[];
  /** The security as it was issued. */
  readonly state: SecurityState;
}

/** Takes back the direct edits that stand, the last one first. */
function takenBack(stored: readonly Stored[], now: SecurityState): TakenBack {
  const gone = new Set(stored.map(({ entry }) => membersOf(entry).takesBack));
  const edits = stored.filter(({ row, entry }) => {
    const { isDirectEdit, isCorrection } = membersOf(entry);
    return isDirectEdit && !isCorrection && !gone.has(row.id);
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

/** The edit that undoes one, and the security before it. */
function inverseOf(entry: EntryDraft, state: SecurityState) {
  const { before: was } = membersOf(entry);
  const difference: Decimal | null = editedDifference(entry);
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

/** Whether a patch says what was paid, beside what the ledger counts: such a change was never true on any day. */
export function paysAnew({ pricePerShare, exercisePrice, totalConsideration }: Correcting["patch"]): boolean {
  return pricePerShare !== undefined || exercisePrice !== undefined || totalConsideration !== undefined;
}

/** What of a security changes with an edit that counts in views of days: in words, null where nothing does. */
export function movedBy(security: SecurityRow, edit: DirectEdit): string | null {
  const { quantity, stakeholderId, stockClassId, equityPlanId } = edit;
  const moved = [
    ...(quantity !== undefined && parseDecimal(quantity) !== parseDecimal(security.quantity)
      ? [security.quantity]
      : []),
    ...(stakeholderId !== undefined && stakeholderId !== security.stakeholderId ? ["the holder"] : []),
    ...(stockClassId !== undefined && stockClassId !== security.stockClassId ? ["the class"] : []),
    ...(equityPlanId !== undefined && equityPlanId !== security.equityPlanId ? ["the plan"] : []),
  ];
  return moved.length === 0 ? null : moved.join(", ");
}
