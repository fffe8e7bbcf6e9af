// Compares a checkpoint with the current data: the ledger and the log must hold exactly its heads in their places, and
// the log of accounts too. Reads only, and little: two rows.
import { FIRST_HASH } from "../../storage/database/log/log-hash.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { ChainHead, Checkpoint } from "./checkpoint.ts";
import { findEventHash, findHashAt, findHeads, findName } from "./store.ts";

/** The removed or rewritten part since the checkpoint, in one line; null if nothing was changed. */
export function findContradiction(db: Reader, checkpoint: Checkpoint): string | null {
  const { orgId, time } = checkpoint;
  if (orgId === null) return findInstancesContradiction(db, checkpoint);
  const name = findName(db, { orgId });
  if (name === null) return `the organization ${orgId}, of which there is a checkpoint of ${time}, no longer exists`;
  const now = findHeads(db, orgId);
  for (const chain of ["ledger", "log"] as const) {
    const said = checkpoint[chain];
    if (said === null) continue;
    const known = said.size === 0 ? FIRST_HASH : findHashAt(db, chain, orgId, said.size);
    if (known === said.head) continue;
    const what = contradiction(`the ${chain} of ${name}`, WORDS[chain], said, now[chain]?.size ?? 0);
    return `${what} (checkpoint of ${time})`;
  }
  return null;
}

/** The same of the instance: its log of accounts must hold the event. */
function findInstancesContradiction(db: Reader, { log: said, time }: Checkpoint): string | null {
  const known = said.size === 0 ? FIRST_HASH : findEventHash(db, { sequence: said.size });
  if (known === said.head) return null;
  const { size } = findHeads(db, null).log;
  return `${contradiction("the log of accounts", WORDS.events, said, size)} (checkpoint of ${time})`;
}

/** The same of a chain's tree, whose root at the size of a checkpoint is another one, or which has no such size. */
export function describeContradiction(whose: string, chain: "ledger" | "log", said: ChainHead, size: number): string {
  return contradiction(whose, WORDS[chain], said, size);
}

interface Words {
  readonly one: string;
  readonly many: string;
}

const WORDS = {
  ledger: { one: "entry", many: "entries" },
  log: { one: "row", many: "rows" },
  events: { one: "event", many: "events" },
} as const;

function contradiction(whose: string, { one, many }: Words, said: ChainHead, size: number): string {
  if (said.size <= size) {
    return `${whose} was written anew: its ${one} ${said.size} is not the one of the checkpoint`;
  }
  const gone = said.size === size + 1 ? `${one} ${said.size} was` : `${many} ${size + 1} to ${said.size} were`;
  return `${whose} has ${size} ${size === 1 ? one : many}, and had ${said.size}: ${gone} removed`;
}
