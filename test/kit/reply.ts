// What a route replies, however it holds its body: for tests that call one without a service.
import type { Reply } from "../../src/resources/route.ts";

/** The JSON body of a reply, read. Throws where it has none. */
export function jsonOf({ json, text, bytes }: Pick<Reply, "json" | "text" | "bytes">) {
  return json ?? JSON.parse(text ?? new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}
