// What SQLite itself can say: the file's integrity, its foreign keys, and whether the ledger and the audit log still
// refuse to be changed.
import type { Reader } from "../database/sql.ts";
import { type Difference, RESTORE } from "./report.ts";
import { findOwner, listBrokenReferences, listIntegrityFaults, listTriggers } from "./store.ts";

const APPEND_ONLY_TABLES = ["transactions", "audit_log"] as const;

/** The checks of the database as a whole; each may fail by itself on a file that SQLite cannot read. */
export const DATABASE_CHECKS: readonly ((db: Reader, orgId: string | undefined) => Iterable<Difference>)[] = [
  findIntegrityFaults,
  findBrokenReferences,
  findMissingTriggers,
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
    const detail = `it refers to a row of ${parent} that is not there`;
    yield { code: "foreign-key", orgId: owner.orgId, subject, detail, fix: RESTORE };
  }
}

function* findMissingTriggers(db: Reader): Generator<Difference> {
  const triggers = listTriggers(db);
  for (const table of APPEND_ONLY_TABLES) {
    for (const verb of ["UPDATE", "DELETE"]) {
      const name = `${table}_no_${verb.toLowerCase()}`;
      const body = `BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`;
      const wanted = `CREATE TRIGGER ${name} BEFORE ${verb} ON ${table} ${body}`;
      if (triggers.get(name)?.replace(/\s+/g, " ") === wanted) continue;
      const found = triggers.has(name) ? "was replaced by another" : "is missing";
      const detail = `the trigger that refuses ${verb} on ${table} ${found}: rows could be changed without notice`;
      yield { code: "trigger-missing", orgId: null, subject: `trigger ${name}`, detail, fix: `Run: ${wanted}` };
    }
  }
}
