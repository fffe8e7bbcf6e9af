// File ownership and permissions: refuses a file or folder that another user can change, since its content cannot be
// trusted. What root creates in another user's folder is given to that user, so that the program still works without
// root.
import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  openSync,
  realpathSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, sep } from "node:path";

const ROOT = 0;
const PRIVATE_FILE = 0o600;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** The permission bits that must be off: write access of all users; for keys, of the group too. */
const OTHER_WRITERS = { folder: 0o002, "key file": 0o022 } as const;

/** A folder or file that another user owns or can change: exit status 3. */
export class UnsafeFileError extends Error {
  override readonly name = "UnsafeFileError";
}

/** Refuses `what`, for instance `the data directory /data`, if it is unsafe. Throws {@link UnsafeFileError}. */
export function refuseUnsafe(what: string, { uid, mode }: Stats, kind: keyof typeof OTHER_WRITERS = "folder"): void {
  const me = process.geteuid?.();
  if (me === undefined) return;
  const shown = `user ${uid}, and has mode ${(mode & 0o7777).toString(8)}`;
  if (uid !== me && me !== ROOT) {
    throw new UnsafeFileError(
      `${what} cannot be used: it belongs to ${shown}. It must belong to the user that runs captable (user ${me}).`,
    );
  }
  if ((mode & OTHER_WRITERS[kind]) === 0) return;
  const who = (mode & 0o002) === 0 ? "its group" : "everybody";
  const remedy = kind === "folder" ? "chmod o-w" : "chmod 600";
  throw new UnsafeFileError(
    `${what} cannot be used: ${who} can write to it. It belongs to ${shown}. Take that away (${remedy}), and make sure ` +
      "that no other user has changed it.",
  );
}

/** Gives a file or folder that root has just created to the owner of its folder. Does nothing for other users. */
export function giveToOwner(path: string): void {
  if (process.geteuid?.() !== ROOT) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid === ROOT) return;
  // By descriptor, not by name: the folder's owner could replace the file of that name.
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const made = fstatSync(file);
    const isOurs = made.uid === ROOT && (made.isDirectory() || made.nlink === 1);
    if (isOurs) fchownSync(file, uid, gid);
  } finally {
    closeSync(file);
  }
}

/** The same if the file is in `folder`; root keeps what it creates elsewhere. */
export function giveToOwnerWithin(folder: string, path: string): void {
  if (`${realpathSync(dirname(path))}${sep}`.startsWith(`${realpathSync(folder)}${sep}`)) giveToOwner(path);
}

/** Creates an empty file that only its owner can read, if the file does not exist. */
export function makePrivateFile(path: string): void {
  if (existsSync(path)) return;
  writeFileSync(path, "", { mode: PRIVATE_FILE, flag: "a" });
  giveToOwner(path);
}
