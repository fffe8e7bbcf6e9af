// Variables of the environment that look like settings and are none: a misspelt one would be without effect, unseen.

import { distance } from "../kernel/text/distance.ts";
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
