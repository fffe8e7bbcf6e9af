// The output file that `--out` names: replaces nothing but an ordinary file, and never the data.
import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isDataFile } from "../../src/storage/data-dir/directory.ts";
import { CommandError } from "../command.ts";

/**
 * The file to write, with symbolic links followed. Throws {@link CommandError} (2) where it cannot be one: no name, no
 * such folder, a folder, a device, or a file that the program keeps in the data directory.
 */
export function outFile(out: string, dataDir: string): string {
  if (out === "") throw new CommandError("--out: name the file to write", 2);
  const folder = dirname(out);
  if (!existsSync(folder)) throw new CommandError(`--out: there is no folder ${folder}`, 2);
  const isThere = lstatSync(out, { throwIfNoEntry: false }) !== undefined;
  if (isThere && !existsSync(out)) throw new CommandError(`--out: ${out} is a link that leads nowhere`, 2);
  const file = isThere ? realpathSync(out) : join(realpathSync(folder), basename(out));
  if (isThere && statSync(file).isDirectory())
    throw new CommandError(`--out: ${out} is a folder; name a file in it`, 2);
  if (isThere && !statSync(file).isFile()) throw new CommandError(`--out: ${out} is a device, not a file`, 2);
  if (isDataFile(dataDir, file)) throw new CommandError(`--out: ${out} is one of the data directory's own files`, 2);
  return file;
}
