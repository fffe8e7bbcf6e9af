// Entries of the audit log in words: what was done to what, and which members changed from what to what.
import type { components } from "../../api/types.ts";
import { AUDIT, EXPORTED, OBJECT_KINDS } from "../../text/audit.ts";
import { EXPORTS } from "../../text/exports.ts";

/** An entry as the API shows it. */
export type AuditEntry = components["schemas"]["AuditEntriesPage"]["items"][number];

/** What a kind of record is called; one that is not known by its code, with a capital. */
export function kindWords(resourceType: string): string {
  const known: Readonly<Record<string, string>> = OBJECT_KINDS;
  return known[resourceType] ?? resourceType.charAt(0).toUpperCase() + resourceType.slice(1);
}

/** What was done, in words. */
export function whatWords({
  resourceType,
  before,
  after,
  method = null,
}: Pick<AuditEntry, "resourceType" | "before" | "after"> & Partial<Pick<AuditEntry, "method">>) {
  if (resourceType === "log") {
    const ofLog: Readonly<Record<string, string>> = AUDIT.ofLog;
    return method === "exported" ? AUDIT.exported(exportWords(after ?? {})) : (ofLog[method ?? ""] ?? kindWords("log"));
  }
  const kind = kindWords(resourceType);
  if (before === null) return eventWords(resourceType, after ?? {}, kind);
  const isDeleted = after === null || (after.deletedAt ?? null) !== null || (after.removedAt ?? null) !== null;
  return isDeleted ? AUDIT.deleted(kind) : AUDIT.changed(kind);
}

/** What was exported: what the pages call the file, else its route, and what kind of file it is. */
function exportWords({ route, format }: Readonly<Record<string, unknown>>): string {
  const asked = String(route);
  const files: Readonly<Record<string, string>> = { ...EXPORTS.files, ...EXPORTED.files };
  const name = files[asked] ?? asked;
  const formats: Readonly<Record<string, string>> = EXPORTED.formats;
  return `${name} (${formats[String(format)] ?? format})`;
}

/** What happened to something that stays as it was: the log has no state of it before. */
function eventWords(resourceType: string, after: Readonly<Record<string, unknown>>, kind: string): string {
  const happened = Object.keys(after).find((member) => member in AUDIT.events && after[member] !== null);
  if (happened !== undefined) return AUDIT.events[happened as keyof typeof AUDIT.events](kind);
  return resourceType === "account" ? AUDIT.changed(kind) : AUDIT.made(kind);
}

const NAMES = ["displayName", "legalName", "title", "name", "planName", "certificateId", "email", "type"] as const;

/** What the entry itself says that its record is called; null where it says nothing. */
export function nameIn({ before, after }: Pick<AuditEntry, "before" | "after">): string | null {
  for (const name of NAMES) {
    const value = after?.[name] ?? before?.[name];
    if (typeof value === "string" && !value.startsWith("{")) return value;
  }
  return null;
}

/** A member that changed; null where there was none. */
export interface Change {
  readonly member: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A stored value as a text: texts as they are, all else as JSON. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The members that differ, by name; of a record that was made those that say something. */
export function changesOf({ before, after }: Pick<AuditEntry, "before" | "after">): readonly Change[] {
  const members = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].toSorted();
  return members
    .map((member) => ({ member, before: textOf(before?.[member]), after: textOf(after?.[member]) }))
    .filter((change) => change.before !== change.after);
}
