// Checks names for invisible or misleading characters. OCF accepts them and so does an import: the ledger must hold the
// name that the package has, but its readers should be warned. Pure.
import { faultOfName } from "../../../kernel/text/text.ts";
import { type Findings, pointerTo } from "../finding.ts";
import { isObject, type JsonObject } from "../json.ts";
import { type OcfObject, YIELD_EVERY } from "../story/object.ts";
import type { Story } from "../story/read-story.ts";

/** The code of these findings. */
export const UNREADABLE_NAME = "unreadable-name";

/** The member of the name, by type of object; an issuance's is its certificate number. */
const NAMES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  ISSUER: ["legal_name"],
  STAKEHOLDER: ["name", "legal_name"],
  STOCK_CLASS: ["name"],
  STOCK_PLAN: ["plan_name"],
};

/** Adds a warning for each name without a visible character, or with one that turns the direction of text. */
export function* checkNames({ issuer, objects }: Story, findings: Findings): Generator<void> {
  if (issuer) noteName(issuer, findings);
  for (const [count, located] of objects.entries()) {
    if (count % YIELD_EVERY === 0) yield;
    noteName(located, findings);
  }
}

function noteName(located: OcfObject, findings: Findings): void {
  const { type, value } = located;
  const path = type.action === "ISSUANCE" ? (["custom_id"] as const) : NAMES[type.canonicalType];
  const text = path && memberAt(value, path);
  const fault = typeof text === "string" && text !== "" ? faultOfName(text) : null;
  if (path === undefined || fault === null) return;
  const place = { ...located, pointer: (located.pointer ?? "#") + pointerTo(...path).slice(1) };
  const fix = "Correct it, here or after the import, which takes it as it is.";
  findings.warning(UNREADABLE_NAME, place, `The field ${path.at(-1)} ${fault}.`, fix);
}

function memberAt(value: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>((found, step) => (isObject(found) ? found[step] : undefined), value);
}
