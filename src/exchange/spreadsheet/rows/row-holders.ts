// Finds the holder of a row: by number, else by name, and never a holder with another number or e-mail.
import { distance } from "../../../kernel/text/distance.ts";
import { areAlike, foldName, type Likeness, likenessOf, similarPairs } from "../../../kernel/text/names.ts";
import type { SheetPlace } from "../file/cell-problem.ts";

/** The ids of a name: one, none, or several. */
export type Meant = { readonly id: string } | "unknown" | "ambiguous";

/** The only one of some ids. */
export function onlyOf(ids: readonly string[]): Meant {
  const [first, ...others] = new Set(ids);
  if (first === undefined) return "unknown";
  return others.length > 0 ? "ambiguous" : { id: first };
}

/** The holder as a row states it. */
export interface Sought {
  readonly name: string;
  readonly number?: string | undefined;
  readonly email?: string | undefined;
}

/** An existing holder, or one that the import made. */
export interface Holder {
  readonly id: string;
  /** The legal name. */
  readonly name: string;
  readonly displayName: string;
  readonly number: string | null;
  /** In small letters. */
  readonly email: string | null;
  /** Its place in the file; null for an existing one. */
  readonly place: SheetPlace | null;
}

/** An e-mail address as it compares. */
export function foldEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Whether two rows cannot be one person: both have a number, or both an e-mail address, and they differ. */
export function areOthers(
  one: { readonly number?: string | null | undefined; readonly email?: string | null | undefined },
  other: { readonly number?: string | null | undefined; readonly email?: string | null | undefined },
): boolean {
  const differ = (a: string | null | undefined, b: string | null | undefined) => a != null && b != null && a !== b;
  const [mail, otherMail] = [one.email && foldEmail(one.email), other.email && foldEmail(other.email)];
  return differ(one.number, other.number) || differ(mail || null, otherMail || null);
}

/**
 * Unknown names are compared with all others, which takes long: for more than these only that they are unknown is said.
 */
const EXPLAINED_MAX = 500;
const NEAREST_EDITS = 2;

/** The holders of an organization, kept up while the import makes more. */
export class Holders {
  readonly #all: Holder[] = [];
  readonly #named = new Map<string, Holder[]>();
  readonly #numbered = new Map<string, Holder[]>();
  readonly #likeness = new Map<string, Likeness>();
  readonly #explained = new Map<string, string>();

  add(holder: Holder): void {
    this.#all.push(holder);
    append(this.#named, foldName(holder.name), holder);
    if (holder.number !== null) append(this.#numbered, holder.number, holder);
    this.#explained.clear();
  }

  /**
   * Lets a row's statement of its holder stand for an existing holder, under any current name. Returns whether that
   * holder exists.
   */
  knowAs(id: string, { name, number, email }: Sought): boolean {
    const holder = this.#all.find((each) => each.id === id);
    if (!holder) return false;
    const said = { number: number ?? holder.number, email: email === undefined ? holder.email : foldEmail(email) };
    append(this.#named, foldName(name), { ...holder, ...said });
    this.#explained.clear();
    return true;
  }

  /** Those of some holders who have no other number or e-mail than a row says. */
  thoseWhoMayBe(ids: Iterable<string>, sought: Sought): readonly string[] {
    const wanted = new Set(ids);
    return this.#all.filter((each) => wanted.has(each.id) && !areOthers(each, sought)).map(({ id }) => id);
  }

  /** By number if a holder has it, else by name, passing over those whose number or e-mail differs. */
  find({ name, number, email }: Sought): Meant {
    const numbered = number === undefined ? [] : (this.#numbered.get(number) ?? []);
    if (numbered.length > 0) {
      const called = numbered.filter((each) => this.#mayBeCalled(each, name));
      return called.length === 0 ? "ambiguous" : onlyOf(called.map(({ id }) => id));
    }
    const named = (this.#named.get(foldName(name)) ?? []).filter((each) => !areOthers(each, { number, email }));
    return onlyOf(named.map(({ id }) => id));
  }

  /** Whether a holder has the name, or a legal name that is like it. */
  #mayBeCalled({ id, name: legalName, displayName }: Holder, name: string): boolean {
    const folded = foldName(name);
    if (this.#named.get(folded)?.some((each) => each.id === id)) return true;
    if (folded === foldName(legalName) || folded === foldName(displayName)) return true;
    return areAlike(this.#likenessOf(legalName), this.#likenessOf(name));
  }

  /** Whether a holder has the name, or the number. */
  isBorne({ name, number }: Sought): boolean {
    return this.#named.has(foldName(name)) || (number !== undefined && this.#numbered.has(number));
  }

  /** Why the row is ambiguous. */
  explainAmbiguous({ name, number }: Sought): string {
    const [numbered] = number === undefined ? [] : (this.#numbered.get(number) ?? []);
    if (numbered) return `${name} is ambiguous: the number ${number} is ${numbered.name}'s`;
    const bearers = this.#named.get(foldName(name)) ?? [];
    return `${name} is ambiguous: ${bearers.slice(0, 5).map(told).join(", ")}`;
  }

  /** Why the row's holder is unknown: similar names, or the nearest one. */
  explainUnknown(sought: Sought): string {
    const { name, number, email } = sought;
    const bearer = (this.#named.get(foldName(name)) ?? []).find((each) => areOthers(each, sought));
    if (bearer) {
      const isNumber = number !== undefined && bearer.number !== null && bearer.number !== number;
      const own = isNumber ? `number ${number}` : `e-mail ${email}`;
      return `${name} with the ${own} is not known; ${told(bearer)} has another ${isNumber ? "number" : "e-mail"}`;
    }
    const known = this.#explained.get(name);
    if (known !== undefined) return known;
    const other = this.#explained.size < EXPLAINED_MAX ? this.#similarTo(name) : "";
    const detail = `${name} is not known${other}`;
    this.#explained.set(name, detail);
    return detail;
  }

  #similarTo(name: string): string {
    const like = this.#likenessOf(name);
    const alike = this.#all.find((each) => areAlike(this.#likenessOf(each.name), like));
    if (alike) return `; ${told(alike)} is alike`;
    let [nearest, edits]: [Holder | null, number] = [null, Math.min(NEAREST_EDITS, like.folded.length - 1) + 1];
    for (const each of this.#all) {
      const far = distance(this.#likenessOf(each.name).folded, like.folded, edits - 1);
      if (far < edits) [nearest, edits] = [each, far];
    }
    return nearest === null ? "" : `; the nearest is ${told(nearest)}`;
  }

  #likenessOf(name: string): Likeness {
    const known = this.#likeness.get(name) ?? likenessOf(name);
    this.#likeness.set(name, known);
    return known;
  }

  /** The pairs of one name, or of names alike, of which the import made one at least: the later one was made. */
  similar(): (readonly [earlier: Holder, later: Holder])[] {
    const inOrder = [
      ...this.#all.filter(({ place }) => place === null),
      ...this.#all.filter(({ place }) => place !== null),
    ];
    const made = inOrder.filter(({ place }) => place !== null).length;
    if (made === 0) return [];
    const names = inOrder.map(({ name }) => this.#likenessOf(name));
    return similarPairs(names, inOrder.length - made).flatMap(([a, b]) => {
      const [earlier, later] = [inOrder[a], inOrder[b]];
      return earlier && later ? [[earlier, later] as const] : [];
    });
  }

  /** The name of the holder with an id. */
  nameOf(id: string): string | undefined {
    return this.#all.find((each) => each.id === id)?.name;
  }
}

/** A holder with what distinguishes it from others of its name. */
function told({ name, email, number }: Holder): string {
  const more = [email, number === null ? null : `number ${number}`].filter((each) => each !== null);
  return more.length === 0 ? name : `${name} (${more.join(", ")})`;
}

function append<T>(lists: Map<string, T[]>, name: string, item: T): void {
  const list = lists.get(name);
  if (list) list.push(item);
  else lists.set(name, [item]);
}
