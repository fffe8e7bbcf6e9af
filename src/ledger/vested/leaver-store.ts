// Loads the securities of a leaver: the leaver's holdings, and the open rest of every family that was first issued to
// the leaver, whatever its holder now.
import { sql } from "kysely";
import type { CalendarDate } from "../../kernel/date.ts";
import { getRecord } from "../../storage/database/records.ts";
import { build, type Params, type Reader, type Row, statement } from "../../storage/database/sql.ts";
import type { Holder } from "../operation.ts";
import { readEntry } from "../replay/event.ts";
import { toDraft } from "../replay/replay.ts";
import { listEntriesOn } from "../replay/replay-store.ts";
import { listHeldBy } from "../store.ts";
import { findGrant, listMadeOf } from "./vesting-store.ts";

interface OfHolder {
  readonly orgId: string;
  readonly stakeholderId: string;
}

/** Securities without an origin whose issuance, or its correction, names the holder. */
const named = statement((param: Params<OfHolder>) => ({
  compile: () =>
    sql<{ readonly id: string }>`select securities.id from securities
      where securities."orgId" = ${param("orgId")} and securities."originSecurityId" is null and securities.id in (
        select "securityId" from transactions where "orgId" = ${param("orgId")} and "recordOnly" = 0
            and type in ('STOCK_ISSUANCE', 'STOCK_OPTION_ISSUANCE', 'WARRANT_ISSUANCE', 'CONVERTIBLE_ISSUANCE')
            and "stakeholderId" = ${param("stakeholderId")}
        union all
        select "securityId" from transactions where "orgId" = ${param("orgId")} and "recordOnly" = 0
            and json_extract(metadata, '$.directEdit') = 1 and json_extract(metadata, '$.correction') = 1
            and json_extract(metadata, '$.after.stakeholderId') = ${param("stakeholderId")})
      order by securities.seq`.compile(build),
}));

const exercises = statement((param: Params<{ orgId: string; ids: string }>) => ({
  compile: () =>
    sql<{ readonly id: string; readonly effectiveDate: CalendarDate }>`select id, "effectiveDate" from transactions
      where "orgId" = ${param("orgId")} and "securityId" in (select value from json_each(${param("ids")}))
        and +type = 'STOCK_OPTION_EXERCISE' and "recordOnly" = 0 and json_extract(metadata, '$.directEdit') is null
      order by +sequence`.compile(build),
}));

const everHeld = statement((param: Params<OfHolder>) => ({
  compile: () =>
    sql<{ readonly id: string }>`select id from securities where "orgId" = ${param("orgId")}
      and "stakeholderId" = ${param("stakeholderId")} and type = 'STOCK_OPTION' and "deletedAt" is null`.compile(build),
}));

/** The original grantee by the ledger: a correction from the first day on counts. */
function firstHolder(db: Reader, orgId: string, id: string): string | null {
  let holder: string | null = null;
  for (const row of listEntriesOn(db, orgId, id)) {
    const draft = toDraft(row);
    if (draft === null) continue;
    const { kind, said } = readEntry(draft);
    const { isCorrection, after } = said;
    if (kind === "issued") holder = draft.stakeholderId;
    else if (isCorrection && after.stakeholderId !== undefined) holder = after.stakeholderId;
  }
  return holder;
}

const isOpen = ({ status, deletedAt }: Row<"securities">) => status === "ACTIVE" && deletedAt === null;

/** A leaver, with every open security that the end of the service concerns: the leaver's own first. */
export interface Leaver {
  readonly holder: Holder;
  readonly securities: readonly Row<"securities">[];
}

/** Loads a leaver. Throws `404` for an unknown stakeholder. */
export function loadLeaver(db: Reader, orgId: string, stakeholderId: string): Leaver {
  const row = getRecord<Row<"stakeholders">>(db, "stakeholders", orgId, stakeholderId);
  const held = listHeldBy(db, { orgId, stakeholderId });
  const grants = named.all(db, { orgId, stakeholderId }).map(({ id }) => id);
  const family = grants
    .filter((id) => firstHolder(db, orgId, id) === stakeholderId)
    .flatMap((id) => listMadeOf(db, orgId, id));
  const own = new Set(family.map(({ id }) => id));
  const others = new Map(family.filter((each) => isOpen(each) && each.stakeholderId !== stakeholderId).map(byId));
  const isOfAnother = (each: Row<"securities">) => !own.has(each.id) && isFirstOfAnother(db, each, stakeholderId);
  const ids = JSON.stringify([...own, ...everHeld.all(db, { orgId, stakeholderId }).map(({ id }) => id)]);
  const holder: Holder = {
    row,
    holds: held.map(({ id }) => id),
    elsewhere: [...others.keys()],
    ofOthers: new Set(held.filter(isOfAnother).map(({ id }) => id)),
    exercises: exercises.all(db, { orgId, ids }),
  };
  return { holder, securities: [...held, ...others.values()] };
}

function byId(row: Row<"securities">) {
  return [row.id, row] as const;
}

function isFirstOfAnother(db: Reader, row: Row<"securities">, stakeholderId: string): boolean {
  const first = firstHolder(db, row.orgId, findGrant(db, row.orgId, row).id);
  return first !== null && first !== stakeholderId;
}
