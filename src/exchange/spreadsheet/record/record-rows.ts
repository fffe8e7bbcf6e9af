// Imports rows that are records: holders, classes, plans, vesting terms and valuations. An existing record is never
// changed.

import { bodyOf, membersOf } from "../codec/column.ts";
import { type RecordTable, recordColumns } from "../codec/record-columns.ts";
import { tellDiffering } from "../compare/differing.ts";
import { readBackRecord } from "../compare/record-back.ts";
import { isListedTwice } from "../rows/listed-twice.ts";
import { listed, numbered, placeIn, said } from "../rows/read-field.ts";
import { holderOf, legendsOf, meant, named, soughtIn } from "../rows/row.ts";
import type { SheetRow } from "../rows/understand.ts";
import { callRoute } from "./call-route.ts";
import type { Importing } from "./importing.ts";

type Import = (importing: Importing, row: SheetRow) => void;

const IMPORTS: Readonly<Record<string, Import>> = {
  stakeholders: importHolder,
  "share-classes": importClass,
  "equity-plans": importPlan,
  "vesting-terms": importTerms,
  valuations: importValuation,
};

/** Imports a row that is a record. */
export function importRecord(importing: Importing, row: SheetRow): void {
  IMPORTS[row.to]?.(importing, row);
}

/** The route of each kind of record. */
const ROUTES: Readonly<Record<RecordTable, string>> = {
  stakeholders: "stakeholders",
  share_classes: "share-classes",
  equity_plans: "equity-plans",
  vesting_terms: "vesting-terms",
  valuations: "valuations",
};

/** Makes a record by its route, of the row's columns and of `composed` members; returns its id. */
function create(
  importing: Importing,
  row: SheetRow,
  { table, composed = {} }: { readonly table: RecordTable; readonly composed?: Readonly<Record<string, unknown>> },
): string | null {
  const { sourceDocumentId } = importing.options;
  const columns = recordColumns(table);
  const body = { ...bodyOf(columns, row), ...composed };
  const isSourced = table !== "vesting_terms" && sourceDocumentId != null;
  const sourced = isSourced ? { ...body, sourceDocumentId } : body;
  const id = callRoute(importing, row, { route: `POST ${ROUTES[table]}`, body: sourced, members: membersOf(columns) });
  if (id !== null) importing.act(row, "create", id, readBackRecord(importing, row, { table, id, body }));
  return id;
}

/** Reports that a record exists; differences of the row change nothing, and get a warning. */
function unchanged(importing: Importing, row: SheetRow, table: RecordTable, id: string) {
  importing.act(row, tellDiffering(importing, row, { table, id }) ? "differs" : "unchanged", id);
}

function importHolder(importing: Importing, row: SheetRow): void {
  const legalName = said(row, "holder") ?? "";
  const sought = soughtIn(row);
  const { number, email } = sought;
  if (isListedTwice(importing, row)) return;
  if (importing.directory.holders.find(sought) !== "unknown") {
    const there = holderOf(importing, row);
    if (there !== null) unchanged(importing, row, "stakeholders", there);
    return;
  }
  const id = create(importing, row, { table: "stakeholders" });
  if (id === null) return;
  const kept = { number: number ?? null, email: email ?? null };
  const { displayName } = bodyOf(recordColumns("stakeholders"), row);
  importing.directory.holders.add({
    ...{ id, name: legalName, displayName: String(displayName), ...kept },
    place: placeIn(row, "holder"),
  });
}

function importClass(importing: Importing, row: SheetRow): void {
  const name = said(row, "class") ?? "";
  const prefix = said(row, "prefix") ?? "";
  const there = importing.directory.stockClass(name);
  if (there !== "unknown") {
    const id = meant(importing, row, { kind: "class", field: "class", found: there });
    if (id !== null) unchanged(importing, row, "share_classes", id);
    return;
  }
  const stockLegendIds = legendsOf(importing, row);
  if (stockLegendIds === null) return;
  const id = create(importing, row, { table: "share_classes", composed: { stockLegendIds } });
  if (id !== null) importing.directory.addClass(id, name, prefix);
}

function importPlan(importing: Importing, row: SheetRow): void {
  const planName = said(row, "plan") ?? "";
  const there = importing.directory.plan(planName);
  if (there !== "unknown") {
    const id = meant(importing, row, { kind: "plan", field: "plan", found: there });
    if (id !== null) unchanged(importing, row, "equity_plans", id);
    return;
  }
  const stockClassIds: string[] = [];
  for (const text of listed(row, "classes")) {
    const found = importing.directory.stockClass(text);
    const id = meant(importing, row, { kind: "class", field: "classes", found });
    if (id === null) return;
    stockClassIds.push(id);
  }
  const id = create(importing, row, { table: "equity_plans", composed: { stockClassIds } });
  if (id !== null) importing.directory.addPlan(id, planName);
}

const EVERY: Readonly<Record<string, number>> = { MONTHLY: 1, QUARTERLY: 3, ANNUALLY: 12 };

function importTerms(importing: Importing, row: SheetRow): void {
  const name = said(row, "terms") ?? "";
  const there = importing.directory.terms(name);
  if (there !== "unknown") {
    const id = meant(importing, row, { kind: "terms", field: "terms", found: there });
    if (id !== null) unchanged(importing, row, "vesting_terms", id);
    return;
  }
  const [months = 0, cliff = 0] = [numbered(row, "months"), numbered(row, "cliffMonths")];
  const every = EVERY[said(row, "frequency") ?? ""] ?? 1;
  if (months === 0 || cliff > months || (months - cliff) % every !== 0) {
    const detail = `${months} months with a cliff of ${cliff} cannot be divided into periods of ${every}`;
    importing.found.problem(
      "bad-schedule",
      row.fields.get("months")?.place ?? row.place,
      detail,
      "Correct the months.",
    );
    return;
  }
  const description = said(row, "description") ?? `${months} months${cliff > 0 ? `, ${cliff} months cliff` : ""}`;
  const composed = {
    description,
    triggerType: "TIME_BASED",
    vestingConditions: conditionsOf(months, cliff, every),
    schedule: {
      totalMonths: months,
      cliffMonths: cliff,
      cliffPercent: (cliff / months) * 100,
      vestingFrequency: said(row, "frequency"),
    },
  };
  const id = create(importing, row, { table: "vesting_terms", composed });
  if (id !== null) importing.directory.addTerms(id, name);
}

/** The cliff vests its part of the whole at once, the rest in even parts. */
function conditionsOf(months: number, cliff: number, every: number) {
  const after = months - cliff;
  const time = { type: "TIME_BASED", periodType: "MONTHS" };
  const first = {
    id: "cliff",
    trigger: { ...time, periodLength: cliff, occurrences: 1 },
    portion: { numerator: cliff, denominator: months },
  };
  const then = {
    id: "periodic",
    trigger: { ...time, periodLength: every, occurrences: after / every },
    portion: { numerator: every, denominator: months },
    ...(cliff > 0 ? { cliffConditionId: "cliff" } : {}),
  };
  return [...(cliff > 0 ? [first] : []), ...(after > 0 ? [then] : [])];
}

function importValuation(importing: Importing, row: SheetRow): void {
  const stockClassId = named(importing, row, "class");
  if (!stockClassId) return;
  const [type = "", price = "", effective = ""] = [said(row, "type"), said(row, "price"), said(row, "effective")];
  const there = importing.directory.valuation(type, stockClassId, price, effective);
  if (there !== null) {
    unchanged(importing, row, "valuations", there);
    return;
  }
  create(importing, row, { table: "valuations", composed: { stockClassId } });
}
