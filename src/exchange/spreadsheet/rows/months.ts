// Names of months in five languages. Pure.
import { foldName } from "../../../kernel/text/names.ts";

const LANGUAGES = [
  "january february march april may june july august september october november december",
  "januar februar märz april mai juni juli august september oktober november dezember",
  "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
  "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
  "januari februari maart april mei juni juli augustus september oktober november december",
];
const MARKS = /\p{M}+/gu;
const NAMES = LANGUAGES.flatMap((names) => names.split(" ").map((name, at) => [plain(name), at + 1] as const));
/** The Dutch abbreviation of March, which is not a beginning of its name. */
const SHORT_ONES: ReadonlyMap<string, number> = new Map([["mrt", 3]]);
const LETTERS_MIN = 3;

/** Without capitals and marks. */
function plain(word: string): string {
  return foldName(word).normalize("NFD").replace(MARKS, "");
}

/**
 * The month from 1 that a word is: by its name in English, German, French, Spanish or Dutch, or by its first letters,
 * three at least, where one month alone begins so. Null for any other.
 */
export function monthOf(word: string): number | null {
  const wanted = plain(word);
  const named = SHORT_ONES.get(wanted) ?? NAMES.find(([name]) => name === wanted)?.[1];
  if (named !== undefined) return named;
  if (wanted.length < LETTERS_MIN) return null;
  const [only, ...others] = new Set(NAMES.flatMap(([name, month]) => (name.startsWith(wanted) ? [month] : [])));
  return only === undefined || others.length > 0 ? null : only;
}
