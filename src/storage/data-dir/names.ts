// What the program keeps in its data directory besides databases and the keys of the chain, by name.
import { join } from "node:path";

/** Held by the server as long as it runs. */
export const LOCK_FILE = "serve.lock";
/** Is there from when a restore begins to exchange files until it is done; says where the old ones are. */
export const UNFINISHED_RESTORE = "restore-unfinished";
/** Where the first key is written. */
export const ADMIN_KEY_FILE = "admin.key";
/** Where backups from before migrations and imports are kept. */
export const BACKUPS_FOLDER = "backups";

/** Where large answers lie until they are sent; nothing of it outlives the program. */
export const SPOOL_FOLDER = "tmp";

/** The file with the key that seals secrets of one-time codes. */
export function accountsKeyFile(dataDir: string): string {
  return join(dataDir, "accounts.key");
}

/** The file with the key that signs checkpoints and backups. */
export function signingKeyFile(dataDir: string): string {
  return join(dataDir, "signing.key");
}
