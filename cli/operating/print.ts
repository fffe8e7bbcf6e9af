// captable print: configuration files for operators, for systemd, Docker and Litestream, and the typed client as a package.
import type { Command } from "commander";
import service from "../assets/captable.service" with { type: "text" };
import litestreamService from "../assets/captable-litestream.service" with { type: "text" };
import template from "../assets/captable-template.service" with { type: "text" };
import dockerfile from "../assets/Dockerfile" with { type: "text" };
import litestreamConfig from "../assets/litestream.yml" with { type: "text" };
import {
  CommandError,
  type CommonOptions,
  configOf,
  newCommand,
  printText,
  withDataDir,
  withExamples,
  withoutDataDir,
} from "../command.ts";

/** Names of users have 31 characters at most; another service's folder must not be this one's backups. */
const CLIENT = /^(?!backups$|.*-backups$)[a-z0-9][a-z0-9_-]{0,21}$/;

/** Declares `captable print`. */
export function printCommand(): Command {
  const systemd = withoutDataDir(newCommand("systemd", "Print a hardened systemd unit."))
    .option("--template", "a unit for several instances: captable@client.service")
    .action((options: CommonOptions & { readonly template?: boolean }) => {
      const text = options.template ? template : service;
      printText(options, { text }, text);
    });
  withExamples(
    systemd,
    "captable print systemd | sudo tee /etc/systemd/system/captable.service",
    "captable print systemd --template > captable@.service",
  );
  const users = withoutDataDir(newCommand("sysusers", "Print the unit's user, for systemd-sysusers."))
    .option("--client <name>", "the user of captable@name, for the template")
    .action((options: CommonOptions & { readonly client?: string }) => {
      const text = sysusers(options.client);
      printText(options, { text }, text);
    });
  withExamples(
    users,
    "captable print sysusers | sudo systemd-sysusers -",
    "captable print sysusers --client acme | sudo systemd-sysusers -",
  );
  const docker = withoutDataDir(newCommand("dockerfile", "Print a Dockerfile for the executable."));
  docker.action((options: CommonOptions) => printText(options, { text: dockerfile }, dockerfile));
  withExamples(docker, "captable print dockerfile > Dockerfile");
  return newCommand("print", "Print a systemd unit, its user, a Dockerfile, Litestream's files, or the typed client.")
    .addCommand(systemd)
    .addCommand(users)
    .addCommand(docker)
    .addCommand(litestreamCommand())
    .addCommand(clientCommand());
}

function clientCommand(): Command {
  const client = withDataDir(newCommand("client", "Write the typed client of the API, a package for npm."));
  client.requiredOption("--out <file>", "the file to write, as captable-client.tgz; - for standard output");
  withExamples(client, "captable print client --out captable-client.tgz");
  return client.action(async (options: CommonOptions & { readonly out: string }) => {
    const { writeClient } = await import("./print-client.ts");
    await writeClient(options, configOf(options).dataDir);
  });
}

function litestreamCommand(): Command {
  const litestream = withoutDataDir(newCommand("litestream", "Print Litestream's configuration and its systemd unit."))
    .option("--config", "the configuration alone")
    .option("--unit", "the unit alone")
    .action((options: CommonOptions & { readonly config?: boolean; readonly unit?: boolean }) => {
      const isBoth = options.config === options.unit;
      const parts = [
        { isShown: isBoth || options.config === true, place: "/etc/captable/litestream.yml", text: litestreamConfig },
        {
          isShown: isBoth || options.unit === true,
          place: "/etc/systemd/system/captable-litestream.service",
          text: litestreamService,
        },
      ].filter(({ isShown }) => isShown);
      const text = parts.map((part) => (isBoth ? `# ${part.place}\n${part.text}` : part.text)).join("\n");
      printText(options, { text }, text);
    });
  return withExamples(
    litestream,
    "captable print litestream",
    "captable print litestream --config > litestream.yml",
    "captable print litestream --unit > captable-litestream.service",
  );
}

/** The line of sysusers.d(5): a system user without a password, who cannot sign in. Throws {@link CommandError} (2). */
function sysusers(client: string | undefined): string {
  if (client !== undefined && !CLIENT.test(client)) {
    throw new CommandError(
      `--client is ${JSON.stringify(client)}; allowed are up to 22 of a-z, 0-9, _ and -, not - or _ first, and no ` +
        'name that is "backups" or ends with "-backups"',
      2,
    );
  }
  const name = client === undefined ? "captable" : `captable-${client}`;
  return `u ${name} - "The cap table" /var/lib/${name}\n`;
}
