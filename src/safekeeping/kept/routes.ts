// Routes of kept checkpoints: where ledger and log stood, which authority stamped that with its time, and which witnesses
// cosigned it.
import { Type } from "@sinclair/typebox";
import { body, id, oneOf } from "../../kernel/fields.ts";
import { notFound } from "../../kernel/problem.ts";
import { listEnvelope } from "../../resources/crud.ts";
import { PAGE_QUERY } from "../../resources/list-query.ts";
import { timestamp } from "../../resources/present.ts";
import { later, type ReadRoute } from "../../resources/route.ts";
import { pageOf, scopeOf } from "../../storage/database/paging.ts";
import { findKept, listKept } from "../checkpoint/kept-store.ts";

const head = (whose: string, what: string) =>
  Type.Object(
    {
      size: Type.Integer({ description: `How many ${what} it had.`, examples: [12] }),
      head: Type.String({ description: "The hash of the last one; 64 zeros without any.", examples: ["0".repeat(64)] }),
    },
    { description: `Where the ${whose} stood.` },
  );

const Checkpoint = Type.Object({
  id: id({ description: "Identifies the checkpoint." }),
  time: timestamp({ description: "When it was made, by the server's clock." }),
  ledger: head("ledger", "entries"),
  log: head("log", "rows"),
  timestamps: Type.Array(
    Type.Object({
      authority: Type.String({ description: "The host of the authority's address.", examples: ["tsa.example.com"] }),
      time: timestamp({ description: "The time in it, by the authority's clock." }),
      policy: Type.String({ description: "The policy that the authority names.", examples: ["1.2.3.4.1"] }),
    }),
    { description: "Time stamps (RFC 3161) of its note." },
  ),
  cosignatures: Type.Array(
    Type.Object({
      witness: Type.String({ description: "The witness's name.", examples: ["witness.example.com/w1"] }),
      chain: oneOf(["ledger", "log"], { description: "Which of the two histories it saw." }),
      time: timestamp({ description: "When, as the witness says." }),
      isChecked: Type.Boolean({ description: "False for a kind of signature that is kept and not checked (ML-DSA)." }),
    }),
    { description: "Witnesses who saw the history grow up to here, and only grow." },
  ),
});

const LONG_AGO = Number.MAX_SAFE_INTEGER;

/** The routes. */
export const keptRoutes: readonly ReadRoute[] = [
  {
    method: "GET",
    path: "/api/v1/checkpoints",
    operationId: "listCheckpoints",
    tag: "Audit log",
    summary: "List kept checkpoints",
    description:
      "Checkpoints that the server keeps every ten minutes with news where it has a time stamp authority, witnesses, or " +
      "an endpoint that wants them. Newest first. The last 1,000 without a time stamp are kept, and all with one.",
    role: "VIEWER",
    status: 200,
    isExtension: true,
    query: body(PAGE_QUERY),
    response: listEnvelope("items", Checkpoint),
    run: later(
      () => import("./notes.ts"),
      ({ showKept }) =>
        (db, { orgId, query }) => {
          const scope = scopeOf(orgId, "checkpoints");
          const page = pageOf(scope, query, ({ before, limit }) =>
            listKept(db, { orgId, before: before ?? LONG_AGO, limit }),
          );
          return { status: 200, json: { items: page.rows.map(showKept), nextCursor: page.nextCursor } };
        },
    ),
  },
  {
    method: "GET",
    path: "/api/v1/checkpoints/:id",
    operationId: "getKeptCheckpoint",
    tag: "Audit log",
    summary: "Get the notes of a kept checkpoint",
    description:
      "Three signed notes (C2SP): of both heads, with its time stamps, and of the Merkle trees of ledger and log, with " +
      "their cosignatures. `captable verify --against FILE` checks them.",
    role: "VIEWER",
    status: 200,
    isExtension: true,
    fileType: "text/plain",
    problems: [404],
    run: later(
      () => import("./note-text.ts"),
      ({ joinNotes }) =>
        (db, { orgId, params }) => {
          const kept = findKept(db, { orgId, id: params.id ?? "" });
          if (!kept) throw notFound("checkpoint");
          return { status: 200, plain: joinNotes(kept) };
        },
    ),
  },
];
