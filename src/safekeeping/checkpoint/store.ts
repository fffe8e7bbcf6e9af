// Store of checkpoints: SQL of the heads of ledger and log, and of the hash that either had at an earlier size.

import { findHead } from "../../ledger/store.ts";
import { findAccountLogHead } from "../../storage/database/log/account-log.ts";
import { findLogHead } from "../../storage/database/log/audit.ts";
import {
  acrossOrganizations,
  build,
  ofOrganization,
  type Params,
  type Reader,
  value,
  variants,
} from "../../storage/database/sql.ts";
import type { Checkpoint } from "./checkpoint.ts";

/** The heads of an organization's ledger and log; without one, of the instance's log of accounts. */
export function findHeads(db: Reader, orgId: string | null): Pick<Checkpoint, "ledger" | "log"> {
  if (orgId === null) {
    const { sequence: size, hash } = findAccountLogHead(db);
    return { ledger: null, log: { size, head: hash } };
  }
  const [ledger, log] = [findHead(db, orgId), findLogHead(db, orgId)];
  return { ledger: { size: ledger.sequence, head: ledger.hash }, log: { size: log.sequence, head: log.hash } };
}

const hashes = variants((param: Params<{ orgId: string; sequence: number }>, table: "transactions" | "audit_log") =>
  ofOrganization(table, param).select("hash").where("sequence", "=", param("sequence")),
);

/** The hash of the row in this place of a chain, or null. */
export function findHashAt(db: Reader, chain: "ledger" | "log", orgId: string, sequence: number): string | null {
  return hashes(chain === "ledger" ? "transactions" : "audit_log").first(db, { orgId, sequence })?.hash ?? null;
}

/** The hash of an event in the log of accounts, or null. */
export const findEventHash = value((param: Params<{ sequence: number }>) =>
  acrossOrganizations.selectFrom("account_log").select("hash").where("sequence", "=", param("sequence")),
);

/** An organization's name; null if the id is unknown. */
export const findName = value((param: Params<{ orgId: string }>) =>
  build.selectFrom("organizations").select("legalName").where("id", "=", param("orgId")),
);
