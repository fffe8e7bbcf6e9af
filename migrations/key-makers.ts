// Who made each API key, from the log that has always said so, and its scopes: keys of before keep all that their role may
// do. The log tells what the columns hold from now on.
import { type Db, LogChain, rowsOf, run } from "./log-chain.ts";

interface Maker {
  readonly actor: string;
  readonly accountId: string | null;
  readonly apiKeyId: string | null;
  readonly actorName: string | null;
  readonly method: string | null;
}

/** What a key of each role may do, when keys got scopes. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  VIEWER: ["read"],
  EDITOR: ["read", "write"],
  ADMIN: ["read", "write", "import", "manage-keys"],
};

/** Fills in the makers and the scopes of an organization's keys. */
export async function tellMakersAndScopes(db: Db, orgId: string): Promise<void> {
  const chain = await LogChain.open(db, orgId);
  const names = new Map<string, string>();
  for await (const key of rowsOf(db, "api_keys", orgId)) {
    const id = String(key.id);
    names.set(id, String(key.name));
    const [maker] = await run<Maker>(
      db,
      `SELECT actor, accountId, apiKeyId, actorName, method FROM audit_log
        WHERE orgId = ? AND resourceType = 'api key' AND resourceId = ? ORDER BY sequence LIMIT 1`,
      [orgId, id],
    );
    const scopes = JSON.stringify(SCOPES[String(key.role)] ?? []);
    // A key that is older than the log was adopted by it.
    const isKnown = maker !== undefined && maker.method !== "adopted" && maker.actor !== "job";
    const madeBy = isKnown ? makerText(maker, names) : null;
    await run(db, "UPDATE api_keys SET madeBy = ?, scopes = ? WHERE orgId = ? AND id = ?", [madeBy, scopes, orgId, id]);
    const made = isKnown ? [{ madeBy }, { madeBy: null }] : [{}, {}];
    await chain.note("migrated", "api key", id, { ...made[0], scopes }, { ...made[1], scopes: "[]" });
  }
  await chain.flush();
}

function makerText({ actor, accountId, apiKeyId, actorName }: Maker, names: ReadonlyMap<string, string>): string {
  return JSON.stringify({ actor, accountId, apiKeyId, name: actorName ?? names.get(apiKeyId ?? "") ?? null });
}
