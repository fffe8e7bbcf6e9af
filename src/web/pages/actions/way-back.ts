// Return address of a form: the form that opened it, with its draft.
import type { Values } from "./spec.ts";

/** The name in the query under which the way back stands. */
export const RETURN = "return";

/** The way back of a query, where it is a page of this organization, at `home`; else null. */
export function returnTo(query: URLSearchParams, home: string): string | null {
  const back = query.get(RETURN);
  const isOwn = back !== null && (back === home || back.startsWith(`${home}/`) || back.startsWith(`${home}?`));
  return isOwn && !back.includes("//") && !back.includes("..") ? back : null;
}

/** The address of a form with what stands in it. */
export function addressOf(page: string, values: Values, back: string | null = null): string {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
  if (back !== null) query.set(RETURN, back);
  const text = query.toString();
  return text === "" ? page : `${page}?${text}`;
}
