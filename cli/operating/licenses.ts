// captable licenses: prints the licences of the packages in the executable.
import type { Command } from "commander";
import text from "../assets/licenses.txt" with { type: "text" };
import { type CommonOptions, newCommand, printText, withExamples, withoutDataDir } from "../command.ts";

/** Declares `captable licenses`. */
export function licensesCommand(): Command {
  const command = withoutDataDir(newCommand("licenses", "Print the licences of everything in the program."));
  withExamples(command, "captable licenses | less");
  return command.action((options: CommonOptions) => printText(options, { text }, text));
}
