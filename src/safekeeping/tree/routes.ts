// Routes of proofs: that an entry of the ledger or a row of the log is in a signed history, for readers who have nothing
// but the proof and a public key.
import { type Expense, later, type ReadRequest, type ReadRoute } from "../../resources/route.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { Signer } from "../checkpoint/note.ts";

const common = {
  ...({ method: "GET", isExtension: true, status: 200, fileType: "text/plain", problems: [404] } as const),
  expense: (): Expense => "much",
} as const;

const FORM =
  "A proof (C2SP `tlog-proof@v1`) in the newest checkpoint that witnesses cosigned and that has it, else in one signed " +
  "now: `captable verify --proof FILE --signed-by KEY` checks it without the data.";

type Prove = (db: Reader, request: ReadRequest, signer: Signer) => string;

/** Answers with the proof of `choose`, which is loaded with the first request. */
function proving(choose: (proofs: typeof import("./read-proofs.ts")) => Prove, signer: () => Signer) {
  return later(
    () => import("./read-proofs.ts"),
    (proofs) => (db: Reader, request: ReadRequest) => ({
      status: 200 as const,
      plain: choose(proofs)(db, request, signer()),
    }),
  );
}

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
    run: proving(({ proveEntry }) => proveEntry, signer),
  },
  {
    ...common,
    path: "/api/v1/audit-log/:id/proof",
    operationId: "getAuditEntryProof",
    tag: "Audit log",
    summary: "Prove an audit entry",
    description: `${FORM} \`extra\` is the row's canonical JSON, whose SHA-256 is its hash.`,
    role: "ADMIN",
    run: proving(({ proveLogRow }) => proveLogRow, signer),
  },
  {
    ...common,
    path: "/api/v1/portal/securities/:id/proof",
    operationId: "getPortalProof",
    tag: "Portal",
    summary: "Prove the entry that one's certificate names",
    description: `${FORM} It has no \`extra\`: the entry's hash stands on the certificate, and says nothing of other holders.`,
    role: "STAKEHOLDER",
    run: proving(({ proveOwn }) => proveOwn, signer),
  },
];
