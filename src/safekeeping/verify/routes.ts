// Routes of the ledger's head and its verification: `GET /api/v1/ledger` and `POST /api/v1/ledger/verify`.
import { Type } from "@sinclair/typebox";
import { instant, nullable, oneOf } from "../../kernel/fields.ts";
import { findHead } from "../../ledger/store.ts";
import type { ReadRoute, Reply, StartRoute } from "../../resources/route.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { VERIFICATION_STATES, type Verifications } from "./runs.ts";

const count = (description: string) => Type.Integer({ minimum: 0, description });

const Found = Type.Object({
  code: Type.String({ description: "The kind of difference, for programs.", examples: ["hash-differs"] }),
  orgId: nullable(
    Type.String({
      description: "The organization; null for the database as a whole.",
      examples: ["0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e"],
    }),
  ),
  subject: Type.String({ description: "What it is about.", examples: ["entry 17"] }),
  detail: Type.String({ description: "What was found and what was expected.", examples: ["its hash is another"] }),
  fix: Type.Optional(
    Type.String({ description: "What can be done about it.", examples: ["Restore a backup made before the change."] }),
  ),
});

const Verified = Type.Object(
  {
    state: oneOf(VERIFICATION_STATES, { description: "`NEVER`: not since the server began." }),
    at: nullable(
      instant({
        description: "When it began (while it waits: was asked for). What was recorded after it began is not in it.",
      }),
    ),
    entries: nullable(count("How many ledger entries were read; null while it runs.")),
    differences: Type.Array(Found, { description: "What `captable verify` found, the first 1,000." }),
  },
  { description: "The verification under way, or the last one." },
);

const Ledger = Type.Object({
  entries: count("How many entries there are."),
  head: Type.Object(
    {
      sequence: count("The last entry's number; 0 for an empty ledger."),
      hash: Type.String({ description: "Its hash; 64 zeros for an empty ledger.", examples: ["0".repeat(64)] }),
    },
    { description: "The last entry." },
  ),
  verification: Verified,
});

/** The routes. */
export function ledgerRoutes(verifications: Verifications): readonly [ReadRoute, StartRoute] {
  const answer = (db: Reader, orgId: string): Reply => {
    const { sequence, hash } = findHead(db, orgId);
    const verification = verifications.of(orgId);
    // Entries are numbered from 1 without gaps.
    return { status: 200, json: { data: { entries: sequence, head: { sequence, hash }, verification } } };
  };
  const common = {
    tag: "Transactions",
    isExtension: true,
    status: 200,
    response: Type.Object({ data: Ledger }),
  } as const;
  return [
    {
      ...common,
      method: "GET",
      path: "/api/v1/ledger",
      operationId: "getLedger",
      summary: "Show the ledger's head, and whether it was verified",
      role: "VIEWER",
      run: (db, { orgId }) => answer(db, orgId),
    },
    {
      ...common,
      method: "POST",
      path: "/api/v1/ledger/verify",
      operationId: "verifyLedger",
      summary: "Verify the ledger and the log",
      description:
        "Begins what `captable verify --org` does, in a process of its own, and answers at once: `GET /ledger` shows " +
        "the result. One that is under way continues. The server verifies one organization at a time; others wait, " +
        "in the order in which they asked, and are `RUNNING` meanwhile.",
      role: "ADMIN",
      start(db, { orgId, nowMs }) {
        verifications.begin(orgId, nowMs);
        return answer(db, orgId);
      },
    },
  ];
}
