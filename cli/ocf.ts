// captable ocf: Open Cap Format packages in, out, and checked.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { backUpBeforeImport } from "../src/backup/before-import.ts";
import { copyDatabase } from "../src/backup/store.ts";
import { commandLineCall, isServed, makeUnnamedOrganization } from "../src/bootstrap.ts";
import { checkpointSeldom, DATABASE_FILE, openWritable } from "../src/database/open.ts";
import type { Reader, Row, Tx } from "../src/database/sql.ts";
import { Writer } from "../src/database/writer.ts";
import { giveToOwner } from "../src/kernel/ownership.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";
import { findHead } from "../src/ledger/store.ts";
import type { Finding } from "../src/ocf/finding.ts";
import { COUNTED, type ImportReport, type Remark } from "../src/ocf/import/report.ts";
import type { PackageIssuer } from "../src/ocf/import/whose.ts";
import { listOrganizations } from "../src/resources/organization/store.ts";
import {
  CommandError,
  type CommonOptions,
  newCommand,
  print,
  say,
  withDataDir,
  withExamples,
  withoutDataDir,
} from "./command.ts";
import { chooseOrganization, type Opened, withData } from "./data.ts";
import { exportCommand } from "./ocf-export.ts";
import { ProgressBar } from "./progress.ts";

const REMARKS_SHOWN = 200;
/** How long a transaction of an import takes, its commit included (DECISIONS section 19). */
const CHUNK_MS = 18;

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
  readonly intoOtherIssuer?: boolean;
  /** False by `--no-backup`. */
  readonly backup: boolean;
}

function importCommand(): Command {
  const command = newCommand("import", "Take in a package, a zip or a folder; what is there already stays as it is.")
    .argument("<path>", "the package")
    .option("--org <id>", "the organization; needed only where there are several")
    .option("--dry-run", "say what would happen, and keep nothing")
    .option("--into-other-issuer", "take it in although the organization is another company's")
    .option("--no-backup", "write no backup first; without this one is written where there is a ledger already");
  withExamples(withDataDir(command), "captable ocf import acme.ocf.zip --dry-run", "captable ocf import ./package");
  return command.action((path: string, options: ImportOptions) =>
    withData(options, async (opened) => {
      const [{ importPackage }, { issuerOfPackage }, { readPackage }] = await Promise.all([
        import("../src/ocf/import/run.ts"),
        import("../src/ocf/import/whose.ts"),
        import("../src/ocf/package.ts"),
      ]);
      const ocf = await reading(path, readPackage);
      const target = organizationThere(opened.db, options.org);
      if (target && !options.intoOtherIssuer) refuseOtherIssuer(target, issuerOfPackage(target, ocf));
      // Reading leaves more behind than the package itself takes: give that back before a long import.
      Bun.gc(true);
      if (target && !options.dryRun && options.backup) await backUpLedger(opened, target.id);
      if (!options.dryRun && !isServed(opened.config.dataDir)) checkpointSeldom(opened.db);
      const bar = new ProgressBar();
      const takeIn = async (writer: Writer) => {
        const orgId = await writer.submit((tx) => organizationFor(tx, options.org));
        const call = () => commandLineCall(systemRuntime, orgId);
        return await importPackage({ writer, call, chunkMs: CHUNK_MS, onProgress: bar.show }, ocf);
      };
      const report = await (options.dryRun ? onCopy(opened, takeIn) : takeIn(opened.writer));
      bar.clear();
      const { issuer, imported, conflicts, warnings, errors } = report;
      print(options, { issuer, imported, conflicts, warnings, errors }, describe(report, options.dryRun === true));
      if (errors.length > 0) process.exitCode = 1;
    }),
  );
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

/** An import that was not meant can be taken back. */
async function backUpLedger({ db, config }: Opened, orgId: string): Promise<void> {
  if (findHead(db, orgId).sequence === 0) return;
  say(`wrote a backup first: ${await backUpBeforeImport(config.dataDir)}`);
}

/** The organization that a package is for. Where there is none yet, the package makes it and gives it its name. */
function organizationFor(tx: Tx, id: string | undefined): string {
  const isFirst = id === undefined && listOrganizations(tx).length === 0;
  return isFirst ? makeUnnamedOrganization(tx, systemRuntime) : chooseOrganization(tx, id).id;
}

/** Runs `work` on a throwaway copy of the database: the same path as ever, and nobody waits for a lock meanwhile. */
async function onCopy<T>({ config }: Opened, work: (writer: Writer) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(config.dataDir, "dry-run-"));
  giveToOwner(folder);
  try {
    const file = join(folder, DATABASE_FILE);
    copyDatabase(join(config.dataDir, DATABASE_FILE), file);
    giveToOwner(file);
    const copy = openWritable(file);
    try {
      return await work(new Writer(copy, () => undefined));
    } finally {
      copy.sqlite.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads a package; what is not there to read is a wrong argument. */
async function reading<T>(path: string, read: (path: string) => Promise<T>): Promise<T> {
  try {
    return await read(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "ENOENT") throw new CommandError(`there is no file or folder ${path}`, 2);
    if (code === "EACCES") throw new CommandError(`${path} cannot be read: permission denied`, 1);
    throw error;
  }
}

function describe({ imported, conflicts, warnings, errors }: ImportReport, isDryRun: boolean): string[] {
  const counts = COUNTED.filter((name) => imported[name] > 0).map((name) => `${imported[name]} ${inWords(name)}`);
  const did = isDryRun ? "Would import" : "Imported";
  const skipped = conflicts.slice(0, REMARKS_SHOWN).map((each) => `  ${each.entityType} ${each.id}: ${each.reason}`);
  return [
    `${did} ${counts.join(", ") || "nothing"}.`,
    ...section(`Skipped, as they were there already: ${conflicts.length}`, skipped, conflicts.length),
    ...section(`Warnings: ${warnings.length}`, indent(warnings), warnings.length),
    ...section(`Refused: ${errors.length}`, indent(errors), errors.length),
  ];
}

function section(heading: string, lines: readonly string[], count: number): string[] {
  if (count === 0) return [];
  const more = count > lines.length ? [`  … and ${count - lines.length} more (--json lists them)`] : [];
  return [heading, ...lines, ...more];
}

/** `stockClasses` is "stock classes". */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
}

function indent(remarks: readonly Remark[]): string[] {
  return remarks.slice(0, REMARKS_SHOWN).map((remark) => `  ${line(remark)}`);
}

/** A finding in one line: where, what, and what to do. */
function line({ code, file, index, objectType, id, pointer, detail, fix }: Remark): string {
  const entry = index === null ? "" : ` entry ${index + 1}`;
  const what = [objectType, id].filter((part) => part !== null).join(" ");
  const where = [`${file ?? "package"}${entry}`, what, pointer === "#" ? "" : pointer].filter((part) => part !== "");
  return `${where.join(", ")}: ${detail} ${fix} [${code}]`;
}

function validateCommand(): Command {
  const command = newCommand("validate", "Check a package, a zip or a folder, without a database.").argument(
    "<path>",
    "the package",
  );
  withExamples(withoutDataDir(command), "captable ocf validate acme.ocf.zip");
  return command.action(async (path: string, options: CommonOptions) => {
    const { validatePath } = await import("../src/ocf/validate.ts");
    const validation = await reading(path, validatePath);
    const { problems, objects } = validation;
    const count = (severity: Finding["severity"]) => problems.filter((each) => each.severity === severity).length;
    const [faults, warnings] = [count("problem"), count("warning")];
    const lines = problems.map((finding) => `${finding.severity}: ${line(finding)}`);
    print(options, { problems, objects }, [...lines, summary(objects, faults, warnings)]);
    if (faults > 0) process.exitCode = 1;
  });
}

function summary(objects: number, problems: number, warnings: number): string {
  const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  return `${counted(problems, "problem")} and ${counted(warnings, "warning")} in ${counted(objects, "object")}`;
}
