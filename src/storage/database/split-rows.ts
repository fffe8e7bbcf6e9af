// SQL of a split whose rows follow a few at a time: how far it is, and what it makes of a row whose turn has not come.
import { sql } from "kysely";
import { insertRow } from "./row-writes.ts";
import { IS_CONCERNED, SPLIT_COLUMNS } from "./split-view.ts";
import {
  build,
  type Columns,
  exists,
  first,
  ofOrganization,
  type Params,
  type Row,
  run,
  type SqlValue,
  statement,
  type Tx,
} from "./sql.ts";

/** The split that is under way. */
export type SplitUnderWay = Row<"splits_under_way">;

/** The split of an organization whose rows follow; null if none is under way. */
export const findSplitOfRows = first((param: Params<{ orgId: string }>) =>
  ofOrganization("splits_under_way", param).selectAll(),
);

/** Whether an organization has such a split. */
export const isSplitting = exists((param: Params<{ orgId: string }>) =>
  ofOrganization("splits_under_way", param).select("orgId"),
);

/** Notes a split whose rows follow. */
export function insertSplitOfRows(tx: Tx, split: SplitUnderWay): void {
  insertRow(tx, "splits_under_way", split);
}

const dropSplit = run((param: Params<{ orgId: string }>) =>
  build.deleteFrom("splits_under_way").where("orgId", "=", param("orgId")),
);

const dropApart = run((param: Params<{ orgId: string }>) =>
  build.deleteFrom("splits_apart").where("orgId", "=", param("orgId")),
);

/** Forgets a split, all of whose rows are written. */
export function deleteSplitOfRows(tx: Tx, orgId: string): void {
  dropSplit(tx, { orgId });
  dropApart(tx, { orgId });
}

const origin = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("long_writes", param).select("origin").where("kind", "=", "split"),
);

type At = { readonly orgId: string; readonly id: string };
type SplitRow = Columns & { readonly seq: number };

const rowIn = (table: "securities" | "main.securities") =>
  statement((param: Params<At>) => ({
    compile: () =>
      sql<SplitRow>`select seq, ${sql.join(SPLIT_COLUMNS.map((name) => sql.ref(name)))} from ${sql.table(table)}
        where "orgId" = ${param("orgId")} and id = ${param("id")}`.compile(build),
  }));
const decidedRow = rowIn("securities");
const storedRow = rowIn("main.securities");

/** The columns that a split changes, before and after it, and who asked for it, as JSON. */
export interface DueSplit {
  readonly before: Columns;
  readonly after: Columns;
  readonly origin: string;
}

/** What a split under way has decided for a security and is to be written of it; null if nothing is. */
export function findDueSplit(tx: Tx, at: At): DueSplit | null {
  const [stored, decided] = [storedRow.first(tx, at), decidedRow.first(tx, at)];
  if (stored === null || decided === null) return null;
  const names = SPLIT_COLUMNS.filter((name) => stored[name] !== decided[name]);
  if (names.length === 0) return null;
  const of = (row: Columns): Record<string, SqlValue> =>
    Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
  return { before: of(stored), after: of(decided), origin: origin.first(tx, { orgId: at.orgId })?.origin ?? "{}" };
}

/**
 * Takes a security out of the split's turn, whether the split concerns it or not: it may do so after the change for
 * which this is called, and that counts in shares of after the split.
 */
export const takeApart = run((param: Params<At>) => ({
  compile: () =>
    sql`insert or ignore into splits_apart ("orgId", "securitySeq")
      select stored."orgId", stored.seq from main.securities as stored
        join splits_under_way as split on split."orgId" = stored."orgId"
        join long_writes as write on write."orgId" = split."orgId" and write.kind = 'split'
      where stored."orgId" = ${param("orgId")} and stored.id = ${param("id")}
        and stored.seq > write."after" and stored.seq <= split."upTo"`.compile(build),
}));

/** Rows that are looked at together. */
const DUE_AT_ONCE = 1000;

/** A row behind the one that was reached, and whether the split changes it. */
interface Behind {
  readonly seq: number;
  readonly id: string;
  readonly isConcerned: number;
}

const behind = statement((param: Params<{ orgId: string; after: number; limit: number }>) => ({
  compile: () =>
    sql<Behind>`select stored.seq, stored.id, ${sql.raw(IS_CONCERNED)} as "isConcerned"
      from splits_under_way as split join main.securities as stored on stored."orgId" = split."orgId"
      where split."orgId" = ${param("orgId")} and stored.seq > ${param("after")} and stored.seq <= split."upTo"
      order by stored.seq limit ${param("limit")} + 0`.compile(build),
}));

/** The next securities after a row number, oldest first. */
export function listBehind(
  tx: Tx,
  args: { readonly orgId: string; readonly after: number; readonly limit: number },
): readonly Behind[] {
  return behind.all(tx, args);
}

/** What a split under way has decided for each security that is to be written yet, oldest first. */
export function* eachDueSplit(tx: Tx, orgId: string): Generator<DueSplit & { readonly id: string }> {
  for (let after = 0; ; ) {
    const rows = listBehind(tx, { orgId, after, limit: DUE_AT_ONCE });
    for (const { seq, id, isConcerned } of rows) {
      const due = isConcerned === 1 ? findDueSplit(tx, { orgId, id }) : null;
      if (due !== null) yield { ...due, id };
      after = seq;
    }
    if (rows.length < DUE_AT_ONCE) return;
  }
}
