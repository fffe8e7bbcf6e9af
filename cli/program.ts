// The list of commands, in the order of the help. Each is in a file of its own, which is loaded when the command is
// run, or when the help of all is shown.
import type { Command } from "commander";
import { VERSION } from "../src/kernel/version.ts";
import { newCommand } from "./command.ts";

/** Loads a command: of one with many below it those that `next` begins, all of them, or with null none. */
type Load = (next?: string | null) => Promise<Command>;

const COMMANDS: Readonly<Record<string, Load>> = {
  serve: async () => (await import("./operating/serve.ts")).serveCommand(),
  org: async () => (await import("./company/org.ts")).orgCommand(),
  keys: async () => (await import("./company/keys.ts")).keysCommand(),
  members: async () => (await import("./company/members.ts")).membersCommand(),
  mail: async () => (await import("./company/mail.ts")).mailCommand(),
  migrate: async () => (await import("./operating/migrate.ts")).migrateCommand(),
  ocf: async () => (await import("./files/ocf.ts")).ocfCommand(),
  "cap-table": async () => (await import("./company/cap-table.ts")).capTableCommand(),
  holder: async () => (await import("./company/holder.ts")).holderCommand(),
  import: async () => (await import("./files/import.ts")).importCommand(),
  report: async () => (await import("./company/report.ts")).reportCommand(),
  model: async () => (await import("./company/model.ts")).modelCommand(),
  verify: async () => (await import("./operating/verify.ts")).verifyCommand(),
  health: async () => (await import("./operating/health.ts")).healthCommand(),
  checkpoint: async () => (await import("./operating/checkpoint.ts")).checkpointCommand(),
  backup: async () => (await import("./operating/backup.ts")).backupCommand(),
  offsite: async () => (await import("./offsite/offsite.ts")).offsiteCommand(),
  restore: async () => (await import("./operating/restore.ts")).restoreCommand(),
  openapi: async () => (await import("./operating/openapi.ts")).openapiCommand(),
  jobs: async () => (await import("./operating/jobs.ts")).jobsCommand(),
  chain: async () => (await import("./operating/chain.ts")).chainCommand(),
  webhooks: async () => (await import("./operating/webhooks.ts")).webhooksCommand(),
  healthcheck: async () => (await import("./operating/healthcheck.ts")).healthcheckCommand(),
  api: async (next) => (await import("./api/api.ts")).apiCommand(next),
  mcp: async () => (await import("./mcp/mcp.ts")).mcpCommand(),
  print: async () => (await import("./operating/print.ts")).printCommand(),
  licenses: async () => (await import("./operating/licenses.ts")).licensesCommand(),
  version: async () => (await import("./operating/version.ts")).versionCommand(),
};

/** What needs every command, and not only those of the help. */
const WHOLE: ReadonlySet<string> = new Set(["completion", "help"]);

/** Commands that the program gives itself, in no help and no completion. */
const INNER: typeof COMMANDS = {
  "check-unpacked": async () => (await import("./operating/check-unpacked.ts")).checkUnpackedCommand(),
};

/**
 * Makes the program `captable`: with the command that `word` names, and with all of them where it names none; `next` is
 * the word behind it.
 */
export async function makeProgram(word?: string, next?: string): Promise<Command> {
  const program = newCommand("captable", "A cap table: its ledger, its API, and Open Cap Format in and out.").version(
    VERSION,
    "-V, --version",
    "print the version",
  );
  // A command may have commands below it and options of their names.
  program.enablePositionalOptions();
  const all = { ...COMMANDS, ...INNER };
  const wanted = word !== undefined && Object.hasOwn(all, word) ? all[word] : undefined;
  if (wanted) return program.addCommand(await wanted(next));
  const isWhole = word === undefined || WHOLE.has(word);
  for (const load of Object.values(COMMANDS)) program.addCommand(await load(isWhole ? undefined : null));
  const { completionCommand } = await import("./operating/completion.ts");
  return program.addCommand(completionCommand(program));
}
