// captable ocf export: the same package as `GET /api/v1/cap-table/ocf-export`, into a file.
import type { Command } from "commander";
import { EXPORT_KEYS, readInclude } from "../../src/exchange/ocf/export/include.ts";
import { openExport } from "../../src/exchange/ocf/export/open.ts";
import { giveToOwnerWithin } from "../../src/kernel/files/ownership.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { type CommonOptions, newCommand, withDataDir, withExamples } from "../command.ts";
import { recordExportBy } from "../company/exported.ts";
import { writeWhole } from "../company/report-file.ts";
import { chooseOrganization, withData } from "../data.ts";
import { printBeside, refuseTerminal, STANDARD_OUTPUT, writeToStandardOutput } from "../standard-output.ts";
import { outFile } from "./out-file.ts";

interface ExportOptions extends CommonOptions {
  readonly org?: string;
  readonly include?: string;
  readonly out: string;
}

const EXPORTED = { route: "captable ocf export", format: "OCF", asOf: null, knownAt: null } as const;

/** Declares `captable ocf export`. */
export function exportCommand(): Command {
  const command = newCommand("export", "Write the cap table as an Open Cap Format package, as of this moment.")
    .requiredOption("--out <file>", "the zip to write, - for standard output; a file that is there is replaced")
    .option("--org <id or name>", "the organization; needed only where there are several")
    .option("--include <keys>", `comma-separated files to include: ${EXPORT_KEYS.join(", ")} (default all)`);
  withExamples(withDataDir(command), "captable ocf export --out acme.ocf.zip");
  return command.action((options: ExportOptions) =>
    withData(options, async ({ config, db, writer }) => {
      const keys = readInclude(options.include);
      const isSent = options.out === STANDARD_OUTPUT;
      if (isSent) refuseTerminal();
      const out = isSent ? STANDARD_OUTPUT : outFile(options.out, config.dataDir);
      const { id: orgId, legalName } = chooseOrganization(db, options.org);
      const { content } = openExport(db.sqlite.name, orgId, keys, systemRuntime.nowMs());
      const record = (bytes: number | null) => recordExportBy(writer, orgId, { ...EXPORTED, bytes });
      // What is sent while it is made has no length yet.
      if (isSent) await record(null);
      const give = (path: string) => giveToOwnerWithin(config.dataDir, path);
      const bytes = isSent
        ? await writeToStandardOutput(content)
        : (await writeWhole(out, content, { give, onMade: record })).bytes;
      const file = options.out;
      const line = `Wrote ${legalName} to ${isSent ? "standard output" : file} (${bytes} bytes).`;
      printBeside(file, options, { file, bytes, organizationId: orgId }, line);
    }),
  );
}
