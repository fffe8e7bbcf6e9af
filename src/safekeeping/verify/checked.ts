// The findings of one check, in the order in which it made them; and what a check that breaks off on a damaged file finds.
import { InvariantError } from "../../kernel/assert.ts";
import { isDamagedFile } from "../../storage/database/snapshot.ts";
import { type Difference, RESTORE } from "./report.ts";

/** Collects the findings of a check. */
export interface Findings {
  readonly differences: Difference[];
  readonly notes: Difference[];
}

/** What a check found, plain data: it may come from another thread. */
export interface Checked<T = null> extends Findings {
  /** What the check returned; null if it broke off. */
  readonly value: T | null;
  /** Where it broke off on the file's content, after the differences that it had found until then. */
  readonly broken: Difference | null;
}

/** Runs a check. A file that SQLite can no longer read is a difference too, and other checks run all the same. */
export function checked<T>(orgId: string | null, check: (found: Findings) => T): Checked<T> {
  const found: Findings = { differences: [], notes: [] };
  try {
    return { ...found, value: check(found), broken: null };
  } catch (error) {
    if (!(error instanceof Error) || !isDamage(error)) throw error;
    const broken = { code: "damaged", orgId, subject: "database file", detail: error.message, fix: RESTORE } as const;
    return { ...found, value: null, broken };
  }
}

/** Adds what a check found to what was found before it. What several broke off on is said once. */
export function addFindings({ differences, notes }: Findings, from: Checked<unknown>): void {
  for (const difference of from.differences) differences.push(difference);
  for (const note of from.notes) notes.push(note);
  const { broken } = from;
  if (broken === null) return;
  const isKnown = differences.some(({ code, detail }) => code === "damaged" && detail === broken.detail);
  if (!isKnown) differences.push(broken);
}

/**
 * Whether the failure comes from the file's content: unreadable pages, another schema, text that this program never
 * writes.
 */
function isDamage(error: Error): boolean {
  return (
    isDamagedFile(error) || isRefusedByFile(error) || error instanceof InvariantError || error instanceof SyntaxError
  );
}

/** All our statements fit our schema: one that SQLite refuses has met another schema, or text that is not JSON. */
function isRefusedByFile(error: Error): boolean {
  return "code" in error && error.code === "SQLITE_ERROR";
}
