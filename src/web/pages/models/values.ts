// Form values of models, in which a holder is the id of a record or a typed name, and their request bodies. Pure.
import type { ApiProblem } from "../../api/problem.ts";
import { fieldAt, sentence } from "../../parts/forms/words.ts";

/** A text for each field; a list's own name has the number of its rows. */
export type ModelValues = Readonly<Record<string, string>>;

const NAMED = "name:";

/** Marks a holder who is not on record. */
export function named(name: string): string {
  return NAMED + name;
}

/** The typed name of a holder who is not on record; null for a holder on record. */
export function nameIn(who: string): string | null {
  return who.startsWith(NAMED) ? who.slice(NAMED.length) : null;
}

/** A holder as a request body names them. */
export function holderOf(who: string): { readonly stakeholderId: string } | { readonly name: string } {
  const name = nameIn(who);
  return name === null ? { stakeholderId: who } : { name };
}

/** The same back. */
export function whoOf(row: { readonly stakeholderId?: string | null; readonly name?: string | null }): string {
  return row.stakeholderId ?? named(row.name ?? "");
}

/** The names of the rows of a list of `count`. */
export function rowsOf(list: string, count: string | undefined): readonly string[] {
  return Array.from({ length: Number.parseInt(count ?? "0", 10) }, (_, index) => `${list}.${index}`);
}

/** A list without one of its rows: the rows after it move up. */
export function withoutRow(values: ModelValues, list: string, at: number): Record<string, string> {
  const count = Number.parseInt(values[list] ?? "0", 10);
  const changes: Record<string, string> = { [list]: String(count - 1) };
  const partsOf = (index: number) => Object.keys(values).filter((name) => name.startsWith(`${list}.${index}.`));
  for (let index = at; index < count; index++) {
    for (const name of partsOf(index)) {
      changes[name] = values[name.replace(`${list}.${index}.`, `${list}.${index + 1}.`)] ?? "";
    }
  }
  return changes;
}

/**
 * Where a refusal belongs: sentences by field, and those that belong to none. `skipped` is how many added securities
 * stand in the body before those of the form.
 */
export function placed(
  problem: Pick<ApiProblem, "errors" | "detail">,
  values: ModelValues,
  skipped = 0,
): { readonly faults: Record<string, string>; readonly words: readonly string[] } {
  const faults: Record<string, string> = {};
  const others: string[] = [];
  for (const { pointer, detail } of problem.errors) {
    const own = pointer === undefined ? undefined : ownPointer(pointer, skipped);
    const name = own === undefined ? undefined : (fieldOf(own, values) ?? fieldAt(pointer ?? "", values));
    if (name === undefined) others.push(sentence(detail));
    else faults[name] = sentence(detail);
  }
  const words = problem.errors.length === 0 ? [problem.detail] : others;
  return { faults, words };
}

/** A problem's pointer as a field name of the form: a holder is `who`, and terms of a security are in its row. */
function ownPointer(pointer: string, skipped: number): string {
  return pointer
    .replace(/\/(?:stakeholderId|name)$/, "/who")
    .replace(/^#\/add\/(\d+)/, (_, at: string) => `#/add/${Number.parseInt(at, 10) - skipped}`)
    .replace(/^(#\/add\/\d+)\/convertibleTerms(?:\/triggers\/\d+\/mechanism)?\//, "$1/")
    .replace(/^(#\/add\/\d+)\/(?:pricePerShare|exercisePrice)$/, "$1/price");
}

function fieldOf(pointer: string, values: ModelValues): string | undefined {
  const name = pointer.replace(/^#?\//, "").replaceAll("/", ".");
  // A fault of a whole row shows at the row's holder.
  const who = `${name}.who`;
  if (who in values) return who;
  return name in values ? name : undefined;
}
