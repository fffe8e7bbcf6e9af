// The portal's routes of acceptances: what waits for the person, accepting it, and its receipt.
import { Type } from "@sinclair/typebox";
import { body, id, nullable, oneOf, text } from "../../kernel/fields.ts";
import { notFound } from "../../kernel/problem.ts";
import { toUtcDate } from "../../kernel/runtime.ts";
import {
  Acceptance,
  DocumentAccepted,
  ShownDigest,
  TermsShown,
  TextAccepted,
} from "../../resources/acceptances/schema.ts";
import { findAcceptance } from "../../resources/acceptances/store.ts";
import { timestamp } from "../../resources/present.ts";
import { type Expense, later, type ReadRoute, type Route, writeRoute } from "../../resources/route.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import { ownOf } from "./own.ts";

const common = { tag: "Portal", role: "STAKEHOLDER", isExtension: true } as const;

const Item = Type.Object({
  securityId: id({ description: "The security." }),
  certificateId: nullable(text(50, { description: "The certificate number, unique in the organization." })),
  state: oneOf(["PENDING", "ACCEPTED"], { description: "Whether it waits for the person, or is accepted." }),
  acceptedAt: nullable(timestamp({ description: "When it was accepted; null while it waits." })),
  acceptanceId: nullable(id({ description: "The acceptance, for its receipt; null while it waits." })),
  terms: nullable(TermsShown),
  documents: Type.Array(DocumentAccepted, {
    description: "The documents that are shared with the holder and name the security; `/portal/documents` has them.",
  }),
  text: nullable(TextAccepted),
  digest: nullable(ShownDigest),
});

const list: ReadRoute = {
  ...common,
  method: "GET",
  path: "/api/v1/portal/acceptances",
  operationId: "listPortalAcceptances",
  summary: "List what waits for one's acceptance",
  description:
    "What the person holds today and is asked to accept, then what is accepted, as it was shown then; of one on paper " +
    "or from an import nothing was shown.",
  status: 200,
  response: Type.Object({
    data: Type.Object({ items: Type.Array(Item, { description: "What waits comes first." }) }),
  }),
  expense: (): Expense => "much",
  // A paper for each.
  isComputed: true,
  run: later(
    () => import("./accept.ts"),
    ({ listAcceptable }) =>
      (db, request) => {
        const today = toUtcDate(request.nowMs);
        const items = inSnapshot(db, () => listAcceptable(db, ownOf(db, request), today));
        return { status: 200, json: { data: { items } } };
      },
  ),
};

const acceptRoute = writeRoute({
  ...common,
  method: "POST",
  path: "/api/v1/portal/acceptances",
  operationId: "acceptSecurity",
  summary: "Accept a security",
  description:
    "With the digest of what was shown: if terms, legends or documents have changed since, nothing is accepted (`412`).",
  status: 201,
  needsConfirmation: true,
  isBatchable: false,
  problems: [404, 409],
  body: body({ securityId: id({ description: "The security." }), digest: ShownDigest }),
  bodyExample: { securityId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e", digest: "0".repeat(64) },
  response: Type.Object({ data: Acceptance }),
  run: later(
    () => import("./accept.ts"),
    ({ accept }) =>
      (tx, call, request) => ({ status: 201, json: { data: accept(tx, call, request.body) } }),
  ),
});

const receipt = (fontFolder: string | null): ReadRoute => ({
  ...common,
  method: "GET",
  path: "/api/v1/portal/acceptances/:id/receipt.pdf",
  operationId: "getPortalReceipt",
  summary: "Get the receipt of one's own acceptance",
  description: "What was accepted, by whom and when, and where the log has it.",
  status: 200,
  fileType: "application/pdf",
  problems: [404],
  expense: (): Expense => "report",
  run: later(
    () => import("../reports/documents/receipt-file.ts"),
    ({ receiptFile }) =>
      (db, request) => {
        const { orgId, params } = request;
        const row = findAcceptance(db, { orgId, id: params.id ?? "" });
        if (row === null || !ownOf(db, request).has(row.stakeholderId)) throw notFound("acceptance");
        return { status: 200, file: receiptFile(db.sqlite.name, row, { fontFolder, role: "STAKEHOLDER" }) };
      },
  ),
});

/** The routes that read; `fontFolder` has more fonts, null without such a folder. */
export const portalAcceptanceReads = (fontFolder: string | null): readonly ReadRoute[] => [list, receipt(fontFolder)];

/** All of them. */
export const portalAcceptanceRoutes = (fontFolder: string | null): readonly Route[] => [
  ...portalAcceptanceReads(fontFolder),
  acceptRoute,
];
