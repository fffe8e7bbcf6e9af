// How commands open the data directory, and which organization in it they mean.
import { lockForServing, openDataDirectory, prepareDatabase } from "../src/bootstrap.ts";
import type { Config } from "../src/config.ts";
import { isNewDatabase, pendingMigrations } from "../src/database/migrate.ts";
import type { Reader, Row } from "../src/database/sql.ts";
import { Writer } from "../src/database/writer.ts";
import type { KeyEnvironment } from "../src/resources/api-keys/key.ts";
import { listOrganizations } from "../src/resources/organization/store.ts";
import { CommandError, type CommonOptions, configOf, say } from "./command.ts";

/** An opened, migrated data directory. */
export interface Opened {
  readonly config: Config;
  readonly environment: KeyEnvironment;
  readonly db: Reader;
  readonly writer: Writer;
}

/** Opens the data directory, migrates it, runs `work`, and closes it whatever happens. Works while a server runs. */
export async function withData<T>(options: CommonOptions, work: (opened: Opened) => Promise<T> | T): Promise<T> {
  const config = configOf(options);
  const db = openDataDirectory(config.dataDir);
  try {
    const environment = await prepare(db, config);
    const writer = new Writer(db, () => undefined);
    return await work({ config, environment, db, writer });
  } finally {
    db.sqlite.close();
  }
}

/** Migrates where that is due, but never under an older server that still runs on the data. */
async function prepare(db: Reader, { dataDir, environment }: Config): Promise<KeyEnvironment> {
  const isDue = pendingMigrations(db).length > 0 && !isNewDatabase(db);
  const unlock = isDue ? lockForServing(dataDir) : () => undefined;
  try {
    return await prepareDatabase(db, environment, say);
  } finally {
    unlock();
  }
}

/** The organization that a command means: the one named, or the only one. Exit 3 when there is none, 2 when unclear. */
export function chooseOrganization(db: Reader, id: string | undefined): Row<"organizations"> {
  const all = listOrganizations(db);
  const chosen = id === undefined ? all[0] : all.find((organization) => organization.id === id);
  if (id === undefined && all.length > 1) {
    throw new CommandError(`--org is needed: there are ${all.length} organizations (captable org list)`, 2);
  }
  if (!chosen) throw new CommandError(id === undefined ? "there is no organization yet" : `no organization ${id}`, 3);
  return chosen;
}
