// The file of witnesses: each line has a witness's public key and the address that it takes checkpoints at. Pure.
import type { Verifier } from "../checkpoint/note.ts";
import { readWitnessKey } from "./cosignature.ts";

export const WITNESSES_MAX = 8;

/** A witness that is asked. */
export interface Witness {
  readonly key: Verifier;
  /** Its submission prefix, without a slash at the end. */
  readonly prefix: string;
}

/** The text is not a file of witnesses; the message says which line, and why. */
export class WitnessFileError extends Error {
  override readonly name = "WitnessFileError";
}

/**
 * Reads the file: `{public key of type 0x04} {submission prefix}` a line, up to 8. Empty lines do not count, nor do
 * lines that begin with `#`. Throws {@link WitnessFileError}.
 */
export function readWitnesses(text: string): Witness[] {
  const witnesses = text
    .split("\n")
    .map((line, index) => [line.trim(), index + 1] as const)
    .filter(([line]) => line !== "" && !line.startsWith("#"))
    .map(([line, number]) => readLine(line, number));
  if (witnesses.length === 0) throw new WitnessFileError("it names no witness");
  if (witnesses.length > WITNESSES_MAX) throw new WitnessFileError(`it names more than ${WITNESSES_MAX} witnesses`);
  const names = new Set(witnesses.map(({ key }) => key.name));
  if (names.size < witnesses.length) throw new WitnessFileError("it names a witness twice");
  return witnesses;
}

function readLine(line: string, number: number): Witness {
  const [written = "", prefix = "", ...more] = line.split(/\s+/);
  const key = readWitnessKey(written);
  if (key === null) throw new WitnessFileError(`line ${number} does not begin with a witness's key of type 0x04`);
  const url = URL.canParse(prefix) ? new URL(prefix) : null;
  const isPrefix = url && /^https?:$/.test(url.protocol) && [url.search, url.hash, url.username].join("") === "";
  if (!isPrefix || more.length > 0) {
    throw new WitnessFileError(`line ${number} has no http or https address, without ? and #, behind the key`);
  }
  return { key, prefix: prefix.replace(/\/+$/, "") };
}
