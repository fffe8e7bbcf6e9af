// Document rules: `path` and `uri`, and their change when content is stored. Pure.

import { type Finding, refuse } from "../../kernel/problem.ts";
import type { Row } from "../../storage/database/sql.ts";

type DocumentRow = Row<"documents">;
type Place = Pick<DocumentRow, "path" | "uri" | "md5" | "sha256">;

/** The faults of a document without exactly one of `path` and `uri`. */
export function placeFindings({ path = null, uri = null }: Partial<Pick<Place, "path" | "uri">>): readonly Finding[] {
  if (path === null && uri === null) return [["#/path", "is required without `uri`"]];
  if (path !== null && uri !== null) return [["#/uri", "excludes `path`; a document has one of the two"]];
  return [];
}

/** Throws `422` for a change that leaves a document without a place, or contradicts its stored bytes. */
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

/** The media type that clients send by default for any body; the bytes are a file all the same. */
const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

/** The stored media type: as sent, or that of unknown bytes if it is missing, invalid or that of a form. */
export function mediaTypeOf(contentType: string | null): string {
  const isUsable = contentType !== null && MEDIA_TYPE.test(contentType) && !FORM.test(contentType);
  return isUsable ? contentType : "application/octet-stream";
}

/** The path of a document that had none before its content was stored. */
export function pathFor(documentId: string, contentType: string): string {
  const [mediaType = ""] = contentType.toLowerCase().split(/\s*;/);
  return `documents/${encodeURIComponent(documentId)}${EXTENSIONS[mediaType] ?? ""}`;
}
