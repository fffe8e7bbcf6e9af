// SQL of the pass over all past days: an organization's entries, first without their members, then whole. Entries that
// neither change a holding nor name a class, and record-only ones, are left out.

import { sql } from "kysely";
import { listEvery } from "../../storage/database/records.ts";
import {
  build,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  statement,
  variants,
} from "../../storage/database/sql.ts";
import { typesThat } from "../replay/event.ts";
import type { StoredEntry } from "../replay/replay.ts";
import { listAdjustments } from "../replay/replay-store.ts";
import type { Ledger, Mark } from "./ledger.ts";

const CHANGE_NOTHING = [...typesThat("fact"), "STAKEHOLDER_UPDATE"];

/** The columns of an entry that replaying it needs. */
const COLUMNS = [
  ...["sequence", "type", "securityId", "stakeholderId", "quantity", "effectiveDate", "metadata", "recordOnly"],
] as const;

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
    .select(COLUMNS)
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

const every = statement((param: Params<{ orgId: string; after: number }>) =>
  ofOrganization("transactions", param)
    .select(COLUMNS)
    .where("recordOnly", "=", 0)
    .where("sequence", ">", param("after"))
    .orderBy("sequence"),
);

/** An entry of any kind, with its place. */
export type PlacedRow = StoredEntry & { readonly sequence: number };

/** The organization's entries after a place, those that change nothing too, in the order of recording. */
export function iterateEvery(db: Reader, orgId: string, after: number): Iterable<PlacedRow> {
  return every.iterate(db, { orgId, after });
}

type GrantedRow = Pick<Row<"securities">, "id" | "grantDate" | "vestingStartDate">;

/** Original stock with nothing to vest but its grant, which is dated later than its issuance. */
const grantedLater = variants<{ readonly orgId: string; readonly ids: string }, GrantedRow, [isAmong: boolean]>(
  (param, isAmong) => ({
    compile: () =>
      sql<GrantedRow>`select id, "grantDate", "vestingStartDate" from securities
        where "orgId" = ${param("orgId")}
          and ${isAmong ? sql`id in (select value from json_each(${param("ids")}))` : sql`1`}
          and type = 'STOCK' and "vestingTermsId" is null and vestings is null and "originSecurityId" is null
          and exists (select 1 from transactions issued where issued."orgId" = ${param("orgId")}
              and issued."securityId" = securities.id and issued."effectiveDate" < securities."grantDate"
              and +issued.type = 'STOCK_ISSUANCE')`.compile(build),
  }),
);

/** Such stock, of all or of some ids: it vests with its grant, and views of later days need not follow it. */
export function listGrantedLater(db: Reader, orgId: string, ids: readonly string[] | null): GrantedRow[] {
  return grantedLater(ids !== null).all(db, { orgId, ids: JSON.stringify(ids) });
}
