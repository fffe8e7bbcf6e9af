// `captable:` comments of OCF objects: members for which OCF has no field, as a JSON object of those that are not at
// their defaults. Without it a round trip would lose them. A comment of another form stays a comment. Pure.
import { isObject, type JsonObject } from "../json.ts";

const PREFIX = "captable:";

/** The comment for members; null without any. */
export function captableComment(members: JsonObject): string | null {
  return Object.keys(members).length === 0 ? null : `${PREFIX}${JSON.stringify(members)}`;
}

/** The members of the first such comment that is valid, and which comments are ours. */
export function fromCaptableComment(
  value: JsonObject,
  fits: (members: JsonObject) => boolean,
): { readonly members: JsonObject; readonly isOurs: (comment: string) => boolean } {
  const { comments } = value;
  for (const line of Array.isArray(comments) ? comments : []) {
    const members = typeof line === "string" && line.startsWith(PREFIX) ? parsed(line.slice(PREFIX.length)) : null;
    if (members !== null && fits(members)) return { members, isOurs: (comment) => comment === line };
  }
  return { members: {}, isOurs: () => false };
}

function parsed(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
