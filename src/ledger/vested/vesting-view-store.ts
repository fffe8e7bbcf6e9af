// Loads the vesting facts of all securities of an organization at once: one read for each table, where vesting-store.ts
// reads one security's line.
import { sql } from "kysely";
import type { CalendarDate } from "../../kernel/date.ts";
import { END_OF_TIME, type Timestamp } from "../../kernel/runtime.ts";
import { OneText } from "../../kernel/text/one-text.ts";
import {
  build,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  statement,
  variants,
} from "../../storage/database/sql.ts";
import { readParcels } from "../vesting/parcels-json.ts";
import type { VestingRules } from "../vesting/vesting-types.ts";
import type { AttachedMilestone, VestingSubject } from "./vesting-account.ts";
import { readRules, toMilestone } from "./vesting-store.ts";
import { asThen, readVestingThen } from "./vesting-then-store.ts";

interface OfOrganization {
  readonly orgId: string;
}

type SubjectRow = Pick<Row<"securities">, "id" | "grantDate" | "vestingStartDate" | "vestingTermsId" | "vestings">;

/**
 * Original stock without vesting has vested with its grant; most securities are of this kind. Stock with an entry
 * before its grant date has not.
 */
type Asked = OfOrganization & { readonly asOf: CalendarDate; readonly after: number; readonly ids: string } & {
  /** Those that had something else to vest by then. */
  readonly changed: string;
};
const securities = variants<Asked, SubjectRow, [isAmong: boolean]>((param, isAmong) => ({
  compile: () =>
    sql<SubjectRow>`select id, "grantDate", "vestingStartDate", "vestingTermsId", vestings from securities
      where "orgId" = ${param("orgId")} and seq > ${param("after")}
        and ${isAmong ? sql`id in (select value from json_each(${param("ids")}))` : sql`1`} and (
        type <> 'STOCK' or "vestingTermsId" is not null or vestings is not null or "originSecurityId" is not null
        or id in (select "securityId" from vesting_milestones where "orgId" = ${param("orgId")})
        or id in (select value from json_each(${param("changed")}))
        or "grantDate" > ${param("asOf")} and exists (
          select 1 from transactions issued where issued."orgId" = ${param("orgId")}
            and issued."securityId" = securities.id and issued."effectiveDate" <= ${param("asOf")}
            and +issued.type = 'STOCK_ISSUANCE'))`.compile(build),
}));

const terms = statement((param: Params<OfOrganization>) => ofOrganization("vesting_terms", param).selectAll());

const milestones = statement((param: Params<OfOrganization>) =>
  ofOrganization("vesting_milestones", param)
    .select(["id", "securityId", "quantity", "completedAt", "heldFrom", "createdAt", "deletedAt"])
    .orderBy("seq"),
);

interface EarlierStart {
  readonly id: string;
  readonly vestingStartDate: CalendarDate | null;
}

/**
 * A recorded start changes the security's own: a view from before it uses the issuance's start. The plus has SQLite
 * look up each security's few entries: else it walks all issuances for each start.
 */
const earlierStarts = statement((param: Params<OfOrganization & { readonly knownAt: Timestamp }>) => ({
  compile: () =>
    sql<EarlierStart>`select issued."securityId" as id, coalesce(issued.metadata ->> '$.vestingStartDate',
        iif(issued.metadata ->> '$.ocfObjectType' is null, issued."effectiveDate", null)) as "vestingStartDate"
      from transactions started cross join transactions issued
        on issued."orgId" = started."orgId" and issued."securityId" = started."securityId"
      where started."orgId" = ${param("orgId")} and started.type = 'VESTING_START'
        and started.type <> 'STOCK_ISSUANCE' and started."recordOnly" = 0
        and started."createdAt" > ${param("knownAt")} and started.metadata ->> '$.conditionId' is null
        and +issued.type in ('STOCK_ISSUANCE', 'STOCK_OPTION_ISSUANCE', 'WARRANT_ISSUANCE')
        and issued."recordOnly" = 0 and issued.metadata ->> '$.directEdit' is null`.compile(build),
}));

/** The instant of the vesting facts, and the day of the view. */
export interface Known {
  readonly asOf: CalendarDate;
  readonly at: Timestamp;
  /** The place of the last entry known then: a milestone attached later held no shares back yet. */
  readonly sequence: number;
}

type MilestoneRow = Pick<
  Row<"vesting_milestones">,
  "id" | "securityId" | "quantity" | "completedAt" | "heldFrom" | "createdAt" | "deletedAt"
>;

/** Facts about securities that the ledger does not have, by id. */
export type VestingSubjects = ReadonlyMap<string, VestingSubject>;

/**
 * Such facts about each security after the row `after`, or about those with some ids, deleted ones included, as known
 * then. Stock that has vested with its grant by then is left out.
 */
export function loadVestingSubjects(
  db: Reader,
  orgId: string,
  known: Known,
  { after = 0, ids = null }: { readonly after?: number; readonly ids?: readonly string[] | null } = {},
): VestingSubjects {
  const then = readVestingThen(db, orgId, known.at);
  const rules = new Map<string | null, VestingRules>(
    terms.all(db, { orgId }).map((row) => [row.id, readRules(asThen(row, then.terms))]),
  );
  const attached = milestones.all(db, { orgId }).map((row) => asThen(row, then.milestones));
  const held = Map.groupBy(
    attached.filter((row) => isKnown(row, known)),
    ({ securityId }) => securityId,
  );
  // With everything known, starts need no reconstruction, which would read every start.
  const unknown = known.at === END_OF_TIME ? [] : earlierStarts.all(db, { orgId, knownAt: known.at });
  const starts = new Map(unknown.map(({ id, vestingStartDate }) => [id, vestingStartDate]));
  const none: readonly AttachedMilestone[] = [];
  const one = new OneText();
  const subjects = new Map<string, VestingSubject>();
  const changed = JSON.stringify([
    ...then.securities.keys(),
    ...attached.flatMap(({ securityId }) => securityId ?? []),
  ]);
  const asked = { orgId, asOf: known.asOf, after, ids: JSON.stringify(ids), changed };
  for (const row of securities(ids !== null).iterate(db, asked)) {
    const { id, grantDate, vestingTermsId, vestings, ...others } = asThen(row, then.securities);
    const isStartTold = then.securities.get(id)?.vestingStartDate !== undefined;
    const vestingStartDate = starts.has(id) && !isStartTold ? (starts.get(id) ?? null) : others.vestingStartDate;
    subjects.set(id, {
      id,
      grantDate: one.of(grantDate),
      vestingStartDate: one.of(vestingStartDate),
      vestingTermsId: one.of(vestingTermsId),
      rules: rules.get(vestingTermsId) ?? null,
      vestings: vestings === null ? null : readParcels(JSON.parse(vestings)),
      milestones: held.get(id)?.map((each) => toMilestone(completedBy(each, known))) ?? none,
    });
  }
  return subjects;
}

function isKnown({ createdAt, deletedAt, heldFrom }: MilestoneRow, known: Known): boolean {
  if (createdAt > known.at || (heldFrom !== null && heldFrom > known.sequence)) return false;
  return deletedAt === null || deletedAt > known.at;
}

function completedBy(row: MilestoneRow, { at }: Known): MilestoneRow {
  return row.completedAt !== null && row.completedAt > at ? { ...row, completedAt: null } : row;
}
