// captable mail: the queue of mails, a test mail, and one that failed tried again.

import type { Command } from "commander";
import { MailSender } from "../../src/exchange/mail/sender.ts";
import { TEST_TEXT } from "../../src/exchange/mail/texts.ts";
import { findFaults } from "../../src/kernel/check.ts";
import { email } from "../../src/kernel/fields.ts";
import { systemRuntime, toTimestamp } from "../../src/kernel/runtime.ts";
import { listAllMails, requeueMail } from "../../src/people/stores/mail-store.ts";
import { configuredMail } from "../../src/server/service/mail-start.ts";
import {
  CommandError,
  type CommonOptions,
  configOf,
  newCommand,
  print,
  table,
  withDataDir,
  withExamples,
} from "../command.ts";
import { withData, withRecords } from "../data.ts";

const LISTED_MAX = 200;

/** Declares `captable mail`. */
export function mailCommand(): Command {
  return newCommand("mail", "Mail: list, test, retry.")
    .addCommand(listCommand())
    .addCommand(testCommand())
    .addCommand(retryCommand());
}

function listCommand(): Command {
  const command = withDataDir(newCommand("list", `List the newest ${LISTED_MAX} mails; never their text.`));
  return withExamples(command, "captable mail list").action((options: CommonOptions) =>
    withRecords(configOf(options), (db) => {
      const rows = listAllMails(db, { limit: LISTED_MAX }).map(
        ({ id, createdAt, kind, to, state, attempts, nextAttemptAt, error, sentAt }) => {
          return { id, createdAt, kind, to, state, attempts, nextAttemptAt, error, sentAt };
        },
      );
      const cells = rows.map(({ id, createdAt, kind, to, state, error }) => [
        id,
        createdAt,
        kind,
        to,
        state,
        error ?? "",
      ]);
      print(options, rows, table([["ID", "QUEUED", "KIND", "TO", "STATE", "ERROR"], ...cells]));
    }),
  );
}

function testCommand(): Command {
  const command = withDataDir(
    newCommand("test", "Send a mail now, and say whether the mail server accepts it."),
  ).argument("<address>", "to whom");
  return withExamples(command, "captable mail test you@example.com").action(
    async (to: string, options: CommonOptions) => {
      if (findFaults(email(), to).length > 0) throw new CommandError(`${to} is not an e-mail address`, 2);
      const server = configuredMail(configOf(options));
      if (server === null) throw new CommandError("mail is off: CAPTABLE_MAIL_HOST is not set", 2);
      const sender = new MailSender(server);
      try {
        const address = { name: "", address: to };
        const mail = { ...TEST_TEXT, id: systemRuntime.newId(), to: address, fromName: "captable" };
        const refusal = await sender.send({ ...mail, replyTo: null, unsubscribe: null });
        if (refusal !== null) throw new CommandError(`the mail server did not accept it: ${refusal.error}`, 1);
        print(options, { to, isAccepted: true }, `accepted for ${to}`);
      } finally {
        sender.close();
      }
    },
  );
}

function retryCommand(): Command {
  const command = withDataDir(newCommand("retry", "Try a mail that failed once more.")).argument("<id>", "which");
  return withExamples(command, "captable mail retry 0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e").action(
    (id: string, options: CommonOptions) =>
      withData(options, async ({ config, writer }) => {
        if (configuredMail(config) === null) throw new CommandError("mail is off: CAPTABLE_MAIL_HOST is not set", 2);
        const at = toTimestamp(systemRuntime.nowMs());
        const changed = await writer.submit((tx) => requeueMail(tx, { id, at }));
        if (changed === 0) throw new CommandError("there is no failed mail with this id", 3);
        print(options, { id, state: "QUEUED" }, "it is queued");
      }),
  );
}
