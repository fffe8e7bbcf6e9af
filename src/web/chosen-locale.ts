// Locale of numbers and dates: the browser's, or the one that the user chose under Account. Texts stay English. Stored as
// the theme is, since it says nothing about a person.
const KEY = "locale";

/** What can be chosen besides the browser's. */
export const LOCALES: readonly string[] = [
  ..."en-US en-GB en-CA en-AU en-IN de-DE de-CH fr-FR fr-CA es-ES es-MX it-IT nl-NL pt-BR pt-PT".split(" "),
  ..."pl-PL cs-CZ sv-SE da-DK nb-NO fi-FI tr-TR he-IL ja-JP ko-KR zh-CN".split(" "),
];

/** What is chosen; undefined where it is the browser's. Tests and servers have no browser. */
export function chosenLocale(): string | undefined {
  const kept = typeof localStorage === "undefined" ? null : localStorage.getItem(KEY);
  return LOCALES.find((each) => each === kept);
}

/** Chooses one, or the browser's: for pages that are loaded from then on. */
export function chooseLocale(chosen: string): void {
  if (LOCALES.includes(chosen)) localStorage.setItem(KEY, chosen);
  else localStorage.removeItem(KEY);
}
