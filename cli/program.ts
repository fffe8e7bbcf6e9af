// Every command of the program, in the order of its help.
import type { Command } from "commander";
import { VERSION } from "../src/version.ts";
import { backupCommand } from "./backup.ts";
import { chainCommand } from "./chain.ts";
import { newCommand } from "./command.ts";
import { completionCommand } from "./completion.ts";
import { healthcheckCommand } from "./healthcheck.ts";
import { jobsCommand } from "./jobs.ts";
import { keysCommand } from "./keys.ts";
import { licensesCommand } from "./licenses.ts";
import { migrateCommand } from "./migrate.ts";
import { ocfCommand } from "./ocf.ts";
import { openapiCommand } from "./openapi.ts";
import { orgCommand } from "./org.ts";
import { printCommand } from "./print.ts";
import { restoreCommand } from "./restore.ts";
import { serveCommand } from "./serve.ts";
import { verifyCommand } from "./verify.ts";
import { versionCommand } from "./version.ts";

/** Makes the program `captable` with all its commands. */
export function makeProgram(): Command {
  const program = newCommand("captable", "A cap table: its ledger, its API, and Open Cap Format in and out.")
    .version(VERSION, "-V, --version", "print the version")
    .addCommand(serveCommand())
    .addCommand(orgCommand())
    .addCommand(keysCommand())
    .addCommand(migrateCommand())
    .addCommand(ocfCommand())
    .addCommand(verifyCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(openapiCommand())
    .addCommand(jobsCommand())
    .addCommand(chainCommand())
    .addCommand(healthcheckCommand())
    .addCommand(printCommand())
    .addCommand(licensesCommand())
    .addCommand(versionCommand());
  program.addCommand(completionCommand(program));
  return program;
}
