// The requests of an import: three that send the package as it is, and one that asks how it is getting on.
import { type Api, answer, BACKGROUND, write } from "../../api/client.ts";
import type { paths } from "../../api/types.ts";
import type { Finding, Report } from "./findings.ts";

/** What a request sends: the bytes as they are, in place of what would be made of `body`. */
function sent(bytes: Blob) {
  return { headers: { "Content-Type": "application/zip" }, body: "" as never, bodySerializer: () => bytes };
}

/** What is wrong with a package, and how many objects it has. */
export interface Checked {
  readonly problems: readonly Finding[];
  readonly objects: number;
}

/** Checks a package. */
export async function check(api: Api, bytes: Blob): Promise<Checked> {
  return answer(api.POST("/api/v1/cap-table/ocf-validate", sent(bytes)));
}

/** Tries the import on a copy; nothing is kept. */
export async function tryImport(api: Api, bytes: Blob): Promise<Report> {
  const params = { query: { dryRun: "true" } } as const;
  return (await answer(api.POST("/api/v1/cap-table/ocf-import", { params, ...sent(bytes) }))).data;
}

/** Imports a package. */
export async function importNow(api: Api, bytes: Blob): Promise<Report> {
  return (await write(api.POST("/api/v1/cap-table/ocf-import", sent(bytes)))).data;
}

/** How the organization's import is getting on. */
export type Progress =
  paths["/api/v1/cap-table/ocf-import"]["get"]["responses"][200]["content"]["application/json"]["data"];

/** Asks for it. */
export async function readProgress(api: Api, signal: AbortSignal): Promise<Progress> {
  return (await answer(api.GET("/api/v1/cap-table/ocf-import", { signal, headers: BACKGROUND }))).data;
}
