// Routes of documents: papers that records refer to, stored here or known by their address only.
import type { Static } from "@sinclair/typebox";
import type { Call } from "../../kernel/call.ts";
import { notFound, Problem, problem } from "../../kernel/problem.ts";
import { findEntry } from "../../ledger/store.ts";
import type { RecordTable } from "../../storage/database/log/logged-tables.ts";
import type { Row, Tx } from "../../storage/database/sql.ts";
import type { RELATED_TYPES } from "../../storage/records/document.ts";
import { createRecord, crudRoutes, type Resource } from "../crud.ts";
import { definedOnly } from "../list-query.ts";
import { type Room, UNLIMITED_ROOM } from "../organization/room.ts";
import { toColumns } from "../present.ts";
import { requireReference } from "../references.ts";
import type { Route } from "../route.ts";
import { getDocumentContent, putDocumentContent } from "./content.ts";
import { refuseContradiction } from "./document-rules.ts";
import { DOCUMENT_EXAMPLE, Document, DocumentCreate, DocumentFilters, DocumentPatch } from "./schema.ts";
import { isDocumentNamed } from "./store.ts";

const documents: Resource<Row<"documents">, typeof DocumentCreate, typeof DocumentPatch> = {
  segment: "documents",
  table: "documents",
  name: "Document",
  plural: "Documents",
  tag: "Documents",
  about: "Papers that records refer to: stored here, or known by their address only.",
  createNote: "Names a document's place. Its bytes are stored by `PUT` of its content.",
  deleteNote: "Refused while a record names it.",
  listKey: "items",
  isWrapped: false,
  isExtension: true,
  create: DocumentCreate,
  patch: DocumentPatch,
  record: Document,
  example: DOCUMENT_EXAMPLE,
  filters: DocumentFilters,
  toFilters: ({ q, objectType, objectId }) =>
    definedOnly({ documentText: q, relatedObject: relatedFilter(objectType, objectId) }),
  prepare(tx, call, given) {
    requireRelated(tx, call, given.relatedObjects);
    return toColumns(given);
  },
  alter(tx, call, before, patch) {
    requireRelated(tx, call, patch.relatedObjects ?? []);
    const columns = toColumns(patch);
    refuseContradiction(before, { ...before, ...columns });
    return columns;
  },
  checkDelete(tx, call, row) {
    if (isDocumentNamed(tx, { orgId: call.orgId, documentId: row.id }))
      throw problem("in-use", "Another record, or an import, names the document.");
  },
};

/** Creates a document as its route does; `given` is a validated body. */
export function createDocument(tx: Tx, call: Call, given: Static<typeof DocumentCreate>): Row<"documents"> {
  return createRecord(tx, call, documents, given);
}

/** The five routes of documents, and those of their content. */
export function documentRoutes(room: Room = UNLIMITED_ROOM): readonly Route[] {
  return [...crudRoutes(documents), putDocumentContent(room), getDocumentContent];
}

/** The document's subject, as the list filters by it. Throws `422` if only one of the two parameters is given. */
function relatedFilter(objectType: string | undefined, objectId: string | undefined): string | undefined {
  if (objectType !== undefined && objectId !== undefined) return `${objectType} ${objectId}`;
  if (objectType === undefined && objectId === undefined) return undefined;
  const [parameter, other] = objectType === undefined ? ["objectType", "objectId"] : ["objectId", "objectType"];
  throw new Problem("validation-failed", "The query is not acceptable.", [
    { parameter, detail: `is required with \`${other}\`` },
  ]);
}

type RelatedType = (typeof RELATED_TYPES)[number];

const RELATED_TABLES: Readonly<Record<Exclude<RelatedType, "ISSUER" | "TRANSACTION">, RecordTable>> = {
  STAKEHOLDER: "stakeholders",
  STOCK_CLASS: "share_classes",
  STOCK_PLAN: "equity_plans",
  VALUATION: "valuations",
  VESTING_TERMS: "vesting_terms",
  STOCK_LEGEND_TEMPLATE: "stock_legends",
  DOCUMENT: "documents",
  SECURITY: "securities",
};

interface Related {
  readonly objectType: RelatedType;
  readonly objectId: string;
}

function requireRelated(tx: Tx, call: Call, related: readonly Related[]): void {
  for (const { objectType, objectId } of related) {
    if (objectType === "TRANSACTION") {
      if (findEntry(tx, call.orgId, objectId) === null) throw notFound("transaction");
    } else if (objectType !== "ISSUER") requireReference(tx, RELATED_TABLES[objectType], call.orgId, objectId);
    else if (objectId !== call.orgId) throw notFound("organization");
  }
}
