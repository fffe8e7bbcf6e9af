// Opens a data directory for a service: migrates it, and checks it against the settings and the checkpoints kept
// outside it.
import { join } from "node:path";
import { backToPreview, failPoison, listWaiting } from "../../exchange/spreadsheet/imports-store.ts";
import { type Runtime, toTimestamp } from "../../kernel/runtime.ts";
import type { KeyEnvironment } from "../../resources/api-keys/key.ts";
import type { Signer } from "../../safekeeping/checkpoint/note.ts";
import { openSigningKey } from "../../safekeeping/checkpoint/signing-key.ts";
import { refuseRollback, tellRollback } from "../../safekeeping/checkpoint/start.ts";
import { openDataDirectory, writeAdminKey } from "../../storage/data-dir/directory.ts";
import { DATABASE_FILE, openReadOnly } from "../../storage/database/open.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { Writer } from "../../storage/database/writer.ts";
import type { ChainSource } from "../../tokens/jobs/session.ts";
import type { Config } from "../config.ts";
import { makeFirstOrganization, prepareDatabase } from "./bootstrap.ts";
import { turnChain, usableChain } from "./chain-start.ts";

/** What opening needs from the outside. */
export interface OpeningPorts {
  readonly runtime: Runtime;
  /** Called with an I/O error or damage, after which the process should end. */
  readonly onBroken: (error: Error) => void;
  /** The chain, instead of the one that the settings name. */
  readonly chain?: ChainSource;
  /** Called, sentence by sentence, when the database was made or migrated. */
  readonly onReport?: (sentence: string) => void;
  /** Whether to serve data that the checkpoint file contradicts: `--accept-rollback`. */
  readonly acceptsRollback?: boolean;
}

/** A data directory that can be served. */
export interface OpenedData {
  readonly writer: Writer;
  readonly reader: Reader;
  readonly environment: KeyEnvironment;
  /** Null: the settings turn tokens off. */
  readonly chain: ChainSource | null;
  readonly signer: Signer;
  /** The file with the first ADMIN key, if this start made it; else null. */
  readonly adminKeyFile: string | null;
  /** Whether imports wait to be read. */
  readonly hasImports: boolean;
}

/**
 * Opens the data directory and migrates it; makes the first organization if needed. Throws `DataDirectoryError`,
 * `DataDamagedError` and `SettingError`, in words for the operator who starts the program.
 */
export async function openData(config: Config, ports: OpeningPorts): Promise<OpenedData> {
  const { runtime } = ports;
  const db = openDataDirectory(config.dataDir);
  const environment = await prepareDatabase(db, config.environment, ports.onReport);
  const chain = config.chain === "off" ? null : (ports.chain ?? (await usableChain(config, db)));
  const writer = new Writer(db, ports.onBroken);
  await writer.submit((tx) => turnChain(tx, runtime, config));
  const hasImports = await recoverImports(writer, runtime);
  const signer = openSigningKey(config.dataDir);
  const { checkpointFile: file } = config;
  const isAccepted = ports.acceptsRollback === true;
  const accepted = file === null ? [] : refuseRollback({ file, writer, isAccepted });
  const adminKeyFile = await writer.submit((tx) => {
    const firstKey = makeFirstOrganization(tx, runtime, environment);
    tellRollback(tx, runtime, accepted);
    return firstKey === null ? null : writeAdminKey(config.dataDir, firstKey);
  });
  const reader = openReadOnly(join(config.dataDir, DATABASE_FILE));
  return { writer, reader, environment, chain, signer, adminKeyFile, hasImports };
}

/** An import that ended the server this often is not read again. */
const ATTEMPTS_MAX = 2;
const POISON =
  "Reading this file ended the server twice, and it is not read again by itself. Split it, or import it on the " +
  "server's machine.";

/**
 * Undoes commits that a crash interrupted, and gives up imports that would end the server again; returns whether
 * imports wait to be read.
 */
async function recoverImports(writer: Writer, runtime: Runtime): Promise<boolean> {
  if (listWaiting.all(writer.db, {}).length === 0) return false;
  const at = toTimestamp(runtime.nowMs());
  const failure = "The server stopped during the commit, and nothing of it was written. Commit it again.";
  await writer.submit((tx) => {
    backToPreview(tx, { at, failure });
    failPoison(tx, { at, failure: POISON, attempts: ATTEMPTS_MAX });
  });
  return listWaiting.all(writer.db, {}).length > 0;
}
