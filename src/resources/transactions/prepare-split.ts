// Reads the facts of a large split before its commit, a slice at a time, so that others write meanwhile.

import { giveWay } from "../../kernel/threads/give-way.ts";
import { askedSplit } from "../../ledger/operations/split.ts";
import { catchingUp, type GatheredSplit, gathering, isLargeSplit } from "../../ledger/splits/gather-split.ts";
import { SPLIT_SIZES } from "../../ledger/splits/split-pieces.ts";
import { inSlices } from "../../storage/database/snapshot.ts";
import { isSplitting } from "../../storage/database/split-rows.ts";
import type { Reader } from "../../storage/database/sql.ts";

/** How long a split waits for the rows of another one, and between two looks. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 20;
/** How often facts are read again where much was written meanwhile. */
const TRIES = 5;
/** More rows of the log than these are not caught up with. */
const FOLLOWED_MAX = 20_000;
/** So few of them are left to the commit. */
const LEFT_MAX = 50;

/**
 * Gathers the facts of a split; null for one that is small, or whose facts its commit had better read. `open` makes a
 * connection of its own, closed in the end.
 */
export async function prepareSplit(
  open: () => Reader,
  orgId: string,
  command: Readonly<Record<string, unknown>>,
): Promise<GatheredSplit | null> {
  const split = askedSplit(command);
  const of = { orgId, stockClassId: split.stockClassId };
  const db = open();
  try {
    if (!isLargeSplit(db, of, SPLIT_SIZES.whole)) return null;
    let gathered: GatheredSplit | null = null;
    for (let tries = 0; tries < TRIES; tries++) {
      const was: GatheredSplit | null = gathered;
      gathered = was && (await inSlices(db, catchingUp(db, of, split, { was, most: FOLLOWED_MAX }), giveWay));
      if (was !== null && gathered !== null && gathered.log - was.log <= LEFT_MAX) break;
      if (gathered !== null) continue;
      if (!(await othersAreDone(db, orgId))) return null;
      gathered = await inSlices(db, gathering(db, of, split), giveWay);
    }
    return gathered;
  } finally {
    db.sqlite.close();
  }
}

async function othersAreDone(db: Reader, orgId: string): Promise<boolean> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    if (!isSplitting(db, { orgId })) return true;
    await Bun.sleep(LOOK_MS);
  }
  return false;
}
