// The program `captable`: runs a command and turns failures into messages and exit codes (DECISIONS section 13).
import { CommanderError } from "commander";
import { exitStatus, explain } from "./failure.ts";
import { makeProgram } from "./program.ts";

async function main(): Promise<void> {
  // Whoever reads what is printed may go away (`captable openapi | head`): no reason to fail, or to stop serving.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  try {
    await makeProgram().parseAsync();
  } catch (failure) {
    if (!(failure instanceof CommanderError)) process.stderr.write(`captable: ${explain(failure)}\n`);
    process.exitCode = exitStatus(failure);
  }
}

void main();
