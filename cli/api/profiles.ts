// Profiles: servers by name, with the file that has the key; kept for one user, without any key.
import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { UnsafeFileError } from "../../src/kernel/files/ownership.ts";
import { readPrivateFile } from "../../src/kernel/files/private-file.ts";
import { processEnvironment } from "../../src/server/config.ts";
import { CommandError } from "../command.ts";

/** A server, and where its key lies. */
export interface Profile {
  readonly server: string;
  readonly keyFile: string;
}

/**
 * The text of a file that this user alone can read and change. Exit 2 for any other: others could change which server
 * gets which key.
 */
export function readOwnFile(file: string): string {
  try {
    return readPrivateFile(file);
  } catch (failure) {
    throw failure instanceof UnsafeFileError ? new CommandError(failure.message, 2) : failure;
  }
}

/** All profiles by name, and the name of the one that is taken where none is named. */
export interface Profiles {
  readonly default: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const NONE: Profiles = { default: null, profiles: {} };

/** The file of profiles, which need not be there. */
export function profilesFile(): string {
  const { XDG_CONFIG_HOME: folder } = processEnvironment();
  return join(folder?.startsWith("/") ? folder : join(homedir(), ".config"), "captable/profiles.json");
}

/** Reads the profiles. Exit 2 where others can read or change the file, or it is no such file. */
export function readProfiles(): Profiles {
  const file = profilesFile();
  if (!existsSync(file)) return NONE;
  try {
    const { default: chosen, profiles } = JSON.parse(readOwnFile(file)) as Partial<Profiles>;
    const isFit = Object.values(profiles ?? {}).every(
      ({ server, keyFile }) => typeof server === "string" && typeof keyFile === "string",
    );
    if (isFit) return { default: typeof chosen === "string" ? chosen : null, profiles: profiles ?? {} };
  } catch (failure) {
    if (!(failure instanceof SyntaxError || failure instanceof TypeError)) throw failure;
  }
  throw new CommandError(`${file} is no file of profiles`, 2);
}

/** Writes the profiles, for this user alone; the file is there whole or as it was. */
export function writeProfiles(profiles: Profiles): void {
  const file = profilesFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}
