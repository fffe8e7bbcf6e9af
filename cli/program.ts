// The list of commands, in the order of the help. Each is in a file of its own, which is loaded when the command is
// run, or when the help of all is shown.
import type { Command } from "commander";
import { VERSION } from "../src/version.ts";
import { newCommand } from "./command.ts";

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./serve.ts")).serveCommand(),
  org: async () => (await import("./org.ts")).orgCommand(),
  keys: async () => (await import("./keys.ts")).keysCommand(),
  members: async () => (await import("./members.ts")).membersCommand(),
  migrate: async () => (await import("./migrate.ts")).migrateCommand(),
  ocf: async () => (await import("./ocf.ts")).ocfCommand(),
  "cap-table": async () => (await import("./cap-table.ts")).capTableCommand(),
  holder: async () => (await import("./holder.ts")).holderCommand(),
  import: async () => (await import("./import.ts")).importCommand(),
  report: async () => (await import("./report.ts")).reportCommand(),
  model: async () => (await import("./model.ts")).modelCommand(),
  verify: async () => (await import("./verify.ts")).verifyCommand(),
  health: async () => (await import("./health.ts")).healthCommand(),
  checkpoint: async () => (await import("./checkpoint.ts")).checkpointCommand(),
  backup: async () => (await import("./backup.ts")).backupCommand(),
  restore: async () => (await import("./restore.ts")).restoreCommand(),
  openapi: async () => (await import("./openapi.ts")).openapiCommand(),
  jobs: async () => (await import("./jobs.ts")).jobsCommand(),
  chain: async () => (await import("./chain.ts")).chainCommand(),
  healthcheck: async () => (await import("./healthcheck.ts")).healthcheckCommand(),
  print: async () => (await import("./print.ts")).printCommand(),
  licenses: async () => (await import("./licenses.ts")).licensesCommand(),
  version: async () => (await import("./version.ts")).versionCommand(),
};

/** Commands that the program gives itself, in no help and no completion. */
const INNER: typeof COMMANDS = {
  "read-file": async () => (await import("./read-file.ts")).readFileCommand(),
  "check-unpacked": async () => (await import("./check-unpacked.ts")).checkUnpackedCommand(),
};

/** Makes the program `captable`: with the command that `word` names, and with all of them where it names none. */
export async function makeProgram(word?: string): Promise<Command> {
  const program = newCommand("captable", "A cap table: its ledger, its API, and Open Cap Format in and out.").version(
    VERSION,
    "-V, --version",
    "print the version",
  );
  const all = { ...COMMANDS, ...INNER };
  const wanted = word !== undefined && Object.hasOwn(all, word) ? all[word] : undefined;
  if (wanted) return program.addCommand(await wanted());
  for (const load of Object.values(COMMANDS)) program.addCommand(await load());
  const { completionCommand } = await import("./completion.ts");
  return program.addCommand(completionCommand(program));
}
