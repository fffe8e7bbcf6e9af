// captable members reset, end-sessions, suspend, email: changes of an account in all its organizations.

import type { Command } from "commander";
import { commandLineCall } from "../../src/kernel/call.ts";
import { findFaults } from "../../src/kernel/check.ts";
import { email } from "../../src/kernel/fields.ts";
import { systemRuntime, toTimestamp, toUtcDate } from "../../src/kernel/runtime.ts";
import { foldEmail } from "../../src/kernel/text/email.ts";
import { removeFactors, suspend } from "../../src/people/accounts.ts";
import type { AccountCall } from "../../src/people/call.ts";
import { changeEmail } from "../../src/people/emails.ts";
import { revokeLinksOf } from "../../src/people/makers.ts";
import { insertResetLink } from "../../src/people/membership.ts";
import { endAll } from "../../src/people/session-writes.ts";
import { type Account, findAccountByEmail } from "../../src/people/stores/account-store.ts";
import { listOpenMemberships } from "../../src/people/stores/member-store.ts";
import { tellOf } from "../../src/storage/database/log/audit.ts";
import type { Reader, Tx } from "../../src/storage/database/sql.ts";
import { CommandError, type CommonOptions, newCommand, print, withDataDir, withExamples } from "../command.ts";
import { withData } from "../data.ts";
import { chosenEmail, explaining, publicUrlOf } from "./people.ts";

const BY_COMMAND = { actor: "cli", accountId: null, apiKeyId: null, name: null } as const;

interface AccountOptions extends CommonOptions {
  readonly email?: string;
}

/** The commands that take an account by its e-mail address. */
export function accountCommands(): readonly Command[] {
  return [resetCommand(), endSessionsCommand(), suspendCommand(), emailCommand()];
}

function accountCommand(name: string, summary: string): Command {
  return withDataDir(newCommand(name, summary).argument("[email]", "whose").option("--email <address>", "the same"));
}

function resetCommand(): Command {
  const command = accountCommand("reset", "Make a link that sets a user's password anew, and print it.").option(
    "--second-factor",
    "and remove the second factors: one-time codes, recovery codes, passkeys and identities",
  );
  withExamples(command, "captable members reset grace@example.com --second-factor");
  return command.action((named: string | undefined, options: AccountOptions & { secondFactor?: boolean }) =>
    withData(options, async ({ config, db, writer }) => {
      const account = getAccount(db, chosenEmail(named, options));
      const link = await writer.submit((tx) => {
        const call = newCall();
        if (options.secondFactor === true) {
          removeFactors(tx, call, account.id);
          endAll(tx, call, account.id, { by: "second-factors-removed" });
        }
        const removed = options.secondFactor === true ? { secondFactorsRemovedAt: call.at } : {};
        tellOrganizations(tx, account.id, { resetLinkMadeAt: call.at, ...removed });
        return insertResetLink(tx, call, account, { maker: BY_COMMAND, orgId: null, sessionId: null, waits: false });
      });
      const url = `${publicUrlOf(config)}/reset#${link.token}`;
      print(options, { email: account.email, expiresAt: link.expiresAt, url }, url);
    }),
  );
}

function endSessionsCommand(): Command {
  const command = accountCommand("end-sessions", "End every session of a user, at once.");
  withExamples(command, "captable members end-sessions grace@example.com");
  return command.action((named: string | undefined, options: AccountOptions) =>
    change(named, options, (tx, call, { id, email }) => {
      endAll(tx, call, id, { by: "cli" });
      tellOrganizations(tx, id, { sessionsEndedAt: call.at });
      return `${email} is signed in nowhere any more`;
    }),
  );
}

function suspendCommand(): Command {
  const command = accountCommand("suspend", "Suspend a user in every organization until it is lifted.").option(
    "--lift",
    "let the person in again",
  );
  withExamples(command, "captable members suspend grace@example.com");
  return command.action((named: string | undefined, options: AccountOptions & { lift?: boolean }) =>
    change(named, options, (tx, call, { id, email }) => {
      const isLifted = options.lift === true;
      suspend(tx, call, id, !isLifted);
      if (!isLifted) {
        endAll(tx, call, id, { by: "suspended" });
        revokeLinksOf(tx, call, (orgId) => commandLineCall(systemRuntime, orgId), { accountId: id });
      }
      tellOrganizations(tx, id, { suspendedAt: isLifted ? null : call.at });
      return isLifted ? `${email} may sign in again` : `${email} is suspended`;
    }),
  );
}

function emailCommand(): Command {
  const command = withDataDir(newCommand("email", "Give a user another e-mail address, at once."))
    .argument("<old>", "the address that the account has")
    .argument("<new>", "the one that it gets, and by which the person signs in");
  withExamples(command, "captable members email grace@example.com grace@example.org");
  return command.action((old: string, next: string, options: CommonOptions) => {
    const [fault] = findFaults(email(), next);
    if (fault) throw new CommandError(`${next} ${fault.detail}`, 2);
    return change(old, options, (tx, call, account) => {
      const orgIds = listOpenMemberships(tx, { accountId: account.id }).map(({ orgId }) => orgId);
      const callIn = (orgId: string) => commandLineCall(systemRuntime, orgId);
      explaining(() => changeEmail(tx, call, { account, email: next }, { orgIds, sessionId: null, callIn }));
      return `${account.email} is ${next} now`;
    });
  });
}

/** Tells each organization of the account what was done to it: their logs say who may come in. */
function tellOrganizations(tx: Tx, accountId: string, after: Readonly<Record<string, unknown>>): void {
  for (const { orgId } of listOpenMemberships(tx, { accountId })) {
    tellOf(tx, commandLineCall(systemRuntime, orgId), "account", accountId, after);
  }
}

/** Finds the account that is meant, changes it in one transaction, and prints what was done. */
function change(
  named: string | undefined,
  options: AccountOptions,
  work: (tx: Tx, call: AccountCall, account: Account) => string,
): Promise<void> {
  return withData(options, async ({ db, writer }) => {
    const account = getAccount(db, chosenEmail(named, options));
    const done = await writer.submit((tx) => work(tx, newCall(), account));
    print(options, { email: account.email, done }, done);
  });
}

function getAccount(db: Reader, address: string): Account {
  const account = findAccountByEmail(db, { emailFolded: foldEmail(address) });
  if (!account) throw new CommandError(`no account has the e-mail address ${address}`, 3);
  return account;
}

/** A change of accounts by the command line. */
function newCall(): AccountCall {
  const nowMs = systemRuntime.nowMs();
  return {
    ...{ requestId: null, method: null, path: null, address: null, userAgent: null, nowMs },
    by: { actor: "cli", accountId: null, apiKeyId: null },
    ...{ at: toTimestamp(nowMs), today: toUtcDate(nowMs), newId: () => systemRuntime.newId() },
  };
}
