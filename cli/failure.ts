// Exit codes: 0 done, 1 failed, 2 wrong usage or setting, 3 refused by the state of the data, 4 the data is damaged.
import { tmpdir } from "node:os";
import { UnsafeFileError } from "../src/kernel/files/ownership.ts";
import { KeyFileError } from "../src/kernel/files/private-file.ts";
import { Problem } from "../src/kernel/problem.ts";
import { BackupDamagedError } from "../src/safekeeping/backup/format.ts";
import { EncryptedFileDamagedError, EncryptionKeyError } from "../src/safekeeping/encryption/errors.ts";
import { OtherBytesError } from "../src/safekeeping/offsite/offsite-errors.ts";
import { SettingError } from "../src/server/config.ts";
import { DataDamagedError } from "../src/storage/data-dir/damage.ts";
import { DataDirectoryError } from "../src/storage/data-dir/directory.ts";
import { EarlierBuildError, ForeignDatabaseError, NewerSchemaError } from "../src/storage/database/migrate.ts";
import { CommandError } from "./command.ts";

/** The exit status for whatever a command threw. */
export function exitStatus(failure: unknown): number {
  if (failure instanceof CommandError) return failure.status;
  if (failure instanceof SettingError || failure instanceof KeyFileError) return 2;
  if (failure instanceof EncryptionKeyError) return 2;
  if (failure instanceof NewerSchemaError || failure instanceof EarlierBuildError) return 3;
  if (failure instanceof ForeignDatabaseError) return 3;
  if (failure instanceof DataDirectoryError || failure instanceof UnsafeFileError) return 3;
  if (failure instanceof DataDamagedError || failure instanceof BackupDamagedError) return 4;
  if (failure instanceof EncryptedFileDamagedError || failure instanceof OtherBytesError) return 4;
  if (failure instanceof Problem && failure.slug === "file-too-complex") return 1;
  if (failure instanceof Problem) return failure.status === 422 ? 2 : failure.status < 500 ? 3 : 1;
  if (isUnloadable(failure)) return 2;
  return isDamage(failure) ? 4 : 1;
}

/** The executable unpacks its database engine into the folder for temporary files, and cannot do without. */
function isUnloadable(failure: unknown): boolean {
  return failure instanceof Error && /\.node: (cannot open|failed to map|file too short)/.test(failure.message);
}

/** A header that names a format of no SQLite we know is damage as well, though SQLite has no code of its own for it. */
function isDamage(failure: unknown): failure is Error {
  if (hasCode(failure, /^SQLITE_(CORRUPT|NOTADB)/)) return true;
  return (
    hasCode(failure, /^SQLITE_ERROR$/) && failure instanceof Error && failure.message === "unsupported file format"
  );
}

/** One line for a person. */
export function explain(failure: unknown): string {
  if (failure instanceof Problem) {
    const details = (failure.errors ?? []).map((error) => `${Object.values(error)[0]} ${error.detail}`);
    return [failure.detail, ...details].join(" ");
  }
  if (isUnloadable(failure)) {
    return (
      `the folder for temporary files, ${tmpdir()}, cannot be used: TMPDIR must name a folder that exists, can be ` +
      "written, and is on a disk that allows programs to be loaded (not mounted noexec)."
    );
  }
  if (isDamage(failure)) {
    return (
      `the database is damaged (${failure.message}). Keep a copy of the data directory as it is, and restore the ` +
      "newest backup into an empty one: captable restore FILE --data-dir FOLDER"
    );
  }
  return failure instanceof Error ? failure.message : String(failure);
}

function hasCode(failure: unknown, pattern: RegExp): boolean {
  return failure instanceof Error && "code" in failure && pattern.test(String(failure.code));
}
