// What a document may say of where its bytes are, and what becomes of it when they are stored here. Pure.

import { type Finding, refuse } from "../../kernel/problem.ts";
import type { Row } from "../../storage/database/sql.ts";

type DocumentRow = Row<"documents">;
type Place = Pick<DocumentRow, "path" | "uri" | "md5" | "sha256">;

/** What is wrong unless exactly one of `path` and `uri` says where the document is. */
export function placeFindings({ path = null, uri = null }: Partial<Pick<Place, "path" | "uri">>): readonly Finding[] {
  if (path === null && uri === null) return [["#/path", "is required where there is no `uri`"]];
  if (path !== null && uri !== null) return [["#/uri", "excludes `path`; a document has one of the two"]];
  return [];
}

/** Throws `422` for a change after which a document is misplaced, or says something else than its stored bytes do. */
export function refuseContradiction(before: Place, after: Place): void {
  const isStored = before.sha256 !== null;
  const findings = [...placeFindings(after)];
  if (isStored && after.uri !== null && findings.length === 0) {
    findings.push(["#/uri", "is not for a document whose content is stored here"]);
  }
  if (isStored && after.md5?.toLowerCase() !== before.md5?.toLowerCase()) {
    findings.push(["#/md5", "contradicts the stored content"]);
  }
  refuse(findings);
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

/** What clients say of any body where nobody told them what it is; the bytes are a file all the same. */
const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

/** The media type to keep: as sent, or that of unknown bytes where nothing usable was sent, or that of a form. */
export function mediaTypeOf(contentType: string | null): string {
  const isUsable = contentType !== null && MEDIA_TYPE.test(contentType) && !FORM.test(contentType);
  return isUsable ? contentType : "application/octet-stream";
}

/** The path that a document without one gets with its content. */
export function pathFor(documentId: string, contentType: string): string {
  const [mediaType = ""] = contentType.toLowerCase().split(/\s*;/);
  return `documents/${encodeURIComponent(documentId)}${EXTENSIONS[mediaType] ?? ""}`;
}
