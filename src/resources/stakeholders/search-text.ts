// What `q` looks in: the same for whatever makes a stakeholder's row. Pure.

/** Folds case beyond ASCII, for `q`. Ends in capitals: the small form of a letter may depend on its place in the word. */
export function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase().toUpperCase();
}

/** The `searchText` of a stakeholder. */
export function searchTextOf(displayName: string, email: string | null): string {
  return foldCase(`${displayName}\n${email ?? ""}`);
}
