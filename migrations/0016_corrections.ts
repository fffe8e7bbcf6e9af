// The columns by which records say more: what a class votes by, what adjusts its conversion price.
import { type Kysely, sql } from "kysely";
import { assumedVotesBasis } from "../src/records/share-class.ts";
import { nameKeyOf } from "../src/resources/stakeholders/search-text.ts";
import { LogChain, rowsOf, run } from "./log-chain.ts";

const STATEMENTS: readonly string[] = [
  // What was said to be paid for a security in all; what nobody said is computed.
  `ALTER TABLE securities ADD COLUMN statedConsideration TEXT`,
  // The day on which vesting of a security's shares stopped, and those of which it has.
  `ALTER TABLE securities ADD COLUMN vestingStoppedOn TEXT`,
  `CREATE INDEX securities_stopped ON securities (orgId) WHERE vestingStoppedOn IS NOT NULL`,
  // What of a financing adjusts a class's conversion price; null where nobody said it.
  `ALTER TABLE share_classes ADD COLUMN antiDilutionCounts TEXT`,
  "ALTER TABLE imports ADD COLUMN closed INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE imports ADD COLUMN schedules TEXT NOT NULL DEFAULT '[]'",
  "ALTER TABLE share_classes ADD COLUMN votesBasis TEXT NOT NULL DEFAULT 'PER_SHARE'",
  "ALTER TABLE organizations ADD COLUMN votesRounding TEXT NOT NULL DEFAULT 'DOWN'",
  // A holder's legal name as names compare, by which others of one name are found. It follows from the name: untold.
  `ALTER TABLE stakeholders ADD COLUMN nameKey TEXT NOT NULL DEFAULT ''`,
  `CREATE INDEX stakeholders_name ON stakeholders (orgId, nameKey) WHERE deletedAt IS NULL`,
];

/** Adds the columns; what was recorded before has their defaults. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  for (const { id } of await run<{ id: string }>(db, "SELECT id FROM organizations ORDER BY seq")) {
    await tellVotesBasis(db, id);
    await keepNames(db, id);
  }
}

/** Preferred stock of one vote a share votes as converted where nobody says otherwise; the log tells it. */
async function tellVotesBasis(db: Kysely<unknown>, orgId: string): Promise<void> {
  const chain = await LogChain.open(db, orgId);
  for await (const row of rowsOf(db, "share_classes", orgId)) {
    const [classType, votesPerShare, id] = [String(row.classType), String(row.votesPerShare), String(row.id)];
    const votesBasis = assumedVotesBasis({ classType, votesPerShare });
    if (votesBasis === "PER_SHARE") continue;
    await run(db, "UPDATE share_classes SET votesBasis = ? WHERE orgId = ? AND id = ?", [votesBasis, orgId, id]);
    await chain.note("migrated", "share class", id, { votesBasis }, { votesBasis: "PER_SHARE" });
  }
  await chain.flush();
}

/** Keeps the legal names of holders as names compare. */
async function keepNames(db: Kysely<unknown>, orgId: string): Promise<void> {
  for await (const row of rowsOf(db, "stakeholders", orgId)) {
    const values = [nameKeyOf(String(row.name)), orgId, String(row.id)];
    await run(db, "UPDATE stakeholders SET nameKey = ? WHERE orgId = ? AND id = ?", values);
  }
}
