// Runs a command and turns failures into messages and exit codes, on which scripts rely.
import { CommanderError } from "commander";
import { processEnvironment, refuseRuntimeOptions } from "../src/server/config.ts";
import { unknownVariables } from "../src/server/unknown-variables.ts";
import { say } from "./command.ts";
import { makeProgram } from "./program.ts";

/** Runs the command that the arguments name. */
export async function run(): Promise<void> {
  // The reader of what is printed may go away (`captable openapi | head`): no reason to fail, or to stop serving.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  try {
    refuseRuntimeOptions(processEnvironment());
    for (const { variable, nearest } of unknownVariables(processEnvironment())) {
      say(`WARNING: ${variable} is no setting and has no effect; the nearest one is ${nearest}`);
    }
    const program = await makeProgram(process.argv[2], process.argv[3]);
    await program.parseAsync();
  } catch (failure) {
    process.exitCode = await report(failure);
  }
}

/** Says what went wrong and returns the exit status. What Commander throws it has said already; its help is no failure. */
async function report(failure: unknown): Promise<number> {
  if (failure instanceof CommanderError) return failure.exitCode === 0 ? 0 : 2;
  const { exitStatus, explain } = await import("./failure.ts");
  say(explain(failure));
  return exitStatus(failure);
}
