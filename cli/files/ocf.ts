// captable ocf: Open Cap Format packages in, out, and checked.
import type { Command } from "commander";
import type { PackageIssuer } from "../../src/exchange/ocf/import/changed/whose.ts";
import { onCopy } from "../../src/exchange/ocf/import/on-copy.ts";
import type { ImportTarget } from "../../src/exchange/ocf/import/run.ts";
import type { OcfPackage } from "../../src/exchange/ocf/package.ts";
import { commandLineCall } from "../../src/kernel/call.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { findHead } from "../../src/ledger/store.ts";
import { listOrganizations } from "../../src/resources/organization/store.ts";
import { backUpBefore } from "../../src/safekeeping/backup/before.ts";
import { makeUnnamedOrganization } from "../../src/server/service/bootstrap.ts";
import { hasDatabase, refuseWrongDatabase } from "../../src/storage/data-dir/directory.ts";
import { isServed } from "../../src/storage/data-dir/lock.ts";
import { refuseClosed } from "../../src/storage/database/closed.ts";
import { checkpointSeldom } from "../../src/storage/database/open.ts";
import type { Reader, Row, Tx } from "../../src/storage/database/sql.ts";
import type { Writer } from "../../src/storage/database/writer.ts";
import {
  CommandError,
  type CommonOptions,
  configOf,
  newCommand,
  print,
  say,
  withDataDir,
  withExamples,
  withoutDataDir,
} from "../command.ts";
import { chooseOrganization, type Opened, refuseNoDatabase, warnOfStorage, withData } from "../data.ts";
import { ProgressBar } from "../progress.ts";
import { exportCommand } from "./ocf-export.ts";
import { wordsOfImport, wordsOfValidation } from "./ocf-words.ts";

/** How long a transaction of an import takes, its commit included, beside a server, whose writes wait for it. */
const CHUNK_MS_SERVED = 18;
/** And where no server runs: a page that many rows share is then written once for more of them. */
const CHUNK_MS_ALONE = 500;

/** Declares `captable ocf`. */
export function ocfCommand(): Command {
  return newCommand("ocf", "Open Cap Format packages: import, export, validate.")
    .addCommand(importCommand())
    .addCommand(exportCommand())
    .addCommand(validateCommand());
}

interface ImportOptions extends CommonOptions {
  readonly org?: string;
  readonly dryRun?: boolean;
  readonly all?: boolean;
  readonly intoOtherIssuer?: boolean;
  /** False by `--no-backup`. */
  readonly backup: boolean;
}

function importCommand(): Command {
  const command = newCommand("import", "Import a package, a zip or a folder; existing records stay as they are.")
    .argument("<path>", "the package")
    .option("--org <id or name>", "the organization; needed only where there are several")
    .option("--dry-run", "say what would happen, and keep nothing")
    .option("--all", "list each thing that is worth knowing, not one line for each kind")
    .option("--into-other-issuer", "take it in although the organization is another company's")
    .option("--no-backup", "write no backup first; without this one is written where there is a ledger already");
  withExamples(withDataDir(command), "captable ocf import acme.ocf.zip --dry-run", "captable ocf import ./package");
  return command.action(async (path: string, options: ImportOptions) => {
    refuseOtherPlace(options);
    const { readPackageAt } = await import("./package-apart.ts");
    const ocf = await readPackageAt(path);
    await refuseEmptyBeginning(path, ocf, options);
    await withData(options, (opened) => importInto(opened, ocf, options), { makes: options.dryRun !== true });
  });
}

/** A user who named the wrong folder is not to wait for a long package to be read first. */
function refuseOtherPlace(options: ImportOptions): void {
  const { dataDir } = configOf(options);
  if (options.dryRun || options.org !== undefined) refuseNoDatabase(dataDir);
  else refuseWrongDatabase(dataDir);
}

/** A package without anything in it begins no company. */
async function refuseEmptyBeginning(path: string, ocf: OcfPackage, options: ImportOptions): Promise<void> {
  const { isEmpty } = await import("../../src/exchange/ocf/package.ts");
  if (!isEmpty(ocf) || hasDatabase(configOf(options).dataDir)) return;
  throw new CommandError(
    `there is no object of the Open Cap Format in ${path}, and nothing was made; captable ocf validate says what it has`,
    1,
  );
}

async function importInto(opened: Opened, ocf: OcfPackage, options: ImportOptions): Promise<void> {
  const [{ importPackage }, { tryPackage }] = await Promise.all([
    import("../../src/exchange/ocf/import/run.ts"),
    import("../../src/exchange/ocf/import/dry-run.ts"),
  ]);
  const target = organizationThere(opened.db, options.org);
  if (target) refuseClosed(opened.db, target.id);
  if (target) await prepareImport(opened, target, ocf, options);
  const isAlone = options.dryRun === true || !isServed(opened.config.dataDir);
  if (isAlone && !options.dryRun) checkpointSeldom(opened.db);
  const bar = new ProgressBar();
  const targetOf = async (writer: Writer): Promise<ImportTarget> => {
    const orgId = await writer.submit((tx) => organizationFor(tx, options.org));
    const call = () => commandLineCall(systemRuntime, orgId);
    return { writer, call, chunkMs: isAlone ? CHUNK_MS_ALONE : CHUNK_MS_SERVED, onProgress: bar.show };
  };
  const tried = options.dryRun
    ? await onCopy(opened.db.sqlite.name, async (copy) => tryPackage(await targetOf(copy), ocf))
    : null;
  const report = tried ?? (await importPackage(await targetOf(opened.writer), ocf));
  bar.clear();
  print(options, report, wordsOfImport(report, tried?.capTable ?? null, options.all === true));
  if (report.errors.length > 0) process.exitCode = 1;
  if (tried === null) warnOfStorage(opened, organizationThere(opened.db, options.org)?.id ?? "");
}

/** The organization that a package is for, where it is there already. */
function organizationThere(db: Reader, id: string | undefined): Row<"organizations"> | null {
  const isFirst = id === undefined && listOrganizations(db).length === 0;
  return isFirst ? null : chooseOrganization(db, id);
}

/** Two companies in one organization could not be taken apart again. */
function refuseOtherIssuer(organization: Row<"organizations">, issuer: PackageIssuer | null): void {
  if (!issuer?.isOther) return;
  const name = issuer.legalName ?? "an issuer without a name";
  throw new CommandError(
    `the package is of ${name} (issuer ${issuer.id}), and this organization of ${organization.legalName} (issuer ` +
      `${organization.ocfIssuerId}). Make one for it (captable org create); --into-other-issuer takes it in all the same`,
    3,
  );
}

/** What stands between a package and an organization that is here: that it is of another company, and a backup. */
async function prepareImport(
  opened: Opened,
  target: Row<"organizations">,
  ocf: OcfPackage,
  options: ImportOptions,
): Promise<void> {
  const { issuerOfPackage } = await import("../../src/exchange/ocf/import/changed/whose.ts");
  if (!options.intoOtherIssuer) refuseOtherIssuer(target, issuerOfPackage(target, ocf));
  if (!options.dryRun && options.backup) await backUpLedger(opened, target.id);
}

/** An import that was not meant can be taken back. */
async function backUpLedger({ db, config }: Opened, orgId: string): Promise<void> {
  if (findHead(db, orgId).sequence === 0) return;
  say(`wrote a backup first: ${await backUpBefore(config.dataDir, "import")}`);
}

/** The organization that a package is for. The first package makes and names it. */
function organizationFor(tx: Tx, id: string | undefined): string {
  return organizationThere(tx, id)?.id ?? makeUnnamedOrganization(tx, systemRuntime);
}

function validateCommand(): Command {
  const command = newCommand("validate", "Check a package, a zip or a folder, without a database.").argument(
    "<path>",
    "the package",
  );
  command.option("--all", "list each finding, not one line for each kind");
  withExamples(withoutDataDir(command), "captable ocf validate acme.ocf.zip", "captable ocf validate ./package --all");
  return command.action(async (path: string, options: CommonOptions & { all?: boolean }) => {
    const { validateAt } = await import("./package-apart.ts");
    const validation = await validateAt(path);
    const { problems, objects } = validation;
    print(options, { problems, objects }, wordsOfValidation(validation, options.all === true));
    if (problems.some(({ severity }) => severity === "problem")) process.exitCode = 1;
  });
}
