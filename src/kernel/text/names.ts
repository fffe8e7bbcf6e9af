// Name comparison: which spellings are one name, and which two names are easily confused. Pure.
import { distance } from "./distance.ts";

/** Typographic apostrophes, quotes and hyphens, by the plain ones. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/[\u2018-\u201b\u2032\u02b9\u02bb\u02bc\u00b4\u0060\uff07]/gu, "'"],
  [/[\u201c-\u201f\u2033\u00ab\u00bb\u301d-\u301f\uff02]/gu, '"'],
  [/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/gu, "-"],
];
const FORMAT_CHARACTERS = /\p{Cf}+/gu;

/**
 * A name's comparison form: names with equal forms are one name. Compatibility forms, invisible characters, case, white
 * space and typographic apostrophes, quotes and hyphens do not matter; accents and full stops do.
 */
export function foldName(name: string): string {
  // A change of case can produce letters in another normal form.
  return foldedOnce(foldedOnce(name)).replace(/\s+/gu, " ").trim();
}

function foldedOnce(name: string): string {
  let text = name.replace(FORMAT_CHARACTERS, "");
  for (const [typographic, plain] of PLAIN) text = text.replace(typographic, plain);
  return text.normalize("NFKC").toUpperCase().toLowerCase();
}

/** Legal forms, which end the names of companies. */
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

/** The parts of a name that decide whether it resembles another one. */
export interface Likeness {
  readonly folded: string;
  /** Its letters and digits, without accents of Latin letters and without legal forms at the end. */
  readonly bare: string;
  /** Its digits and Roman numerals: names that differ in them are never alike. */
  readonly numerals: string;
}

/** The comparison parts of the name. */
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

/** Whether two names are different but easily confused. */
export function areAlike(one: Likeness, other: Likeness): boolean {
  if (one.folded === other.folded || one.numerals !== other.numerals || one.bare === "" || other.bare === "")
    return false;
  if (one.bare === other.bare) return true;
  const [a, b] = [[...one.bare], [...other.bare]];
  return Math.min(a.length, b.length) >= SHORTEST_MISSPELT && distance(one.bare, other.bare, 1) <= 1;
}

/** A bare name and its forms with one letter removed: two names that are one letter apart share one of these. */
function neighbours({ bare }: Likeness): readonly string[] {
  const letters = [...bare];
  if (letters.length < SHORTEST_MISSPELT) return [bare];
  return [bare, ...letters.map((_, at) => letters.slice(0, at).join("") + letters.slice(at + 1).join(""))];
}

/** A 32-bit hash (FNV-1a) by which equal texts are found; a comparison afterwards drops collisions. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The most pairs reported: of thousands of equal names, a reader needs no more. */
const PAIRS_MAX = 2000;
const INDEX_BITS = 2 ** 20;

/**
 * The pairs of names that are equal or alike, by their indexes in the list, each once with the earlier one first, and
 * only those whose later index is `from` or more; at most 2,000. Linear in the letters of all names: candidates share a
 * form with one letter removed, so that names are not compared pair by pair.
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
