// Reads the proofs that routes answer: of an entry, of a row of the log, and of the entry that a holder's certificate names.
import { notFound } from "../../kernel/problem.ts";
import { toUtcDate } from "../../kernel/runtime.ts";
import { canonicalEntry } from "../../ledger/hash.ts";
import { findEntry } from "../../ledger/store.ts";
import type { ReadRequest } from "../../resources/route.ts";
import { canonicalRow } from "../../storage/database/log/log-hash.ts";
import { requireRecord } from "../../storage/database/records.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { ownOf } from "../../views/portal/own.ts";
import { makeDocument } from "../../views/reports/documents/make.ts";
import type { Signer } from "../checkpoint/note.ts";
import { findHeads } from "../checkpoint/store.ts";
import { proveRow } from "./prove.ts";
import { findLogRow } from "./tree-store.ts";

/** The proof of an entry. Throws `404`. */
export function proveEntry(db: Reader, { orgId, params }: ReadRequest, signer: Signer): string {
  return inSnapshot(db, () => {
    const entry = findEntry(db, orgId, params.id ?? "");
    if (!entry) throw notFound("transaction");
    const metadata: unknown = entry.metadata === null ? null : JSON.parse(entry.metadata);
    const extra = canonicalEntry({ ...entry, metadata, recordOnly: entry.recordOnly === 1 });
    return proveRow(db, { orgId, chain: "ledger", sequence: entry.sequence, extra }, signer);
  });
}

/** The proof of a row of the log. Throws `404`. */
export function proveLogRow(db: Reader, { orgId, params }: ReadRequest, signer: Signer): string {
  return inSnapshot(db, () => {
    const row = findLogRow(db, orgId, params.id ?? "", findHeads(db, orgId).log.size);
    if (!row) throw notFound("audit entry");
    return proveRow(db, { orgId, chain: "log", sequence: row.sequence, extra: canonicalRow(row) }, signer);
  });
}

/** The proof of the entry that the certificate of one's own security names, without the entry. Throws `404`. */
export function proveOwn(db: Reader, request: ReadRequest, signer: Signer): string {
  const { orgId, params, nowMs } = request;
  return inSnapshot(db, () => {
    const own = ownOf(db, request);
    const subjectId = params.id ?? "";
    requireRecord(db, "securities", orgId, subjectId);
    const of = { kind: "C", orgId, subjectId, asOf: null, today: toUtcDate(nowMs), knownAt: null } as const;
    const { sequence } = makeDocument(db, { ...of, basis: "FULLY_DILUTED", isCopy: true, ownIds: own.ids }).facts;
    return proveRow(db, { orgId, chain: "ledger", sequence, extra: null }, signer);
  });
}
