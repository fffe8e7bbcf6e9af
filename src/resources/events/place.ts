// Places in the feed where a reader begins: now, at an instant, or behind a cursor that is of this data.
import { Problem } from "../../kernel/problem.ts";
import { toTimestamp } from "../../kernel/runtime.ts";
import { findHead } from "../../ledger/store.ts";
import { findLogHead } from "../../storage/database/log/audit.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { type Claim, cursorAt, isHere, type Place, rewoundTo } from "./cursor.ts";
import { placeBefore } from "./feed.ts";

/** Behind all that was recorded. */
export function latestPlace(db: Reader, orgId: string): Place {
  return { ledger: findHead(db, orgId).sequence, log: findLogHead(db, orgId).sequence };
}

/** Before what was recorded from an instant on; `since` is RFC 3339. */
export function placeSince(db: Reader, orgId: string, since: string): Place {
  return placeBefore(db, orgId, latestPlace(db, orgId), toTimestamp(Date.parse(since)));
}

/** The place of a cursor. Throws `409 events-rewound` where its rows are not here. */
export function requireHere(db: Reader, orgId: string, claim: Claim): Place {
  if (isHere(db, orgId, claim)) return claim;
  throw new Problem(
    "events-rewound",
    "The data was restored to an earlier state: go on from `cursor`. What comes again has the ids that it had.",
    undefined,
    { members: { cursor: cursorAt(db, orgId, rewoundTo(db, orgId, claim)) } },
  );
}
