// Routes of acceptances: those of a security, one by itself, one on paper, and asking again. The portal has its own.
import { Type } from "@sinclair/typebox";
import { addDays } from "../../kernel/date.ts";
import { body } from "../../kernel/fields.ts";
import { notFound, problem, refuse } from "../../kernel/problem.ts";
import { askAgain, recordAcceptance } from "../../ledger/writes/acceptance.ts";
import { pageOf, scopeOf } from "../../storage/database/paging.ts";
import { getRecord, requireRecord } from "../../storage/database/records.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { listEnvelope } from "../crud.ts";
import { PAGE_QUERY } from "../list-query.ts";
import { timestamp } from "../present.ts";
import { type ReadRoute, type Route, recordPath, writeRoute } from "../route.ts";
import { showAcceptance } from "./present-acceptance.ts";
import { Acceptance, PaperAcceptance } from "./schema.ts";
import { findAcceptance, listAcceptances } from "./store.ts";

const TAG = "Acceptances";
const reading = { method: "GET", tag: TAG, role: "VIEWER", status: 200, isExtension: true, problems: [404] } as const;
const writing = { method: "POST", tag: TAG, role: "EDITOR", isExtension: true, isBatchable: false } as const;

/** An acceptance of an organization. Throws `404`, the same for an unknown and a foreign id. */
export function getAcceptance(db: Reader, orgId: string, id: string): Row<"acceptances"> {
  const row = findAcceptance(db, { orgId, id });
  if (!row) throw notFound("acceptance");
  return row;
}

const list: ReadRoute = {
  ...reading,
  path: "/api/v1/securities/:id/acceptances",
  operationId: "listAcceptances",
  summary: "List the acceptances of a security",
  description: "Newest first. The newest by today's holder holds until a direct edit or other terms end it.",
  query: body(PAGE_QUERY),
  response: listEnvelope("items", Acceptance),
  run(db, { orgId, params, query, role }) {
    const securityId = params.id ?? "";
    requireRecord(db, "securities", orgId, securityId);
    const scope = scopeOf(orgId, "acceptances", { securityId });
    const page = pageOf(scope, query, ({ before, limit }) =>
      listAcceptances(db, { orgId, securityId, before: before ?? Number.MAX_SAFE_INTEGER, limit }),
    );
    const items = page.rows.map((row) => showAcceptance(row, role));
    return { status: 200, json: { items, nextCursor: page.nextCursor } };
  },
};

const read: ReadRoute = {
  ...reading,
  path: "/api/v1/acceptances/:id",
  operationId: "getAcceptance",
  summary: "Get an acceptance",
  response: Acceptance,
  run: (db, { orgId, params, role }) => ({
    status: 200,
    json: showAcceptance(getAcceptance(db, orgId, params.id ?? ""), role),
  }),
};

const onPaper = writeRoute({
  ...writing,
  path: "/api/v1/securities/:id/acceptances",
  operationId: "recordAcceptance",
  summary: "Record an acceptance on paper",
  description: "For an ACTIVE security that is not accepted yet. The document keeps a copy of what was signed.",
  status: 201,
  isLocated: true,
  isIdempotent: true,
  problems: [404, 409],
  body: PaperAcceptance,
  bodyExample: { acceptedOn: "2026-02-03", comments: "Signed at the office" },
  response: Acceptance,
  run(tx, call, { params, body: { acceptedOn, documentId = null, comments = null } }) {
    const row = getRecord<Row<"securities">>(tx, "securities", call.orgId, params.id ?? "");
    const document = documentId === null ? null : getRecord<Row<"documents">>(tx, "documents", call.orgId, documentId);
    refuseUnacceptable(row);
    const [last, first] = [addDays(call.today, 1), row.grantDate];
    refuse([
      ...(acceptedOn > last ? [["#/acceptedOn", `must not be later than tomorrow, ${last}`] as const] : []),
      ...(acceptedOn < first
        ? [["#/acceptedOn", `must not be before the security, which is of ${first}`] as const]
        : []),
      ...(document?.size === null
        ? [["#/documentId", "names a document whose bytes are not stored here"] as const]
        : []),
    ]);
    const id = recordAcceptance(tx, call, {
      ...{ securityId: row.id, stakeholderId: row.stakeholderId, kind: "PAPER" },
      ...{ acceptedAt: `${acceptedOn}T00:00:00.000Z`, documentId, comments },
    });
    const json = showAcceptance(getAcceptance(tx, call.orgId, id), undefined);
    return { status: 201, json, location: recordPath("acceptances", id) };
  },
});

/** Throws `409 invalid-state` for a security that has ended, or is accepted already. */
export function refuseUnacceptable({ status, acceptanceStatus }: Row<"securities">): void {
  if (status !== "ACTIVE") throw problem("invalid-state", `The security is ${status}: only an ACTIVE one is accepted.`);
  if (acceptanceStatus === "ACCEPTED") throw problem("invalid-state", "The security is accepted already.");
}

const ask = writeRoute({
  ...writing,
  path: "/api/v1/securities/:id/ask-acceptance",
  operationId: "askAcceptance",
  summary: "Ask a holder again to accept a security",
  description: "For an ACTIVE security whose acceptance is `PENDING`: sets `acceptanceAskedAt` anew.",
  status: 200,
  problems: [404, 409],
  response: Type.Object({
    data: Type.Object({ acceptanceAskedAt: timestamp({ description: "When its holder was asked now." }) }),
  }),
  run(tx, call, { params }) {
    const row = getRecord<Row<"securities">>(tx, "securities", call.orgId, params.id ?? "");
    refuseUnacceptable(row);
    if (row.acceptanceStatus !== "PENDING")
      throw problem("invalid-state", "Its holder is not asked to accept it: set `asksAcceptance` first.");
    askAgain(tx, call, row.id);
    return { status: 200, json: { data: { acceptanceAskedAt: call.at } } };
  },
});

/** The routes of acceptances. */
export const acceptanceRoutes: readonly Route[] = [list, onPaper, ask, read];
