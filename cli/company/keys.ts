// captable keys: lists, creates and revokes API keys. The host's users need no key for it: so a lost one is replaced.
import { type Command, Option } from "commander";
import { commandLineCall } from "../../src/kernel/call.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { revokeKeyAndLinks } from "../../src/people/makers.ts";
import { showKey } from "../../src/resources/api-keys/routes.ts";
import { findKeyAnywhere, listKeys, listKeysWithPrefix } from "../../src/resources/api-keys/store.ts";
import { listOrganizations } from "../../src/resources/organization/store.ts";
import type { Reader, Row } from "../../src/storage/database/sql.ts";
import { ROLES, readScopes, SCOPES } from "../../src/storage/records/api-key.ts";
import { CommandError, type CommonOptions, newCommand, print, table, withDataDir, withExamples } from "../command.ts";
import { chooseOrganization, withData } from "../data.ts";
import { createKeyByCommand } from "./keys-create.ts";

const LISTED_MAX = 10_000;

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
    .addOption(new Option("--role <role>", "what it may do").choices(ROLES).makeOptionMandatory())
    .addOption(
      new Option(
        "--scope <scope...>",
        "limit it to this; give several as read write (default: all of its role)",
      ).choices(SCOPES),
    )
    .option("--expires-in <time>", "how long it works, in days, weeks or years: 90d, 12w, 1y (default: until revoked)")
    .option("--out <file>", "write the key to a new file that only its owner can read, instead of printing it");
  withExamples(
    withOrg(command),
    'captable keys create --name "Payroll sync" --role EDITOR',
    "captable keys create --name Reports --role ADMIN --scope read --expires-in 1y",
    "captable keys create --name CI --role EDITOR --expires-in 90d --out ci.key",
  );
  return command.action(createKeyByCommand);
}

interface ListOptions extends CommonOptions {
  readonly org?: string;
  readonly all?: boolean;
}

function listCommand(): Command {
  const command = newCommand("list", "List the keys.").option("--all", "of every organization");
  return withExamples(withOrg(command), "captable keys list", "captable keys list --all --json").action(
    (options: ListOptions) => {
      const isAll = options.all === true;
      if (isAll && options.org !== undefined) throw new CommandError("--all and --org exclude each other", 2);
      return withData(options, ({ db }) => {
        const organizations = isAll ? listOrganizations(db) : [chooseOrganization(db, options.org)];
        const keys = organizations.flatMap((organization) =>
          listKeys(db, organization.id, null, LISTED_MAX).map((key) => ({ organization, key })),
        );
        const items = keys.map(({ key }) => ({ ...(isAll && { organizationId: key.orgId }), ...showKey(key) }));
        const heading = ["ID", "ROLE", "SCOPES", "PREFIX", "NAME", "LAST USED", "FROM", "REVOKED", "EXPIRES"];
        const rows = keys.map(({ organization, key }) => [...(isAll ? [organization.legalName] : []), ...rowOf(key)]);
        print(options, { items, nextCursor: null }, table([[...(isAll ? ["ORGANIZATION"] : []), ...heading], ...rows]));
      });
    },
  );
}

function rowOf(key: Row<"api_keys">): string[] {
  const { id, role, scopes, prefix, name, lastUsedAt, lastUsedAddress, revokedAt, expiresAt } = key;
  const used = [lastUsedAt ?? "-", lastUsedAddress ?? "-"];
  return [id, role, readScopes(scopes).join(","), prefix, name, ...used, revokedAt ?? "-", expiresAt ?? "-"];
}

function revokeCommand(): Command {
  const command = newCommand("revoke", "Revoke a key at once.");
  withDataDir(command.argument("<key>", "its id, or its prefix where only one has that (captable keys list)"));
  withExamples(
    command,
    "captable keys revoke 01a1fc2f-07ef-71e7-8202-0b2ca2f935b4",
    "captable keys revoke pg_live_4fKz",
  );
  return command.action((named: string, options: CommonOptions) =>
    withData(options, async ({ db, writer }) => {
      const key = chooseKey(db, named);
      await writer.submit((tx) => revokeKeyAndLinks(tx, commandLineCall(systemRuntime, key.orgId), key.id));
      const revoked = findKeyAnywhere(db, { id: key.id }) ?? key;
      print(options, showKey(revoked), `revoked ${key.id}, ${key.prefix}… (${key.name})`);
    }),
  );
}

/** The key with this id or prefix. Exit 3 if it does not exist, 2 if several have the prefix. */
function chooseKey(db: Reader, named: string): Row<"api_keys"> {
  const byId = findKeyAnywhere(db, { id: named });
  if (byId) return byId;
  const [key, ...others] = listKeysWithPrefix(db, { prefix: named });
  if (!key) throw new CommandError(`no API key has the id or the prefix ${named} (captable keys list --all)`, 3);
  if (others.length === 0) return key;
  const ids = [key, ...others].map(({ id }) => id).join(", ");
  throw new CommandError(`${others.length + 1} keys have the prefix ${named}: name one by its id (${ids})`, 2);
}
