// How names compare, everywhere: what is one name, written in two ways; and which two names are easily taken for each
// other. Pure.
import { distance } from "./distance.ts";

/** Apostrophes, quotes and hyphens of printers, by the plain ones. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/[\u2018-\u201b\u2032\u02b9\u02bb\u02bc\u00b4\u0060\uff07]/gu, "'"],
  [/[\u201c-\u201f\u2033\u00ab\u00bb\u301d-\u301f\uff02]/gu, '"'],
  [/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/gu, "-"],
];
const FORMAT_CHARACTERS = /\p{Cf}+/gu;

/**
 * A name as it compares with others: those that are equal folded are one name. Compatibility forms, what nobody sees,
 * case, white space, and the printers' apostrophes, quotes and hyphens do not matter; marks and full stops do.
 */
export function foldName(name: string): string {
  // Letters that become several by their case may be of another form then.
  return foldedOnce(foldedOnce(name)).replace(/\s+/gu, " ").trim();
}

function foldedOnce(name: string): string {
  let text = name.replace(FORMAT_CHARACTERS, "");
  for (const [typographic, plain] of PLAIN) text = text.replace(typographic, plain);
  return text.normalize("NFKC").toUpperCase().toLowerCase();
}

/** Words of legal form, which end the names of companies. */
const LEGAL_FORMS: ReadonlySet<string> = new Set(
  (
    "inc incorporated corp corporation co company llc llp lp ltd limited plc gmbh ug ag kg se sa sas sarl srl spa " +
    "bv nv ab oy aps pty pte kk"
  ).split(" "),
);
const ROMAN: ReadonlySet<string> = new Set(
  "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx".split(" "),
);
const LATIN_MARKS = /[\u0300-\u036f]+/gu;
const SHORTEST_MISSPELT = 6;

/** What of a name is compared with another one's to see whether they are alike. */
export interface Likeness {
  readonly folded: string;
  /** Its letters and digits, without marks of Latin letters and words of legal form at the end. */
  readonly bare: string;
  /** Its digits and Roman numerals: names that differ in them are never alike. */
  readonly numerals: string;
}

/** The likeness of a name. */
export function likenessOf(name: string): Likeness {
  const folded = foldName(name);
  const plain = folded.normalize("NFD").replace(LATIN_MARKS, "").normalize("NFC").replace(/&/g, "and");
  const words = plain
    .replace(/[^\p{L}\p{M}\p{Nd} ]+/gu, "")
    .split(" ")
    .filter((word) => word !== "");
  while (words.length > 1 && LEGAL_FORMS.has(words.at(-1) ?? "")) words.pop();
  const romans = plain
    .replace(/[.']/g, "")
    .split(/[^\p{L}\p{M}\p{Nd}]+/u)
    .filter((word) => ROMAN.has(word));
  const digits = folded.match(/\p{Nd}/gu) ?? [];
  return { folded, bare: words.join(""), numerals: `${digits.join("")}/${romans.join(" ")}` };
}

/** Whether two names are two, and one may be taken for the other. */
export function areAlike(one: Likeness, other: Likeness): boolean {
  if (one.folded === other.folded || one.numerals !== other.numerals || one.bare === "" || other.bare === "")
    return false;
  if (one.bare === other.bare) return true;
  const [a, b] = [[...one.bare], [...other.bare]];
  return Math.min(a.length, b.length) >= SHORTEST_MISSPELT && distance(one.bare, other.bare, 1) <= 1;
}

/** A bare name, and what it becomes without a letter: two that are one letter apart have one of these in common. */
function neighbours({ bare }: Likeness): readonly string[] {
  const letters = [...bare];
  if (letters.length < SHORTEST_MISSPELT) return [bare];
  return [bare, ...letters.map((_, at) => letters.slice(0, at).join("") + letters.slice(at + 1).join(""))];
}

/** The 32 bits of a text by which equal ones are found: others are told apart afterwards (FNV-1a). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** How many pairs are told of: of thousands of equal names nobody reads more. */
const PAIRS_MAX = 2000;
const INDEX_BITS = 2 ** 20;

/**
 * The pairs of names that are one, or alike, by their places in the list, each once with the earlier one first, and
 * only those whose later one stands at `from` or behind it; at most 2,000. Takes time by the letters of all of them:
 * names are found by what they become without a letter, and not held against each other.
 */
export function similarPairs(names: readonly Likeness[], from = 0): (readonly [earlier: number, later: number])[] {
  const keys = names.flatMap((name, at) =>
    neighbours(name).map((each) => hashOf(`${name.numerals} ${each}`) * INDEX_BITS + at),
  );
  const sorted = Float64Array.from(keys).sort();
  const told = new Map<number, readonly [number, number]>();
  let begin = 0;
  for (let end = 1; end <= sorted.length && told.size < PAIRS_MAX; end++) {
    if (end < sorted.length && hashIn(sorted, end) === hashIn(sorted, begin)) continue;
    for (const [earlier, later] of pairsAmong(names, sorted.subarray(begin, end), from)) {
      told.set(later * INDEX_BITS + earlier, [earlier, later]);
      if (told.size >= PAIRS_MAX) break;
    }
    begin = end;
  }
  return [...told.values()].sort((a, b) => a[1] - b[1] || a[0] - b[0]);
}

function hashIn(keys: Float64Array, at: number): number {
  return Math.floor((keys[at] ?? 0) / INDEX_BITS);
}

/** The pairs among names that have a hash in common. */
function* pairsAmong(names: readonly Likeness[], keys: Float64Array, from: number) {
  const places = [...new Set(Array.from(keys, (key) => key % INDEX_BITS))];
  for (const [index, later] of places.entries()) {
    if (later < from) continue;
    for (const earlier of places.slice(0, index)) {
      const [one, other] = [names[earlier], names[later]];
      if (one && other && (one.folded === other.folded || areAlike(one, other))) yield [earlier, later] as const;
    }
  }
}
