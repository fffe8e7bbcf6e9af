// Downloads of files that the server makes, saved under the name in `Content-Disposition`.
import { save } from "../parts/save.ts";
import type { FilePath } from "./file-path.ts";
import { readProblem } from "./problem.ts";
import { send } from "./send.ts";

/** A file to ask for: `{id}` of its path, and its query. */
export interface FileAsked {
  readonly path: FilePath;
  readonly id?: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** Downloads a file of an organization. Throws `ApiProblem` where it is refused. */
export async function download(orgId: string, { path, id = "", query }: FileAsked): Promise<void> {
  const url = new URL(path.replace("{id}", encodeURIComponent(id)), location.origin);
  url.search = new URLSearchParams(query).toString();
  const response = await send(new Request(url, { headers: { "Captable-Organization": orgId } }));
  if (!response.ok) throw await readProblem(response);
  save(await response.blob(), nameIn(response.headers.get("content-disposition") ?? ""));
}

/** The exact name where there is one, else the plain one. */
function nameIn(disposition: string): string {
  const exact = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  return exact ? decodeURIComponent(exact) : (/filename="([^"]*)"/.exec(disposition)?.[1] ?? "");
}
