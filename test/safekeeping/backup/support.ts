// A cap table to back up, and a look into what came back.
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Served } from "../../kit/program.ts";

/** Calls the API of a served data directory as its first key. */
export async function call(served: Served, method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${served.key}`, "content-type": "application/json" };
  const init: RequestInit = { method, headers };
  if (body !== undefined) init.body = JSON.stringify(body);
  const answer = await fetch(`${served.url}/api/v1${path}`, init);
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  return { status: answer.status, json: (await answer.json().catch(() => ({}))) as any };
}

/** Makes a holder and a share class, which the embedded chain begins to tokenize. */
export async function makeHolder(served: Served): Promise<{ holder: string; shareClass: string }> {
  const name = { legalName: "Ada Lovelace" };
  const holder = await call(served, "POST", "/stakeholders", { displayName: "Ada", name, type: "INDIVIDUAL" });
  const given = { name: "Common", classType: "COMMON", defaultIdPrefix: "C-", votesPerShare: "1", seniority: 1 };
  const made = await call(served, "POST", "/share-classes", { ...given, initialSharesAuthorized: "1000000000" });
  return { holder: holder.json.id, shareClass: made.json.id };
}

/** Issues shares; returns the security's id when the write was acknowledged. */
export async function issue(served: Served, ids: { holder: string; shareClass: string }, number: number) {
  const answer = await call(served, "POST", "/transactions/issue-shares", {
    stakeholderId: ids.holder,
    stockClassId: ids.shareClass,
    quantity: "10",
    certificateId: `X-${number}`,
    effectiveDate: "2026-01-15",
  });
  return answer.status === 201 ? (answer.json.data.securityId as string) : null;
}

/** The ids of all securities in a data directory. */
export function securityIds(dataDir: string): Set<string> {
  const db = new Database(join(dataDir, "captable.db"), { readonly: true });
  const ids = db.prepare<[], string>("select id from securities").pluck().all();
  db.close();
  return new Set(ids);
}
