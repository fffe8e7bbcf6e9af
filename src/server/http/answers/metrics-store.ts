// What `/metrics` reads from the database, each by an index or from a small table: it is asked every few seconds.
import { sql } from "kysely";
import { acrossOrganizations, build, type Reader, statement } from "../../../storage/database/sql.ts";

const openJobs = statement(() =>
  acrossOrganizations
    .selectFrom("outbox")
    .select(({ fn }) => ["state", fn.countAll<number>().as("count"), fn.min("createdAt").as("since")])
    .where("state", "in", ["QUEUED", "RUNNING"])
    .groupBy("state"),
);

const failedJobs = statement(() =>
  acrossOrganizations
    .selectFrom("outbox")
    .select(({ fn }) => ["state", fn.countAll<number>().as("count"), fn.min("createdAt").as("since")])
    .where("state", "=", "FAILED")
    .groupBy("state"),
);

/** How many jobs of a state there are, and when the oldest was enqueued. */
export interface JobCount {
  readonly state: string;
  readonly count: number;
  readonly since: string;
}

/** The jobs that are not finished, and those that failed. */
export function countJobs(db: Reader): JobCount[] {
  return [...openJobs.all(db, {}), ...failedJobs.all(db, {})];
}

const heads = statement(() =>
  build
    .selectFrom("organizations")
    .select([
      "id",
      sql<number>`coalesce((select max(sequence) from transactions where transactions.orgId = organizations.id), 0)`.as(
        "sequence",
      ),
    ])
    .orderBy("seq"),
);

/** Each organization's newest ledger entry's number; 0 for an empty ledger. */
export function listLedgerHeads(db: Reader): { id: string; sequence: number }[] {
  return heads.all(db, {});
}

const reconciled = statement(() =>
  acrossOrganizations.selectFrom("tokens").select(({ fn }) => fn.min("lastReconciledAt").as("since")),
);

/** The oldest of the tokens' last reconciliations with the ledger; null without tokens. */
export function findOldestReconciliation(db: Reader): string | null {
  return reconciled.first(db, {})?.since ?? null;
}

const differences = statement(() =>
  acrossOrganizations.selectFrom("token_differences").select(({ fn }) => fn.countAll<number>().as("count")),
);

/** How many balances differ between chain and ledger. */
export function countTokenDifferences(db: Reader): number {
  return differences.first(db, {})?.count ?? 0;
}

/** What each organization stores, in bytes. */
export function listStoredBytes(db: Reader): { readonly id: string; readonly storedBytes: number }[] {
  return storedBytes.all(db, {});
}

const storedBytes = statement(() =>
  acrossOrganizations.selectFrom("organizations").select(["id", "storedBytes"]).orderBy("seq"),
);

/** When the last time stamp of a checkpoint came; null before the first. */
export function findLastTimestamp(db: Reader): string | null {
  return lastTimestamp.first(db, {})?.at ?? null;
}

const lastTimestamp = statement(() =>
  acrossOrganizations
    .selectFrom("checkpoints")
    .select(({ fn }) => fn.max("stampedAt").as("at"))
    .where("stampedAt", "is not", null),
);
