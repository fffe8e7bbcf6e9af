// The options by which a command encrypts what it writes (--recipient, --passphrase) and opens what it reads
// (--identity-file, --passphrase), and how a passphrase is typed.
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Command } from "commander";
import {
  type Lock,
  lockWith,
  type Opener,
  readIdentities,
  readPassphrase,
  recipientsOf,
} from "../../src/safekeeping/encryption/keys.ts";
import { CommandError, say } from "../command.ts";

interface PassphraseOptions {
  readonly passphrase?: boolean;
  readonly passphraseFile?: string;
}

/** What a command's options say of encrypting. */
export interface LockOptions extends PassphraseOptions {
  readonly recipient?: readonly string[];
}

/** What a command's options say of opening. */
export interface OpenerOptions extends PassphraseOptions {
  readonly identityFile?: string;
}

/** Adds the options of encrypting. */
export function withLockOptions(command: Command): Command {
  return command
    .option("--recipient <key>", "encrypt for this age public key, age1…; may be repeated", append)
    .option("--passphrase-file <file>", "encrypt with the passphrase in this file (mode 600)")
    .option("--passphrase", "encrypt with a passphrase, which is typed twice");
}

/** Adds the options of opening. */
export function withOpenerOptions(command: Command): Command {
  return command
    .option("--identity-file <file>", "the age secret keys that open an encrypted file (age-keygen; mode 600)")
    .option("--passphrase-file <file>", "the passphrase of an encrypted file, in a file of mode 600")
    .option("--passphrase", "type the passphrase of an encrypted file");
}

function append(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** The lock that the options name, null for none. Throws {@link CommandError} (2) for more than one kind. */
export async function lockOf({ recipient = [], ...options }: LockOptions): Promise<Lock | null> {
  refuseSeveral([recipient.length > 0, ...waysOf(options)], "--recipient, --passphrase-file and --passphrase");
  if (recipient.length > 0) return { recipients: await recipientsOf(recipient) };
  if (options.passphraseFile !== undefined) return lockWith(readPassphrase(options.passphraseFile));
  return options.passphrase === true ? lockWith(await typePassphrase(2)) : null;
}

/** What opens a file, null where no option names it. Throws {@link CommandError} (2) for more than one kind. */
export async function openerOf({ identityFile, ...options }: OpenerOptions): Promise<Opener | null> {
  refuseSeveral(
    [identityFile !== undefined, ...waysOf(options)],
    "--identity-file, --passphrase-file and --passphrase",
  );
  if (identityFile !== undefined) return await readIdentities(identityFile);
  if (options.passphraseFile !== undefined) return { passphrase: readPassphrase(options.passphraseFile) };
  return options.passphrase === true ? { passphrase: await typePassphrase(1) } : null;
}

function waysOf({ passphrase, passphraseFile }: PassphraseOptions): boolean[] {
  return [passphrase === true, passphraseFile !== undefined];
}

function refuseSeveral(named: readonly boolean[], words: string): void {
  if (named.filter(Boolean).length > 1) throw new CommandError(`${words}: one of them, not several`, 2);
}

/** A passphrase from the terminal, which does not show it; twice where a wrong letter would lock the file for good. */
async function typePassphrase(times: 1 | 2): Promise<string> {
  if (process.stdin.isTTY !== true) {
    throw new CommandError("--passphrase is typed on a terminal; elsewhere name a file with --passphrase-file", 2);
  }
  const first = await typeHidden("type the passphrase, which is not shown, and Enter");
  if (times === 1) return first;
  lockWith(first);
  if ((await typeHidden("type it once more")) === first) return first;
  throw new CommandError("the two passphrases differ; nothing was written", 2);
}

async function typeHidden(asked: string): Promise<string> {
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  const { promise, reject } = Promise.withResolvers<never>();
  lines.once("close", () => reject(new CommandError("no passphrase was typed", 2)));
  promise.catch(() => undefined);
  try {
    say(asked);
    return await Promise.race([lines.question(""), promise]);
  } finally {
    lines.close();
  }
}
