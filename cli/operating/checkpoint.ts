// captable checkpoint: signed notes of where ledger and log stand, to be kept elsewhere; made now, or kept by the server.
import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import { systemRuntime, toTimestamp } from "../../src/kernel/runtime.ts";
import { counted } from "../../src/kernel/text/text.ts";
import { listOrganizations } from "../../src/resources/organization/store.ts";
import {
  joinCheckpoints,
  type MadeCheckpoint,
  makeCheckpoint,
  makeCheckpoints,
} from "../../src/safekeeping/checkpoint/make.ts";
import { type Signer, writeVerifier } from "../../src/safekeeping/checkpoint/note.ts";
import { openSigningKey } from "../../src/safekeeping/checkpoint/signing-key.ts";
import type { Reader } from "../../src/storage/database/sql.ts";
import {
  CommandError,
  type CommonOptions,
  newCommand,
  print,
  printText,
  withDataDir,
  withExamples,
} from "../command.ts";
import { chooseOrganization, type Opened, withData } from "../data.ts";

const WRONG_USE = 2;

interface CheckpointOptions extends CommonOptions {
  readonly org?: string;
  readonly keys?: boolean;
  readonly kept?: boolean;
  readonly stamp?: boolean;
  readonly append?: string;
}

/** Declares `captable checkpoint`. */
export function checkpointCommand(): Command {
  const command = newCommand(
    "checkpoint",
    "Print a signed checkpoint of each organization's ledger and log, and of the instance's log of accounts.",
  );
  command.option("--org <id or name>", "only this organization");
  command.option("--kept", "those that the server kept, with their time stamps and cosignatures");
  command.addOption(
    new Option("--stamp", "ask the time stamp authority (CAPTABLE_TSA_URL) now, and keep what it gives").conflicts(
      "kept",
    ),
  );
  command.option("--append <file>", "add to the file what is news for it, and print how much that is");
  command.addOption(
    new Option("--keys", "print the public keys that witnesses have to know").conflicts(["kept", "stamp", "append"]),
  );
  withDataDir(command);
  withExamples(
    command,
    "captable checkpoint > acme.checkpoint",
    "captable verify --against acme.checkpoint",
    "captable checkpoint --stamp --append evidence/acme.checkpoints",
    "captable checkpoint --keys",
  );
  return command.action((options: CheckpointOptions) =>
    withData(options, async (opened) => {
      if (options.keys === true) return await printKeys(options, opened);
      const items = await checkpointsOf(options, opened);
      if (options.append === undefined) return printText(options, { items }, joinCheckpoints(items));
      await append(options, options.append, joinCheckpoints(items));
    }),
  );
}

/** The organizations that are meant, by their ids. */
function meant(db: Reader, { org }: CheckpointOptions): readonly string[] {
  return org === undefined ? listOrganizations(db).map(({ id }) => id) : [chooseOrganization(db, org).id];
}

async function checkpointsOf(options: CheckpointOptions, opened: Opened): Promise<readonly MadeCheckpoint[]> {
  const { config, db } = opened;
  const signer = openSigningKey(config.dataDir);
  const organizations = meant(db, options);
  if (options.kept === true) return await listKept(db, organizations);
  if (options.stamp === true) return await stamp(opened, organizations, options, signer);
  const time = toTimestamp(systemRuntime.nowMs());
  return options.org === undefined
    ? makeCheckpoints(db, time, signer)
    : organizations.map((orgId) => makeCheckpoint(db, orgId, time, signer));
}

async function listKept(db: Reader, organizations: readonly string[]): Promise<MadeCheckpoint[]> {
  const [{ iterateKept }, { joinNotes }] = await Promise.all([
    import("../../src/safekeeping/checkpoint/kept-store.ts"),
    import("../../src/safekeeping/kept/note-text.ts"),
  ]);
  return organizations.flatMap((orgId) =>
    Array.from(iterateKept(db, { orgId }), (kept) => ({ orgId, note: joinNotes(kept) })),
  );
}

/** Stamped checkpoints of now, which are kept too; the instance's is only printed. */
async function stamp(
  { config, db, writer }: Opened,
  organizations: readonly string[],
  { org }: CheckpointOptions,
  signer: Signer,
): Promise<MadeCheckpoint[]> {
  const { stampNow, stampNote } = await import("../../src/safekeeping/kept/stamp-now.ts");
  const { OutsideError } = await import("../../src/safekeeping/kept/outside.ts");
  const { readAuthority, SourceError } = await import("../../src/safekeeping/kept/sources.ts");
  try {
    const authority = readAuthority(config);
    if (authority === null) throw new CommandError("no time stamp authority is named (CAPTABLE_TSA_URL)", WRONG_USE);
    const made: MadeCheckpoint[] = [];
    for (const orgId of organizations) {
      made.push({ orgId, note: await stampNow({ db, writer, runtime: systemRuntime, signer, authority }, orgId) });
    }
    if (org !== undefined) return made;
    const { note } = makeCheckpoint(db, null, toTimestamp(systemRuntime.nowMs()), signer);
    return [...made, { orgId: null, note: await stampNote(note, authority) }];
  } catch (error) {
    if (error instanceof SourceError) throw new CommandError(error.message, WRONG_USE);
    if (error instanceof OutsideError) throw new CommandError(`no time stamp: ${error.message}`, 1);
    throw error;
  }
}

/** Adds the notes that are news to a file, which is written anew in one step. */
async function append(options: CheckpointOptions, file: string, text: string): Promise<void> {
  const { newsFor } = await import("../../src/safekeeping/kept/append.ts");
  const { readCheckpointText, replaceFile } = await import("../../src/safekeeping/checkpoint/file.ts");
  const before = existsSync(file) ? readCheckpointText(file) : "";
  const news = newsFor(before, text);
  if (news === null) throw new CommandError(`${file} holds something else than checkpoints`, WRONG_USE);
  if (news.length > 0) {
    const kept = before.trim() === "" ? [] : [`${before.trimEnd()}\n`];
    replaceFile(file, [...kept, ...news].join("\n"));
  }
  print(options, { file, added: news.length }, `${counted(news.length, "note", "notes")} added to ${file}`);
}

/** The keys of the trees' origins, as witnesses take them. */
async function printKeys(options: CheckpointOptions, { config, db }: Opened): Promise<void> {
  const { ChainTree } = await import("../../src/safekeeping/tree/trees.ts");
  const { CHAINS } = await import("../../src/safekeeping/tree/tree-checkpoint.ts");
  const { publicKey } = openSigningKey(config.dataDir);
  const items = meant(db, options).flatMap((orgId) =>
    CHAINS.map((chain) => {
      const { origin } = new ChainTree(db, orgId, chain);
      return { orgId, chain, origin, key: writeVerifier({ name: origin, publicKey }) };
    }),
  );
  print(
    options,
    { items },
    items.map(({ key }) => key),
  );
}
