// The data directory of commands: opening it, and choosing the organization in it.
import { join, resolve } from "node:path";
import type { KeyEnvironment } from "../src/resources/api-keys/key.ts";
import { listOrganizations } from "../src/resources/organization/store.ts";
import type { Config } from "../src/server/config.ts";
import { prepareDatabase } from "../src/server/service/bootstrap.ts";
import { roomOf } from "../src/server/service/room-start.ts";
import { hasDatabase, openDataDirectory, refuseReadOnlyDatabase } from "../src/storage/data-dir/directory.ts";
import { isNewDatabase, pendingMigrations, refuseNewerSchema } from "../src/storage/database/migrate.ts";
import { DATABASE_FILE, openReadOnly } from "../src/storage/database/open.ts";
import type { Reader, Row } from "../src/storage/database/sql.ts";
import { Writer } from "../src/storage/database/writer.ts";
import { CommandError, type CommonOptions, configOf, say } from "./command.ts";

/** An opened, migrated data directory. */
export interface Opened {
  readonly config: Config;
  readonly environment: KeyEnvironment;
  readonly db: Reader;
  readonly writer: Writer;
}

/**
 * Opens the data directory, runs `work`, and closes it whatever happens. Works while a server runs. A data directory is
 * made only for a command that is there to make one; an older database is migrated by `serve` and `migrate` alone.
 */
export async function withData<T>(
  options: CommonOptions,
  work: (opened: Opened) => Promise<T> | T,
  { makes = false }: { readonly makes?: boolean } = {},
): Promise<T> {
  const config = configOf(options);
  refuseReadOnlyDatabase(config.dataDir);
  if (!makes) refuseNoDatabase(config.dataDir);
  const db = openDataDirectory(config.dataDir);
  try {
    refuseOtherSchema(db);
    const environment = await prepareDatabase(db, config.environment, say);
    const writer = new Writer(db, () => undefined);
    return await work({ config, environment, db, writer });
  } finally {
    db.sqlite.close();
  }
}

/** Opens the database for reading only, runs `work`, and closes it whatever happens; makes and migrates nothing. */
export async function withDatabase<T>(
  { dataDir }: Pick<Config, "dataDir">,
  work: (db: Reader) => Promise<T> | T,
): Promise<T> {
  refuseNoDatabase(dataDir);
  const db = openReadOnly(join(dataDir, DATABASE_FILE));
  try {
    return await work(db);
  } finally {
    db.sqlite.close();
  }
}

/** The same for a command that reads records: a database of another version's schema is refused, exit status 3. */
export function withRecords<T>(config: Pick<Config, "dataDir">, work: (db: Reader) => T): Promise<T> {
  return withDatabase(config, (db) => {
    refuseOtherSchema(db);
    return work(db);
  });
}

/** Throws {@link CommandError} (3) where there is no database: most likely another folder was meant. */
export function refuseNoDatabase(dataDir: string): void {
  if (!hasDatabase(dataDir)) throw noDatabase(dataDir);
}

/** The refusal to make one: exit status 3. */
export function noDatabase(dataDir: string): CommandError {
  return new CommandError(
    `there is no database in ${resolve(dataDir)}: name the folder that has it with --data-dir (captable serve begins ` +
      "a new one)",
    3,
  );
}

/** Throws where another version's schema is in the database, but for a new one without any: exit status 3. */
export function refuseOtherSchema(db: Reader): void {
  refuseNewerSchema(db);
  if (isNewDatabase(db) || pendingMigrations(db).length === 0) return;
  throw new CommandError(
    "the database has the schema of an older version, and nothing was changed: captable migrate brings it to this " +
      "one's after a backup, and so does the next captable serve; stop a server of the older version first",
    3,
  );
}

/** Says that an organization stores more than it may over HTTP; a command writes all the same. */
export function warnOfStorage({ db, config }: Pick<Opened, "db" | "config">, orgId: string): void {
  const excess = roomOf(config, db.sqlite.name).excessOf(db, orgId);
  if (excess === 0) return;
  say(
    `the organization stores ${excess} bytes more than ${config.organizationStorageMb} MiB, and the server takes no ` +
      "more files for it (CAPTABLE_ORG_STORAGE_MB)",
  );
}

/**
 * The organization that a command means: the one with this id or name, or the only one. Exit 3 if it does not exist, 2
 * if several fit.
 */
export function chooseOrganization(db: Reader, named: string | undefined): Row<"organizations"> {
  const all = listOrganizations(db);
  const found = named === undefined ? all : withIdOrName(all, named);
  const [chosen, other] = found;
  if (!chosen) throw new CommandError(named === undefined ? "there is no organization yet" : noneNamed(named), 3);
  if (!other) return chosen;
  if (named === undefined) {
    throw new CommandError(`--org is needed: there are ${all.length} organizations (captable org list)`, 2);
  }
  const ids = found.map(({ id }) => id).join(", ");
  throw new CommandError(`${found.length} organizations are called ${named}: name one by its id (${ids})`, 2);
}

function withIdOrName(all: readonly Row<"organizations">[], named: string): readonly Row<"organizations">[] {
  const byId = all.filter(({ id }) => id === named);
  return byId.length > 0 ? byId : all.filter(({ legalName }) => legalName === named);
}

function noneNamed(named: string): string {
  return `no organization has the id or the name ${named}; captable org list shows those that are here`;
}
