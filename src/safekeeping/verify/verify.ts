// Verification: recomputes everything from the ledger and the log and reports each difference. It reads one snapshot,
// so that it can run while the server writes, and it never repairs: a person decides which side is right.

import { assert } from "../../kernel/assert.ts";
import { problem } from "../../kernel/problem.ts";
import { systemRuntime, toTimestamp } from "../../kernel/runtime.ts";
import { initialState } from "../../ledger/replay/replay.ts";
import { listAdjustments } from "../../ledger/replay/replay-store.ts";
import { iterateEntries } from "../../ledger/store.ts";
import { findOrganization, findStored, listOrganizations } from "../../resources/organization/store.ts";
import { nameKeyOf, searchTextOf } from "../../resources/stakeholders/search-text.ts";
import { FIRST_HASH } from "../../storage/database/log/log-hash.ts";
import { listEvery } from "../../storage/database/records.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { compareAcceptances } from "./acceptances.ts";
import { addFindings, type Checked, checked, type Findings } from "./checked.ts";
import { checkDatabase } from "./database.ts";
import { type KnownIds, walkLedger } from "./ledger.ts";
import type { LogEnd } from "./log.ts";
import { checkLogs, verifyLog } from "./logs.ts";
import { type VerifiedPeople, verifyPeople, verifyWriters } from "./people/verify-people.ts";
import { comparePools } from "./pools.ts";
import { RESTORE, type Tell, UNVERIFIED, type VerifiedOrganization, type VerifyReport } from "./report.ts";
import { compareClasses, compareContents, compareOpenSums, comparePlans, compareSecurities } from "./rows.ts";
import { compareStops } from "./stops.ts";
import {
  iterateAcceptances,
  iterateAccepting,
  iterateContents,
  iterateSecurityIds,
  iterateSecurityRows,
  iterateStakeholders,
  lastEditsOf,
  listMemberStakeholders,
  listOpenMembers,
  listOrphanedJobs,
  listRepriced,
  listStrayContents,
} from "./store.ts";

const NO_LOG: LogEnd = { sequence: 0, hash: FIRST_HASH };

/**
 * Verifies one organization, or all: hash chains, sequences, references, conservation, the replayed cap table and the
 * log against the stored rows, and SQLite's own checks. All but the schema, which must be checked first: whole.ts,
 * which has other threads walk with it. Synchronous: for a process or a connection of its own. Throws `404 not-found`
 * for an unknown `orgId`.
 */
export function verifyDatabase(db: Reader, orgId?: string): VerifyReport {
  return inSnapshot(db, () => {
    const chosen = chosenOrganizations(db, orgId);
    const database = checkDatabase(db, orgId);
    const logs = checkLogs(
      db,
      chosen.map(({ id }) => id),
    );
    return reportOf(chosen, { database, logs, ledgers: checkLedgers(db, orgId, chosen) });
  });
}

/** The organizations that are verified, in the order of the report. Throws `404 not-found` for an unknown `orgId`. */
export function chosenOrganizations(db: Reader, orgId: string | undefined): Row<"organizations">[] {
  if (orgId === undefined) return listOrganizations(db);
  const organization = findOrganization(db, orgId);
  if (!organization) throw problem("not-found", `No organization ${orgId}.`);
  return [organization];
}

/** What the three walks over the database found; logs and ledgers are in the order of the organizations. */
export interface Walked {
  readonly database: readonly Checked[];
  readonly logs: readonly Checked<LogEnd>[];
  readonly ledgers: LedgersChecked;
}

/** What was found of people, and of each organization's ledger and writers. */
interface LedgersChecked {
  readonly people: Checked<VerifiedPeople>;
  readonly organizations: readonly { readonly ledger: Checked<VerifiedLedger>; readonly writers: Checked }[];
}

type VerifiedLedger = Omit<VerifiedOrganization, "log">;

/** The report of what the walks found: always in one order, whichever of them was first. */
export function reportOf(chosen: readonly Row<"organizations">[], { database, logs, ledgers }: Walked): VerifyReport {
  const found: Findings = { differences: [], notes: [] };
  const organizations: VerifiedOrganization[] = [];
  for (const each of database) addFindings(found, each);
  addFindings(found, ledgers.people);
  for (const at of chosen.keys()) {
    const [log, organization] = [logs[at], ledgers.organizations[at]];
    assert(log !== undefined && organization !== undefined, "each walk is of each organization");
    for (const each of [log, organization.ledger, organization.writers]) addFindings(found, each);
    const { value } = organization.ledger;
    if (value !== null) organizations.push({ ...value, log: log.value ?? NO_LOG });
  }
  const people = ledgers.people.value;
  return { organizations, instance: people && { log: people.log }, ...found, unverified: UNVERIFIED };
}

/** Verifies people, and each organization's ledger, rows and writers. Each by itself, however another breaks off. */
export function checkLedgers(
  db: Reader,
  orgId: string | undefined,
  chosen: readonly Row<"organizations">[],
): LedgersChecked {
  const people = checked(null, ({ differences }) =>
    verifyPeople(db, orgId, toTimestamp(systemRuntime.nowMs()), differences),
  );
  const organizations = chosen.map((organization) => ({
    ledger: checked(organization.id, (found) => verifyLedger(db, organization, found)),
    writers: checked(organization.id, (found) => {
      if (people.value !== null) verifyWriters(db, organization.id, people.value.state, found);
      return null;
    }),
  }));
  return { people, organizations };
}

/** Verifies one organization's log, ledger and rows, without SQLite's own checks; adds to the findings. */
export function verifyOrganization(
  db: Reader,
  organization: Row<"organizations">,
  found: Findings,
): VerifiedOrganization {
  const log = verifyLog(db, organization.id, found.differences);
  return { ...verifyLedger(db, organization, found), log };
}

function verifyLedger(
  db: Reader,
  organization: Row<"organizations">,
  { differences, notes }: Findings,
): VerifiedLedger {
  const { id: orgId, legalName } = organization;
  const tell: Tell = (difference) => differences.push({ ...difference, orgId });
  const [classes, plans] = [listEvery(db, "share_classes", orgId), listEvery(db, "equity_plans", orgId)];
  const state = initialState(classes, plans, listAdjustments(db, { orgId }));
  const stakeholders = new Set<string>();
  let stakeholderCount = 0;
  for (const row of iterateStakeholders(db, { orgId })) {
    const { id, deletedAt, displayName, email } = row;
    stakeholders.add(id);
    if (deletedAt === null) stakeholderCount++;
    if (row.searchText === searchTextOf(displayName, email) && row.nameKey === nameKeyOf(row.name)) continue;
    const detail = "its searchText or nameKey does not follow from its name and email";
    tell({ code: "row-differs", subject: `stakeholder ${id}`, detail, fix: RESTORE });
  }
  const known: KnownIds = {
    securities: securityIds(db, orgId),
    stakeholders,
    classes: new Set(state.classes.keys()),
    plans: new Set(state.plans.keys()),
  };
  const { entries, head, unbound } = walkLedger(inOrder(iterateEntries(db, orgId), tell), { state, known }, tell);
  // Before the rows are opened: a walk that was begun and never continued would hold the connection.
  const repriced = listRepriced(db, orgId);
  const sums = compareSecurities(orgId, iterateSecurityRows(db, { orgId }), { state, repriced }, tell);
  compareStops(db, orgId, tell);
  const lastEdits = lastEditsOf(db, orgId);
  const [acceptances, securities] = [iterateAcceptances(db, { orgId }), iterateAccepting(db, { orgId })];
  compareAcceptances({ acceptances, securities, lastEdits }, tell);
  compareClasses(classes, state, sums, tell);
  comparePlans(plans, state, sums, tell);
  compareOpenSums("organizations", organization, sums, `organization ${legalName}`, tell);
  comparePools(state, unbound, tell, (note) => notes.push({ ...note, orgId }));
  compareContents(iterateContents(db, { orgId }), tell);
  for (const id of listStrayContents(db, orgId)) {
    const detail = "it has stored bytes, and its row does not say so";
    tell({ code: "document-altered", subject: `document ${id}`, detail, fix: RESTORE });
  }
  if (stakeholderCount !== organization.stakeholderCount) {
    const detail = `its stakeholderCount is ${organization.stakeholderCount}, and ${stakeholderCount} are there`;
    tell({ code: "stakeholder-count", subject: `organization ${legalName}`, detail });
  }
  const { said, there } = findStored(db, orgId);
  if (said !== there) {
    const detail = `its storedBytes are ${said}, and ${there} are there`;
    tell({ code: "stored-bytes", subject: `organization ${legalName}`, detail });
  }
  compareMembers(db, orgId, tell);
  for (const { id, transactionId } of listOrphanedJobs(db, { orgId })) {
    const detail = `it was enqueued with entry ${transactionId}, which does not exist: the entry was removed`;
    tell({ code: "reference-missing", subject: `job ${id}`, detail, fix: RESTORE });
  }
  return { orgId, legalName, entries, head };
}

/** A member's stakeholders stand in its row; the table that holds each stakeholder once follows from the rows. */
function compareMembers(db: Reader, orgId: string, tell: Tell): void {
  const kept = new Map(listMemberStakeholders(db, { orgId }).map((row) => [row.stakeholderId, row.membershipId]));
  for (const { id, stakeholderIds } of listOpenMembers(db, { orgId })) {
    for (const stakeholderId of JSON.parse(stakeholderIds) as string[]) {
      if (kept.get(stakeholderId) === id) kept.delete(stakeholderId);
      else {
        const detail = `the stakeholder ${stakeholderId} is not linked to it`;
        tell({ code: "row-differs", subject: `member ${id}`, detail, fix: RESTORE });
      }
    }
  }
  for (const [stakeholderId, membershipId] of kept) {
    const detail = `the stakeholder ${stakeholderId} is linked to it, and its row does not say so`;
    tell({ code: "row-differs", subject: `member ${membershipId}`, detail, fix: RESTORE });
  }
}

/** The entries in order; reports each whose place in the table is not in that order. */
function* inOrder(entries: Iterable<Row<"transactions">>, tell: Tell): Generator<Row<"transactions">> {
  let last = 0;
  for (const entry of entries) {
    const { sequence, id, seq } = entry;
    if (seq <= last) {
      const detail = `its place in the table (seq ${seq}) is not behind that of the entry before it (seq ${last})`;
      tell({ code: "chain-broken", subject: `entry ${sequence} (id ${id})`, detail, fix: RESTORE });
    }
    last = seq;
    yield entry;
  }
}

function securityIds(db: Reader, orgId: string): Set<string> {
  const ids = new Set<string>();
  for (const { id } of iterateSecurityIds(db, { orgId })) ids.add(id);
  return ids;
}
