// What a document may say of where its bytes are, and what becomes of it when they are stored here. Pure.
import type { Row } from "../../database/sql.ts";
import { invalidBody } from "../../kernel/problem.ts";

type DocumentRow = Row<"documents">;
type Place = Pick<DocumentRow, "path" | "uri" | "md5" | "sha256">;

/** Throws `422` unless exactly one of `path` and `uri` says where the document is, and agrees with what is stored. */
export function refuseMisplaced({ path, uri }: Pick<Place, "path" | "uri">): void {
  if (path === null && uri === null) throw invalidBody(["#/path", "is required where there is no `uri`"]);
  if (path !== null && uri !== null) throw invalidBody(["#/uri", "excludes `path`; a document has one of the two"]);
}

/** Throws `422` for a change of a document with stored bytes that would say something else than they do. */
export function refuseContradiction(before: Place, after: Place): void {
  if (before.sha256 === null) return;
  if (after.uri !== null) throw invalidBody(["#/uri", "is not for a document whose content is stored here"]);
  if (after.md5?.toLowerCase() !== before.md5?.toLowerCase()) {
    throw invalidBody(["#/md5", "contradicts the stored content"]);
  }
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  "application/pdf": ".pdf",
  "application/zip": ".zip",
  "application/json": ".json",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
  "image/jpeg": ".jpg",
  "image/png": ".png",
  "text/csv": ".csv",
  "text/plain": ".txt",
};

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:\s*;[\x20-\x7e]*)?$/;

/** The media type to keep: as sent, or that of unknown bytes where nothing usable was sent. */
export function mediaTypeOf(contentType: string | null): string {
  return contentType !== null && MEDIA_TYPE.test(contentType) ? contentType : "application/octet-stream";
}

/** The path that a document without one gets with its content. */
export function pathFor(documentId: string, contentType: string): string {
  const [mediaType = ""] = contentType.toLowerCase().split(/\s*;/);
  return `documents/${encodeURIComponent(documentId)}${EXTENSIONS[mediaType] ?? ""}`;
}
