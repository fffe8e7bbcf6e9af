// Input of a report, read once: the cap table at a moment by the ledger's replay, the flows of each security, and the
// other records. All later steps are pure.

import type { CalendarDate } from "../../kernel/date.ts";
import { collectAll, Relief } from "../../kernel/gc-hints.ts";
import { END_OF_TIME, type Timestamp } from "../../kernel/runtime.ts";
import { DEFAULT_CURRENCY } from "../../kernel/text/currency.ts";
import { OneText } from "../../kernel/text/one-text.ts";
import { GENESIS_HASH } from "../../ledger/hash.ts";
import { listTermsEntries } from "../../ledger/replay/replay-store.ts";
import { type CountsThen, type EarlierTerms, earlierTerms } from "../../ledger/replay/terms-then.ts";
import { asThen, readVestingThen } from "../../ledger/vested/vesting-then-store.ts";
import { getOrganization } from "../../resources/organization/store.ts";
import { findSetting } from "../../storage/database/settings.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { beginningAfter } from "../cap-table/beginning.ts";
import type { Source } from "../cap-table/layout/table-answer.ts";
import { type CapTable, layOutTable } from "../cap-table/table.ts";
import { type Lineage, readLineage, readView, type View } from "../cap-table/view.ts";
import { Flows } from "./flows.ts";
import { type Amounts, PaidSums } from "./paid.ts";
import {
  findEntryAt,
  findKnownHead,
  type HeadRow,
  iterateDescriptions,
  iterateKnownStakeholders,
  iterateUpTo,
  listDescriptions,
  listKnownValuations,
  listLegends,
  listTermsNames,
  type SecurityRow,
} from "./store.ts";

/** What is asked of a report. */
export interface Asked {
  readonly asOf: CalendarDate;
  /** Null: by all that is recorded. */
  readonly knownAt: Timestamp | null;
  /** The place of the last entry that counts, where it is not the last that is known. */
  readonly upTo?: number | undefined;
}

/** Where the ledger stood: sequence 0, and the time at which the organization was made, without any entry. */
export interface Head extends Omit<HeadRow, "effectiveDate"> {
  readonly effectiveDate: CalendarDate | null;
}

/** What classes cost at the moment, where their records do not say it. */
export interface ClassTermsThen {
  /** The terms of those that an entry changed which does not count. */
  readonly earlier: ReadonlyMap<string, EarlierTerms>;
}

/** The company as a report shows it. */
export interface Company {
  readonly organization: Row<"organizations">;
  readonly currency: string;
  readonly isTest: boolean;
  readonly asked: Asked;
  readonly head: Head;
  readonly view: View;
  readonly table: CapTable;
  readonly flows: Flows;
  readonly valuations: readonly Row<"valuations">[];
  readonly classTerms: ClassTermsThen;
  /** Names by id, deleted records' too. */
  readonly names: { readonly [K in "holders" | "classes" | "plans" | "terms"]: ReadonlyMap<string, string> };
  readonly legends: ReadonlyMap<string, { readonly name: string; readonly text: string }>;
  /** The number on each security's paper, null without a number; deleted ones' too. */
  readonly numbers: ReadonlyMap<string, string | null>;
  /** The day on which the ledger begins, where the report is of one before it; else null. */
  readonly beginning: CalendarDate | null;
  /** What was paid for securities, and what of it cannot be told. */
  readonly amounts: Amounts;
  /** What describes some securities, by id; read when it is asked for, as of a large company all of it takes much memory. */
  descriptionsOf(ids: readonly string[]): ReadonlyMap<string, SecurityRow>;
  /** Walks the ledger up to the head. */
  entries(): Iterable<Row<"transactions">>;
  /** Walks the stakeholders that were there, oldest first. */
  stakeholders(): Iterable<Row<"stakeholders">>;
}

/** What the cap table of a company is laid out from. */
export function layoutOf({ table, view }: Pick<Company, "table" | "view">): Source {
  return { table, ranks: view.names.classes };
}

/** The head of the ledger as known at an instant, or the entry at a place. */
export function readHead(db: Reader, orgId: string, { knownAt, upTo }: Pick<Asked, "knownAt" | "upTo">): Head {
  const found =
    upTo === undefined
      ? findKnownHead(db, { orgId, knownAt: knownAt ?? END_OF_TIME })
      : findEntryAt(db, { orgId, sequence: upTo });
  const { createdAt } = getOrganization(db, orgId);
  return found ?? { sequence: 0, hash: GENESIS_HASH, createdAt, effectiveDate: null };
}

/** Has securities share their texts: a replay leaves each with its own of them. */
function shareTexts({ state }: View, flows: Flows): void {
  const one = new OneText();
  const shared = ["stakeholderId", "stockClassId", "equityPlanId", "pricePerShare", "exercisePrice"] as const;
  for (const security of state.securities.values()) one.ofRow(security, shared);
  for (const flow of flows.securities.values()) one.ofRow(flow, ["date", "madeFor", "price"]);
}

/** Walks what describes securities, keeping little of it. */
function readDescriptions(
  rows: Iterable<SecurityRow>,
  { view, flows, currency }: Pick<Company, "view" | "flows" | "currency">,
) {
  const { securities } = view.state;
  const numbers = new Map<string, string | null>();
  const paid = new PaidSums(currency);
  const relief = new Relief();
  for (const row of rows) {
    const state = securities.get(row.id);
    const flow = flows.securities.get(row.id);
    numbers.set(state?.id ?? row.id, row.certificateId);
    if (state && flow) paid.add(flow, state, row);
    relief.row();
  }
  return { numbers, amounts: paid.amounts() };
}

function readClassTerms(db: Reader, orgId: string, { asOf, knownAt, upTo }: Asked): ClassTermsThen {
  const entries = listTermsEntries(db, { orgId });
  const [until, last] = [knownAt ?? END_OF_TIME, upTo ?? Number.MAX_SAFE_INTEGER];
  const counts: CountsThen = ({ effectiveDate, createdAt, sequence }) =>
    effectiveDate <= asOf && createdAt <= until && sequence <= last;
  return { earlier: earlierTerms(entries, counts) };
}

/** From so many securities on, what a replay leaves behind is more than a look at all memory costs. */
const COLLECTED_FROM = 20_000;

/** Reads it. The caller holds a snapshot for as long as the report is made. */
export function readCompany(db: Reader, orgId: string, asked: Asked): Company {
  const knownAt = asked.knownAt ?? END_OF_TIME;
  const flows = new Flows(asked.asOf);
  const view = readView(db, orgId, { asOf: asked.asOf, knownAt }, { companions: [flows], upTo: asked.upTo });
  shareTexts(view, flows);
  const company = companyOf(db, orgId, { asked, view, flows });
  const then = readVestingThen(db, orgId, knownAt).securities;
  if (flows.securities.size > COLLECTED_FROM) collectAll();
  return {
    ...company,
    ...readDescriptions(iterateDescriptions(db, { orgId }), company),
    descriptionsOf: (ids) =>
      byId(listDescriptions(db, { orgId, ids: JSON.stringify(ids) }).map((row) => asThen(row, then))),
    stakeholders: () => iterateKnownStakeholders(db, { orgId, knownAt }),
    valuations: listKnownValuations(db, { orgId, knownAt, asOf: asked.asOf }),
    classTerms: readClassTerms(db, orgId, asked),
  };
}

/** The same of a security and all that it came of: its table, registers and lists are of these alone. */
export function readFew(
  db: Reader,
  orgId: string,
  asked: Asked,
  lineage: Lineage & { readonly rows: readonly Row<"securities">[] },
): Company {
  const { asOf, upTo } = asked;
  const flows = new Flows(asOf);
  const moment = { asOf, knownAt: asked.knownAt ?? END_OF_TIME };
  const view = readLineage(db, orgId, moment, lineage, { companions: [flows], upTo });
  const company = companyOf(db, orgId, { asked, view, flows });
  const then = readVestingThen(db, orgId, moment.knownAt).securities;
  const described = byId(lineage.rows.map((row) => asThen(row, then)));
  return {
    ...company,
    ...readDescriptions(lineage.rows, company),
    descriptionsOf: () => described,
    stakeholders: () => [],
    valuations: [],
    classTerms: { earlier: new Map() },
  };
}

function byId(rows: readonly SecurityRow[]): ReadonlyMap<string, SecurityRow> {
  return new Map(rows.map((row) => [row.id, row]));
}

/** What was replayed, and how it is followed. */
type Replayed = Pick<Company, "asked" | "view" | "flows">;

function companyOf(db: Reader, orgId: string, { asked, view, flows }: Replayed) {
  flows.finish();
  const organization = getOrganization(db, orgId);
  const head = readHead(db, orgId, asked);
  const { names } = view;
  return {
    ...{ organization, asked, head, view, flows },
    currency: organization.currency ?? DEFAULT_CURRENCY,
    isTest: findSetting(db, "environment") === "test",
    table: layOutTable(view),
    names: {
      holders: new Map(names.stakeholders.map(({ id, displayName }) => [id, displayName])),
      classes: new Map(names.classes.map(({ id, name }) => [id, name])),
      plans: new Map(names.plans.map(({ id, planName }) => [id, planName])),
      terms: new Map(listTermsNames(db, { orgId }).map(({ id, name }) => [id, name])),
    },
    legends: new Map(listLegends(db, { orgId }).map(({ id, name, text }) => [id, { name, text }])),
    beginning: beginningAfter(db, orgId, view.moment, asked.upTo),
    entries: () => iterateUpTo(db, { orgId, sequence: head.sequence }),
  };
}
