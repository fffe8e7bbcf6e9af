// A checkpoint: where an organization's ledger and log stand, signed, to be kept where whoever changes the data cannot
// reach it (TRUTH section 6). Pure.
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

/** What a checkpoint says. */
export interface Checkpoint {
  readonly orgId: string;
  readonly ledger: ChainHead;
  readonly log: ChainHead;
  /** When it was made. */
  readonly time: string;
}

/** A checkpoint that was read and bears a good signature by the key that it names. */
export interface SignedCheckpoint extends Checkpoint {
  readonly signedBy: Verifier;
}

/** What is given as checkpoints holds something else, or a signature that is wrong. */
export class CheckpointError extends Error {
  override readonly name = "CheckpointError";
}

/** The name that a data directory signs an organization's checkpoints under. */
function nameOf(orgId: string): string {
  return `captable/${orgId}`;
}

/** Writes a checkpoint as a signed note. */
export function writeCheckpoint({ orgId, ledger, log, time }: Checkpoint, signer: Signer): string {
  const name = nameOf(orgId);
  const lines = [
    name,
    `ledger ${ledger.size} ${ledger.head}`,
    `log ${log.size} ${log.head}`,
    `time ${time}`,
    `key ${writeVerifier({ name, publicKey: signer.publicKey })}`,
  ];
  return signNote(`${lines.join("\n")}\n`, name, signer);
}

const TEXT =
  /^captable\/(\S+)\nledger (\d{1,15}) ([0-9a-f]{64})\nlog (\d{1,15}) ([0-9a-f]{64})\ntime (\S+)\nkey (\S+)\n$/;

/** Reads checkpoints, one or more in one text. Throws {@link CheckpointError}. */
export function readCheckpoints(text: string): SignedCheckpoint[] {
  const notes = readNotes(text);
  if (notes === null || notes.length === 0)
    throw new CheckpointError("it holds no checkpoint, or something else beside");
  return notes.map(readCheckpoint);
}

function readCheckpoint(note: Note): SignedCheckpoint {
  const [whole, orgId = "", size = "", head = "", logSize = "", logHead = "", time = "", key = ""] =
    TEXT.exec(note.text) ?? [];
  const signedBy = readVerifier(key);
  if (whole === undefined || signedBy?.name !== nameOf(orgId)) {
    throw new CheckpointError("a note in it is no checkpoint of captable");
  }
  if (!isSignedBy(note, signedBy)) {
    throw new CheckpointError(`the signature of the checkpoint of ${orgId} of ${time} is wrong: it was changed`);
  }
  return {
    orgId,
    ledger: { size: Number(size), head },
    log: { size: Number(logSize), head: logHead },
    time,
    signedBy,
  };
}
