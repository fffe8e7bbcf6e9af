// Document content: bytes stored unchanged, and returned as an attachment.
import { createHash } from "node:crypto";
import type { Call } from "../../kernel/call.ts";
import { notFound, problem } from "../../kernel/problem.ts";
import { changeLogged } from "../../storage/database/log/logged.ts";
import { getRecord } from "../../storage/database/records.ts";
import type { Reader, Row, Tx } from "../../storage/database/sql.ts";
import type { Room } from "../organization/room.ts";
import { presenter } from "../present.ts";
import type { ReadRoute, UploadRoute } from "../route.ts";
import { mediaTypeOf, pathFor } from "./document-rules.ts";
import { Document } from "./schema.ts";
import { findContent, findSlice, isDocumentAccepted, putContent } from "./store.ts";

type DocumentRow = Row<"documents">;

const BYTES_MAX = 25 * 1024 * 1024;
/** The most bytes in memory for a client that downloads slowly. */
const SLICE_BYTES = 256 * 1024;
const show = presenter(Document);
const common = {
  path: "/api/v1/documents/:id/content",
  tag: "Documents",
  isExtension: true,
  status: 200,
  problems: [404],
} as const;

function digest(algorithm: "md5" | "sha256", content: Uint8Array): string {
  return createHash(algorithm).update(content).digest("hex");
}

/** A document's content to store. */
export interface ContentGiven {
  readonly documentId: string;
  readonly content: Uint8Array;
  /** As sent; null if it was not sent. */
  readonly contentType: string | null;
}

/** Stores a document's bytes without a check of the storage limit. */
export function storeContent(tx: Tx, call: Call, given: ContentGiven): DocumentRow {
  const { documentId, content } = given;
  const before = getRecord<DocumentRow>(tx, "documents", call.orgId, documentId);
  const contentType = mediaTypeOf(given.contentType);
  changeLogged(tx, call, "documents", before.id, {
    path: before.path ?? pathFor(before.id, contentType),
    uri: null,
    md5: digest("md5", content),
    sha256: digest("sha256", content),
    size: content.byteLength,
    contentType,
    updatedAt: call.at,
  });
  putContent(tx, { orgId: call.orgId, documentId: before.id, content });
  return getRecord<DocumentRow>(tx, "documents", call.orgId, before.id);
}

/** Stores a document's bytes, up to 25 MiB, if the storage limit allows. */
export const putDocumentContent = (room: Room): UploadRoute => ({
  ...common,
  problems: [404, 409],
  method: "PUT",
  operationId: "putDocumentContent",
  summary: "Store a document's bytes",
  description:
    "The body is the file itself, of any content type, up to 25 MiB; it replaces what was stored before. Sets `md5`, " +
    "`sha256`, `size` and `contentType`, and `path` if the document has no path; a `uri` is removed. Refused if the " +
    "organization has reached its storage limit (`storage-full`), while the server's disk is nearly full, and where an " +
    "acceptance on paper names other bytes of the document (`in-use`).",
  role: "EDITOR",
  bytesMax: BYTES_MAX,
  response: Document,
  run(tx, call, { params, content, contentType }) {
    const { id: documentId, size, sha256 } = getRecord<DocumentRow>(tx, "documents", call.orgId, params.id ?? "");
    const isOther = sha256 !== null && sha256 !== digest("sha256", content);
    if (isOther && isDocumentAccepted(tx, { orgId: call.orgId, documentId })) {
      throw problem(
        "in-use",
        "An acceptance on paper names the bytes of this document. Store others as a new document.",
      );
    }
    room.refuseLowDisk();
    room.refuseFull(tx, call.orgId, content.byteLength - (size ?? 0));
    return { status: 200, json: show(storeContent(tx, call, { documentId, content, contentType })) };
  },
});

/** Returns a document's bytes. */
export const getDocumentContent: ReadRoute = {
  ...common,
  method: "GET",
  operationId: "downloadDocumentContent",
  summary: "Get a document's bytes",
  description: "The stored bytes as an attachment, with the content type that they came with.",
  role: "VIEWER",
  fileType: "*/*",
  run(db, { orgId, params }) {
    const document = getRecord<DocumentRow>(db, "documents", orgId, params.id ?? "");
    const { id, size, sha256 } = document;
    if (size === null || sha256 === null) throw notFound("content of this document");
    const isSmall = size <= SLICE_BYTES;
    const content = isSmall ? findContent(db, { orgId, documentId: id }) : sliced(db, { orgId, id, size, sha256 });
    if (content === null) throw notFound("content of this document");
    const fileName = document.path ?? document.id;
    return { status: 200, file: { fileName, contentType: mediaTypeOf(document.contentType), content } };
  },
};

/** A document's bytes, read as the client takes them. Fails if they are replaced meanwhile. */
function sliced(
  db: Reader,
  document: { readonly orgId: string; readonly id: string; readonly sha256: string; readonly size: number },
): ReadableStream<Uint8Array> {
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      const slice = findSlice(db, document, offset, SLICE_BYTES);
      if (slice === null) throw new Error("the document was replaced while it was being sent");
      controller.enqueue(slice);
      offset += slice.byteLength;
      if (offset >= document.size) controller.close();
    },
  });
}
