// captable org export: one organization in a file, checked, while the server runs.
import type { Command } from "commander";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { counted } from "../../src/kernel/text/text.ts";
import { exportOrganization, type MovedReport } from "../../src/safekeeping/moving/export-organization.ts";
import { type CommonOptions, configOf, newCommand, print, withDataDir, withExamples } from "../command.ts";
import { chooseOrganization, withRecords } from "../data.ts";
import { type LockOptions, lockOf, withLockOptions } from "../files/encryption-options.ts";
import { outFile } from "../files/out-file.ts";
import { startProgress } from "../progress.ts";

type ExportOptions = CommonOptions & LockOptions & { out: string; withKeys?: boolean };

/** Declares `captable org export`. */
export function exportCommand(): Command {
  const command = newCommand("export", "Write one organization, with its history, to a file, and check it.");
  command.argument("<org>", "its id or name");
  command.requiredOption("--out <file>", "the file to write; an older one is replaced at the end");
  command.option("--with-keys", "let its API keys work where it arrives, too");
  withLockOptions(withDataDir(command));
  withExamples(
    command,
    'captable org export "Acme, Inc." --out acme.organization',
    "captable org export 0190f5a2-… --out acme.organization.age --recipient age1…",
  );
  return command.action(exportTo);
}

async function exportTo(org: string, options: ExportOptions): Promise<void> {
  const config = configOf(options);
  const lock = await lockOf(options);
  const orgId = await withRecords(config, (db) => chooseOrganization(db, org).id);
  const file = outFile(options.out, config.dataDir);
  const progress = startProgress();
  const given = { orgId, withKeys: options.withKeys === true, nowMs: systemRuntime.nowMs(), lock };
  const made = await exportOrganization(config.dataDir, file, { ...given, onStage: progress.show }).finally(
    progress.clear,
  );
  const report = { ...made, file: options.out };
  print(options, report, describe(report));
}

function describe({ file, bytes, sha256, isEncrypted, organization, people, ...report }: MovedReport): string[] {
  const { legalName, head, log } = organization;
  const members = people.map(({ name, email, role }) => `  ${role.toLowerCase()}: ${name} <${email}>`);
  const tokens = report.tokensLeftBehind.map(({ className, tokenAddress }) => `  ${className}: ${tokenAddress}`);
  return [
    `${file} (${bytes} bytes${isEncrypted ? ", encrypted" : ""}), checked`,
    `SHA-256 ${sha256}`,
    `ledger of ${legalName}: head ${head.sequence} ${head.hash}`,
    `log of every write: head ${log.sequence} ${log.hash}`,
    ...(report.closed
      ? []
      : ["a copy: the organization is open and goes on here, and what is written from now on is not in the file"]),
    ...(members.length === 0 ? [] : [`${counted(members.length, "member")}, whose accounts stay here:`, ...members]),
    ...(tokens.length === 0 ? [] : ["tokens that stay with this instance's operator key:", ...tokens]),
  ];
}
