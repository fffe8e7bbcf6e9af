// Codec of DOCUMENT ↔ document. A package never holds the file itself. Pure.
import type { Row } from "../../../storage/database/sql.ts";
import { type JsonObject, objectsOf, textOf } from "../json.ts";
import type { ObjectContext, RecordCodec } from "./record-codec.ts";
import { commentsText } from "./values.ts";
import { commentsOf, compact } from "./values-to-ocf.ts";

/** Documents in OCF. */
export const DOCUMENT: RecordCodec<"documents"> = {
  objectType: "DOCUMENT",
  table: "documents",
  noun: "document",
  counted: "documents",
  columns: ["path", "uri", "md5", "relatedObjects", "comments"],
  references: [],
  fromOcf: documentFromOcf,
  whyNot: whyNoDocument,
  toOcf: documentToOcf,
};

const MD5 = /^[0-9a-fA-F]{32}$/;

/** What an OCF document becomes. A malformed checksum is left out: no content could ever agree with it. */
function documentFromOcf(value: JsonObject) {
  const md5 = textOf(value, "md5");
  return {
    path: textOf(value, "path"),
    uri: textOf(value, "uri"),
    md5: md5 !== null && MD5.test(md5) ? md5 : null,
    relatedObjects: JSON.stringify(relatedObjects(value)),
    comments: commentsText(value),
  };
}

/** The objects that the document belongs to, by OCF type and id. */
export function relatedObjects(value: JsonObject): { objectType: string; objectId: string }[] {
  return objectsOf(value, "related_objects").flatMap((related) => {
    const [objectType, objectId] = [textOf(related, "object_type"), textOf(related, "object_id")];
    return objectType === null || objectId === null ? [] : [{ objectType, objectId }];
  });
}

function whyNoDocument({ md5, path, uri }: Row<"documents">): string | null {
  if (md5 !== null && (path !== null || uri !== null)) return null;
  return "a document without an MD5 checksum, or without a place, cannot stand in OCF; left out";
}

/** A document as OCF writes one. OCF demands `md5` and one of `path` and `uri`. */
function documentToOcf(row: Row<"documents">, context: ObjectContext): JsonObject {
  const references = context
    .relatedTo(row)
    .map(({ objectType, objectId }) => ({ object_type: objectType, object_id: objectId }));
  return compact({
    object_type: "DOCUMENT",
    id: row.id,
    path: row.path,
    uri: row.path === null ? row.uri : undefined,
    md5: row.md5,
    related_objects: references.length > 0 ? references : undefined,
    comments: commentsOf(row.comments),
  });
}
