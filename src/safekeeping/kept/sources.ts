// What vouches for checkpoints from outside, as the settings name it: a time stamp authority with the roots that it is
// trusted by, and witnesses.
import { readFileSync, statSync } from "node:fs";
import { type Certificate, readPem } from "../timestamp/certificates.ts";
import { DerError } from "../timestamp/der.ts";
import { readWitnesses, type Witness, WitnessFileError } from "../witness/witness-file.ts";

const HOUR_MS = 3_600_000;
const FILE_BYTES_MAX = 1024 * 1024;

/** The settings. */
export interface SourceSettings {
  readonly tsaUrl: string | null;
  readonly tsaCaFile: string | null;
  readonly tsaEveryHours: number;
  readonly witnessFile: string | null;
}

/** An authority that is asked for time stamps. */
export interface Authority {
  readonly url: string;
  /** The host of its address, which its signature lines bear. */
  readonly name: string;
  readonly roots: readonly Certificate[];
  readonly everyMs: number;
}

/** A setting whose file cannot be used; the message is for the operator. */
export class SourceError extends Error {
  override readonly name = "SourceError";
  constructor(
    readonly setting: "tsaUrl" | "tsaCaFile" | "witnessFile",
    message: string,
  ) {
    super(message);
  }
}

/** The authority; null if no setting names one. Throws {@link SourceError}. */
export function readAuthority({ tsaUrl, tsaCaFile, tsaEveryHours }: SourceSettings): Authority | null {
  if (tsaUrl === null) return null;
  if (tsaCaFile === null) throw new SourceError("tsaUrl", "it needs a file of roots to check the time stamps by");
  const { host } = new URL(tsaUrl);
  return { url: tsaUrl, name: host, roots: readRoots(tsaCaFile), everyMs: tsaEveryHours * HOUR_MS };
}

/** The roots in a file of PEM certificates. Throws {@link SourceError}. */
export function readRoots(file: string): Certificate[] {
  return attempt("tsaCaFile", file, readPem);
}

/** The witnesses of a file; none without one. Throws {@link SourceError}. */
export function readWitnessFile({ witnessFile }: Pick<SourceSettings, "witnessFile">): Witness[] {
  return witnessFile === null ? [] : attempt("witnessFile", witnessFile, readWitnesses);
}

function attempt<T>(setting: "tsaCaFile" | "witnessFile", file: string, read: (text: string) => T): T {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status?.isFile() !== true) throw new SourceError(setting, `there is no file ${file}`);
  if (status.size > FILE_BYTES_MAX) throw new SourceError(setting, `${file} is too large`);
  try {
    return read(readFileSync(file, "utf8"));
  } catch (error) {
    const isKnown = error instanceof DerError || error instanceof WitnessFileError;
    throw new SourceError(setting, isKnown ? `${file}: ${error.message}` : `${file} cannot be read`);
  }
}
