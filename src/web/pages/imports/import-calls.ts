// The requests of an import of a spreadsheet: the file goes up as a document, which the import then reads.
import { type Api, answer, BACKGROUND } from "../../api/client.ts";
import type { paths } from "../../api/types.ts";
import { type Sending, storeFile } from "../../api/upload.ts";

/** An import as it stands. */
export type Import = paths["/api/v1/imports/{id}"]["get"]["responses"][200]["content"]["application/json"]["data"];
type Asked = NonNullable<paths["/api/v1/imports"]["post"]["requestBody"]>["content"]["application/json"];

/** How the file is written, as it was chosen; empty texts stand for what was left open. */
export interface Ways {
  readonly format: string;
  readonly dateOrder: string;
  readonly decimal: string;
  readonly skipUnsupported: string;
  readonly vesting: string;
  /** The text of a mapping, where the format is one. */
  readonly mapping: string;
}

/** Whether a text is a JSON object, as a mapping is. */
export function isMapping(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Stores the file and asks for its import. */
export function begin(api: Api, file: File, ways: Ways, sending: Sending): Promise<Import> {
  const about = { title: file.name.slice(0, 200), path: file.name };
  return storeFile(api, file, about, sending, async (documentId) => {
    const mapping = ways.format === "MAPPING" ? { mapping: JSON.parse(ways.mapping) } : {};
    const asked = { documentId, format: ways.format, ...mapping, options: optionsOf(ways) } as Asked;
    return (await answer(api.POST("/api/v1/imports", { params: {}, body: asked }))).data;
  });
}

function optionsOf({ dateOrder, decimal, skipUnsupported, vesting }: Ways) {
  return {
    ...(dateOrder === "" ? {} : { dateOrder }),
    ...(decimal === "" ? {} : { decimal }),
    ...(vesting === "" ? {} : { vesting }),
    ...(skipUnsupported === "" ? {} : { skipUnsupported: true }),
  };
}

/** How it stands. */
export async function readImport(api: Api, id: string, signal: AbortSignal): Promise<Import> {
  const params = { path: { id } };
  return (await answer(api.GET("/api/v1/imports/{id}", { params, signal, headers: BACKGROUND }))).data;
}

/** The import that was asked for last; null where there was none. */
export async function readLast(api: Api, signal: AbortSignal): Promise<Import | null> {
  const params = { query: { limit: 1 } };
  return (await answer(api.GET("/api/v1/imports", { params, signal }))).items[0] ?? null;
}

/** Has it written. */
export async function commit(api: Api, id: string): Promise<Import> {
  return (await answer(api.POST("/api/v1/imports/{id}/commit", { params: { path: { id } } }))).data;
}

/** Forgets it, and the document that was stored for it. */
export async function discard(api: Api, { id, documentId }: Import): Promise<void> {
  // Not `write`: what is shown would be read again, and this is not there any more.
  await answer(api.DELETE("/api/v1/imports/{id}", { params: { path: { id } } }));
  await answer(api.DELETE("/api/v1/documents/{id}", { params: { path: { id: documentId } } })).catch(() => undefined);
}

/** A file of it, by its name. */
export const FILES = {
  problems: "import-problems.csv",
  preview: "import-preview.csv",
  terms: "Vesting terms.csv",
} as const;

/** A file of it. */
export async function fileOf(api: Api, id: string, file: keyof typeof FILES): Promise<Blob> {
  const asked = { params: { path: { id } }, parseAs: "blob" } as const;
  const paths = {
    problems: "/api/v1/imports/{id}/problems.csv",
    preview: "/api/v1/imports/{id}/preview.csv",
    terms: "/api/v1/imports/{id}/terms.csv",
  } as const;
  const bytes = await answer(api.GET(paths[file], asked));
  return new Blob([bytes as BlobPart]);
}

/** The template, empty or filled in. */
export async function templateOf(api: Api, isExample: boolean): Promise<Blob> {
  const params = { query: isExample ? { example: "true" } : {} };
  return new Blob([(await answer(api.GET("/api/v1/imports/template.xlsx", { params, parseAs: "blob" }))) as BlobPart]);
}
