// The mark of a copy in the bucket, the object NAME.sha256: written once the copy was read back, and only then the copy
// counts. It is read as input from outside. Pure.
import { type Static, Type } from "@sinclair/typebox";
import { findFaults } from "../../kernel/check.ts";

/** What follows the name of a copy in that of its mark. */
export const MARK = ".sha256";
/** A mark is small: some 150 bytes for each organization. */
export const MARK_BYTES_MAX = 4 * 1024 * 1024;

const Head = Type.Object({ orgId: Type.String(), sequence: Type.Integer(), hash: Type.String() });
const MarkShape = Type.Object({
  name: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  /** When the backup was made, or the file last changed. */
  createdAt: Type.String(),
  /** The last entry of each organization's ledger; null where the file does not tell, as it is encrypted. */
  heads: Type.Union([Type.Array(Head), Type.Null()]),
});

/** The mark of a copy. */
export type Mark = Static<typeof MarkShape>;
/** The last entry of an organization's ledger. */
export type CopiedHead = Static<typeof Head>;

/** A mark as text; the same mark is the same text. */
export function writeMark({ name, bytes, sha256, createdAt, heads }: Mark): string {
  return `${JSON.stringify({ name, bytes, sha256, createdAt, heads })}\n`;
}

/** Reads the mark of the copy `name`; null for a text that is not one. */
export function readMark(name: string, text: string): Mark | null {
  const mark = parse(text);
  return findFaults(MarkShape, mark).length === 0 && (mark as Mark).name === name ? (mark as Mark) : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
