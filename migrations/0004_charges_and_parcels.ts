// What each security uses up of its plan's reserve, vesting that came with an imported issuance, and from where in the
// ledger on a milestone holds shares back (TRUTH sections 1 and 2). No entry and no figure changes: charges are worked
// out by replaying the ledger. `settings` keeps what had to be interpreted, for the report after the migration.
import { type Kysely, type RawBuilder, sql } from "kysely";
import { ChargeReplay } from "../src/ledger/interpret.ts";
import { initialState, type StoredEntry } from "../src/ledger/replay.ts";
import { vestingsColumn } from "../src/ocf/codec/vestings.ts";

const STATEMENTS: readonly string[] = [
  "ALTER TABLE securities ADD COLUMN planCharge TEXT",
  "ALTER TABLE securities ADD COLUMN chargeBasis TEXT",
  "ALTER TABLE securities ADD COLUMN vestings TEXT",
  "ALTER TABLE securities DROP COLUMN drawsOnPlan",
  "ALTER TABLE vesting_milestones ADD COLUMN heldFrom INTEGER",
  `CREATE INDEX transactions_ahead ON transactions (orgId, effectiveDate)
    WHERE recordOnly = 0 AND effectiveDate > substr(createdAt, 1, 10)`,
];

/** Changes the tables and works out the charges of every organization. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  const query = async <R>(text: RawBuilder<R>) => (await text.execute(db)).rows;
  const notes: string[] = [];
  for (const { id, legalName } of await query(
    sql<Organization>`select id, legalName from organizations order by seq`,
  )) {
    const found = [...(await takeCharges(query, id)), ...(await takeVestings(query, id))];
    notes.push(...found.map((note) => `${legalName}: ${note}`));
  }
  if (notes.length === 0) return;
  await query(sql`insert into settings (name, value) values ('report-0004', ${JSON.stringify(notes)})`);
}

type Query = <R>(text: RawBuilder<R>) => Promise<R[]>;

interface Organization {
  readonly id: string;
  readonly legalName: string;
}

interface Plan {
  readonly id: string;
  readonly planName: string;
  readonly initialSharesReserved: string;
  readonly stockClassIds: string;
}

interface StockClass {
  readonly id: string;
  readonly initialSharesAuthorized: string;
}

/** Entries read at a time. */
const PAGE = 2000;

async function takeCharges(query: Query, orgId: string): Promise<string[]> {
  const classes = await query(sql<StockClass>`select * from share_classes where orgId = ${orgId}`);
  const plans = await query(sql<Plan>`select * from equity_plans where orgId = ${orgId}`);
  const adjustments = await query(sql<StoredEntry>`select * from transactions where orgId = ${orgId}
    and type in ('STOCK_CLASS_ADJUSTMENT', 'STOCK_PLAN_ADJUSTMENT') order by sequence`);
  const replay = new ChargeReplay(initialState(classes, plans, adjustments));
  let sequence = 0;
  for (;;) {
    const page = await query(sql<StoredEntry & { sequence: number }>`select * from transactions
      where orgId = ${orgId} and sequence > ${sequence} order by sequence limit ${PAGE}`);
    for (const row of page) replay.apply(row);
    const last = page.at(-1);
    if (!last) break;
    sequence = last.sequence;
  }
  for (const { id, planCharge, chargeBasis } of replay.charges()) {
    await query(sql`update securities set planCharge = ${planCharge}, chargeBasis = ${chargeBasis}
      where orgId = ${orgId} and id = ${id}`);
  }
  const names = new Map(plans.map((plan) => [plan.id, plan.planName]));
  return [...replay.notes((id) => names.get(id) ?? id)];
}

/** Exact dates that imported issuances bring win over their terms (OCF); the originals still say them. */
async function takeVestings(query: Query, orgId: string): Promise<string[]> {
  const rows = await query(sql<{ recordId: string; raw: string }>`select recordId, raw from ocf_objects
    where orgId = ${orgId} and recordId is not null and objectType like 'TX%ISSUANCE' and raw like '%"vestings"%'`);
  let taken = 0;
  for (const { recordId, raw } of rows) {
    const vestings = vestingsColumn(JSON.parse(raw));
    if (vestings === null) continue;
    taken++;
    await query(sql`update securities set vestings = ${vestings} where orgId = ${orgId} and id = ${recordId}`);
  }
  return taken === 0 ? [] : [`${taken} imported securities vest by the days that came with them, not by their terms.`];
}
