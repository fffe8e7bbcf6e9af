// SQL of the pass over all past days: an organization's entries, first without their members, then whole. Entries that
// neither change a holding nor name a class, and record-only ones, are left out.

import { sql } from "kysely";
import { listEvery } from "../../storage/database/records.ts";
import { ofOrganization, type Params, type Reader, statement } from "../../storage/database/sql.ts";
import { typesThat } from "../replay/event.ts";
import { listAdjustments } from "../replay/replay-store.ts";
import type { Ledger, Mark } from "./ledger.ts";

const CHANGE_NOTHING = [...typesThat("fact"), "STAKEHOLDER_UPDATE"];

/** Issuances and corrections name no other security, so their members need not be parsed. */
const LINKS = sql<string | null>`case when type not like '%_ISSUANCE' then
  json_extract(metadata, '$.newSecurityId', '$.balanceSecurityId', '$.resultingSecurityIds') end`;

const marks = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("transactions", param)
    .select(["type", "securityId", "effectiveDate", LINKS.as("links")])
    .where("recordOnly", "=", 0)
    .where("type", "not in", CHANGE_NOTHING)
    .orderBy("sequence"),
);

const entries = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("transactions", param)
    .select(["sequence", "type", "securityId", "stakeholderId", "quantity", "effectiveDate", "metadata", "recordOnly"])
    .where("recordOnly", "=", 0)
    .where("type", "not in", CHANGE_NOTHING)
    .orderBy("sequence"),
);

const NO_LINKS = "[null,null,null]";

function* iterateMarks(db: Reader, orgId: string): Generator<Mark> {
  for (const { links, ...mark } of marks.iterate(db, { orgId })) {
    const named = links === null || links === NO_LINKS ? [] : (JSON.parse(links) as unknown[]).flat();
    yield { ...mark, others: named.filter((id) => typeof id === "string") };
  }
}

/** The organization's ledger, for a pass over all its days. */
export function openLedger(db: Reader, orgId: string) {
  return {
    classes: listEvery(db, "share_classes", orgId),
    plans: listEvery(db, "equity_plans", orgId),
    adjustments: listAdjustments(db, { orgId }),
    marks: () => iterateMarks(db, orgId),
    entries: () => entries.iterate(db, { orgId }),
  } satisfies Ledger;
}
