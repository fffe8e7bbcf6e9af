// The organization's documents by title, for fields and pages that name some.
import { answer, type Schemas } from "../api/client.ts";
import { useWholeList } from "../api/list-pages.ts";
import { useOrganization } from "./page-organization.ts";

/** A document's record. */
export type DocumentRecord = Schemas["Document"];

/** What a document is called; null where nothing says it. */
export function titleOf({ title, path }: Pick<DocumentRecord, "title" | "path">): string | null {
  return title ?? path?.split(/[/\\]/).at(-1) ?? null;
}

/** Asks for all documents. */
export function useDocuments() {
  const { api, key } = useOrganization();
  return useWholeList<DocumentRecord>(key("documents", "all"), (query, signal) =>
    answer(api.GET("/api/v1/documents", { params: { query }, signal })),
  );
}
