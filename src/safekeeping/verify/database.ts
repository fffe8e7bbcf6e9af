// SQLite's own checks: the file's integrity, and its foreign keys.
import type { Reader } from "../../storage/database/sql.ts";
import { type Checked, checked } from "./checked.ts";
import { type Difference, RESTORE } from "./report.ts";
import { findOwner, listBrokenReferences, listIntegrityFaults } from "./store.ts";

/** Checks the database as a whole; each check may break off by itself on a file that SQLite cannot read. */
export function checkDatabase(db: Reader, orgId: string | undefined): Checked[] {
  return [findIntegrityFaults, findBrokenReferences].map((find) =>
    checked(null, ({ differences }) => {
      for (const difference of find(db, orgId)) differences.push(difference);
      return null;
    }),
  );
}

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
