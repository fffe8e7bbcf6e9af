// Variables of the environment that look like settings and are none: a misspelt one would be without effect, unseen.
import { type Environment, SETTINGS } from "./config.ts";

const OURS = /^CAPTABLE_/;
const NAMES: readonly string[] = Object.values(SETTINGS).map(({ variable }) => variable);

/** A variable that is no setting, and the setting whose name is nearest to it. */
export interface UnknownVariable {
  readonly variable: string;
  readonly nearest: string;
}

/** The `CAPTABLE_…` variables that are no settings, in the order of the alphabet. Their values are not looked at. */
export function unknownVariables(environment: Environment): UnknownVariable[] {
  const unknown = Object.keys(environment).filter((name) => OURS.test(name) && !NAMES.includes(name));
  return unknown.sort().map((variable) => ({ variable, nearest: nearestTo(variable) }));
}

function nearestTo(variable: string): string {
  const far = (name: string) => distance(variable.toUpperCase(), name);
  return NAMES.reduce((best, name) => (far(name) < far(best) ? name : best));
}

/** How many letters must be put in, taken out or changed to make one text of the other (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const [above = 0, diagonal = 0, left = 0] = [row[column], row[column - 1], next[column - 1]];
      next.push(Math.min(above + 1, left + 1, diagonal + (letter === to[column - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
