// Misspelt settings: variables of the environment that look like settings but are not, so that a typo does not stay
// unseen.

import { distance } from "../kernel/text/distance.ts";
import { type Environment, SETTINGS } from "./config.ts";

const OURS = /^CAPTABLE_/;
const NAMES: readonly string[] = Object.values(SETTINGS).map(({ variable }) => variable);

/** An unknown variable, and the setting whose name is nearest to it. */
export interface UnknownVariable {
  readonly variable: string;
  readonly nearest: string;
}

/** The `CAPTABLE_…` variables that are not settings, in the order of the alphabet. Their values are not looked at. */
export function unknownVariables(environment: Environment): UnknownVariable[] {
  const unknown = Object.keys(environment).filter((name) => OURS.test(name) && !NAMES.includes(name));
  return unknown.sort().map((variable) => ({ variable, nearest: nearestTo(variable) }));
}

function nearestTo(variable: string): string {
  const far = (name: string) => distance(variable.toUpperCase(), name);
  return NAMES.reduce((best, name) => (far(name) < far(best) ? name : best));
}
