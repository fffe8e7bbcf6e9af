// Reads JSON of the server: a page that a proxy answers in its place is refused.
import { ConnectionError, readRefusal } from "./errors.ts";
import { isJson } from "./media-type.ts";
import type { Sender } from "./sender.ts";

/** The JSON of an answer. Throws `ConnectionError` for an answer of another type, such as a proxy's page. */
export async function jsonOf<T>(response: Response): Promise<T> {
  if (isJson(response)) return (await response.json()) as T;
  await response.body?.cancel();
  const type = response.headers.get("content-type") ?? "no type";
  throw new ConnectionError(`the answer is no JSON of captable, but ${type}`, { status: response.status });
}

/** What a `GET` of a path with its query answers. Throws `ProblemError` and `ConnectionError`. */
export async function readJson<T>(sender: Sender, path: string, signal: AbortSignal | undefined): Promise<T> {
  const response = await sender.send({ method: "GET", path, isSafe: true, signal });
  if (!response.ok) throw await readRefusal(response);
  return jsonOf(response);
}
