// Verification: recomputes everything from the ledger and the log and reports each difference. It reads one snapshot,
// so that it can run while the server writes, and it never repairs: a person decides which side is right.

import { InvariantError } from "../../kernel/assert.ts";
import { problem } from "../../kernel/problem.ts";
import { systemRuntime, toTimestamp } from "../../kernel/runtime.ts";
import { initialState } from "../../ledger/replay/replay.ts";
import { listAdjustments } from "../../ledger/replay/replay-store.ts";
import { iterateEntries } from "../../ledger/store.ts";
import { findOrganization, findStored, listOrganizations } from "../../resources/organization/store.ts";
import { nameKeyOf, searchTextOf } from "../../resources/stakeholders/search-text.ts";
import { FIRST_HASH } from "../../storage/database/log/log-hash.ts";
import { listEvery } from "../../storage/database/records.ts";
import { inSnapshot, isDamagedFile } from "../../storage/database/snapshot.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { DATABASE_CHECKS } from "./database.ts";
import { type KnownIds, walkLedger } from "./ledger.ts";
import { type LogEnd, walkLog } from "./log.ts";
import { iterateLog, storedRecords } from "./log-store.ts";
import { type VerifiedPeople, verifyPeople, verifyWriters } from "./people/verify-people.ts";
import { comparePools } from "./pools.ts";
import {
  type Difference,
  RESTORE,
  type Tell,
  UNVERIFIED,
  type VerifiedOrganization,
  type VerifyReport,
} from "./report.ts";
import { compareClasses, compareContents, compareOpenSums, comparePlans, compareSecurities } from "./rows.ts";
import { compareStops } from "./stops.ts";
import {
  iterateContents,
  iterateSecurityRows,
  iterateStakeholders,
  listMemberStakeholders,
  listOpenMembers,
  listOrphanedJobs,
  listRepriced,
  listStrayContents,
} from "./store.ts";

const NO_LOG: LogEnd = { sequence: 0, hash: FIRST_HASH };

/**
 * Verifies one organization, or all: hash chains, sequences, references, conservation, the replayed cap table and the
 * log against the stored rows, and SQLite's own checks. All but the schema, which must be checked first: whole.ts.
 * Synchronous: for a process or a connection of its own. Throws `404 not-found` for an unknown `orgId`.
 */
export function verifyDatabase(db: Reader, orgId?: string): VerifyReport {
  return inSnapshot(db, () => {
    const differences: Difference[] = [];
    const notes: Difference[] = [];
    const organizations: VerifiedOrganization[] = [];
    for (const check of DATABASE_CHECKS) {
      guard(differences, null, () => differences.push(...check(db, orgId)));
    }
    const chosen = chosenOrganizations(db, orgId);
    const found: { people: VerifiedPeople | null } = { people: null };
    guard(differences, null, () => {
      found.people = verifyPeople(db, orgId, toTimestamp(systemRuntime.nowMs()), differences);
    });
    for (const organization of chosen) {
      const { id: orgId } = organization;
      let log: LogEnd = NO_LOG;
      // Each by itself: a failure to read one need not keep the other from being read.
      guard(differences, orgId, () => {
        log = verifyLog(db, orgId, differences);
      });
      guard(differences, orgId, () => {
        organizations.push({ ...verifyLedger(db, organization, { differences, notes }), log });
      });
      guard(differences, orgId, () => {
        if (found.people !== null) verifyWriters(db, orgId, found.people.state, { differences, notes });
      });
    }
    const instance = found.people && { log: found.people.log };
    return { organizations, instance, differences, notes, unverified: UNVERIFIED };
  });
}

/** A file that SQLite can no longer read is a difference too, and the other parts are checked all the same. */
function guard(differences: Difference[], orgId: string | null, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof Error) || !isDamage(error)) throw error;
    const known = differences.some(({ code, detail }) => code === "damaged" && detail === error.message);
    const subject = "database file";
    if (!known) differences.push({ code: "damaged", orgId, subject, detail: error.message, fix: RESTORE });
  }
}

/**
 * Whether the failure comes from the file's content: unreadable pages, another schema, text that this program never
 * writes.
 */
function isDamage(error: Error): boolean {
  return (
    isDamagedFile(error) || isRefusedByFile(error) || error instanceof InvariantError || error instanceof SyntaxError
  );
}

/** All our statements fit our schema: one that SQLite refuses has met another schema, or text that is not JSON. */
function isRefusedByFile(error: Error): boolean {
  return "code" in error && error.code === "SQLITE_ERROR";
}

function chosenOrganizations(db: Reader, orgId: string | undefined): Row<"organizations">[] {
  if (orgId === undefined) return listOrganizations(db);
  const organization = findOrganization(db, orgId);
  if (!organization) throw problem("not-found", `No organization ${orgId}.`);
  return [organization];
}

/** The collected findings of a verification. */
interface Findings {
  readonly differences: Difference[];
  readonly notes: Difference[];
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

/** Verifies an organization's log, and the stored rows against it. */
function verifyLog(db: Reader, orgId: string, differences: Difference[]): LogEnd {
  const tell: Tell = (difference) => differences.push({ ...difference, orgId });
  return walkLog(iterateLog(db, orgId), storedRecords(db, orgId), () => iterateLog(db, orgId), tell);
}

function verifyLedger(
  db: Reader,
  organization: Row<"organizations">,
  { differences, notes }: Findings,
): Omit<VerifiedOrganization, "log"> {
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
  for (const { id } of iterateSecurityRows(db, { orgId })) ids.add(id);
  return ids;
}
