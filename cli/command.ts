// Options and output of every command. Nothing of the service comes in: `captable version` should
// not wait for a database engine.
import { Command } from "commander";
import { printable, printableJson } from "../src/kernel/text/text.ts";
import { type Config, processEnvironment, readConfig } from "../src/server/config.ts";

/** The options that every command takes. */
export interface CommonOptions {
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** A command cannot do what was asked; `status` is the process's exit status. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  constructor(
    message: string,
    readonly status: 1 | 2 | 3 | 4,
  ) {
    super(message);
  }
}

/** Starts a command's declaration; usage errors are thrown, so that `main` decides the exit status. */
export function newCommand(name: string, summary: string): Command {
  // What was typed wrong is repeated.
  const writeErr = (text: string) => void process.stderr.write(text.split("\n").map(printable).join("\n"));
  const command = new Command(name).description(summary).configureOutput({ writeErr });
  return command.exitOverride().showHelpAfterError("(--help shows how)");
}

/** Adds `--data-dir` and `--json`. */
export function withDataDir(command: Command): Command {
  return withCommonOptions(command, "where everything is kept (CAPTABLE_DATA_DIR, default ./data)");
}

/** Adds the same option to a command without data, so that a script may give all commands the same options. */
export function withoutDataDir(command: Command): Command {
  return withCommonOptions(command, "no effect: this needs no data");
}

function withCommonOptions(command: Command, dataDir: string): Command {
  return command.option("--data-dir <folder>", dataDir).option("--json", "print one JSON document on standard output");
}

/** The settings that a command works with: what its options say, else the environment, else the defaults. */
export function configOf({ dataDir }: CommonOptions): Config {
  return readConfig(dataDir === undefined ? {} : { dataDir }, processEnvironment());
}

/** Adds examples to a command's `--help`. */
export function withExamples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`);
}

/**
 * Prints a command's result: one JSON document, or lines for a person. What they say comes from databases, packages and
 * backups; nothing in them reaches the terminal as a command to it, or as a line of its own.
 */
export function print(
  options: CommonOptions,
  json: unknown,
  lines: string | readonly string[],
  stream: NodeJS.WriteStream = process.stdout,
): void {
  const shown = options.json ? printableJson(JSON.stringify(json, null, 2)) : [lines].flat().map(printable).join("\n");
  stream.write(`${shown}\n`);
}

/** Prints a text of our own that is a file's content, as it is, or the JSON document that holds it. */
export function printText(options: CommonOptions, json: unknown, text: string): void {
  if (options.json) print(options, json, text);
  else process.stdout.write(text);
}

/** Says something beside the result, in one line on standard error. */
export function say(message: string): void {
  process.stderr.write(`captable: ${printable(message)}\n`);
}

/** Lays rows out in columns for a person, a line each; the first row is the heading. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.map((row) => row.map(printable));
  const width = (cell = "") => Bun.stringWidth(cell);
  const widths = (shown[0] ?? []).map((_, column) =>
    shown.reduce((most, row) => Math.max(most, width(row[column])), 0),
  );
  return shown.map((row) =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - width(cell)))
      .join("  ")
      .trimEnd(),
  );
}
