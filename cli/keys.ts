// captable keys: API keys. Whoever can run this on the host needs no key: that is how a lost one is replaced.
import { type Command, Option } from "commander";
import { commandLineCall } from "../src/bootstrap.ts";
import { findFaults } from "../src/kernel/check.ts";
import { text } from "../src/kernel/fields.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";
import { createKey, revokeKeyById, showKey } from "../src/resources/api-keys/routes.ts";
import { findKeyAnywhere, listKeys } from "../src/resources/api-keys/store.ts";
import { ROLES, type Role } from "../src/route.ts";
import { CommandError, type CommonOptions, newCommand, print, table, withDataDir, withExamples } from "./command.ts";
import { chooseOrganization, withData } from "./data.ts";

const LISTED_MAX = 10_000;
const KeyName = text(100);

/** Declares `captable keys`. */
export function keysCommand(): Command {
  return newCommand("keys", "API keys: create, list, revoke.")
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand());
}

function withOrg(command: Command): Command {
  return withDataDir(command.option("--org <id or name>", "the organization; needed only where there are several"));
}

function createCommand(): Command {
  const command = newCommand("create", "Create a key and print it, this once only.")
    .requiredOption("--name <name>", "what the key is for")
    .addOption(new Option("--role <role>", "what it may do").choices(ROLES).makeOptionMandatory());
  withExamples(withOrg(command), 'captable keys create --name "Payroll sync" --role EDITOR');
  return command.action((options: CommonOptions & { org?: string; name: string; role: Role }) =>
    withData(options, async ({ db, writer, environment }) => {
      const [fault] = findFaults(KeyName, options.name);
      if (fault) throw new CommandError(`--name ${fault.detail}`, 2);
      const call = commandLineCall(systemRuntime, chooseOrganization(db, options.org).id);
      const { row, key } = await writer.submit((tx) => createKey(tx, call, environment, options));
      print(options, { ...showKey(row), key }, key);
    }),
  );
}

function listCommand(): Command {
  return withExamples(withOrg(newCommand("list", "List the keys.")), "captable keys list").action(
    (options: CommonOptions & { org?: string }) =>
      withData(options, ({ db }) => {
        const keys = listKeys(db, chooseOrganization(db, options.org).id, null, LISTED_MAX);
        const rows = keys.map((key) => [
          key.id,
          key.role,
          key.prefix,
          key.name,
          key.lastUsedAt ?? "-",
          key.revokedAt ?? "-",
        ]);
        const heading = ["ID", "ROLE", "PREFIX", "NAME", "LAST USED", "REVOKED"];
        print(options, { items: keys.map(showKey), nextCursor: null }, table([heading, ...rows]));
      }),
  );
}

function revokeCommand(): Command {
  const command = withDataDir(newCommand("revoke", "Revoke a key at once.").argument("<key-id>", "its id"));
  withExamples(command, "captable keys revoke 01a1fc2f-07ef-71e7-8202-0b2ca2f935b4");
  return command.action((id: string, options: CommonOptions) =>
    withData(options, async ({ db, writer }) => {
      const key = findKeyAnywhere(db, id);
      if (!key) throw new CommandError(`no API key ${id}`, 3);
      await writer.submit((tx) => revokeKeyById(tx, commandLineCall(systemRuntime, key.orgId), id));
      const revoked = findKeyAnywhere(db, id) ?? key;
      print(options, showKey(revoked), `revoked ${id}`);
    }),
  );
}
