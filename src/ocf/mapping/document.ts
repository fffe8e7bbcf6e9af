// DOCUMENT ↔ document (OCF.md section 7.7). A package never holds the file itself. Pure.
import type { Row } from "../../database/sql.ts";
import { type JsonObject, objectsOf, textOf } from "../json.ts";
import { commentsText } from "./values.ts";

/** The columns that OCF carries. */
export const DOCUMENT_COLUMNS = [
  "path",
  "uri",
  "md5",
  "relatedObjects",
  "comments",
] as const satisfies readonly (keyof Row<"documents">)[];

/** What an OCF document becomes. */
export function documentFromOcf(value: JsonObject) {
  return {
    path: textOf(value, "path"),
    uri: textOf(value, "uri"),
    md5: textOf(value, "md5"),
    relatedObjects: JSON.stringify(relatedObjects(value)),
    comments: commentsText(value),
  } as const;
}

/** The objects that the document belongs to, by OCF type and id. */
export function relatedObjects(value: JsonObject): { objectType: string; objectId: string }[] {
  return objectsOf(value, "related_objects").flatMap((related) => {
    const [objectType, objectId] = [textOf(related, "object_type"), textOf(related, "object_id")];
    return objectType === null || objectId === null ? [] : [{ objectType, objectId }];
  });
}
