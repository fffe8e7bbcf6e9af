// Private files such as keys: readable only by their owner, and created whole or not at all.
import { closeSync, fstatSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { giveToOwner, refuseUnsafe } from "./ownership.ts";

const FILE_BYTES_MAX = 65536;
const OTHERS = 0o077;

/** A key file that cannot be used. The message names the file and the reason, and never the content. */
export class KeyFileError extends Error {
  override readonly name = "KeyFileError";
}

/**
 * The text of a file that only its owner can read, trimmed. Throws {@link KeyFileError}, and `UnsafeFileError` if
 * another user owns the file or can change it.
 */
export function readPrivateFile(path: string): string {
  const file = attempt(path, "cannot be read", () => openSync(path, "r"));
  try {
    const status = fstatSync(file);
    const { mode, size } = status;
    if (!status.isFile()) throw new KeyFileError(`${path} is not a file`);
    refuseUnsafe(`the key file ${path}`, status, "key file");
    if ((mode & OTHERS) !== 0) {
      throw new KeyFileError(`${path} can be read by others (mode ${(mode & 0o777).toString(8)}): set it to 600`);
    }
    if (size > FILE_BYTES_MAX) throw new KeyFileError(`${path} is too large for a key file`);
    return attempt(path, "cannot be read", () => readFileSync(file, "utf8")).trim();
  } finally {
    closeSync(file);
  }
}

/**
 * Reads the private file at `path`; if it does not exist, first creates it (mode 0600) with the text that `make`
 * returns.
 */
export function readOrCreatePrivateFile(path: string, make: () => string): { text: string; created: boolean } {
  const exists = attemptToOpen(path);
  const created = !exists && create(path, make());
  return { text: readPrivateFile(path), created };
}

/** False if another process was quicker. */
function create(path: string, text: string): boolean {
  const draft = `${path}.${process.pid}.new`;
  rmSync(draft, { force: true });
  const file = attempt(path, "cannot be created", () => openSync(draft, "wx", 0o600));
  try {
    writeSync(file, `${text}\n`);
    giveToOwner(draft);
    fsyncSync(file);
    linkSync(draft, path); // unlike a rename, it never replaces an existing key
    const folder = openSync(dirname(path), "r");
    fsyncSync(folder);
    closeSync(folder);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw new KeyFileError(`${path} cannot be created (${codeOf(error)})`);
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
}

function attemptToOpen(path: string): boolean {
  try {
    closeSync(openSync(path, "r"));
    return true;
  } catch (error) {
    return !isCode(error, "ENOENT");
  }
}

function attempt<T>(path: string, failure: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new KeyFileError(`${path} ${failure} (${codeOf(error)})`);
  }
}

function isCode(error: unknown, code: string): boolean {
  return codeOf(error) === code;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
