// Compares a checkpoint with what is there now: the ledger and the log of today must hold exactly its heads in their
// places. Reads only, and little: two rows.
import { FIRST_HASH } from "../database/log-hash.ts";
import type { Reader } from "../database/sql.ts";
import type { ChainHead, Checkpoint } from "./checkpoint.ts";
import { findHashAt, findHeads, findName } from "./store.ts";

/** What was removed or written anew since the checkpoint, in one line; null when nothing was. */
export function findContradiction(db: Reader, checkpoint: Checkpoint): string | null {
  const { orgId, time } = checkpoint;
  const name = findName(db, { orgId });
  if (name === null)
    return `the organization ${orgId}, of which there is a checkpoint of ${time}, is not there any more`;
  const now = findHeads(db, orgId);
  for (const chain of ["ledger", "log"] as const) {
    const said = checkpoint[chain];
    const known = said.size === 0 ? FIRST_HASH : findHashAt(db, chain, orgId, said.size);
    if (known === said.head) continue;
    return `${contradiction(chain, name, said, now[chain].size)} (checkpoint of ${time})`;
  }
  return null;
}

const WORDS = { ledger: { one: "entry", many: "entries" }, log: { one: "row", many: "rows" } } as const;

function contradiction(chain: "ledger" | "log", name: string, said: ChainHead, size: number): string {
  const { one, many } = WORDS[chain];
  if (said.size <= size) {
    return `the ${chain} of ${name} was written anew: its ${one} ${said.size} is not the one that was there`;
  }
  const gone = said.size === size + 1 ? `${one} ${said.size} was` : `${many} ${size + 1} to ${said.size} were`;
  return `the ${chain} of ${name} has ${size} ${size === 1 ? one : many}, and had ${said.size}: ${gone} removed`;
}
