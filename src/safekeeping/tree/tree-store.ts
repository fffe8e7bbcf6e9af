// Store of trees: SQL of the hashes that are their leaves, of the last restore, and of the rows that are proven.
import { sql } from "kysely";
import {
  first,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  value,
  variants,
} from "../../storage/database/sql.ts";
import type { Chain } from "./tree-checkpoint.ts";

const TABLES = { ledger: "transactions", log: "audit_log" } as const;

const hashes = variants((param: Params<{ orgId: string; after: number; to: number }>, table: (typeof TABLES)[Chain]) =>
  ofOrganization(table, param)
    .select("hash")
    .where("sequence", ">", param("after"))
    .where("sequence", "<=", param("to"))
    .orderBy("sequence"),
);

/** The hashes of the rows behind place `from` up to place `to` of a chain, in order. */
export function* readHashes(db: Reader, chain: Chain, orgId: string, from: number, to: number): Generator<Uint8Array> {
  for (const { hash } of hashes(TABLES[chain]).iterate(db, { orgId, after: from, to })) yield Buffer.from(hash, "hex");
}

/** The hash of the row that tells of the last restore; null before the first. */
export const findRestore = value((param: Params<{ orgId: string }>) =>
  ofOrganization("audit_log", param)
    .select("hash")
    .where("method", "=", sql.lit("restored"))
    .where("resourceType", "=", sql.lit("log"))
    .orderBy("sequence", "desc")
    .limit(1),
);

/** The row of the log in a place, or null. */
export const findLogRowAt = first((param: Params<{ orgId: string; sequence: number }>) =>
  ofOrganization("audit_log", param).selectAll().where("sequence", "=", param("sequence")),
);

/** The same by its id, by a look at every row. */
const searchLogRow = first((param: Params<{ orgId: string; id: string }>) =>
  ofOrganization("audit_log", param).selectAll().where("id", "=", param("id")).limit(1),
);

/**
 * A row of the log by its id, which no index has: ids grow with the log, so it is found by bisection, and by a look at
 * all rows where clocks went back.
 */
export function findLogRow(db: Reader, orgId: string, id: string, size: number): Row<"audit_log"> | null {
  let [low, high] = [1, size];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((findLogRowAt(db, { orgId, sequence: middle })?.id ?? "") < id) low = middle + 1;
    else high = middle;
  }
  const found = findLogRowAt(db, { orgId, sequence: low });
  return found?.id === id ? found : searchLogRow(db, { orgId, id });
}
