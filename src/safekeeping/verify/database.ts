// SQLite's own checks: the file's integrity, and its foreign keys.
import type { Reader } from "../../storage/database/sql.ts";
import { type Difference, RESTORE } from "./report.ts";
import { findOwner, listBrokenReferences, listIntegrityFaults } from "./store.ts";

/** The checks of the database as a whole; each may fail by itself on a file that SQLite cannot read. */
export const DATABASE_CHECKS: readonly ((db: Reader, orgId: string | undefined) => Iterable<Difference>)[] = [
  findIntegrityFaults,
  findBrokenReferences,
];

function* findIntegrityFaults(db: Reader): Generator<Difference> {
  for (const text of listIntegrityFaults(db)) {
    yield { code: "damaged", orgId: null, subject: "database file", detail: text, fix: RESTORE };
  }
}

/** With `orgId`, other organizations' broken references are left out. */
function* findBrokenReferences(db: Reader, orgId: string | undefined): Generator<Difference> {
  for (const { table, rowid, parent } of listBrokenReferences(db)) {
    const owner = findOwner(db, table, rowid);
    if (orgId !== undefined && owner.orgId !== null && owner.orgId !== orgId) continue;
    const subject = `${table} row ${rowid}${owner.id === null ? "" : ` (id ${owner.id})`}`;
    const detail = `it refers to a row of ${parent} that does not exist`;
    yield { code: "foreign-key", orgId: owner.orgId, subject, detail, fix: RESTORE };
  }
}
