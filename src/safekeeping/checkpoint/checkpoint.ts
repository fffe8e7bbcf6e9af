// Checkpoints: a signed note of where an organization's ledger and log stand, or the instance's log of accounts, to be
// kept where a person who changes the data cannot reach it. Pure.
import {
  isSignedBy,
  type Note,
  readNotes,
  readVerifier,
  type Signer,
  signNote,
  type Verifier,
  writeVerifier,
} from "./note.ts";

/** A chain's length and its last hash; size 0 and 64 zeros where it is empty. */
export interface ChainHead {
  readonly size: number;
  readonly head: string;
}

/** The contents of a checkpoint. */
export interface Checkpoint {
  /** The organization; null for the instance itself. */
  readonly orgId: string | null;
  /** Null for the instance, which has no ledger. */
  readonly ledger: ChainHead | null;
  /** The organization's log; the instance's is that of accounts. */
  readonly log: ChainHead;
  /** When it was made. */
  readonly time: string;
}

/** A checkpoint that was read and bears a good signature by the key that it names. */
export interface SignedCheckpoint extends Checkpoint {
  readonly signedBy: Verifier;
}

/** A text given as checkpoints holds something else, or a signature that is wrong. */
export class CheckpointError extends Error {
  override readonly name: string = "CheckpointError";
}

/** It holds something else: it does not have the form of checkpoints. */
export class CheckpointFormError extends CheckpointError {
  override readonly name = "CheckpointFormError";
}

const INSTANCE = "instance";

/** The name that a data directory signs an organization's checkpoints under, or those of the instance. */
function nameOf(orgId: string | null): string {
  return `captable/${orgId ?? INSTANCE}`;
}

/** The subject of a checkpoint, in words. */
export function subjectOf({ orgId }: Pick<Checkpoint, "orgId">): string {
  return orgId ?? "the instance";
}

/** Writes a checkpoint as a signed note. */
export function writeCheckpoint({ orgId, ledger, log, time }: Checkpoint, signer: Signer): string {
  const name = nameOf(orgId);
  const lines = [
    name,
    ...(ledger === null ? [] : [`ledger ${ledger.size} ${ledger.head}`]),
    `log ${log.size} ${log.head}`,
    `time ${time}`,
    `key ${writeVerifier({ name, publicKey: signer.publicKey })}`,
  ];
  return signNote(`${lines.join("\n")}\n`, name, signer);
}

const TEXT =
  /^captable\/(\S+)\n(?:ledger (\d{1,15}) ([0-9a-f]{64})\n)?log (\d{1,15}) ([0-9a-f]{64})\ntime (\S+)\nkey (\S+)\n$/;

/** Reads checkpoints, one or more in one text. Throws {@link CheckpointError}. */
export function readCheckpoints(text: string): SignedCheckpoint[] {
  const notes = readNotes(text);
  if (notes === null || notes.length === 0)
    throw new CheckpointFormError("it holds no checkpoint, or something else beside");
  return notes.map(readCheckpoint);
}

/** Reads the checkpoint in a note. Throws {@link CheckpointError}. */
export function readCheckpoint(note: Note): SignedCheckpoint {
  const [whole, of = "", size, head, logSize = "", logHead = "", time = "", key = ""] = TEXT.exec(note.text) ?? [];
  const signedBy = readVerifier(key);
  const orgId = of === INSTANCE ? null : of;
  const ledger = size === undefined || head === undefined ? null : { size: Number(size), head };
  if (whole === undefined || signedBy?.name !== nameOf(orgId) || (ledger === null) !== (orgId === null)) {
    throw new CheckpointFormError("a note in it is not a checkpoint of captable");
  }
  if (!isSignedBy(note, signedBy)) {
    const subject = subjectOf({ orgId });
    throw new CheckpointError(`the signature of the checkpoint of ${subject} of ${time} is wrong: it was changed`);
  }
  return {
    orgId,
    ledger,
    log: { size: Number(logSize), head: logHead },
    time,
    signedBy,
  };
}
