// Writes a decision's rows: new securities and changed columns, each logged. The ledger's members come from the state;
// only differences are written, so that a figure keeps its notation.

import type { Call } from "../../kernel/call.ts";
import { type Decimal, formatDecimal, parseDecimal } from "../../kernel/numbers/decimal.ts";
import { changeLogged, changeUntold, insertLogged } from "../../storage/database/log/logged.ts";
import type { Row, Tx } from "../../storage/database/sql.ts";
import { isTokenized } from "../../storage/outbox/tokens.ts";
import { membersOf } from "../members.ts";
import type { Facts, NewSecurity } from "../operation.ts";
import type { LedgerState } from "../replay/state.ts";
import { formatBasis } from "../rules/charges.ts";
import { OpenSums } from "../rules/open-awards.ts";
import { paidShares, totalPrice } from "../rules/paid.ts";
import type { EntryDraft, PlanState, SecurityState } from "../types.ts";
import { nextCertificateId } from "./certificates.ts";
import { moveOpenSums } from "./open-sums-store.ts";

/** What entries made of a state. */
export interface Transition {
  readonly before: LedgerState;
  readonly after: LedgerState;
  readonly entries: readonly EntryDraft[];
}

/** The row of a new security, as it was written: what is not in it is null. */
export type NewSecurityRow = ReturnType<typeof insertSecurity>;

/** Inserts a new security with its description, and with a generated certificate number if it has no number. */
export function insertSecurity(
  tx: Tx,
  call: Call,
  description: NewSecurity,
  { facts, after, entries }: Pick<Transition, "after" | "entries"> & { readonly facts: MadeFrom },
) {
  const made = after.security(description.id);
  const entry =
    entries.find((each) => each.securityId === made.id || membersOf(each).newSecurityId === made.id) ?? null;
  const state = { ...ledgerColumns(made), quantity: quantityAsSent(made, entry) };
  const stockClass = state.stockClassId === null ? undefined : facts.classes.get(state.stockClassId);
  const origin = description.originSecurityId === null ? undefined : facts.securities.get(description.originSecurityId);
  const described = call.importing?.described;
  const row = {
    ...description,
    ...described,
    purchasePrice:
      described?.statedConsideration ??
      description.statedConsideration ??
      totalPrice(made.pricePerShare, entry ? paidShares(entry) : made.quantity),
    sourceDocumentId: description.sourceDocumentId ?? call.importing?.sourceDocumentId ?? null,
    orgId: call.orgId,
    certificateId:
      description.certificateId ?? nextCertificateId(tx, call.orgId, { type: description.type, stockClass, origin }),
    ...state,
    ...askedOf(call, description),
    tokenStatus: tokenStatusOf(state, stockClass, description.isGated === 1),
    createdAt: call.at,
    updatedAt: call.at,
  } as const;
  insertLogged(tx, call, "securities", row);
  return row;
}

/** Whether its holder is asked to accept it: what an import brings asks no one. */
function askedOf({ importing, at }: Call, { asksAcceptance }: NewSecurity) {
  if (asksAcceptance === 0 || importing !== undefined) return { asksAcceptance: 0 } as const;
  return { asksAcceptance, acceptanceStatus: "PENDING", acceptanceAskedAt: at } as const;
}

/** The origins of a new security. */
type MadeFrom = Pick<Facts, "classes" | "securities">;

/** The quantity of a new security as the caller wrote it (`"1000.00"`), where the entry that makes it says that number. */
function quantityAsSent(state: SecurityState, entry: EntryDraft | null): string {
  return asSent(state.quantity, entry && (membersOf(entry).resultingQuantity ?? entry.quantity));
}

/** `text` if it equals `value`, else the value in its own form. */
function asSent(value: Decimal, text: string | null): string {
  return text !== null && parseDecimal(text) === value ? text : formatDecimal(value);
}

function tokenStatusOf(state: LedgerColumns, stockClass: Row<"share_classes"> | undefined, isWaiting: boolean) {
  if (state.type !== "STOCK" || state.status !== "ACTIVE" || !isTokenized(stockClass)) return "NOT_APPLICABLE";
  return isWaiting ? "PENDING_APPROVAL" : "PENDING";
}

type LedgerColumns = ReturnType<typeof ledgerColumns>;

function ledgerColumns(state: SecurityState) {
  return {
    type: state.type,
    status: state.status,
    quantity: formatDecimal(state.quantity),
    stakeholderId: state.stakeholderId,
    stockClassId: state.stockClassId,
    equityPlanId: state.equityPlanId,
    planCharge: state.charge === null ? null : formatDecimal(state.charge),
    chargeBasis: formatBasis(state.chargeBasis),
    pricePerShare: state.pricePerShare,
    exercisePrice: state.exercisePrice,
  };
}

/** Writes the changed columns and returns the number of logged changes. New securities are written separately. */
export function writeChanges(tx: Tx, call: Call, transition: Transition): number {
  moveOpenSums(tx, call.orgId, openDifferences(call.orgId, transition));
  return writeSecurities(tx, call, transition) + writeClasses(tx, call, transition) + writePlans(tx, call, transition);
}

/** By how much the sums of open options and warrants differ, of changed and of new securities. */
function openDifferences(orgId: string, { before, after }: Transition): OpenSums {
  const differences = new OpenSums(orgId);
  for (const [id, now] of after.securities) {
    const was = before.securities.get(id);
    if (was === now) continue;
    if (was) differences.take(was);
    differences.add(now);
  }
  return differences;
}

function writeSecurities(tx: Tx, call: Call, { before, after, entries }: Transition): number {
  let audited = 0;
  for (const [id, now] of after.securities) {
    const was = before.securities.get(id);
    if (!was || was === now) continue;
    const changes = changedMembers(ledgerColumns(was), ledgerColumns(now));
    if (Object.keys(changes).length === 0) continue;
    if (changes.quantity !== undefined) changes.quantity = asSent(now.quantity, editedQuantity(id, entries));
    changeLogged(tx, call, "securities", id, { ...changes, updatedAt: call.at });
    audited++;
  }
  return audited;
}

/** The quantity that a direct edit gives a security, as it was sent. */
function editedQuantity(id: string, entries: readonly EntryDraft[]): string | null {
  for (const entry of entries) {
    const { isDirectEdit, after } = membersOf(entry);
    if (entry.securityId === id && isDirectEdit && after.quantity !== undefined) return after.quantity;
  }
  return null;
}

function writeClasses(tx: Tx, call: Call, { before, after, entries }: Transition): number {
  let audited = 0;
  for (const [id, now] of after.classes) {
    const was = before.classes.get(id);
    if (!was || was === now) continue;
    const issued = formatDecimal(now.issued);
    if (now.authorized === null || now.authorized === was.authorized) {
      changeUntold(tx, call.orgId, "share_classes", id, { issued });
      continue;
    }
    const adjustment = entries.map(membersOf).find(({ stockClassId }) => stockClassId === id);
    const currentSharesAuthorized = asSent(now.authorized, adjustment?.newSharesAuthorized ?? null);
    changeLogged(tx, call, "share_classes", id, { issued, currentSharesAuthorized, updatedAt: call.at });
    audited++;
  }
  return audited;
}

function writePlans(tx: Tx, call: Call, { before, after }: Transition): number {
  let audited = 0;
  for (const [id, now] of after.plans) {
    const was = before.plans.get(id);
    if (!was || was === now) continue;
    const changes = changedMembers(planColumns(was), planColumns(now));
    if (Object.keys(changes).length === 0) continue;
    changeLogged(tx, call, "equity_plans", id, { ...changes, updatedAt: call.at });
    audited++;
  }
  return audited;
}

function planColumns(plan: PlanState) {
  const { reserved, available } = plan;
  return { totalSharesReserved: formatDecimal(reserved), currentSharesReserved: formatDecimal(available) };
}

/** The changed members. */
function changedMembers<M extends Readonly<Record<string, unknown>>>(was: M, now: M): Writable<Partial<M>> {
  const changed: Record<string, unknown> = {};
  for (const name of Object.keys(now)) if (was[name] !== now[name]) changed[name] = now[name];
  return changed as Writable<Partial<M>>;
}

type Writable<M> = { -readonly [K in keyof M]: M[K] };
