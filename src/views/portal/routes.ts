// The portal over HTTP: a stakeholder's own holdings for the person who holds them. The id of another holder's record
// is a `404`, like one that does not exist.
import { Type } from "@sinclair/typebox";
import { body } from "../../kernel/fields.ts";
import { toUtcDate } from "../../kernel/runtime.ts";
import { listEnvelope } from "../../resources/crud.ts";
import { PAGE_QUERY } from "../../resources/list-query.ts";
import { later, type ReadRoute } from "../../resources/route.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import { listOwnDocuments, readOwnContent } from "./documents.ts";
import { ownOf } from "./own.ts";
import { pageOf } from "./page.ts";
import { OwnDocument, OwnTransaction, OwnVesting, Portal } from "./schema.ts";

const common = { method: "GET", tag: "Portal", role: "STAKEHOLDER", isExtension: true, status: 200 } as const;

/** `GET /portal`, by the view of today. */
export const getPortal: ReadRoute = {
  ...common,
  path: "/api/v1/portal",
  operationId: "getPortal",
  summary: "Show what one holds",
  description:
    "The organization, the stakeholders that the person is, and what these hold today: securities as certificates " +
    "show them, what of them has vested and when the rest does, and sums.",
  response: Type.Object({ data: Portal }),
  // As much as the ledger is long.
  expense: () => null,
  run: later(
    () => import("./holdings.ts"),
    ({ readPortal }) =>
      (db, request) => {
        const today = toUtcDate(request.nowMs);
        return { status: 200, json: { data: inSnapshot(db, () => readPortal(db, ownOf(db, request), today)) } };
      },
  ),
};

const vesting: ReadRoute = {
  ...common,
  path: "/api/v1/portal/securities/:id/vesting",
  operationId: "getPortalVesting",
  summary: "Show how one's own security vests",
  problems: [404],
  response: Type.Object({ data: OwnVesting }),
  run: later(
    () => import("./own-vesting.ts"),
    ({ readOwnVesting }) =>
      (db, request) => {
        const { params, nowMs } = request;
        return {
          status: 200,
          json: { data: readOwnVesting(db, ownOf(db, request), params.id ?? "", toUtcDate(nowMs)) },
        };
      },
  ),
};

const transactions: ReadRoute = {
  ...common,
  path: "/api/v1/portal/transactions",
  operationId: "listPortalTransactions",
  summary: "List one's own ledger entries",
  description: "What was issued to the holder, moved to or from it, and what splits made of it. Newest first.",
  query: body(PAGE_QUERY),
  response: listEnvelope("data", OwnTransaction),
  run: later(
    () => import("./entries.ts"),
    ({ listOwnEntries }) =>
      (db, request) => {
        const entries = listOwnEntries(db, ownOf(db, request));
        return { status: 200, json: pageOf(entries, ({ id, securityId }) => `${id} ${securityId}`, request.query) };
      },
  ),
};

const documents: ReadRoute = {
  ...common,
  path: "/api/v1/portal/documents",
  operationId: "listPortalDocuments",
  summary: "List the documents shared with one",
  description: "Those that are about the holder and are shared with holders. Newest first.",
  query: body(PAGE_QUERY),
  response: listEnvelope("data", OwnDocument),
  run(db, request) {
    return { status: 200, json: pageOf(listOwnDocuments(db, ownOf(db, request)), ({ id }) => id, request.query) };
  },
};

const content: ReadRoute = {
  ...common,
  path: "/api/v1/portal/documents/:id/content",
  operationId: "downloadPortalDocument",
  summary: "Get the bytes of a document shared with one",
  description: "The stored bytes as an attachment, with the content type that they came with.",
  problems: [404],
  fileType: "*/*",
  run: (db, request) => readOwnContent(db, ownOf(db, request), request),
};

/** The routes of the portal. */
export const portalRoutes: readonly ReadRoute[] = [getPortal, vesting, transactions, documents, content];
