// Help of commands of `captable api`: room for long names of fields, and an example of each command.
import type { Command } from "commander";
import { type ApiCommand, kebab, parametersOf } from "./api-command.ts";

/** How wide the names of options are in help; a longer one has its words on the lines below it. */
const TERM_MAX = 34;
const HELP_WIDTH = 80;

/** Lays help out so that long names of fields leave room for words. */
export function withRoom(command: Command): Command {
  return command.configureHelp({
    formatItem(term, termWidth, description, helper) {
      const width = Math.min(termWidth, TERM_MAX);
      const words = helper.boxWrap(description, (helper.helpWidth ?? HELP_WIDTH) - width - 4);
      const indented = words.replaceAll("\n", `\n${" ".repeat(width + 4)}`);
      const isLong = helper.displayWidth(term) > width;
      return isLong
        ? `  ${shortened(term)}\n${" ".repeat(width + 4)}${indented}`
        : `  ${term.padEnd(width)}  ${indented}`.trimEnd();
    },
  });
}

/** A name that is longer than a line without the word for its value, and where that is not enough parted at a dot. */
function shortened(term: string): string {
  if (term.length + 2 <= HELP_WIDTH) return term;
  const name = term.replace(/ [[<].*/, "");
  return name.length + 2 <= HELP_WIDTH ? name : name.replace(/\.(?=[^.]*$)/, ".\n    ");
}

/** What stands behind the words of a command in its usage: where that is too long, its arguments alone. */
export function usageOf(entry: ApiCommand): string {
  const args = parametersOf(entry).map((name) => `<${kebab(name)}>`);
  const start = ["Usage: captable api", ...entry.words];
  const isLong = [...start, "[options]", ...args].join(" ").length > HELP_WIDTH;
  return (isLong ? args : ["[options]", ...args]).join(" ");
}

const EXAMPLE_MAX = 76;

/** A line that shows how the command is typed, with what it needs at least. */
export function exampleOf(entry: ApiCommand): string {
  const upper = (name: string) => kebab(name).replaceAll("-", "_").toUpperCase();
  const start = ["captable api", ...entry.words, ...parametersOf(entry).map(upper)].join(" ");
  if (entry.hasPages) return `${start} --all --output csv`;
  if (entry.file !== undefined) return `${start} --out FILE`;
  if (entry.isUpload) return `${start} --data FILE`;
  const needed = [...entry.query, ...(entry.body ?? [])].filter(({ isRequired }) => isRequired);
  const given = needed
    .map(({ name, kind }) => ` --${kebab(name)}${kind === "boolean" ? "" : ` ${upper(name)}`}`)
    .join("");
  const whole = `${start}${given}${entry.isDangerous ? " --yes" : ""}`;
  const isShort = whole.length <= EXAMPLE_MAX && needed.every(({ kind }) => kind !== "object" && kind !== "objects");
  if (entry.body !== undefined && (!isShort || needed.length === 0)) return `${start} --data body.json`;
  return whole === start ? `${start} --json` : whole;
}
