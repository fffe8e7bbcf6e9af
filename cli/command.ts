// What every command shares: its options and how it prints. Nothing of the service comes in: `captable version` should
// not wait for a database engine.
import { Command } from "commander";
import { type Config, processEnvironment, readConfig } from "../src/config.ts";
import { printable } from "../src/kernel/text.ts";

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
  return new Command(name).description(summary).exitOverride().showHelpAfterError("(--help shows how)");
}

/** Adds `--data-dir` and `--json`. */
export function withDataDir(command: Command): Command {
  return withCommonOptions(command, "where everything is kept (CAPTABLE_DATA_DIR, default ./data)");
}

/** Adds the same to a command that looks at no data: whoever gives all commands the same options is not refused. */
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

/** Prints a command's result: one JSON document, or `text` for a person. Nothing in it can lead a terminal astray. */
export function print(options: CommonOptions, json: unknown, text: string): void {
  // What JSON leaves as it is, it reads as well in the same escapes.
  process.stdout.write(`${printable(options.json ? JSON.stringify(json, null, 2) : text, true)}\n`);
}

/** Lines for {@link print}: what stands in one stays in one, whatever a backup or a package wrote into a name. */
export function inLines(lines: readonly string[]): string {
  return lines.map((line) => printable(line, false)).join("\n");
}

/** Prints a text that is a file's content, as it is, or the JSON document that holds it. */
export function printText(options: CommonOptions, json: unknown, text: string): void {
  if (options.json) print(options, json, text);
  else process.stdout.write(text);
}

/** Lays rows out in columns for a person; the first row is the heading. */
export function table(given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map((cell) => printable(cell, false)));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
