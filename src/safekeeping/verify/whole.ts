// `captable verify`: checks the schema first, before any other query, then everything that the file must hold. The walks
// over a large file go side by side.
import { appliedMigrations, knownMigrations } from "../../storage/database/migrate.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { type Besides, verifyBeside } from "./beside.ts";
import { compareSchema } from "./compare-schema.ts";
import { type Difference, RESTORE, UNVERIFIED, type VerifyReport } from "./report.ts";
import { verifyDatabase } from "./verify.ts";

/**
 * Verifies one organization, or all, of a database whose schema must be this program's. If it is not, and more than an
 * index or a trigger is missing, nothing more is read from the file. Throws `404 not-found` for an unknown `orgId`.
 * The connection is for this alone until then.
 */
export async function verifyWhole(db: Reader, orgId?: string, besides: Besides = {}): Promise<VerifyReport> {
  const { differences, isReadable } = await compareSchema(db);
  if (!isReadable) return { organizations: [], instance: null, differences, notes: [], unverified: UNVERIFIED };
  const report = (await verifyBeside(db, orgId, besides)) ?? verifyDatabase(db, orgId);
  return { ...report, differences: [...differences, ...findMigrations(db), ...report.differences] };
}

/** The list of applied migrations names exactly those that this program has. */
function findMigrations(db: Reader): Difference[] {
  const [applied, known] = [appliedMigrations(db).join(", "), knownMigrations().join(", ")];
  if (applied === known) return [];
  const detail = `it names ${applied}, and this schema is made by ${known}`;
  return [{ code: "row-differs", orgId: null, subject: "kysely_migration", detail, fix: RESTORE }];
}
