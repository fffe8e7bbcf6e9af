// Who made each API key, from the log that has always said so; the log tells what the column holds from now on.
import { type Db, LogChain, rowsOf, run } from "./log-chain.ts";

interface Maker {
  readonly actor: string;
  readonly accountId: string | null;
  readonly apiKeyId: string | null;
  readonly actorName: string | null;
  readonly method: string | null;
}

/** Fills in the makers of an organization's keys. */
export async function tellMakers(db: Db, orgId: string): Promise<void> {
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
    // A key that is older than the log was adopted by it.
    if (maker === undefined || maker.method === "adopted" || maker.actor === "job") continue;
    const { actor, accountId, apiKeyId, actorName } = maker;
    const name = actorName ?? names.get(apiKeyId ?? "") ?? null;
    const madeBy = JSON.stringify({ actor, accountId, apiKeyId, name });
    await run(db, "UPDATE api_keys SET madeBy = ? WHERE orgId = ? AND id = ?", [madeBy, orgId, id]);
    await chain.note("migrated", "api key", id, { madeBy }, { madeBy: null });
  }
  await chain.flush();
}
