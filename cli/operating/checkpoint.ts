// captable checkpoint: signed notes of where ledger and log stand, to be kept elsewhere.
import type { Command } from "commander";
import { systemRuntime, toTimestamp } from "../../src/kernel/runtime.ts";
import { joinCheckpoints, makeCheckpoint, makeCheckpoints } from "../../src/safekeeping/checkpoint/make.ts";
import { openSigningKey } from "../../src/safekeeping/checkpoint/signing-key.ts";
import { type CommonOptions, newCommand, printText, withDataDir, withExamples } from "../command.ts";
import { chooseOrganization, withData } from "../data.ts";

/** Declares `captable checkpoint`. */
export function checkpointCommand(): Command {
  const command = newCommand(
    "checkpoint",
    "Print a signed checkpoint of each organization's ledger and log, and of the instance's log of accounts.",
  );
  withDataDir(command.option("--org <id or name>", "only this organization"));
  withExamples(command, "captable checkpoint > acme.checkpoint", "captable verify --against acme.checkpoint");
  return command.action((options: CommonOptions & { org?: string }) =>
    withData(options, ({ config, db }) => {
      const signer = openSigningKey(config.dataDir);
      const time = toTimestamp(systemRuntime.nowMs());
      const items =
        options.org === undefined
          ? makeCheckpoints(db, time, signer)
          : [makeCheckpoint(db, chooseOrganization(db, options.org).id, time, signer)];
      printText(options, { items }, joinCheckpoints(items));
    }),
  );
}
