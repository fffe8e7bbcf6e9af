// captable keys create: makes a key, which is printed or written to a file, this once only.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { commandLineCall } from "../../src/kernel/call.ts";
import { findFaults } from "../../src/kernel/check.ts";
import { addYears } from "../../src/kernel/date.ts";
import { text } from "../../src/kernel/fields.ts";
import { giveToOwnerWithin } from "../../src/kernel/files/ownership.ts";
import { systemRuntime, toTimestamp } from "../../src/kernel/runtime.ts";
import { createKey, showKey } from "../../src/resources/api-keys/routes.ts";
import { flushToDisk } from "../../src/storage/data-dir/durable-files.ts";
import { type Role, type Scope, scopesOfRole } from "../../src/storage/records/api-key.ts";
import { CommandError, type CommonOptions, print } from "../command.ts";
import { chooseOrganization, type Opened, withData } from "../data.ts";
import { outFile } from "../files/out-file.ts";
import { STANDARD_OUTPUT } from "../standard-output.ts";

const KeyName = text(100);
const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const PRIVATE_FILE = 0o600;

interface CreateOptions extends CommonOptions {
  readonly org?: string;
  readonly name: string;
  readonly role: Role;
  readonly scope?: readonly Scope[];
  readonly expiresIn?: string;
  readonly out?: string;
}

/** Makes the key that the options describe, and prints it, or writes it to the file that they name. */
export async function createKeyByCommand(options: CreateOptions): Promise<void> {
  const [fault] = findFaults(KeyName, options.name);
  if (fault) throw new CommandError(`--name ${fault.detail}`, 2);
  const expiresAt = options.expiresIn === undefined ? null : readExpiry(options.expiresIn, systemRuntime.nowMs());
  const { name, role, scope: scopes = null } = options;
  const allowed = scopesOfRole(role);
  const beyond = scopes?.find((scope) => !allowed.includes(scope));
  if (beyond !== undefined) {
    throw new CommandError(`--scope ${beyond}: the role ${role} may ${allowed.join(", ")}`, 2);
  }
  const given = { name, role, scopes: scopes && [...scopes], expiresAt };
  await withData(options, async (opened) => {
    const isPrinted = options.out === undefined || options.out === STANDARD_OUTPUT;
    const file = isPrinted ? null : newFile(options.out, opened.config.dataDir);
    const { row, key } = await make(opened, options.org, given, file);
    if (file === null) print(options, { ...showKey(row), key }, key);
    else print(options, { ...showKey(row), file: options.out }, `wrote the key to ${options.out}`);
  });
}

/** The instant that is so many days, weeks or years after `nowMs`. Exit 2 where `text` does not say so. */
function readExpiry(text: string, nowMs: number): string {
  const [, digits = "", unit = ""] = /^([1-9]\d{0,3})([dwy])$/.exec(text) ?? [];
  const count = Number(digits);
  const now = toTimestamp(nowMs);
  const [day = "", time = ""] = now.split("T");
  if (unit === "y" && Number(day.slice(0, 4)) + count < 10_000) return `${addYears(day, count)}T${time}`;
  if (unit === "d") return toTimestamp(nowMs + count * DAY_MS);
  if (unit === "w") return toTimestamp(nowMs + count * WEEK_DAYS * DAY_MS);
  throw new CommandError(`--expires-in ${text}: write a number of days, weeks or years, such as 90d, 12w or 1y`, 2);
}

/** The file to write, which is not there yet: a key in it may be the only one that works. Exit 3 where it is. */
function newFile(out: string, dataDir: string): string {
  const file = outFile(out, dataDir);
  if (existsSync(file)) throw new CommandError(`--out: ${out} is there already, and a key is never written over it`, 3);
  return file;
}

type Given = Parameters<typeof createKey>[3];

/** The file is on disk before the key is committed, so that no committed key is lost. */
async function make(opened: Opened, org: string | undefined, given: Given, file: string | null) {
  const { config, db, environment, writer } = opened;
  const call = commandLineCall(systemRuntime, chooseOrganization(db, org).id);
  let isWritten = false;
  try {
    return await writer.submit((tx) => {
      const made = createKey(tx, call, environment, given);
      if (file !== null) {
        writeFileSync(file, `${made.key}\n`, { mode: PRIVATE_FILE, flag: "wx", flush: true });
        isWritten = true;
        giveToOwnerWithin(config.dataDir, file);
        flushToDisk(dirname(file));
      }
      return made;
    });
  } catch (failure) {
    if (file !== null && isWritten) rmSync(file, { force: true });
    throw failure;
  }
}
