// The one way onto the ledger: facts → decide → effects → limits and invariants → rows, entries, audit and outbox, all
// inside the caller's write transaction. HTTP routes, direct edits, imports and the CLI all end here.
import { appendAudit } from "../database/audit.ts";
import type { Bit } from "../database/schema.ts";
import { insertRow, type Row, type Tx, updateRow } from "../database/sql.ts";
import { present } from "../kernel/assert.ts";
import type { Call } from "../kernel/call.ts";
import { formatDecimal, parseDecimal } from "../kernel/decimal.ts";
import { problem } from "../kernel/problem.ts";
import { nextCertificateId } from "./certificates.ts";
import { enqueueMirroring } from "./enqueue.ts";
import { assertInvariants } from "./invariants.ts";
import { brokenLimits } from "./limits.ts";
import { Loader } from "./load.ts";
import type { Decision, Facts, LedgerOperation, NewSecurity } from "./operation.ts";
import { applyEntry } from "./registry.ts";
import type { LedgerState } from "./state.ts";
import { appendEntries, type UnchainedEntry } from "./store.ts";
import type { EntryDraft, SecurityState } from "./types.ts";

/** What a write did: the entries as stored, and the cap table's slice before and after. */
export interface Recorded {
  readonly entries: readonly Row<"transactions">[];
  readonly before: LedgerState;
  readonly after: LedgerState;
}

/** Runs a typed operation and records what it decided. Throws the `Problem` that stands in its way. */
export function executeOperation(
  tx: Tx,
  call: Call,
  operation: LedgerOperation,
  command: Record<string, unknown>,
): Recorded & { readonly decision: Decision } {
  const facts = new Loader(tx, call.orgId).load(operation.needs(command));
  const context = { orgId: call.orgId, today: call.today, newSecurityId: call.newId() };
  const decision = operation.decide(facts, command, context);
  if (facts.isCertificateTaken) throw certificateTaken();
  return { ...recordDecision(tx, call, facts, decision), decision };
}

/** The refusal of a certificate number that another security bears. */
export function certificateTaken() {
  return problem("duplicate-certificate-id", "Another security of the organization has this certificate id.");
}

/** Applies a decision's entries to the loaded state and writes all that follows. Limits bind unless `isImport`. */
export function recordDecision(
  tx: Tx,
  call: Call,
  facts: Pick<Facts, "state" | "securities" | "classes">,
  decision: Decision,
  options: { readonly isImport?: boolean } = {},
): Recorded {
  const before = facts.state.copy();
  const after = facts.state;
  const steps = decision.entries.map((draft) => {
    const start = after.copy();
    applyEntry(after, draft);
    return { draft, start, end: after.copy() };
  });
  const [broken] = options.isImport ? [] : brokenLimits(before, after);
  if (broken) throw broken;
  assertInvariants(before, after, decision.entries);
  for (const description of decision.newSecurities ?? []) {
    const state = after.security(description.id);
    insertSecurity(tx, call, facts, description, { ...ledgerColumns(state), ...asSent(state, decision.entries) });
  }
  writeChanges(tx, call, before, after);
  const drafts = decision.entries.map((draft) => toUnchained(call, draft));
  const entries = appendEntries(tx, call.orgId, drafts);
  for (const [index, step] of steps.entries()) {
    enqueueMirroring(tx, call, present(entries[index], "the stored entry"), step.start, step.end);
  }
  return { entries, before, after };
}

/** Appends entries that change no holding: updates of stakeholders and valuations, vesting facts. */
export function recordEntries(tx: Tx, call: Call, entries: readonly EntryDraft[]): Recorded {
  return recordDecision(tx, call, new Loader(tx, call.orgId).load({}), { entries });
}

function toUnchained(call: Call, draft: EntryDraft): UnchainedEntry {
  return {
    orgId: call.orgId,
    id: call.newId(),
    type: draft.type,
    securityId: draft.securityId,
    stakeholderId: draft.stakeholderId,
    quantity: draft.quantity,
    effectiveDate: draft.effectiveDate,
    metadata: Object.keys(draft.metadata).length === 0 ? null : JSON.stringify(draft.metadata),
    recordOnly: draft.recordOnly ? 1 : 0,
    createdAt: call.at,
  };
}

function insertSecurity(
  tx: Tx,
  call: Call,
  facts: Pick<Facts, "classes" | "securities">,
  description: NewSecurity,
  state: LedgerColumns,
): void {
  const stockClass = state.stockClassId === null ? undefined : facts.classes.get(state.stockClassId);
  const origin = description.originSecurityId === null ? undefined : facts.securities.get(description.originSecurityId);
  const row = {
    ...description,
    orgId: call.orgId,
    certificateId: description.certificateId ?? nextCertificateId(tx, call.orgId, stockClass, origin),
    ...state,
    tokenStatus: tokenStatusOf(state, stockClass, description.isGated === 1),
    createdAt: call.at,
    updatedAt: call.at,
  } as const;
  insertRow(tx, "securities", row);
  appendAudit(tx, call, "security", description.id, null, row);
}

/** The quantity as the caller wrote it (`"1000.00"`), where an entry says the same number. */
function asSent(state: SecurityState, entries: readonly EntryDraft[]): { readonly quantity?: string } {
  for (const { quantity } of entries) {
    if (quantity !== null && parseDecimal(quantity) === state.quantity) return { quantity };
  }
  return {};
}

function tokenStatusOf(state: LedgerColumns, stockClass: Row<"share_classes"> | undefined, isGated: boolean) {
  const isTokenized = stockClass && !(stockClass.isImported && stockClass.tokenizationStatus === "NOT_STARTED");
  if (state.type !== "STOCK" || !isTokenized) return "NOT_APPLICABLE";
  return isGated ? "PENDING_APPROVAL" : "PENDING";
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
    drawsOnPlan: (state.drawsOnPlan ? 1 : 0) as Bit,
    pricePerShare: state.pricePerShare,
    exercisePrice: state.exercisePrice,
  };
}

/** Writes the rows of what is not the same any more; new securities are written with their description. */
function writeChanges(tx: Tx, call: Call, before: LedgerState, after: LedgerState): void {
  const { orgId, at } = call;
  for (const [id, now] of after.securities) {
    const was = before.securities.get(id);
    if (!was || was === now) continue;
    updateRow(tx, "securities", orgId, id, { ...ledgerColumns(now), updatedAt: at });
    appendAudit(tx, call, "security", id, ...changedPair(ledgerColumns(was), ledgerColumns(now)));
  }
  for (const [id, now] of after.classes) {
    const was = before.classes.get(id);
    if (!was || was === now) continue;
    const authorized = now.authorized === null || now.authorized === was.authorized ? null : now.authorized;
    const changes = authorized === null ? {} : { currentSharesAuthorized: formatDecimal(authorized), updatedAt: at };
    updateRow(tx, "share_classes", orgId, id, { issued: formatDecimal(now.issued), ...changes });
  }
  for (const [id, now] of after.plans) {
    const was = before.plans.get(id);
    if (!was || was === now) continue;
    const currentSharesReserved = formatDecimal(now.available);
    const changes = { totalSharesReserved: formatDecimal(now.reserved), currentSharesReserved, updatedAt: at };
    updateRow(tx, "equity_plans", orgId, id, changes);
  }
}

function changedPair(was: Record<string, unknown>, now: Record<string, unknown>) {
  const names = Object.keys(now).filter((name) => was[name] !== now[name]);
  const pick = (from: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
  return [pick(was), pick(now)] as const;
}
