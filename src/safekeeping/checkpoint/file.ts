// The checkpoint file that `serve` keeps outside the data directory (CAPTABLE_CHECKPOINT_FILE): compared with the data
// before anything is served, and written anew whenever a head changes. It reveals an older copy of the data that was
// put in place.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Call } from "../../kernel/call.ts";
import { type Runtime, toTimestamp } from "../../kernel/runtime.ts";
import { flushToDisk } from "../../storage/data-dir/durable-files.ts";
import { appendEvent } from "../../storage/database/log/account-log.ts";
import { appendLog } from "../../storage/database/log/audit.ts";
import { canonicalJson, FIRST_HASH } from "../../storage/database/log/log-hash.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import type { Reader, Tx } from "../../storage/database/sql.ts";
import { findContradiction } from "./against.ts";
import { CheckpointFormError, readCheckpoints, type SignedCheckpoint } from "./checkpoint.ts";
import { joinCheckpoints, makeCheckpoints } from "./make.ts";
import type { Signer } from "./note.ts";
import { findHeads } from "./store.ts";

/** Larger than the checkpoints of any number of organizations that one instance serves. */
const BYTES_MAX = 16 * 1024 * 1024;
const READABLE_BY_ALL = 0o644;

/** A checkpoint that the data contradicts, and how. */
export interface Contradiction {
  readonly checkpoint: SignedCheckpoint;
  readonly what: string;
}

/** Reads the checkpoints of a file. Throws `CheckpointError` for what holds something else. */
export function readCheckpointFile(file: string): SignedCheckpoint[] {
  return readCheckpoints(readCheckpointText(file));
}

/** The text of a file of checkpoints. Throws {@link CheckpointFormError} for one that is too large. */
export function readCheckpointText(file: string): string {
  if (statSync(file).size > BYTES_MAX) throw new CheckpointFormError("it is too large to be a file of checkpoints");
  return readFileSync(file, "utf8");
}

/** What in the data is older than the file's checkpoints, or contradicts them. A missing file contradicts nothing. */
export function findContradictions(db: Reader, file: string): Contradiction[] {
  if (!existsSync(file)) return [];
  return readCheckpointFile(file).flatMap((checkpoint) => {
    const what = findContradiction(db, checkpoint);
    return what === null ? [] : [{ checkpoint, what }];
  });
}

/** What a checkpoint said of an organization; only its time, if it was of another or of the instance. */
type Said = Pick<SignedCheckpoint, "time"> & Partial<Pick<SignedCheckpoint, "ledger" | "log">>;

/** Reports in the log of accounts that data was accepted which a checkpoint of the instance contradicts. */
export function reportAccepted(
  tx: Tx,
  runtime: Runtime,
  { log: said, time }: Pick<SignedCheckpoint, "log" | "time">,
): void {
  const { size: logSize, head: logHead } = findHeads(tx, null).log;
  const data = { saidSize: said.size, saidHead: said.head, saidAt: time, logSize, logHead };
  const what = {
    accountId: null,
    event: "rollback-accepted",
    sessionId: null,
    address: null,
    userAgent: null,
  } as const;
  const by = { actor: "cli", accountId: null, apiKeyId: null } as const;
  appendEvent(tx, { id: runtime.newId(), at: toTimestamp(runtime.nowMs()), ...what, by, data });
}

/**
 * Records in the call's organization's log that data was accepted which a checkpoint contradicts: the checkpoint's
 * heads and the current ones.
 */
export function tellAccepted(tx: Tx, call: Call, { ledger, log, time }: Said): void {
  const before = canonicalJson({ ...(ledger && log ? shown({ ledger, log }) : {}), time });
  const after = canonicalJson(shown(findHeads(tx, call.orgId)));
  appendLog(tx, { ...call, method: "accept-rollback", evenClosed: true }, [
    { resourceType: "log", resourceId: null, before, after },
  ]);
}

function shown({ ledger, log }: ReturnType<typeof findHeads>) {
  return {
    ledgerSize: ledger?.size ?? 0,
    ledgerHead: ledger?.head ?? FIRST_HASH,
    logSize: log.size,
    logHead: log.head,
  };
}

/** What keeping the file needs. */
export interface CheckpointFileParts {
  readonly file: string;
  readonly db: Reader;
  readonly signer: Signer;
  readonly runtime: Runtime;
  readonly everyMs: number;
  /** Called with the reason why the file could not be written; the service continues. */
  readonly onTrouble: (message: string) => void;
}

/** Writes the file now, then after each change of a head with this delay, and once more at the end. */
export function keepCheckpointFile(parts: CheckpointFileParts): { stop(): void } {
  let last = "";
  const look = () => {
    try {
      last = writeWhereNew(parts, last);
    } catch (error) {
      parts.onTrouble(error instanceof Error ? error.message : String(error));
    }
  };
  look();
  const timer = setInterval(look, parts.everyMs);
  return {
    stop() {
      clearInterval(timer);
      look();
    },
  };
}

/** Writes the file if a head differs from `last`; returns the heads. */
function writeWhereNew({ file, db, signer, runtime }: CheckpointFileParts, last: string): string {
  const [made, heads] = inSnapshot(db, () => {
    const all = makeCheckpoints(db, toTimestamp(runtime.nowMs()), signer);
    return [all, JSON.stringify(all.map(({ orgId }) => [orgId, findHeads(db, orgId)]))] as const;
  });
  if (heads !== last) replaceFile(file, joinCheckpoints(made));
  return heads;
}

/** A reader finds the old text or the new one, also after a power cut. */
export function replaceFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}.part`;
  rmSync(draft, { force: true });
  const out = openSync(draft, "wx", READABLE_BY_ALL);
  try {
    writeSync(out, text);
    fsyncSync(out);
  } finally {
    closeSync(out);
  }
  renameSync(draft, file);
  flushToDisk(dirname(file));
}
