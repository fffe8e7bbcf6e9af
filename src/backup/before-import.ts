// Before the command line imports into an organization that has a ledger, a backup is made: going back is restoring it.
import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { backUpBefore } from "./before-migration.ts";

const NAME = /^before-import-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z\.captable$/;
/** How many of this kind are kept. */
const KEPT = 5;

/** Backs the data directory up, removes the oldest backups of this kind beyond those that are kept, and returns the file. */
export async function backUpBeforeImport(dataDir: string): Promise<string> {
  const file = await backUpBefore(dataDir, "import");
  const folder = dirname(file);
  // The one just made stays whatever the clock says.
  const others = readdirSync(folder).filter((name) => NAME.test(name) && name !== basename(file));
  for (const name of others.sort().slice(0, -(KEPT - 1))) rmSync(join(folder, name));
  return file;
}
