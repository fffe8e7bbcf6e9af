// `captable verify`: recomputes everything from the ledger and names each difference. It reads one snapshot, so that it
// can run while the server writes, and it never repairs: which side is right is for a person to decide.
import { inSnapshot, isDamagedFile } from "../database/snapshot.ts";
import type { Reader, Row } from "../database/sql.ts";
import { InvariantError } from "../kernel/assert.ts";
import { problem } from "../kernel/problem.ts";
import { initialState } from "../ledger/replay.ts";
import { listAdjustments, listClassRows, listPlanRows } from "../ledger/replay-store.ts";
import { iterateEntries } from "../ledger/store.ts";
import { findOrganization, listOrganizations } from "../resources/organization/store.ts";
import { DATABASE_CHECKS } from "./database.ts";
import { type KnownIds, walkLedger } from "./ledger.ts";
import { comparePools } from "./pools.ts";
import { type Difference, RESTORE, type Tell, type VerifiedOrganization, type VerifyReport } from "./report.ts";
import { compareClasses, compareContents, comparePlans, compareSecurities } from "./rows.ts";
import { iterateContents, iterateSecurityRows, iterateStakeholders, listOrphanedJobs, listRepriced } from "./store.ts";

/**
 * Verifies one organization, or all: hash chain, sequence, references, conservation, the replayed cap table against the
 * stored one, and what SQLite says of the file (DECISIONS section 13, `verify`). Synchronous: for a process or a
 * connection of its own. Throws `404 not-found` for an `orgId` that names no organization.
 */
export function verifyDatabase(db: Reader, orgId?: string): VerifyReport {
  return inSnapshot(db, () => {
    const differences: Difference[] = [];
    const notes: Difference[] = [];
    const organizations: VerifiedOrganization[] = [];
    for (const check of DATABASE_CHECKS) {
      guard(differences, null, () => differences.push(...check(db, orgId)));
    }
    for (const organization of chosenOrganizations(db, orgId)) {
      guard(differences, organization.id, () => {
        organizations.push(verifyOrganization(db, organization, { differences, notes }));
      });
    }
    return { organizations, differences, notes };
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

/** Whether the failure comes from what the file holds: unreadable pages, another schema, text that nothing writes. */
function isDamage(error: Error): boolean {
  return (
    isDamagedFile(error) || isRefusedByFile(error) || error instanceof InvariantError || error instanceof SyntaxError
  );
}

/** All our statements fit our schema: one that SQLite refuses has met another schema, or text that is no JSON. */
function isRefusedByFile(error: Error): boolean {
  return "code" in error && error.code === "SQLITE_ERROR";
}

function chosenOrganizations(db: Reader, orgId: string | undefined): Row<"organizations">[] {
  if (orgId === undefined) return listOrganizations(db);
  const organization = findOrganization(db, orgId);
  if (!organization) throw problem("not-found", `No organization ${orgId}.`);
  return [organization];
}

/** Where a verification puts what it finds. */
interface Findings {
  readonly differences: Difference[];
  readonly notes: Difference[];
}

/** Verifies one organization's ledger and rows, without what SQLite says of the file; adds to `differences`. */
export function verifyOrganization(
  db: Reader,
  organization: Row<"organizations">,
  { differences, notes }: Findings,
): VerifiedOrganization {
  const { id: orgId, legalName } = organization;
  const tell: Tell = (difference) => differences.push({ ...difference, orgId });
  const [classes, plans] = [listClassRows(db, orgId), listPlanRows(db, orgId)];
  const state = initialState(classes, plans, listAdjustments(db, orgId));
  const stakeholders = new Set<string>();
  let stakeholderCount = 0;
  for (const { id, deletedAt } of iterateStakeholders(db, orgId)) {
    stakeholders.add(id);
    if (deletedAt === null) stakeholderCount++;
  }
  const known: KnownIds = {
    securities: securityIds(db, orgId),
    stakeholders,
    classes: new Set(state.classes.keys()),
    plans: new Set(state.plans.keys()),
  };
  const { entries, head, unbound } = walkLedger(iterateEntries(db, orgId), state, known, tell);
  // Before the rows are opened: a walk that was begun and never taken up would hold the connection.
  const repriced = listRepriced(db, orgId);
  const outstanding = compareSecurities(iterateSecurityRows(db, orgId), state, repriced, tell);
  compareClasses(classes, state, outstanding, tell);
  comparePlans(plans, state, tell);
  comparePools(state, unbound, tell, (note) => notes.push({ ...note, orgId }));
  compareContents(iterateContents(db, orgId), tell);
  if (stakeholderCount !== organization.stakeholderCount) {
    const detail = `its stakeholderCount is ${organization.stakeholderCount}, and ${stakeholderCount} are there`;
    tell({ code: "stakeholder-count", subject: `organization ${legalName}`, detail });
  }
  for (const { id, transactionId } of listOrphanedJobs(db, orgId)) {
    const detail = `it was enqueued with entry ${transactionId}, which is not there: the entry was removed`;
    tell({ code: "reference-missing", subject: `job ${id}`, detail, fix: RESTORE });
  }
  return { orgId, legalName, entries, head };
}

function securityIds(db: Reader, orgId: string): Set<string> {
  const ids = new Set<string>();
  for (const { id } of iterateSecurityRows(db, orgId)) ids.add(id);
  return ids;
}
