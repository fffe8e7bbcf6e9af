// The program `captable`: wires the commands and turns failures into messages and exit codes (DECISIONS section 13).
import { Command, CommanderError } from "commander";
import { exitStatus, explain } from "./failure.ts";
import { serveCommand } from "./serve.ts";

const program = new Command("captable")
  .description("A cap table: its ledger, its API, and Open Cap Format in and out.")
  .exitOverride()
  .addCommand(serveCommand());

try {
  await program.parseAsync();
} catch (failure) {
  if (!(failure instanceof CommanderError)) process.stderr.write(`captable: ${explain(failure)}\n`);
  process.exitCode = exitStatus(failure);
}
