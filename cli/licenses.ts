// captable licenses: whose work is in the executable, and under what terms.
import type { Command } from "commander";
import text from "./assets/licenses.txt" with { type: "text" };
import { newCommand, withExamples } from "./command.ts";

/** Declares `captable licenses`. */
export function licensesCommand(): Command {
  const command = newCommand("licenses", "Print the licences of everything in the program.");
  withExamples(command, "captable licenses | less");
  return command.action(() => void process.stdout.write(text));
}
