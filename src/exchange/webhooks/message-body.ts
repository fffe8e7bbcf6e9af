// The body of a request: the event as compact JSON, with the record where the endpoint wants it.
import type { FollowGround } from "../../storage/follow/follower.ts";
import type { Message } from "./courses.ts";

const BYTES_MAX = 256 * 1024;

/** The text of a message. The record is read now: it is as it is when it is sent, and null once it is gone. */
export async function bodyOf(
  { content }: Pick<Message<unknown>, "content">,
  { include }: { readonly include: "ids" | "record" },
  { read }: Pick<FollowGround, "read">,
): Promise<string> {
  if (include === "ids") return JSON.stringify(content);
  const { orgId, url } = content.data;
  const record = typeof orgId === "string" && typeof url === "string" ? await read(orgId, url) : null;
  const text = JSON.stringify({ ...content, data: { ...content.data, record } });
  if (Buffer.byteLength(text) <= BYTES_MAX) return text;
  return JSON.stringify({ ...content, data: { ...content.data, record: null } });
}
