// Routes of proofs: that an entry of the ledger or a row of the log is in a signed history, for readers who have nothing
// but the proof and a public key.
import { notFound } from "../../kernel/problem.ts";
import { toUtcDate } from "../../kernel/runtime.ts";
import { canonicalEntry } from "../../ledger/hash.ts";
import { findEntry } from "../../ledger/store.ts";
import { type Expense, later, type ReadRoute } from "../../resources/route.ts";
import { canonicalRow } from "../../storage/database/log/log-hash.ts";
import { requireRecord } from "../../storage/database/records.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import { ownOf } from "../../views/portal/own.ts";
import type { Signer } from "../checkpoint/note.ts";
import { findHeads } from "../checkpoint/store.ts";
import { proveRow } from "./prove.ts";
import { findLogRow } from "./tree-store.ts";

const common = {
  ...({ method: "GET", isExtension: true, status: 200, fileType: "text/plain", problems: [404] } as const),
  expense: (): Expense => "much",
} as const;

const FORM =
  "A proof (C2SP `tlog-proof@v1`) in the newest checkpoint that witnesses cosigned and that has it, else in one signed " +
  "now: `captable verify --proof FILE --signed-by KEY` checks it without the data.";

/** The routes; `signer` gives the key that signs checkpoints. */
export const proofRoutes = (signer: () => Signer): readonly ReadRoute[] => [
  {
    ...common,
    path: "/api/v1/transactions/:id/proof",
    operationId: "getTransactionProof",
    tag: "Transactions",
    summary: "Prove a ledger entry",
    description: `${FORM} \`extra\` is the entry's canonical JSON, whose SHA-256 is its hash.`,
    role: "VIEWER",
    run: (db, { orgId, params }) => {
      const plain = inSnapshot(db, () => {
        const entry = findEntry(db, orgId, params.id ?? "");
        if (!entry) throw notFound("transaction");
        const metadata: unknown = entry.metadata === null ? null : JSON.parse(entry.metadata);
        const extra = canonicalEntry({ ...entry, metadata, recordOnly: entry.recordOnly === 1 });
        return proveRow(db, { orgId, chain: "ledger", sequence: entry.sequence, extra }, signer());
      });
      return { status: 200, plain };
    },
  },
  {
    ...common,
    path: "/api/v1/audit-log/:id/proof",
    operationId: "getAuditEntryProof",
    tag: "Audit log",
    summary: "Prove an audit entry",
    description: `${FORM} \`extra\` is the row's canonical JSON, whose SHA-256 is its hash.`,
    role: "ADMIN",
    run: (db, { orgId, params }) => {
      const plain = inSnapshot(db, () => {
        const row = findLogRow(db, orgId, params.id ?? "", findHeads(db, orgId).log.size);
        if (!row) throw notFound("audit entry");
        const { sequence } = row;
        return proveRow(db, { orgId, chain: "log", sequence, extra: canonicalRow(row) }, signer());
      });
      return { status: 200, plain };
    },
  },
  {
    ...common,
    path: "/api/v1/portal/securities/:id/proof",
    operationId: "getPortalProof",
    tag: "Portal",
    summary: "Prove the entry that one's certificate names",
    description: `${FORM} It has no \`extra\`: the entry's hash stands on the certificate, and says nothing of other holders.`,
    role: "STAKEHOLDER",
    run: later(
      () => import("../../views/reports/documents/make.ts"),
      ({ makeDocument }) =>
        (db, request) => {
          const { orgId, params, nowMs } = request;
          const plain = inSnapshot(db, () => {
            const own = ownOf(db, request);
            const subjectId = params.id ?? "";
            requireRecord(db, "securities", orgId, subjectId);
            const of = { kind: "C", orgId, subjectId, asOf: null, today: toUtcDate(nowMs), knownAt: null } as const;
            const asked = { ...of, basis: "FULLY_DILUTED", isCopy: true, ownIds: own.ids } as const;
            const { sequence } = makeDocument(db, asked).facts;
            return proveRow(db, { orgId, chain: "ledger", sequence, extra: null }, signer());
          });
          return { status: 200, plain };
        },
    ),
  },
];
