// captable api profile: servers by name.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { processEnvironment, readConfig } from "../../src/server/config.ts";
import {
  CommandError,
  type CommonOptions,
  newCommand,
  print,
  table,
  withExamples,
  withoutDataDir,
} from "../command.ts";
import { refuseOpenWay } from "./connection.ts";
import { readProfiles, writeProfiles } from "./profiles.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/;

interface AddOptions extends CommonOptions {
  readonly server: string;
  readonly keyFile: string;
  readonly default?: boolean;
  readonly allowHttp?: boolean;
}

/** Declares `captable api profile` with its three commands. */
export function profileCommand(): Command {
  return newCommand("profile", "Servers by name: add, list, remove.")
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand());
}

function addCommand(): Command {
  const command = withoutDataDir(newCommand("add", "Add a server, or change the one of this name."))
    .argument("<name>", "what it is called")
    .requiredOption("--server <url>", "its address")
    .requiredOption("--key-file <file>", "the file that has the API key; the key itself is kept nowhere else")
    .option("--default", "take it where no server is named")
    .option("--allow-http", "although the key goes there without TLS");
  withExamples(
    command,
    "captable api profile add acme --server https://cap.example.com \\",
    "  --key-file ~/acme.key --default",
  );
  return command.action((name: string, options: AddOptions) => {
    if (!NAME.test(name)) throw new CommandError(`${name}: a name has up to 50 of A-Z, a-z, 0-9, ., _ and -`, 2);
    const { server } = readConfig({ server: options.server }, processEnvironment());
    if (server === null) throw new CommandError("--server: name the server", 2);
    refuseOpenWay(server, options);
    const keyFile = resolve(options.keyFile);
    if (!existsSync(keyFile)) throw new CommandError(`--key-file: there is no file ${keyFile}`, 2);
    const { default: usual, profiles } = readProfiles();
    const profile = { server, keyFile };
    writeProfiles({ default: options.default ? name : usual, profiles: { ...profiles, [name]: profile } });
    print(options, { name, ...profile, isDefault: options.default === true || usual === name }, `${name} is ${server}`);
  });
}

function listCommand(): Command {
  const command = withoutDataDir(newCommand("list", "List the profiles."));
  withExamples(command, "captable api profile list");
  return command.action((options: CommonOptions) => {
    const { default: usual, profiles } = readProfiles();
    const all = Object.entries(profiles).map(([name, each]) => ({ name, ...each, isDefault: name === usual }));
    const rows = all.map(({ name, server, keyFile, isDefault }) => [name, server, keyFile, isDefault ? "yes" : ""]);
    const lines = all.length === 0 ? "none" : table([["NAME", "SERVER", "KEY FILE", "DEFAULT"], ...rows]);
    print(options, all, lines);
  });
}

function removeCommand(): Command {
  const command = withoutDataDir(newCommand("remove", "Remove a profile; the key file stays.")).argument("<name>");
  withExamples(command, "captable api profile remove acme");
  return command.action((name: string, options: CommonOptions) => {
    const { default: usual, profiles } = readProfiles();
    if (!Object.hasOwn(profiles, name)) throw new CommandError(`there is no profile ${name}`, 3);
    const { [name]: _gone, ...others } = profiles;
    writeProfiles({ default: usual === name ? null : usual, profiles: others });
    print(options, { name, removed: true }, `removed ${name}`);
  });
}
