// Execution of writes on the ledger: facts → decide → effects → limits and invariants → rows, entries, log and outbox,
// all inside the caller's write transaction. HTTP routes, direct edits, imports and the CLI all end here.

import { present } from "../../kernel/assert.ts";
import type { Call } from "../../kernel/call.ts";
import { type Problem, problem } from "../../kernel/problem.ts";
import { tellOf } from "../../storage/database/log/audit.ts";
import { changeLoggedColumns } from "../../storage/database/log/logged.ts";
import type { Row, SqlValue, Tx } from "../../storage/database/sql.ts";
import { membersOf } from "../members.ts";
import type { Decision, Described, Facts, LedgerOperation } from "../operation.ts";
import { withDayOfCounting } from "../replay/counts-from.ts";
import { readEntry } from "../replay/event.ts";
import { listAhead } from "../replay/replay-store.ts";
import type { LedgerState } from "../replay/state.ts";
import { applyEntry } from "../rules/apply.ts";
import { chargesOf, RULES, writeCharges } from "../rules/charges.ts";
import { refuseDistant, refuseEarlier } from "../rules/dates.ts";
import { refuseAhead } from "../rules/future-limits.ts";
import { assertInvariants, assertPools } from "../rules/invariants.ts";
import { brokenLimits } from "../rules/limits.ts";
import { appendEntries, organizationAsksAcceptance, organizationCurrency, type UnchainedEntry } from "../store.ts";
import type { EntryDraft, Metadata } from "../types.ts";
import { writeStops } from "../vested/recorded-stops.ts";
import { endAcceptance } from "./acceptance.ts";
import { enqueueCapUpdates, enqueueMirroring } from "./enqueue.ts";
import { Loader } from "./load.ts";
import { insertSecurity, type NewSecurityRow, type Transition, writeChanges } from "./rows.ts";

/** A write's result: the stored entries, and the cap table's slice before and after. */
export interface Recorded {
  readonly entries: readonly Row<"transactions">[];
  readonly before: LedgerState;
  readonly after: LedgerState;
  /** The new securities. */
  readonly made: readonly NewSecurityRow[];
  /** Whether a record changed, so that the log has a row of it. */
  readonly isAudited: boolean;
}

/** The result of an operation, its decision, and the records that it named. */
export type Executed = Recorded & { readonly decision: Decision } & Pick<
    Facts,
    "securities" | "stakeholders" | "plans"
  >;

/** Runs a typed operation and records its decision. Throws the `Problem` that prevents it. */
export function executeOperation(
  tx: Tx,
  call: Call,
  operation: LedgerOperation,
  command: Record<string, unknown>,
): Executed {
  const dated = { date: String(command.effectiveDate), today: call.today };
  if (operation.isDatedByTomorrow) refuseDistant(dated.date, dated.today);
  const facts = new Loader(tx, call.orgId).load(operation.needs(command));
  const currency = organizationCurrency(tx, call.orgId);
  const isImport = call.importing !== undefined;
  const asksAcceptance = organizationAsksAcceptance(tx, call.orgId);
  const newSecurityId = call.newId();
  const context = { orgId: call.orgId, today: call.today, currency, asksAcceptance, isImport, newSecurityId };
  const decided = operation.decide(facts, command, context);
  // An operation is dated no earlier than the entries that it follows.
  const entries = operation.follows
    ? decided.entries
    : decided.entries.map((entry) => withDayOfCounting(tx, call.orgId, entry, facts.securities));
  const decision = { ...decided, entries };
  // After the faults of the body that `decide` finds: if both apply, the `422` is reported and not the date's `409`.
  const followed = operation.follows ? [operation.follows(command, facts)].flat() : [];
  for (const each of followed) refuseEarlier(tx, call.orgId, each, dated);
  if (facts.isCertificateTaken) throw certificateTaken();
  const recorded = recordDecision(tx, call, facts, decision);
  if (decision.described?.length) describeAnew(tx, call, decision.described);
  else if (!recorded.isAudited) auditEntries(tx, call, recorded.entries);
  enqueueCapUpdates(tx, call, { ...recorded, classes: facts.classes });
  const { securities, stakeholders, plans } = facts;
  return { ...recorded, decision, securities, stakeholders, plans };
}

const DESCRIBED = { security: "securities", stakeholder: "stakeholders", "share-class": "share_classes" } as const;

/** Writes members of records that no entry holds: what a decision describes anew. */
export function describeAnew(tx: Tx, call: Call, changes: readonly Described[]): void {
  for (const { resourceType, id, field, after } of changes) {
    const value = typeof after === "object" && after !== null ? JSON.stringify(after) : (after as SqlValue);
    changeLoggedColumns(tx, call, DESCRIBED[resourceType], id, { [field]: value, updatedAt: call.at });
  }
}

/** For operations that change no record: the log then has the entries themselves. */
function auditEntries(tx: Tx, call: Call, entries: Recorded["entries"]): void {
  for (const { id, type, securityId, quantity, effectiveDate } of entries) {
    tellOf(tx, call, "transaction", id, { type, securityId, quantity, effectiveDate });
  }
}

/** The refusal of a certificate number that another security bears. */
export function certificateTaken() {
  return problem("duplicate-certificate-id", "Another security of the organization has this certificate id.");
}

/** Applies a decision's entries to the loaded state and writes all consequences. Limits bind unless `isImport`. */
export function recordDecision(
  tx: Tx,
  call: Call,
  facts: Pick<Facts, "state" | "securities" | "classes">,
  decision: Decision,
  { isImport = call.importing !== undefined }: { readonly isImport?: boolean } = {},
): Recorded {
  const before = facts.state.copy();
  const after = facts.state;
  let end = before;
  const last = decision.entries.length - 1;
  const steps = decision.entries.map((draft, index) => {
    const start = end;
    const entry = applyDraft(after, draft);
    end = index === last ? after : after.copy();
    return { entry, start, end };
  });
  const drafts = steps.map(({ entry }) => entry);
  const broken = isImport ? null : brokenBy(tx, call, { before, after, entries: drafts });
  assertInvariants(before, after, drafts);
  if (!isImport) assertPools(before, after, drafts);
  const made = (decision.newSecurities ?? []).map((description) =>
    insertSecurity(tx, call, description, { facts, after, entries: drafts }),
  );
  const changes = writeChanges(tx, call, { before, after, entries: drafts });
  const isAudited = changes > 0 || made.length > 0;
  for (const draft of drafts) {
    const said = membersOf(draft);
    if (!said.isDirectEdit || draft.securityId === null) continue;
    endAcceptance(tx, call, draft.securityId, { isOthers: said.after.stakeholderId !== undefined });
  }
  const entries = appendEntries(
    tx,
    call.orgId,
    drafts.map((draft) => toUnchained(call, draft)),
  );
  const stops = writeStops(tx, call, { entries: drafts, after, decision });
  if (!isImport) refuseAhead(tx, call, { before, after, entries });
  if (broken) throw broken;
  for (const [index, step] of steps.entries()) {
    const entry = present(entries[index], "the stored entry");
    enqueueMirroring(tx, call, entry, { before: step.start, after: step.end, classes: facts.classes });
  }
  return { entries, before, after, made, isAudited: isAudited || stops > 0 };
}

/**
 * The limit that the record breaks as it stands, on the day by which all of it counts. Throws it where nothing else is
 * dated ahead; else an earlier day may break it, which {@link refuseAhead} finds.
 */
export function brokenBy(tx: Tx, { orgId, today }: Call, { before, after, entries }: Transition): Problem | null {
  if (brokenLimits(before, after, today).length === 0) return null;
  const ahead = listAhead(tx, { orgId, today });
  const days = [...ahead, ...entries].map(({ effectiveDate }) => effectiveDate);
  const lastDay = [today, ...days].sort().at(-1) ?? today;
  const broken = present(brokenLimits(before, after, lastDay)[0], "the broken limit");
  if (ahead.length === 0) throw broken;
  return broken;
}

/** Applies an entry to a state and returns it as it is written. */
export function applyDraft(state: LedgerState, draft: EntryDraft): EntryDraft {
  const entry = byRules(state, draft);
  applyEntry(state, readEntry(entry));
  return entry;
}

/** The entry as it is written: with the version of the rules, and the charges that it changes. */
function byRules(state: LedgerState, draft: EntryDraft): EntryDraft {
  const charges = writeCharges(chargesOf(state, readEntry(draft)));
  return { ...draft, metadata: { ...draft.metadata, ...(charges ? { charges } : {}), rules: RULES } };
}

/** Appends entries that change no holding: updates of stakeholders and valuations, vesting facts. */
export function recordEntries(tx: Tx, call: Call, entries: readonly EntryDraft[]): Recorded {
  return recordDecision(tx, call, new Loader(tx, call.orgId).load({}), { entries });
}

/** An entry that changes nothing, as it was sent. */
export type RecordedOnly = Pick<EntryDraft, "type" | "effectiveDate"> &
  Partial<Pick<EntryDraft, "securityId" | "stakeholderId" | "quantity">> & { readonly metadata?: Metadata | null };

/** Appends an entry that changes nothing and counts in no total. Throws `404` for unknown references. */
export function recordOnly(tx: Tx, call: Call, given: RecordedOnly): Row<"transactions"> {
  const { type, effectiveDate, securityId = null, stakeholderId = null, quantity = null } = given;
  new Loader(tx, call.orgId).load({ securities: [securityId], stakeholders: [stakeholderId] });
  const draft: EntryDraft = {
    type,
    securityId,
    stakeholderId,
    quantity,
    effectiveDate,
    metadata: given.metadata ?? {},
    recordOnly: true,
  };
  const [entry] = appendEntries(tx, call.orgId, [{ ...toUnchained(call, draft), metadata: given.metadata ?? null }]);
  const stored = present(entry, "the stored entry");
  auditEntries(tx, call, [stored]);
  return stored;
}

/** The entry's row, without its place in the chain. */
export function toUnchained(call: Call, draft: EntryDraft): UnchainedEntry {
  const said = { ...draft.metadata, ...call.importing?.noted };
  return {
    orgId: call.orgId,
    id: draft.id ?? call.newId(),
    type: draft.type,
    securityId: draft.securityId,
    stakeholderId: draft.stakeholderId,
    quantity: draft.quantity,
    effectiveDate: draft.effectiveDate,
    metadata: Object.keys(said).length === 0 ? null : said,
    recordOnly: draft.recordOnly ? 1 : 0,
    createdAt: call.at,
  };
}
