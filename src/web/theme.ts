// Light, dark, or as the system has it: beside the columns of lists and the locale, all that the browser keeps of a person.
import { Store } from "./api/store.ts";

/** What a person chose. */
export type Theme = "system" | "light" | "dark";
const KEY = "theme";

function isTheme(text: string | null): text is Theme {
  return text === "system" || text === "light" || text === "dark";
}

function kept(): Theme {
  const text = localStorage.getItem(KEY);
  return isTheme(text) ? text : "system";
}

/** The theme. */
export const theme = new Store<Theme>(kept());

/** Chooses one. */
export function chooseTheme(chosen: Theme): void {
  if (chosen === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, chosen);
  theme.set(chosen);
  showTheme();
}

/** Puts the theme on the document. */
export function showTheme(): void {
  if (theme.value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
}
