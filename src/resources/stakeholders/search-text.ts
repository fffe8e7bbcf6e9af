// What `q` looks in, and by what names are found: the same for whatever makes a stakeholder's row. Pure.
import { foldName } from "../../kernel/text/names.ts";

/** Folds case beyond ASCII, for `q`. Ends in capitals: the small form of a letter may depend on its place in the word. */
export function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase().toUpperCase();
}

/** The `nameKey` of a stakeholder, of its `name` as it is kept: the legal name as names compare. */
export function nameKeyOf(name: string): string {
  return foldName((JSON.parse(name) as { readonly legalName: string }).legalName);
}

/** The `searchText` of a stakeholder. */
export function searchTextOf(displayName: string, email: string | null): string {
  return foldCase(`${displayName}\n${email ?? ""}`);
}
