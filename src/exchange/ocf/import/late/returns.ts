// Earlier imports' returns of a security's shares to a plan; endings.ts decides what goes back. The plan's default
// holds only as long as no package states what returned: OCF lets the event chain control.

import { type Decimal, parseDecimal, ZERO } from "../../../../kernel/numbers/decimal.ts";
import { membersOf } from "../../../../ledger/members.ts";
import { listEntriesOn } from "../../../../ledger/replay/replay-store.ts";
import type { Reader } from "../../../../storage/database/sql.ts";

/** What imports recorded of a security's returns. */
export interface Returns {
  /** Whether a package said what returned. */
  readonly isSaid: boolean;
  /** What the plan's default returned. */
  readonly byDefault: Decimal;
}

export function returnsOf(db: Reader, orgId: string, securityId: string): Returns {
  let [isSaid, byDefault] = [false, ZERO];
  for (const { metadata } of listEntriesOn(db, orgId, securityId)) {
    const { returned, taken, isDefault } = membersOf({ metadata: JSON.parse(metadata ?? "{}") }).imported;
    if (returned === null) continue;
    if (taken === null && !isDefault) isSaid = true;
    else byDefault += parseDecimal(returned);
  }
  return { isSaid, byDefault };
}
