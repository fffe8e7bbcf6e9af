// captable members: accounts, invitations and roles. The host's users need no account for it: so the first one can be
// made, and a person who lost every factor signs in again.

import { type Command, Option } from "commander";
import { commandLineCall } from "../../src/kernel/call.ts";
import { findFaults } from "../../src/kernel/check.ts";
import { email } from "../../src/kernel/fields.ts";
import { systemRuntime, toTimestamp } from "../../src/kernel/runtime.ts";
import { foldEmail } from "../../src/kernel/text/email.ts";
import { makeOperator } from "../../src/people/accounts.ts";
import { accountCall } from "../../src/people/call.ts";
import { endpointsMadeBy, keysMadeBy } from "../../src/people/makers.ts";
import { type Invited, invite, patchMember, removeMember } from "../../src/people/membership.ts";
import { findAccountByEmail } from "../../src/people/stores/account-store.ts";
import { findMemberOf, listMembers, type Member } from "../../src/people/stores/member-store.ts";
import { makeFirstOrganization } from "../../src/server/service/bootstrap.ts";
import { writeAdminKey } from "../../src/storage/data-dir/directory.ts";
import { tellOf } from "../../src/storage/database/log/audit.ts";
import type { Reader, Tx } from "../../src/storage/database/sql.ts";
import { MEMBER_ROLES, type MemberRole } from "../../src/storage/records/member.ts";
import { CommandError, type CommonOptions, newCommand, print, table, withDataDir, withExamples } from "../command.ts";
import { chooseOrganization, type Opened, withData } from "../data.ts";
import { holderNamed } from "./holder-name.ts";
import { accountCommands } from "./members-account.ts";
import { chosenEmail, explaining, publicUrlOf } from "./people.ts";

const LISTED_MAX = 10_000;

/** Declares `captable members`. */
export function membersCommand(): Command {
  const command = newCommand("members", "People: list, invite, change, remove, reset.")
    .addCommand(listCommand())
    .addCommand(inviteCommand())
    .addCommand(roleCommand())
    .addCommand(removeCommand());
  for (const each of accountCommands()) command.addCommand(each);
  return command;
}

interface OrgOptions extends CommonOptions {
  readonly org?: string;
}

function withOrg(command: Command): Command {
  return withDataDir(command.option("--org <id or name>", "the organization; needed only where there are several"));
}

function withRole(command: Command): Command {
  return command
    .addOption(new Option("--role <role>", "what it may do").choices(MEMBER_ROLES).makeOptionMandatory())
    .option("--stakeholder <name or id>", "a stakeholder that the person is; may be given several times", collect, []);
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

function listCommand(): Command {
  const command = withOrg(newCommand("list", "List the members of an organization."));
  return withExamples(command, "captable members list").action((options: OrgOptions) =>
    withData(options, ({ db }) => {
      const { id: orgId } = chooseOrganization(db, options.org);
      const members = listMembers(db, { orgId, before: Number.MAX_SAFE_INTEGER, limit: LISTED_MAX, at: now() });
      const items = members.map(shown);
      const heading = ["E-MAIL", "NAME", "ROLE", "SECOND FACTOR", "LAST SEEN", "STAKEHOLDERS"];
      const rows = members.map((member) => [
        ...[member.email, member.name, member.role, member.hasSecondFactor ? "yes" : "no", member.lastSeenAt ?? "-"],
        (JSON.parse(member.stakeholderIds) as string[]).join(" ") || "-",
      ]);
      print(options, { items, nextCursor: null }, table([heading, ...rows]));
    }),
  );
}

function shown(member: Member): Record<string, unknown> {
  const { id, accountId, name, email: address, role, lastSeenAt, createdAt } = member;
  const stakeholderIds = JSON.parse(member.stakeholderIds) as string[];
  const hasSecondFactor = Boolean(member.hasSecondFactor);
  return { id, accountId, name, email: address, role, stakeholderIds, hasSecondFactor, lastSeenAt, createdAt };
}

interface InviteOptions extends OrgOptions {
  readonly email: string;
  readonly role: MemberRole;
  readonly stakeholder: readonly string[];
  readonly operator?: boolean;
}

function inviteCommand(): Command {
  const command = newCommand("invite", "Make an invitation link, and print it, this once only.")
    .requiredOption("--email <address>", "for whom it is")
    .option("--operator", "the person will run the instance: make organizations and reset accounts");
  withExamples(
    withOrg(withRole(command)),
    "captable members invite --email ada@example.com --role ADMIN --operator",
    "captable members invite --email grace@example.com --role EDITOR",
  );
  return command.action((options: InviteOptions) => {
    const [fault] = findFaults(email(), options.email);
    if (fault) throw new CommandError(`--email ${fault.detail}`, 2);
    return withData(options, (opened) => inviteIn(opened, options), { makes: true });
  });
}

async function inviteIn({ config, db, writer, environment }: Opened, options: InviteOptions): Promise<void> {
  // Before the first start there is no organization: it is made as the start would.
  const firstKey = await writer.submit((tx) => makeFirstOrganization(tx, systemRuntime, environment));
  if (firstKey !== null) writeAdminKey(config.dataDir, firstKey);
  const organization = chooseOrganization(db, options.org);
  const stakeholderIds = options.stakeholder.map((name) => holderNamed(db, organization.id, name));
  const given: Invited = {
    ...{ email: options.email, role: options.role },
    ...{ stakeholderIds, isOperator: options.operator === true },
  };
  const call = commandLineCall(systemRuntime, organization.id);
  const { link, token } = await writer.submit((tx) => explaining(() => invite(tx, call, given)));
  const url = `${publicUrlOf(config)}/join#${token}`;
  const { id, email: address, role, expiresAt } = link;
  const json = { id, organizationId: organization.id, email: address, role, expiresAt, url };
  print(options, json, url);
}

interface RoleOptions extends OrgOptions {
  readonly email?: string;
  readonly role: MemberRole;
  readonly stakeholder: readonly string[];
  readonly operator?: boolean;
}

function roleCommand(): Command {
  const command = newCommand("role", "Change what a member may do.")
    .argument("[email]", "whose")
    .option("--email <address>", "the same")
    .option("--operator", "and let the person run the instance");
  withExamples(withOrg(withRole(command)), "captable members role grace@example.com --role EDITOR");
  return command.action((named: string | undefined, options: RoleOptions) =>
    change(named, options, (tx, member) => {
      const call = commandLineCall(systemRuntime, member.orgId);
      const named = options.stakeholder.map((name) => holderNamed(tx, member.orgId, name));
      const stakeholderIds = named.length > 0 ? named : undefined;
      patchMember(tx, call, member, { role: options.role, stakeholderIds });
      if (options.operator === true && member.isOperator === 0) {
        makeOperator(tx, accountCall(call), member.accountId);
        tellOf(tx, call, "account", member.accountId, { isOperator: true });
      }
      return `${member.email} is ${options.role} now`;
    }),
  );
}

function removeCommand(): Command {
  const command = newCommand("remove", "Remove a member from an organization, at once.")
    .argument("[email]", "whom")
    .option("--email <address>", "the same")
    .option("--revoke-keys", "and revoke the API keys, and disable the webhooks, that the person made there");
  withExamples(
    withOrg(command),
    "captable members remove grace@example.com",
    "captable members remove grace@example.com --revoke-keys",
  );
  return command.action((named: string | undefined, options: RemoveOptions) =>
    change(named, options, (tx, member) => {
      const call = commandLineCall(systemRuntime, member.orgId);
      const withKeys = options.revokeKeys === true;
      const keys = keysMadeBy(tx, { orgId: member.orgId, accountId: member.accountId, at: call.at });
      const endpoints = endpointsMadeBy(tx, { orgId: member.orgId, accountId: member.accountId });
      removeMember(tx, call, member, { withKeys });
      const made = keys.map(({ name, prefix }) => `${prefix}… (${name})`).join(", ");
      const ofKeys = withKeys ? `revoked with them: ${made}` : `API keys that the person made still work: ${made}`;
      const urls = endpoints.map(({ url }) => new URL(url).host).join(", ");
      const ofUrls = withKeys ? `webhooks disabled: ${urls}` : `webhooks that the person made still go to: ${urls}`;
      const words = [
        `${member.email} is no member any more`,
        ...(keys.length === 0 ? [] : [ofKeys]),
        ...(endpoints.length === 0 ? [] : [ofUrls]),
      ];
      return words.join("; ");
    }),
  );
}

interface RemoveOptions extends OrgOptions {
  readonly email?: string;
  readonly revokeKeys?: boolean;
}

function now(): string {
  return toTimestamp(systemRuntime.nowMs());
}

/** Finds the member that is meant, changes it in one transaction, and prints what was done. */
function change(
  named: string | undefined,
  options: OrgOptions & { readonly email?: string },
  work: (tx: Tx, member: Member) => string,
): Promise<void> {
  const address = chosenEmail(named, options);
  return withData(options, async ({ db, writer }) => {
    const { id: orgId } = chooseOrganization(db, options.org);
    const done = await writer.submit((tx) => explaining(() => work(tx, memberOf(tx, orgId, address))));
    const after = findMemberOf(db, { orgId, emailFolded: foldEmail(address), at: now() });
    print(options, after ? shown(after) : { email: address, removed: true }, done);
  });
}

function memberOf(db: Reader, orgId: string, address: string): Member {
  const member = findMemberOf(db, { orgId, emailFolded: foldEmail(address), at: now() });
  if (member) return member;
  const isKnown = findAccountByEmail(db, { emailFolded: foldEmail(address) }) !== null;
  throw new CommandError(
    isKnown ? `${address} is no member of this organization` : `no account has the e-mail address ${address}`,
    3,
  );
}
