// Document code: the facts behind a document, and the code by which paper is checked against the ledger. Pure.

import { isCalendarDate } from "../../../kernel/date.ts";
import { readInstant } from "../../../kernel/instant.ts";
import type { Timestamp } from "../../../kernel/runtime.ts";
import { canonicalJson } from "../../../storage/database/log/log-hash.ts";
import { BASES, type Basis } from "../keys.ts";
import { DOCUMENT_KINDS, type DocumentKind, type Line } from "./document-model.ts";

/** What a document says, and of which entry. */
export interface Facts {
  readonly captable: 1;
  readonly kind: DocumentKind;
  readonly orgId: string;
  readonly subjectId: string;
  readonly asOf: string;
  /** Of summaries. */
  readonly basis?: Basis;
  readonly sequence: number;
  readonly hash: string;
  readonly statement: readonly Line[];
}

/** A code in its parts. */
export interface Code {
  readonly kind: DocumentKind;
  readonly orgId: string;
  readonly subjectId: string;
  readonly asOf: string;
  readonly sequence: number;
  readonly basis: Basis | null;
  readonly digest: string;
}

/** The canonical JSON of the facts, whose digest the code has. */
export function factsText(facts: Facts): string {
  return canonicalJson(facts);
}

/** The facts as a file embeds them: with the instant that the document is known at beside them, if one was asked for. */
export function embeddedText(facts: Facts, knownAt: Timestamp | null): string {
  return knownAt === null ? factsText(facts) : canonicalJson({ ...facts, knownAt });
}

/** Reads what {@link embeddedText} wrote; `isCanonical` is false for a text that it would not have written. */
export function readEmbedded(text: string) {
  const { knownAt = null, ...facts } = JSON.parse(text) as Facts & { readonly knownAt?: string };
  const instant = typeof knownAt === "string" ? readInstant(knownAt) : null;
  return { facts: facts as Facts, knownAt: instant, isCanonical: embeddedText(facts as Facts, instant) === text };
}

/** Lowercase hex SHA-256. */
export function digestOf(text: string): string {
  return Bun.CryptoHasher.hash("sha256", text, "hex");
}

/** The code of facts. */
export function codeOf(facts: Facts): string {
  const { kind, orgId, subjectId, asOf, sequence, basis } = facts;
  const parts = [
    "captable",
    "1",
    kind,
    encodeURIComponent(orgId),
    encodeURIComponent(subjectId),
    asOf,
    String(sequence),
  ];
  return [...parts, ...(basis === undefined ? [] : [basis]), digestOf(factsText(facts))].join(":");
}

/** Reads a code, ignoring white space; null for an invalid one. */
export function readCode(text: string): Code | null {
  const parts = text.replace(/\s+/g, "").split(":");
  const [word, version, kind, orgId = "", subjectId = "", asOf = "", sequence = "", ...rest] = parts;
  const known = DOCUMENT_KINDS.find((each) => each === kind);
  const digest = rest.at(-1) ?? "";
  if (word !== "captable" || version !== "1" || !known || rest.length !== (known === "S" ? 2 : 1)) return null;
  if (!isCalendarDate(asOf) || !/^\d{1,15}$/.test(sequence) || !/^[0-9a-f]{64}$/i.test(digest)) return null;
  const basis = known === "S" ? BASES.find((each) => each === rest[0]) : null;
  const [org, subject] = [decoded(orgId), decoded(subjectId)];
  if (basis === undefined || org === null || subject === null) return null;
  const place = { asOf, sequence: Number(sequence), basis, digest: digest.toLowerCase() };
  return { kind: known, orgId: org, subjectId: subject, ...place };
}

function decoded(text: string): string | null {
  try {
    return text === "" ? null : decodeURIComponent(text);
  } catch {
    return null;
  }
}
