// Documents shared with a holder: their titles and bytes, without their other subjects.

import { notFound } from "../../kernel/problem.ts";
import { getDocumentContent } from "../../resources/documents/content.ts";
import type { ReadRequest, Reply } from "../../resources/route.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import type { Own } from "./own.ts";
import { listSharedDocuments } from "./store.ts";

/** The documents as the portal shows them, newest first. */
export function listOwnDocuments(db: Reader, own: Own) {
  return listSharedDocuments(db, own.params).map(showDocument);
}

function showDocument({ id, title, path, uri, size, contentType, createdAt }: Row<"documents">) {
  return { id, title, fileName: path?.split(/[/\\]/).at(-1) ?? null, uri, size, contentType, createdAt };
}

/** The bytes of one of them. Throws `404`, the same for one that is not shared and for one that is not there. */
export function readOwnContent(db: Reader, own: Own, request: ReadRequest): Reply {
  const isShared = listSharedDocuments(db, own.params).some(({ id }) => id === request.params.id);
  if (!isShared) throw notFound("document");
  return getDocumentContent.run(db, request);
}
