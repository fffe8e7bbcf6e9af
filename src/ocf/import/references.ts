// What objects name: whether it is there, and which document belongs to them.

import { NOUNS, type RecordTable } from "../../database/logged-tables.ts";
import { hasRecord } from "../../database/records.ts";
import { pointerTo, shown } from "../finding.ts";
import type { Step } from "./plan.ts";
import type { Scene } from "./scene.ts";

/** The document that says it belongs to the object, where it came in. `canonicalType` is today's name of the type. */
export function sourceDocumentOf({ tx, call, plan }: Scene, canonicalType: string, id: string): string | null {
  const documentId = plan.documents.get(`${canonicalType} ${id}`);
  return documentId !== undefined && hasRecord(tx, "documents", call.orgId, documentId) ? documentId : null;
}

/** The id where it names a record of the organization; else null, with a warning. `path` leads to OCF's member. */
export function resolve(
  scene: Scene,
  step: Step,
  table: RecordTable,
  path: string | readonly (string | number)[],
  id: string | null,
): string | null {
  if (id === null || exists(scene, table, id)) return id;
  const steps = typeof path === "string" ? [path] : path;
  const detail = `${steps.at(-1)} names ${shown(id)}, and there is no ${NOUNS[table]} with that id.`;
  const fix = "The object came in without it, and its original is kept. Add what is missing, or correct the id.";
  scene.report.warn("dangling-reference", { ...step, pointer: pointerTo(...steps) }, detail, fix);
  return null;
}

/** Whether the organization has a record with this id. */
export function exists(
  { tx, call, seen }: Pick<Scene, "tx" | "call" | "seen">,
  table: RecordTable,
  id: string,
): boolean {
  const key = `${table} ${id}`;
  if (seen.has(key)) return true;
  const isThere = hasRecord(tx, table, call.orgId, id);
  if (isThere) seen.add(key);
  return isThere;
}
