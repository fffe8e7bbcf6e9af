// Documents as OCF's DOCUMENT. Pure.
import type { Row } from "../../database/sql.ts";
import type { JsonObject } from "../json.ts";
import { commentsOf, compact } from "./values-to-ocf.ts";

/** What a document is about, as OCF names it. */
export interface RelatedObject {
  readonly objectType: string;
  readonly objectId: string;
}

/** A document as OCF writes one. OCF demands `md5` and one of `path` and `uri`; `related` are objects of the package. */
export function documentToOcf(row: Row<"documents">, related: readonly RelatedObject[]): JsonObject {
  const references = related.map(({ objectType, objectId }) => ({ object_type: objectType, object_id: objectId }));
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
