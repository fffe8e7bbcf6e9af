// Reads a document's code and facts from its file. Only files that this program made are accepted.
import { inflateSync } from "node:zlib";
import type { Timestamp } from "../../../kernel/runtime.ts";
import { type Code, digestOf, type Facts, factsText, readCode, readEmbedded } from "./code.ts";

/** What a file of ours holds. */
export interface FileFacts {
  readonly code: Code;
  readonly facts: Facts;
  /** The instant that the document was asked to be known at; null where none was named. */
  readonly knownAt: Timestamp | null;
  /** Whether the facts are those of the code. */
  readonly isOwn: boolean;
  /** Who drew it: `captable` and a version. */
  readonly producer: string;
}

const FACTS_BYTES_MAX = 16 * 1024 * 1024;

/** Reads a file; `facts` is null for one that is no document of ours. */
export function readDocumentFile(bytes: Uint8Array): { readonly facts: FileFacts | null } {
  const text = Buffer.from(bytes).toString("latin1");
  const subject = textNamed(text, "Subject");
  const producer = textNamed(text, "Producer");
  const code = subject === undefined ? null : readCode(subject);
  const embedded = embeddedFile(bytes, text);
  if (code === null || producer === undefined || embedded === null) return { facts: null };
  try {
    const { facts, knownAt, isCanonical } = readEmbedded(embedded);
    const isOwn = isCanonical && digestOf(factsText(facts)) === code.digest;
    return { facts: { code, facts, knownAt, isOwn, producer } };
  } catch {
    return { facts: null };
  }
}

/** A text of the Info dictionary, which is an object of its own; null for one that we would not have written. */
function textNamed(text: string, name: string): string | undefined {
  const number = new RegExp(`/${name} (\\d+) 0 R`).exec(text)?.[1];
  return number === undefined
    ? undefined
    : new RegExp(`(?:^|\n)${number} 0 obj\n\\((captable[^()\\\\]*)\\)`).exec(text)?.[1];
}

/** The only embedded file, inflated as far as facts can be. */
function embeddedFile(bytes: Uint8Array, text: string): string | null {
  const at = text.indexOf("/Type /EmbeddedFile");
  const begin = text.indexOf("stream\n", at);
  const end = text.indexOf("\nendstream", begin);
  if (at === -1 || begin === -1 || end === -1) return null;
  const stream = bytes.subarray(begin + "stream\n".length, end);
  const isPacked = text.slice(at, begin).includes("/FlateDecode");
  try {
    return Buffer.from(isPacked ? inflateSync(stream, { maxOutputLength: FACTS_BYTES_MAX }) : stream).toString("utf8");
  } catch {
    return null;
  }
}
