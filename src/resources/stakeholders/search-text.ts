// Search text and name key of stakeholders: the text that `q` searches, and the key by which names are found, the same
// for every writer of a stakeholder's row. Pure.
import { foldName } from "../../kernel/text/names.ts";

/**
 * Folds case beyond ASCII, for `q`. Ends in capitals: the small form of a letter may depend on its place in the word.
 */
export function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase().toUpperCase();
}

/** The `nameKey` of a stakeholder, from the stored `name`: the legal name in comparison form. */
export function nameKeyOf(name: string): string {
  return foldName((JSON.parse(name) as { readonly legalName: string }).legalName);
}

/** The `searchText` of a stakeholder. */
export function searchTextOf(displayName: string, email: string | null): string {
  return foldCase(`${displayName}\n${email ?? ""}`);
}
