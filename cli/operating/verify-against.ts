// captable verify --against: checkpoints that were kept elsewhere, held against the data, and the time stamps and
// cosignatures on them, each checked offline.
import { readFileSync, statSync } from "node:fs";
import { findContradiction } from "../../src/safekeeping/checkpoint/against.ts";
import { CheckpointError, CheckpointFormError, subjectOf } from "../../src/safekeeping/checkpoint/checkpoint.ts";
import { readCheckpointText } from "../../src/safekeeping/checkpoint/file.ts";
import { readVerifier, type Verifier, writeVerifier } from "../../src/safekeeping/checkpoint/note.ts";
import { findSigningKey, isSameKey } from "../../src/safekeeping/checkpoint/signing-key.ts";
import type {
  CheckedCosignature,
  Evidence,
  NotedCheckpoint,
  TreeCheckpoint,
} from "../../src/safekeeping/kept/evidence.ts";
import type { CheckedStamp } from "../../src/safekeeping/timestamp/stamp-line.ts";
import type { Config } from "../../src/server/config.ts";
import type { Reader } from "../../src/storage/database/sql.ts";
import { CommandError } from "../command.ts";

const DIFFERENT = 1;
const WRONG_USE = 2;
const DAMAGED = 4;

/** The options about evidence. */
export interface AgainstOptions {
  readonly org?: string;
  readonly against?: string;
  readonly signedBy?: string;
  readonly tsaCa?: string;
  readonly witnesses?: string;
  readonly stamped?: boolean;
  readonly cosigned?: string;
}

/** A checkpoint that the data was held against. */
export interface Compared {
  /** Null for the instance. */
  readonly orgId: string | null;
  readonly time: string;
  /** The key that signed it, and whether it is this data directory's. */
  readonly key: string;
  readonly isOwnKey: boolean;
  /** What was removed or written anew since; null when nothing was. */
  readonly contradiction: string | null;
  /** Its time stamps; `fault` is null where one is good, and "unchecked" where there are no roots to check it by. */
  readonly timestamps: readonly (CheckedStamp | { readonly authority: string; readonly fault: "unchecked" })[];
}

/** A checkpoint of a tree that the data was held against. */
export interface ComparedTree {
  readonly origin: string;
  readonly size: number;
  readonly isOwnKey: boolean;
  readonly contradiction: string | null;
  readonly cosignatures: readonly CheckedCosignature[];
}

/** The outcome of holding data against evidence. */
export interface Against {
  readonly compared: readonly Compared[];
  readonly trees: readonly ComparedTree[];
  /** What was demanded and is not there, a line each. */
  readonly unmet: readonly string[];
}

export const NOT_ASKED: Against = { compared: [], trees: [], unmet: [] };

/** Options that go with a file of evidence alone: exit 2 without one. */
export function refuseLonely(options: AgainstOptions & { readonly proof?: string }): void {
  const { against, proof } = options;
  if (against !== undefined) return;
  const ofFile = { "--tsa-ca": options.tsaCa, "--stamped": options.stamped };
  const ofEither = {
    "--signed-by": options.signedBy,
    "--witnesses": options.witnesses,
    "--cosigned": options.cosigned,
  };
  const asked = { ...ofFile, ...(proof === undefined ? ofEither : {}) };
  const lonely = Object.entries(asked).find(([, value]) => value !== undefined);
  if (lonely) throw new CommandError(`${lonely[0]} goes with --against`, WRONG_USE);
}

/** The number that `--cosigned` asks for; 0 without. */
export function cosignedBy({ cosigned }: Pick<AgainstOptions, "cosigned">): number {
  if (cosigned === undefined) return 0;
  if (!/^[1-9]\d?$/.test(cosigned)) throw new CommandError("--cosigned takes a number from 1 to 99", WRONG_USE);
  return Number(cosigned);
}

/** Reads a public key that was given as an option; exit 2 if it is not one. */
export function readKey(text: string): Verifier {
  const key = readVerifier(text);
  if (key === null) {
    throw new CommandError("--signed-by takes a public key as captable version --json shows it", WRONG_USE);
  }
  return key;
}

/** The public keys of witnesses, of the option's file or the setting's; none without either. */
export async function readWitnessKeys(option: string | undefined, config: Config | null): Promise<Verifier[]> {
  const file = option ?? config?.witnessFile ?? undefined;
  if (file === undefined) return [];
  const { readWitnesses, WitnessFileError } = await import("../../src/safekeeping/witness/witness-file.ts");
  try {
    return readWitnesses(readText(file)).map(({ key }) => key);
  } catch (error) {
    if (error instanceof WitnessFileError) throw new CommandError(`${file}: ${error.message}`, WRONG_USE);
    throw error;
  }
}

/** The text of a file that an option names: exit 2 where it is not there. */
export function readText(file: string): string {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new CommandError(`there is no file ${file}`, WRONG_USE);
  }
  return readFileSync(file, "utf8");
}

/** The evidence of the option's file; null without one. A wrong signature is exit 4. */
export async function readAgainst({ against, signedBy }: AgainstOptions): Promise<Evidence | null> {
  if (signedBy !== undefined) readKey(signedBy);
  if (against === undefined) return null;
  if (statSync(against, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new CommandError(`there is no file ${against}`, WRONG_USE);
  }
  const { readEvidence } = await import("../../src/safekeeping/kept/evidence.ts");
  return ofFile(against, () => readEvidence(readCheckpointText(against)));
}

function ofFile<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    const status = error instanceof CheckpointFormError ? WRONG_USE : DAMAGED;
    throw new CommandError(`${file}: ${error.message}`, status);
  }
}

/** What of the evidence is asked for, in the order in which it came. */
export function choose(
  evidence: Evidence,
  wanted: string | undefined,
  { against, org, signedBy }: AgainstOptions,
): Evidence {
  const isWanted = ({ orgId }: { readonly orgId: string | null }) => wanted === undefined || orgId === wanted;
  const chosen = { checkpoints: evidence.checkpoints.filter(isWanted), trees: evidence.trees.filter(isWanted) };
  if (chosen.checkpoints.length + chosen.trees.length === 0) {
    throw new CommandError(`${against} holds no checkpoint of ${org}`, WRONG_USE);
  }
  const key = signedBy === undefined ? null : readKey(signedBy);
  const other = chosen.checkpoints.find((checkpoint) => key !== null && !isSameKey(checkpoint.signedBy, key));
  if (other) {
    throw new CommandError(
      `the checkpoint of ${subjectOf(other)} of ${other.time} is signed by ${writeVerifier(other.signedBy)}, not by the key asked for`,
      DAMAGED,
    );
  }
  return chosen;
}

/** Holds the data against evidence that was chosen of a file. */
export async function compare(
  db: Reader,
  evidence: Evidence,
  options: AgainstOptions,
  config: Config,
): Promise<Against> {
  const own = findSigningKey(config.dataDir);
  const witnesses = await readWitnessKeys(options.witnesses, config);
  const { checkpoints, trees } = evidence;
  const stampsOf = await stampChecker(checkpoints, options, config);
  const compared = checkpoints.map((checkpoint) => ({
    orgId: checkpoint.orgId,
    time: checkpoint.time,
    key: writeVerifier(checkpoint.signedBy),
    isOwnKey: own !== null && isSameKey(own, checkpoint.signedBy),
    contradiction: findContradiction(db, checkpoint),
    timestamps: stampsOf(checkpoint),
  }));
  const keys = options.signedBy === undefined ? (own ? [own] : []) : [readKey(options.signedBy)];
  const { checkCosignatures, findTreeContradiction, findTreeKey } = await import(
    "../../src/safekeeping/kept/evidence.ts"
  );
  const comparedTrees = trees.map((tree) => {
    const key = ofFile(options.against ?? "", () => findTreeKey(tree, checkpoints, keys));
    return {
      origin: tree.head.origin,
      size: tree.head.size,
      isOwnKey: own !== null && isSameKey(own, key),
      contradiction: findTreeContradiction(db, tree),
      cosignatures: checkCosignatures(tree.note, witnesses),
    };
  });
  const unmet = [...unstamped(compared, options), ...(await uncosigned(trees, comparedTrees, options))];
  return { compared, trees: comparedTrees, unmet };
}

/** Checks the time stamps of notes, by the roots of the option's file or the setting's. */
async function stampChecker(
  checkpoints: readonly NotedCheckpoint[],
  { tsaCa }: AgainstOptions,
  config: Config,
): Promise<(checkpoint: NotedCheckpoint) => Compared["timestamps"]> {
  const { stampsOf } = await import("../../src/safekeeping/timestamp/stamp-line.ts");
  const file = tsaCa ?? config.tsaCaFile;
  const hasStamps = checkpoints.some(({ note }) => stampsOf(note).length > 0);
  if (file === null) {
    return ({ note }) => stampsOf(note).map(({ authority }) => ({ authority, fault: "unchecked" as const }));
  }
  const [{ readRoots, SourceError }, { checkStamps }] = await Promise.all([
    import("../../src/safekeeping/kept/sources.ts"),
    import("../../src/safekeeping/timestamp/stamp-line.ts"),
  ]);
  try {
    const roots = hasStamps || tsaCa !== undefined ? readRoots(file) : [];
    return ({ note }) => checkStamps(note, roots);
  } catch (error) {
    if (error instanceof SourceError) throw new CommandError(error.message, WRONG_USE);
    throw error;
  }
}

/** `--stamped`: of each organization in the file, a checkpoint with a good time stamp. */
function unstamped(compared: readonly Compared[], { stamped }: AgainstOptions): string[] {
  if (stamped !== true) return [];
  const byOrganization = [
    ...Map.groupBy(
      compared.filter(({ orgId }) => orgId !== null),
      ({ orgId }) => orgId,
    ),
  ];
  if (byOrganization.length === 0) return ["no checkpoint with a time stamp is in the file"];
  return byOrganization.flatMap(([orgId, all]) => {
    const isStamped = all.some(({ timestamps }) => timestamps.some(({ fault }) => fault === null));
    return isStamped ? [] : [`no checkpoint of ${orgId} has a good time stamp`];
  });
}

/** `--cosigned N`: of each history in the file, a checkpoint that so many known witnesses cosigned. */
async function uncosigned(
  trees: readonly TreeCheckpoint[],
  compared: readonly ComparedTree[],
  options: AgainstOptions,
): Promise<string[]> {
  const wanted = cosignedBy(options);
  if (wanted === 0) return [];
  const { countGood } = await import("../../src/safekeeping/kept/evidence.ts");
  const places = trees.map(({ orgId, chain }, at) => ({ name: `the ${chain} of ${orgId}`, tree: compared[at] }));
  // An empty history is shown to no witness.
  const byChain = [
    ...Map.groupBy(
      places.filter(({ tree }) => (tree?.size ?? 0) > 0),
      ({ name }) => name,
    ),
  ];
  if (byChain.length === 0) return ["no cosigned checkpoint is in the file"];
  return byChain.flatMap(([name, all]) => {
    const most = Math.max(...all.map(({ tree }) => countGood(tree?.cosignatures ?? [])));
    return most >= wanted ? [] : [`no checkpoint of ${name} has ${wanted} good cosignatures; the most is ${most}`];
  });
}

/** The outcome in lines. */
export function describeAgainst({ compared, trees, unmet }: Against): string[] {
  const said = (contradiction: string | null) =>
    contradiction === null ? "all of then is there as it was" : `CONTRADICTED: ${contradiction}`;
  const ofCheckpoints = compared.flatMap(({ orgId, time, key, isOwnKey, contradiction, timestamps }) => {
    const signer = isOwnKey ? "this data directory's key" : `another key, ${key}`;
    return [
      `checkpoint of ${subjectOf({ orgId })} of ${time}, signed by ${signer}: ${said(contradiction)}`,
      ...timestamps.map(describeStamp),
    ];
  });
  const ofTrees = trees.flatMap(({ origin, size, isOwnKey, contradiction, cosignatures }) => [
    `checkpoint of ${origin} at ${size}, signed by ${isOwnKey ? "this data directory's key" : "another key"}: ${said(contradiction)}`,
    ...cosignatures.map(describeCosignature),
  ]);
  return [...ofCheckpoints, ...ofTrees, ...unmet.map((line) => `NOT MET: ${line}`)];
}

/** What is wrong with data or evidence, for the last line. */
export function faultOf({ compared, trees }: Against): string {
  const isContradicted = [...compared, ...trees].some(({ contradiction }) => contradiction !== null);
  return isContradicted ? "contradicted by what was kept elsewhere" : "not all that was kept elsewhere holds";
}

function describeStamp(stamp: Compared["timestamps"][number]): string {
  const { authority } = stamp;
  if (stamp.fault === null) return `  time stamp by ${authority}: ${stamp.time}, policy ${stamp.policy}: good`;
  if (stamp.fault === "unchecked")
    return `  time stamp by ${authority}: not checked, since no roots are named (--tsa-ca)`;
  return `  time stamp by ${authority}: WRONG: ${stamp.fault}`;
}

/** A cosignature in a line. */
export function describeCosignature({ witness, time, outcome }: CheckedCosignature): string {
  const words = {
    ...{ good: "good", wrong: "WRONG", unchecked: "not checked: a signature by ML-DSA" },
    unknown: "not checked: no key of that witness is known (--witnesses)",
  };
  return `  cosigned by ${witness} at ${time}: ${words[outcome]}`;
}

/** The exit status: 4 where something is contradicted or wrongly signed, 1 where a demand is not met. */
export function statusOf({ compared, trees, unmet }: Against): 0 | 1 | 4 {
  const isContradicted = [...compared, ...trees].some(({ contradiction }) => contradiction !== null);
  const isWrong =
    compared.some(({ timestamps }) => timestamps.some(({ fault }) => fault !== null && fault !== "unchecked")) ||
    trees.some(({ cosignatures }) => cosignatures.some(({ outcome }) => outcome === "wrong"));
  if (isContradicted || isWrong) return DAMAGED;
  return unmet.length > 0 ? DIFFERENT : 0;
}
