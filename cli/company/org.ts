// captable org: lists, creates, updates, closes and exports organizations.
import type { Command } from "commander";
import { commandLineCall } from "../../src/kernel/call.ts";
import { findFaults } from "../../src/kernel/check.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { changeOrganization, showOrganization } from "../../src/resources/organization/routes.ts";
import { OrganizationPatch } from "../../src/resources/organization/schema.ts";
import {
  getOrganization,
  hasRecords,
  insertOrganization,
  listOrganizations,
} from "../../src/resources/organization/store.ts";
import type { Reader, Row, Tx } from "../../src/storage/database/sql.ts";
import { CommandError, type CommonOptions, newCommand, print, table, withDataDir, withExamples } from "../command.ts";
import { chooseOrganization, type Opened, withData } from "../data.ts";
import { closeCommand, reopenCommand } from "./org-close.ts";
import { exportCommand } from "./org-export.ts";

/** Declares `captable org`. */
export function orgCommand(): Command {
  return newCommand("org", "Organizations: create, list, show, update, close, export.")
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(updateCommand())
    .addCommand(closeCommand())
    .addCommand(reopenCommand())
    .addCommand(exportCommand());
}

function createCommand(): Command {
  const command = newCommand("create", "Create an organization, or name the one that has no name yet.");
  withDataDir(command.requiredOption("--name <name>", "its legal name"));
  command.option("--another", "also where an organization of this name is here, or one with records and no name");
  withExamples(command, 'captable org create --name "Acme, Inc."');
  return command.action((options: CommonOptions & { name: string; another?: boolean }) => {
    const patch = readPatch({ legalName: options.name });
    const create = async ({ writer }: Opened) => {
      const row = await writer.submit((tx) => {
        if (options.another !== true) refuseSameName(tx, options.name);
        return createOrganization(tx, patch, options);
      });
      print(options, showOrganization(row), `${row.id}  ${row.legalName}`);
    };
    return withData(options, create, { makes: true });
  });
}

/** A command that is typed twice must not make a second, empty company. */
function refuseSameName(tx: Tx, name: string): void {
  const same = listOrganizations(tx).find(({ legalName, isNamed }) => legalName === name && isNamed === 1);
  if (!same) return;
  throw new CommandError(`${name} is here already, with the id ${same.id}; --another makes a second of that name`, 3);
}

/**
 * Names the organization without a name only while nothing is recorded in it: a record is of the company of which it
 * was made, and not of the name that is typed next. Exit 3 for one with records, unless another is asked for.
 */
function createOrganization(
  tx: Tx,
  patch: Readonly<Record<string, unknown>>,
  { name, another }: { readonly name: string; readonly another?: boolean },
): Row<"organizations"> {
  const unnamed = listOrganizations(tx).find((organization) => organization.isNamed === 0);
  if (unnamed && !hasRecords(tx, unnamed.id)) {
    return changeOrganization(tx, commandLineCall(systemRuntime, unnamed.id), patch);
  }
  if (unnamed && another !== true) {
    const naming = `captable org update ${unnamed.id} --set ${asArgument(`legalName=${name}`)}`;
    const making = `captable org create --name ${asArgument(name)} --another`;
    const what = `the organization ${unnamed.id} has records and no name`;
    throw new CommandError(`${what}: to name it, ${naming}; to make another one, ${making}`, 3);
  }
  const call = commandLineCall(systemRuntime, systemRuntime.newId());
  insertOrganization(tx, call, { legalName: String(patch.legalName), isNamed: 1 });
  return getOrganization(tx, call.orgId);
}

/** An argument as a shell takes it. */
function asArgument(text: string): string {
  return /^[\w.=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function listCommand(): Command {
  const command = withDataDir(newCommand("list", "List the organizations."));
  return withExamples(command, "captable org list --json").action((options: CommonOptions) =>
    withData(options, ({ db }) => {
      const all = listOrganizations(db);
      const rows = all.map((row) => [row.id, row.legalName, row.createdAt]);
      print(options, { items: all.map(showOrganization) }, table([["ID", "LEGAL NAME", "CREATED"], ...rows]));
    }),
  );
}

function showCommand(): Command {
  const command = withDataDir(newCommand("show", "Show an organization.").argument("[id]", "its id or name"));
  withExamples(command, "captable org show", "captable org show 01a1fc2f-07ef-71e7-8202-0b2ca2f935b4 --json");
  return command.action((id: string | undefined, options: CommonOptions) =>
    withData(options, ({ db }) => printOrganization(options, db, id)),
  );
}

function printOrganization(options: CommonOptions, db: Reader, id: string | undefined): void {
  const shown = showOrganization(chooseOrganization(db, id));
  const lines = Object.entries(shown).map(([name, value]) => [name, value === null ? "-" : asText(value)]);
  print(options, shown, table(lines));
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function updateCommand(): Command {
  const command = newCommand("update", "Change an organization.")
    .argument("<id>", "its id or name")
    .requiredOption("--set <field=value...>", "a field and its new value; null clears it, JSON for lists and objects");
  withExamples(withDataDir(command), "captable org update 0190f5a2-… --set countryOfFormation=US dba=Acme");
  return command.action((id: string, options: CommonOptions & { set: string[] }) =>
    withData(options, async ({ db, writer }) => {
      const { id: orgId } = chooseOrganization(db, id);
      const patch = readPatch(Object.fromEntries(options.set.map(readAssignment)));
      await writer.submit((tx) => changeOrganization(tx, commandLineCall(systemRuntime, orgId), patch));
      printOrganization(options, db, orgId);
    }),
  );
}

function readAssignment(text: string): [field: string, value: unknown] {
  const at = text.indexOf("=");
  if (at < 1) throw new CommandError(`--set ${text}: write field=value`, 2);
  const value = text.slice(at + 1);
  if (value === "null") return [text.slice(0, at), null];
  if (!/^[[{]/.test(value)) return [text.slice(0, at), value];
  try {
    return [text.slice(0, at), JSON.parse(value)];
  } catch {
    throw new CommandError(`--set ${text}: the value is not valid JSON`, 2);
  }
}

function readPatch(patch: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const [fault] = findFaults(OrganizationPatch, patch);
  if (fault) throw new CommandError(`${fault.path.slice(1).replaceAll("/", ".")} ${fault.detail}`, 2);
  return patch;
}
