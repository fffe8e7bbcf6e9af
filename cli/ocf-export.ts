// captable ocf export: the same package as `GET /api/v1/cap-table/ocf-export`, into a file.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "commander";
import { flushToDisk } from "../src/data-dir/files.ts";
import { giveToOwnerWithin } from "../src/kernel/ownership.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";
import { EXPORT_KEYS, readInclude } from "../src/ocf/export/include.ts";
import { openExport } from "../src/ocf/export/open.ts";
import { type CommonOptions, newCommand, withDataDir, withExamples } from "./command.ts";
import { chooseOrganization, withData } from "./data.ts";
import { outFile } from "./out-file.ts";
import { printBeside, refuseTerminal, STANDARD_OUTPUT, writeToStandardOutput } from "./standard-output.ts";

interface ExportOptions extends CommonOptions {
  readonly org?: string;
  readonly include?: string;
  readonly out: string;
}

/** Declares `captable ocf export`. */
export function exportCommand(): Command {
  const command = newCommand("export", "Write the cap table as an Open Cap Format package, as of this moment.")
    .requiredOption("--out <file>", "the zip to write, - for standard output; a file that is there is replaced")
    .option("--org <id or name>", "the organization; needed only where there are several")
    .option("--include <keys>", `comma-separated files to include: ${EXPORT_KEYS.join(", ")} (default all)`);
  withExamples(withDataDir(command), "captable ocf export --out acme.ocf.zip");
  return command.action((options: ExportOptions) =>
    withData(options, async ({ config, db }) => {
      const keys = readInclude(options.include);
      const isSent = options.out === STANDARD_OUTPUT;
      if (isSent) refuseTerminal();
      const out = isSent ? STANDARD_OUTPUT : outFile(options.out, config.dataDir);
      const { id: orgId, legalName } = chooseOrganization(db, options.org);
      const { content } = openExport(db.sqlite.name, orgId, keys, systemRuntime.nowMs());
      const bytes = isSent
        ? await writeToStandardOutput(content)
        : await writeWhole(out, content, (path) => giveToOwnerWithin(config.dataDir, path));
      const file = options.out;
      const line = `Wrote ${legalName} to ${isSent ? "standard output" : file} (${bytes} bytes).`;
      printBeside(file, options, { file, bytes, organizationId: orgId }, line);
    }),
  );
}

/** Writes a stream to a file that is whole or not there, for its owner alone. Returns the number of bytes. */
async function writeWhole(
  file: string,
  content: ReadableStream<Uint8Array>,
  give: (path: string) => void,
): Promise<number> {
  const unfinished = `${file}.${process.pid}.part`;
  const handle = openSync(unfinished, "w", 0o600);
  give(unfinished);
  let bytes = 0;
  try {
    try {
      for await (const piece of content) {
        writeFileSync(handle, piece);
        bytes += piece.length;
      }
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(unfinished, file);
    flushToDisk(dirname(file));
    return bytes;
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
