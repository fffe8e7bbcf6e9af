// Whose a file or folder is, and who may change it: what somebody else can change is not to be relied on. And what root
// makes among another user's files is to be that user's, or the program could not go on with it when root is gone.
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
/** Who must not be able to write: everybody, and where keys are, the group neither. */
const OTHER_WRITERS = { folder: 0o002, "key file": 0o022 } as const;

/** A folder or file that somebody else owns or can change: exit status 3. */
export class UnsafeFileError extends Error {
  override readonly name = "UnsafeFileError";
}

/** Refuses `what`, for instance `the data directory /data`, where it is not safe. Throws {@link UnsafeFileError}. */
export function refuseUnsafe(what: string, { uid, mode }: Stats, kind: keyof typeof OTHER_WRITERS = "folder"): void {
  const me = process.geteuid?.();
  if (me === undefined) return;
  const shown = `user ${uid}, and has mode ${(mode & 0o7777).toString(8)}`;
  if (uid !== me && me !== ROOT) {
    throw new UnsafeFileError(
      `${what} cannot be used: it belongs to ${shown}. It must belong to whoever runs captable, user ${me}.`,
    );
  }
  if ((mode & OTHER_WRITERS[kind]) === 0) return;
  const who = (mode & 0o002) === 0 ? "its group" : "everybody";
  const remedy = kind === "folder" ? "chmod o-w" : "chmod 600";
  throw new UnsafeFileError(
    `${what} cannot be used: ${who} can write to it. It belongs to ${shown}. Take that away (${remedy}), and make sure ` +
      "that nobody has changed what is in it.",
  );
}

/** Gives what root has just made to the owner of the folder that it is in. Does nothing for others than root. */
export function giveToOwner(path: string): void {
  if (process.geteuid?.() !== ROOT) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid === ROOT) return;
  // By the file itself, not by its name: the folder's owner may put something else in its place.
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const made = fstatSync(file);
    const isOurs = made.uid === ROOT && (made.isDirectory() || made.nlink === 1);
    if (isOurs) fchownSync(file, uid, gid);
  } finally {
    closeSync(file);
  }
}

/** The same where the file is in `folder`: what root makes elsewhere is root's. */
export function giveToOwnerWithin(folder: string, path: string): void {
  if (`${realpathSync(dirname(path))}${sep}`.startsWith(`${realpathSync(folder)}${sep}`)) giveToOwner(path);
}

/** Makes an empty file that its owner alone can read, where there is none. */
export function makePrivateFile(path: string): void {
  if (existsSync(path)) return;
  writeFileSync(path, "", { mode: PRIVATE_FILE, flag: "a" });
  giveToOwner(path);
}
