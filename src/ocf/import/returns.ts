// What went back to a plan of a security by imports so far. OCF's event chain controls (OCF.md section 6): the plan's
// default holds only as long as no package says of the security what returned.
import type { Reader } from "../../database/sql.ts";
import { type Decimal, parseDecimal, ZERO } from "../../kernel/decimal.ts";
import type { ImportedEffect } from "../../ledger/imported.ts";
import { listEntriesOn } from "../../ledger/replay-store.ts";

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
    const { ocfReturned, ocfTaken }: ImportedEffect = JSON.parse(metadata ?? "{}");
    if (ocfReturned === undefined) continue;
    if (ocfTaken === undefined) isSaid = true;
    else byDefault += parseDecimal(ocfReturned);
  }
  return { isSaid, byDefault };
}
