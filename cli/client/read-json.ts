// Reads the JSON at a path.
import { readRefusal } from "./errors.ts";
import type { Sender } from "./sender.ts";

/** What a `GET` of a path with its query answers. Throws `ProblemError` and `ConnectionError`. */
export async function readJson<T>(sender: Sender, path: string, signal: AbortSignal | undefined): Promise<T> {
  const response = await sender.send({ method: "GET", path, isSafe: true, signal });
  if (!response.ok) throw await readRefusal(response);
  return (await response.json()) as T;
}
