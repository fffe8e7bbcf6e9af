// Answers of the form `{ "data": … }`, and the schemas of such answers.

/** Whether `data` is the only member. */
export function isWrapped<V>(members: Readonly<Record<string, V>>): members is { readonly data: V } {
  return "data" in members && Object.keys(members).length === 1;
}
