// captable org close and reopen: an organization that takes no writes, so that it can be moved, and takes them again.
import type { Command } from "commander";
import { commandLineCall } from "../../src/kernel/call.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { showOrganization } from "../../src/resources/organization/routes.ts";
import { getOrganization } from "../../src/resources/organization/store.ts";
import { closeOrganization, reopenOrganization } from "../../src/safekeeping/moving/closing.ts";
import { CommandError, type CommonOptions, newCommand, print, withDataDir, withExamples } from "../command.ts";
import { chooseOrganization, withData } from "../data.ts";
import { startProgress } from "../progress.ts";

/** How long closing waits for what is under way, and how often it looks. */
const WAIT_MS = 60_000;
const LOOK_MS = 100;

/** Declares `captable org close`. */
export function closeCommand(): Command {
  const command = newCommand("close", "Close an organization: it takes no writes, and can be moved as it is.");
  withExamples(withDataDir(command.argument("<org>", "its id or name")), 'captable org close "Acme, Inc."');
  return command.action((org: string, options: CommonOptions) =>
    withData(options, async ({ db, writer }) => {
      const { id, legalName } = chooseOrganization(db, org);
      const progress = startProgress();
      const until = systemRuntime.elapsedMs() + WAIT_MS;
      try {
        for (;;) {
          const underWay = await writer.submit((tx) => closeOrganization(tx, commandLineCall(systemRuntime, id)));
          if (underWay === null) throw new CommandError(`${legalName} is closed already`, 3);
          if (underWay.length === 0) break;
          const what = underWay.join(" and ");
          if (systemRuntime.elapsedMs() >= until) throw stillUnderWay(legalName, what);
          progress.show(`waiting for ${what}`, null);
          await Bun.sleep(LOOK_MS);
        }
      } finally {
        progress.clear();
      }
      print(options, showOrganization(getOrganization(db, id)), [
        `${legalName} is closed: it takes no writes, and its jobs and endpoints rest; reads, events and exports go on`,
      ]);
    }),
  );
}

function stillUnderWay(legalName: string, what: string): CommandError {
  const waited = `${what} did not end within ${WAIT_MS / 1000} seconds`;
  return new CommandError(`${legalName} stays open: ${waited}. Only a running server goes on with it`, 3);
}

/** Declares `captable org reopen`. */
export function reopenCommand(): Command {
  const command = newCommand("reopen", "Open a closed organization again: its jobs and endpoints go on.");
  withExamples(withDataDir(command.argument("<org>", "its id or name")), 'captable org reopen "Acme, Inc."');
  return command.action((org: string, options: CommonOptions) =>
    withData(options, async ({ db, writer }) => {
      const { id, legalName } = chooseOrganization(db, org);
      const isReopened = await writer.submit((tx) => reopenOrganization(tx, commandLineCall(systemRuntime, id)));
      if (!isReopened) throw new CommandError(`${legalName} is open already`, 3);
      print(options, showOrganization(getOrganization(db, id)), [`${legalName} is open again`]);
    }),
  );
}
