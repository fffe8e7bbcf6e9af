// Asks before what cannot be taken back: on a terminal by a question, elsewhere by `--yes`.
import { createInterface } from "node:readline/promises";
import { CommandError, print, table } from "../command.ts";
import { isRow } from "./output.ts";

/** Whether a person can be asked: what is read and what is shown is a terminal. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Refuses to go on unasked: exit 2. */
export function refuseUnasked(what: string): void {
  if (isAtTerminal()) return;
  throw new CommandError(`${what} cannot be taken back, and there is no terminal to ask at: --yes does it`, 2);
}

/** What a dry run would change, for a person. */
export function showEffects(answer: unknown): void {
  const effects = effectsIn(answer);
  if (effects.length === 0) return;
  const rows = effects.map(({ resourceType, id, field, before, after }) =>
    [resourceType, id ?? "new", field, before, after].map((value) =>
      typeof value === "string" ? value : JSON.stringify(value),
    ),
  );
  print({}, null, ["Would change:", ...table([["RECORD", "ID", "FIELD", "BEFORE", "AFTER"], ...rows])], process.stderr);
}

interface Effect {
  readonly resourceType: unknown;
  readonly id: unknown;
  readonly field: unknown;
  readonly before: unknown;
  readonly after: unknown;
}

function effectsIn(answer: unknown): readonly Effect[] {
  const effects = isRow(answer) && isRow(answer.data) ? answer.data.effects : null;
  return Array.isArray(effects) ? effects.filter(isRow).map((each) => ({ ...NO_EFFECT, ...each })) : [];
}

const NO_EFFECT: Effect = { resourceType: "", id: null, field: "", before: null, after: null };

/** Asks whether to do it; anything but yes, the end of the input too, is exit 2, and nothing is done. */
export async function confirmed(what: string): Promise<void> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => {
    for (const event of ["close", "SIGINT"] as const) lines.once(event, () => resolve(""));
  });
  const asked = lines.question(`${what}? It cannot be taken back. [y/N] `).catch(() => "");
  const answer = await Promise.race([asked, ended]);
  lines.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError("nothing was done", 2);
}
