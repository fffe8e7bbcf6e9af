// PATCH and DELETE of a security. Members that the ledger determines change by entries; the others are description.
import type { Static } from "@sinclair/typebox";
import type { Call } from "../../kernel/call.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { parseDecimal } from "../../kernel/numbers/decimal.ts";
import { type Finding, problem, refuse } from "../../kernel/problem.ts";
import type { Facts } from "../../ledger/operation.ts";
import { onlyClassOf } from "../../ledger/operations/parts.ts";
import { retraction } from "../../ledger/operations/retract.ts";
import { correctedPriceOf } from "../../ledger/replay/corrected-prices.ts";
import { purchasePriceOf } from "../../ledger/rules/consideration.ts";
import { refuseBesideAhead } from "../../ledger/rules/dates.ts";
import { findCertificateHolder } from "../../ledger/store.ts";
import type { EntryDraft, SecurityState } from "../../ledger/types.ts";
import { hasOwnParcels } from "../../ledger/vested/vesting-account.ts";
import { loadVesting } from "../../ledger/vested/vesting-store.ts";
import { endAcceptance, setAsksAcceptance } from "../../ledger/writes/acceptance.ts";
import { type DirectEdit, directEdits } from "../../ledger/writes/direct-edits.ts";
import { certificateTaken, type Recorded, recordDecision } from "../../ledger/writes/execute.ts";
import { Loader, toSecurityState } from "../../ledger/writes/load.ts";
import { changeLogged, changeLoggedColumns } from "../../storage/database/log/logged.ts";
import { findRecord } from "../../storage/database/records.ts";
import type { Columns, Row, Tx } from "../../storage/database/sql.ts";
import { classesNamed, formOf } from "../../storage/records/terms-form.ts";
import { approvalFindings } from "../approvals/approval-rules.ts";
import { releaseGated } from "../approvals/release.ts";
import { toColumns } from "../present.ts";
import {
  type Correcting,
  changesWhatWasPaid,
  correctionEntries,
  editedState,
  movedBy,
  namedByEdits,
  obstacleTo,
  paysAnew,
} from "./correct.ts";
import type { SecurityPatch } from "./schema.ts";
import { CONDITIONAL, missingMember } from "./security-rules.ts";

type SecurityRow = Row<"securities">;
type Patch = Static<typeof SecurityPatch>;

/** The result of a change of a security. */
export interface Changed {
  /** The ledger's part; null if it did not change. */
  readonly recorded: Recorded | null;
  /** The members outside the ledger, after the change. */
  readonly described: Columns;
  /** The change that only views from today on show, in words; null if past days show it, too. */
  readonly countsFromToday: string | null;
}

/**
 * Changes a security; a patch that changes nothing writes nothing. A patch of a quantity, holder, class or plan
 * together with the consideration is a correction from the first day if possible: else some days would show a row that
 * was never true. Throws `404`, `409` and `422`.
 */
export function changeSecurity(tx: Tx, call: Call, before: SecurityRow, patch: Patch): Changed {
  const { facts, edit } = checkedChange(tx, call, before, patch);
  const moved = movedBy(tx, before, edit);
  const isCorrection = moved !== null && changesWhatWasPaid(before, patch) && obstacleTo(tx, before) === null;
  const correcting = isCorrection ? { reason: null, patch } : null;
  const changed = writeChange(tx, call, { before, patch, facts, edit }, correcting);
  return { ...changed, countsFromToday: isCorrection ? null : moved };
}

/**
 * Changes a security as if it had been issued so. Throws `409` if other entries depend on the old values, and as a
 * change.
 */
export function correctSecurity(tx: Tx, call: Call, before: SecurityRow, correcting: Correcting): Changed {
  const obstacle = obstacleTo(tx, before);
  if (obstacle !== null) throw problem("invalid-state", obstacle);
  const { patch } = correcting;
  const { facts, edit } = checkedChange(tx, call, before, patch);
  return { ...writeChange(tx, call, { before, patch, facts, edit }, correcting), countsFromToday: null };
}

interface Checked {
  readonly before: SecurityRow;
  readonly patch: Patch;
  readonly facts: Facts;
  readonly edit: DirectEdit;
}

function checkedChange(tx: Tx, call: Call, before: SecurityRow, patch: Patch): Pick<Checked, "facts" | "edit"> {
  const facts = loadFacts(tx, call, before, patch);
  refuseOtherVesting(tx, call, before, patch);
  const edit = editOf(facts, before, patch);
  const { stockClassId = before.stockClassId, equityPlanId = before.equityPlanId } = edit;
  const optionType = patch.optionType === undefined ? before.optionType : patch.optionType;
  if (patch.status === "ACTIVE" && before.status !== "ACTIVE") refuseRevival(tx, call, before, edit);
  const after = { type: before.type, stockClassId, stockPlanId: equityPlanId, optionType };
  const isOtherType = patch.type !== undefined && patch.type !== before.type;
  refuse([
    ...(isOtherType ? [["#/type", `does not change: the security is ${before.type}`] as const] : []),
    ...CONDITIONAL.flatMap((name) => missingMember(after, name)),
    ...newApprovalFindings(tx, call, before, patch),
    ...(patch.convertibleTerms && before.type !== "CONVERTIBLE"
      ? [["#/convertibleTerms", `is not for ${before.type}`] as const]
      : []),
  ]);
  refuseTakenCertificate(tx, call, before, patch.certificateId);
  if (changesShares(before, edit)) refuseBesideAhead(tx, before, call.today);
  return { facts, edit };
}

/** Whether an edit changes the number of shares. */
function changesShares(before: SecurityRow, { quantity, status }: DirectEdit): boolean {
  const isOtherStatus = status !== undefined && status !== before.status;
  return isOtherStatus || (quantity !== undefined && parseDecimal(quantity) !== parseDecimal(before.quantity));
}

function writeChange(tx: Tx, call: Call, { before, patch, facts, edit }: Checked, correcting: Correcting | null) {
  const state = toSecurityState(before);
  const edits = correcting
    ? [...correctionEntries(tx, before, { state, edit }, correcting), ...statusEntries(state, edit, call.today)]
    : directEdits(state, edit, call.today);
  const entries = [...edits, ...restartEntries(tx, call, before, patch)];
  const recorded = entries.length > 0 ? recordDecision(tx, call, facts, { entries }) : null;
  // Entries of a correction change the issued quantity, even if the patch leaves the present one.
  const isPaidAnew = correcting !== null || paysAnew(patch) || patch.quantity !== undefined;
  return { recorded, described: changeDescription(tx, call, { before, patch, isPaidAnew }) };
}

/** A status is never part of a correction from the first day: it counts from its own day. */
function statusEntries(state: SecurityState, { status, ...others }: DirectEdit, today: CalendarDate): EntryDraft[] {
  return directEdits(editedState(state, others), { status }, today);
}

/**
 * Takes a security off the cap table, with an offsetting entry if it was ACTIVE, and marks it deleted. Throws `409` if
 * an entry dated ahead keeps it on the cap table until then.
 */
export function deleteSecurity(tx: Tx, call: Call, row: SecurityRow): void {
  refuseBesideAhead(tx, row, call.today);
  if (row.status === "ACTIVE") {
    const facts = new Loader(tx, call.orgId).load({ securities: [row.id] });
    const entry = retraction(facts.state.security(row.id), call.today, { deletion: true });
    recordDecision(tx, call, facts, { entries: [entry] });
  }
  changeLogged(tx, call, "securities", row.id, { deletedAt: call.at });
}

function loadFacts(tx: Tx, call: Call, row: SecurityRow, patch: Patch): Facts {
  const edited = namedByEdits(tx, row);
  return new Loader(tx, call.orgId).load({
    securities: [row.id],
    stakeholders: [patch.stakeholderId],
    classes: [patch.stockClassId, ...classesNamed(patch.convertibleTerms), ...edited.classes],
    plans: [patch.stockPlanId, ...edited.plans],
    vestingTerms: [patch.vestingTermsId],
    valuations: [patch.valuationId],
    approvals: [patch.approvalId],
    ...(patch.stockLegendIds ? { stockLegends: patch.stockLegendIds } : {}),
  });
}

/** The ledger's part of the patch. An option whose class is cleared takes its plan's only one. */
function editOf(facts: Facts, row: SecurityRow, patch: Patch): DirectEdit {
  const { stakeholderId, stockPlanId: equityPlanId, quantity, status } = patch;
  const planId = equityPlanId === undefined ? row.equityPlanId : equityPlanId;
  const inferred = row.type === "STOCK_OPTION" ? onlyClassOf(facts, planId) : null;
  const stockClassId = patch.stockClassId === null ? inferred : patch.stockClassId;
  return { stakeholderId, stockClassId, equityPlanId, quantity, status };
}

/** A security whose records were deleted meanwhile cannot become ACTIVE again. */
function refuseRevival(tx: Tx, call: Call, row: SecurityRow, edit: DirectEdit): void {
  const { stakeholderId = row.stakeholderId, stockClassId = row.stockClassId, equityPlanId = row.equityPlanId } = edit;
  const references = [
    ["stakeholders", stakeholderId],
    ["share_classes", stockClassId],
    ["equity_plans", equityPlanId],
    ["vesting_terms", row.vestingTermsId],
  ] as const;
  for (const [table, id] of references) {
    if (id !== null && !findRecord(tx, table, call.orgId, id)) {
      throw problem(
        "invalid-state",
        "The security depends on a record that was deleted, so it cannot be ACTIVE again.",
      );
    }
  }
}

/** A newly named approval must be for such a security; an existing or inherited one stays. */
function newApprovalFindings(tx: Tx, call: Call, row: SecurityRow, { approvalId }: Patch): readonly Finding[] {
  if (approvalId === undefined || approvalId === null || approvalId === row.approvalId) return [];
  const approval = findRecord(tx, "approvals", call.orgId, approvalId);
  return approval ? approvalFindings(row.type, approval.entityType) : [];
}

function refuseTakenCertificate(tx: Tx, call: Call, row: SecurityRow, certificateId: string | undefined): void {
  if (certificateId === undefined || certificateId === row.certificateId) return;
  const holder = findCertificateHolder(tx, call.orgId, certificateId);
  if (holder !== null && holder !== row.id) throw certificateTaken();
}

/** A security with its own parcels keeps them: terms and start no longer apply. */
function refuseOtherVesting(tx: Tx, call: Call, row: SecurityRow, { vestingTermsId, vestingStartDate }: Patch): void {
  const isOther =
    (vestingTermsId !== undefined && vestingTermsId !== row.vestingTermsId) ||
    (vestingStartDate !== undefined && vestingStartDate !== row.vestingStartDate);
  if (!isOther || !hasOwnParcels(loadVesting(tx, call.orgId, row))) return;
  throw problem(
    "invalid-state",
    "The security was divided, or made from another one, and has its own parcels: its terms and start cannot change.",
  );
}

/** If the ledger has started the vesting, a new start date is a new start in the ledger. */
function restartEntries(tx: Tx, call: Call, row: SecurityRow, { vestingStartDate }: Patch): EntryDraft[] {
  if (vestingStartDate === undefined || vestingStartDate === row.vestingStartDate) return [];
  const { entries } = loadVesting(tx, call.orgId, row).history;
  if (!entries.some((entry) => entry.kind === "STARTED" && entry.conditionId === null)) return [];
  const { id: securityId, stakeholderId } = row;
  const about = { securityId, stakeholderId, quantity: null };
  return [{ ...about, type: "VESTING_START", effectiveDate: vestingStartDate, metadata: {} }];
}

/** What a holder accepted besides what the ledger says: with another one of these it is no longer what was accepted. */
const ACCEPTED_TERMS = [
  ...(["correctedPrice", "optionType", "grantDate", "expirationDate", "vestingTermsId", "vestingStartDate"] as const),
  ...(["stockLegendIds", "convertibleTerms"] as const),
];

interface Describing {
  readonly before: SecurityRow;
  readonly patch: Patch;
  /** Whether its consideration may have changed. */
  readonly isPaidAnew: boolean;
}

/** Writes the members outside the ledger, prices included. */
function changeDescription(tx: Tx, call: Call, { before, patch, isPaidAnew }: Describing): Columns {
  const given = descriptionColumns(tx, { before, patch, isPaidAnew });
  const old = before as Readonly<Record<string, unknown>>;
  const changes = Object.fromEntries(Object.entries(given).filter(([name, value]) => old[name] !== value));
  if (patch.asksAcceptance !== undefined) setAsksAcceptance(tx, call, before.id, patch.asksAcceptance);
  if (Object.keys(changes).length === 0) return {};
  if (ACCEPTED_TERMS.some((name) => name in changes)) endAcceptance(tx, call, before.id, { isOthers: false });
  changeLoggedColumns(tx, call, "securities", before.id, { ...changes, updatedAt: call.at });
  if (before.isGated === 1 && typeof changes.approvalId === "string") releaseWhereLocked(tx, call, changes.approvalId);
  return changes as Columns;
}

function descriptionColumns(tx: Tx, { before: row, patch, isPaidAnew }: Describing): Columns {
  const {
    type: _type,
    status: _status,
    stakeholderId: _holder,
    stockClassId: _class,
    stockPlanId: _plan,
    asksAcceptance: _asks,
    ...rest
  } = patch;
  const { quantity, totalConsideration: statedConsideration, convertibleTerms, ...described } = rest;
  const form = convertibleTerms && formOf(convertibleTerms, { securityId: row.id, grantDate: row.grantDate });
  // An equal number in another notation changes nothing, and shows as sent.
  const isRewritten = quantity !== undefined && parseDecimal(quantity) === parseDecimal(row.quantity);
  const columns = toColumns({
    ...described,
    ...correctedPrice(tx, row, patch),
    convertibleTerms: form,
    statedConsideration,
    quantity: isRewritten ? quantity : undefined,
  });
  if (!isPaidAnew) return columns;
  return { ...columns, purchasePrice: purchasePriceOf(tx, { ...row, ...columns } as SecurityRow) };
}

/** A given price is right from the day of issuance: computes its effect for every view. */
function correctedPrice(tx: Tx, row: SecurityRow, { pricePerShare, exercisePrice }: Patch) {
  const price = row.type === "STOCK" ? pricePerShare : exercisePrice;
  return price === undefined ? {} : { correctedPrice: correctedPriceOf(tx, row, price) };
}

/** A waiting security may mint once it gets an approval that is locked already. */
function releaseWhereLocked(tx: Tx, call: Call, approvalId: string): void {
  if (findRecord(tx, "approvals", call.orgId, approvalId)?.state === "Locked") {
    releaseGated(tx, call, approvalId);
  }
}
