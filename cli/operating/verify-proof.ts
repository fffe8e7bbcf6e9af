// captable verify --proof: an entry or a row of the log, shown to be in a signed history by nothing but the proof and a
// public key; no data directory is opened.
import { type CheckedCosignature, checkCosignatures, countGood } from "../../src/safekeeping/kept/evidence.ts";
import { isTreeSignedBy, type Origin, readOrigin } from "../../src/safekeeping/tree/tree-checkpoint.ts";
import { isProven, type ReadProof, readTreeProof } from "../../src/safekeeping/tree/tree-proof.ts";
import { CommandError, type CommonOptions, print } from "../command.ts";
import {
  type AgainstOptions,
  cosignedBy,
  describeCosignature,
  readKey,
  readText,
  readWitnessKeys,
} from "./verify-against.ts";

const UNMET = 1;
const WRONG_USE = 2;
const WRONG = 4;
const FILE_CHARACTERS_MAX = 16 * 1024 * 1024;

/** The options of a proof. */
export interface ProofOptions extends CommonOptions, AgainstOptions {
  readonly proof?: string;
  /** The entry's hash, for a proof that does not carry the entry. */
  readonly hash?: string;
  /** The certificate that names the entry, instead. */
  readonly document?: string;
}

/** What a proof shows. */
interface Shown {
  readonly organization: string;
  readonly chain: "ledger" | "log";
  /** The place, from 1, and how long the history was. */
  readonly sequence: number;
  readonly size: number;
  readonly hash: string;
  /** The row itself; null where the proof does not carry it. */
  readonly row: Readonly<Record<string, unknown>> | null;
  readonly cosignatures: readonly CheckedCosignature[];
}

/** Checks a proof; exit 1 where too few witnesses cosigned, 4 where it does not hold. */
export async function verifyProof(options: ProofOptions): Promise<void> {
  const { proof: file = "", signedBy } = options;
  if (signedBy === undefined) throw new CommandError("--proof needs --signed-by: whose history is it?", WRONG_USE);
  const key = readKey(signedBy);
  const wanted = cosignedBy(options);
  const witnesses = await readWitnessKeys(options.witnesses, null);
  const text = readText(file);
  const proof = text.length > FILE_CHARACTERS_MAX ? null : readTreeProof(text);
  const origin = proof && readOrigin(proof.head.origin);
  if (proof === null || origin === null) throw new CommandError(`${file} is no proof of captable`, WRONG_USE);
  if (!isTreeSignedBy(proof.note, proof.head, key.publicKey)) {
    throw new CommandError(`${file}: its checkpoint is not signed by the key asked for`, WRONG);
  }
  const hash = await hashOf(proof, options);
  if (!isProven(proof, hash)) throw new CommandError(`${file}: it does not prove this ${wordOf(origin)}`, WRONG);
  const shown = {
    ...{ organization: origin.orgId, chain: origin.chain },
    ...{ sequence: proof.index + 1, size: proof.head.size, hash: Buffer.from(hash).toString("hex") },
    ...{ row: rowOf(proof, origin), cosignatures: checkCosignatures(proof.note, witnesses) },
  };
  const good = countGood(shown.cosignatures);
  print(options, shown, [
    ...describe(shown),
    ...(good < wanted ? [`NOT MET: ${wanted} good cosignatures are asked for, and there are ${good}`] : []),
  ]);
  if (shown.cosignatures.some(({ outcome }) => outcome === "wrong")) process.exitCode = WRONG;
  else if (good < wanted) process.exitCode = UNMET;
}

function wordOf({ chain }: Pick<Origin, "chain">): string {
  return chain === "ledger" ? "entry" : "row of the log";
}

/** The leaf: the hash of what the proof carries, else the one that was named. */
async function hashOf({ extra }: ReadProof, { hash, document }: ProofOptions): Promise<Uint8Array> {
  const named = document === undefined ? hash : await hashIn(document);
  if (named !== undefined && !/^[0-9a-f]{64}$/i.test(named)) {
    throw new CommandError("--hash takes the 64 digits of an entry's hash", WRONG_USE);
  }
  if (extra === null && named === undefined) {
    throw new CommandError(
      "the proof does not carry the entry: name its hash with --hash, or the certificate with --document",
      WRONG_USE,
    );
  }
  const carried = extra && new Bun.CryptoHasher("sha256").update(extra).digest();
  const wanted = named === undefined ? null : Buffer.from(named, "hex");
  if (carried && wanted && !wanted.equals(carried)) throw new CommandError("the proof is of another entry", WRONG);
  return carried ?? wanted ?? new Uint8Array();
}

/** The hash of the entry that a certificate names. */
async function hashIn(document: string): Promise<string> {
  readText(document);
  const { readDocumentFile } = await import("../../src/views/reports/documents/read-pdf.ts");
  const { facts } = await readDocumentFile(await Bun.file(document).bytes());
  if (!facts) throw new CommandError(`${document} is no document of ours`, WRONG_USE);
  return facts.facts.hash;
}

/** What the proof carries. It hashes to the leaf; that it also says its place keeps a row from passing for another. */
function rowOf({ extra, index }: ReadProof, { orgId }: Origin): Shown["row"] {
  if (extra === null) return null;
  const row = readRow(extra);
  if (row === null || row.orgId !== orgId || row.sequence !== index + 1) {
    throw new CommandError("the row in the proof is not the one of its place", WRONG);
  }
  return row;
}

function readRow(extra: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const row: unknown = JSON.parse(Buffer.from(extra).toString("utf8"));
    return typeof row === "object" && row !== null ? { ...row } : null;
  } catch {
    return null;
  }
}

function describe(shown: Shown): string[] {
  const { organization, sequence, size, hash, row, cosignatures } = shown;
  return [
    `${wordOf(shown)} ${sequence} of ${organization}, hash ${hash}: in the history of ${size} that the key signed`,
    ...(row === null ? [] : [JSON.stringify(row)]),
    ...cosignatures.map(describeCosignature),
  ];
}
