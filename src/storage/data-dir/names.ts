// File names in the data directory, besides databases and the chain's keys.
import { join } from "node:path";

/** The lock of the running server. */
export const LOCK_FILE = "serve.lock";
/** The mark of a restore that is exchanging files; it contains the folder with the old ones. */
export const UNFINISHED_RESTORE = "restore-unfinished";
/** The first API key. */
export const ADMIN_KEY_FILE = "admin.key";
/** Backups made before migrations and imports. */
export const BACKUPS_FOLDER = "backups";

/** Large answers until they are sent; deleted at the next start. */
export const SPOOL_FOLDER = "tmp";

/** The file with the key that seals secrets of one-time codes. */
export function accountsKeyFile(dataDir: string): string {
  return join(dataDir, "accounts.key");
}

/** The file with the key that signs checkpoints and backups. */
export function signingKeyFile(dataDir: string): string {
  return join(dataDir, "signing.key");
}

/** The file with the key that secrets of webhooks follow from. */
export function webhookKeyFile(dataDir: string): string {
  return join(dataDir, "webhook.key");
}
