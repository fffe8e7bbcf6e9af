// Imports rows that are records: holders, classes, plans, vesting terms and valuations. An existing record is never
// changed.

import { type ComparedTable, tellDiffering } from "../compare/differing.ts";
import { readBackRecord } from "../compare/record-back.ts";
import { isListedTwice } from "../rows/listed-twice.ts";
import { isSaid, listed, numbered, placeIn, said } from "../rows/read-field.ts";
import { holderOf, legendsOf, meant, named, soughtIn } from "../rows/row.ts";
import type { SheetRow } from "../rows/understand.ts";
import { callRoute } from "./call-route.ts";
import type { Importing } from "./importing.ts";

const DISPLAY_NAME_MAX = 100;

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

/** The record of a row. */
interface Draft {
  readonly route: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The member of the body that a field of the row is, where it is called otherwise. */
  readonly members?: Readonly<Record<string, string>>;
}

const TABLES: Readonly<Record<string, ComparedTable>> = {
  stakeholders: "stakeholders",
  "share-classes": "share_classes",
  "equity-plans": "equity_plans",
  "vesting-terms": "vesting_terms",
  valuations: "valuations",
};

/** Makes a record by its route; returns its id. */
function create(importing: Importing, row: SheetRow, { route, body, members }: Draft): string | null {
  const { sourceDocumentId } = importing.options;
  const isSourced = route !== "vesting-terms" && sourceDocumentId != null;
  const sourced = isSourced ? { ...body, sourceDocumentId } : body;
  const asking = { route: `POST ${route}`, body: sourced, ...(members ? { members } : {}) };
  const id = callRoute(importing, row, asking);
  if (id !== null) {
    const recorded = readBackRecord(importing, row, { table: TABLES[row.to] ?? "stakeholders", id, body });
    importing.act(row, "create", id, recorded);
  }
  return id;
}

/** Reports that a record exists; differences of the row change nothing, and get a warning. */
function unchanged(importing: Importing, row: SheetRow, table: ComparedTable, id: string) {
  importing.act(row, tellDiffering(importing, row, { table, id }) ? "differs" : "unchanged", id);
}

function withoutGaps(members: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
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
  const displayName = said(row, "displayName") ?? [...legalName].slice(0, DISPLAY_NAME_MAX).join("");
  const body = {
    displayName,
    name: withoutGaps({ legalName, firstName: said(row, "firstName"), lastName: said(row, "lastName") }),
    type: said(row, "type"),
    status: said(row, "status"),
    relationships: listed(row, "relationships"),
    email,
    issuerAssignedId: number,
    comments: said(row, "comments"),
  };
  const id = create(importing, row, {
    route: "stakeholders",
    body,
    members: { holder: "name", holderNumber: "issuerAssignedId" },
  });
  if (id === null) return;
  const kept = { number: number ?? null, email: email ?? null };
  importing.directory.holders.add({ ...{ id, name: legalName, displayName, ...kept }, place: placeIn(row, "holder") });
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
  const body = {
    name,
    classType: said(row, "classType"),
    defaultIdPrefix: prefix,
    initialSharesAuthorized: said(row, "authorized"),
    votesPerShare: said(row, "votes"),
    seniority: numbered(row, "seniority"),
    parValue: said(row, "parValue"),
    pricePerShare: said(row, "issuePrice"),
    liquidationPreferenceMultiple: said(row, "liquidationMultiple"),
    isParticipating: isSaid(row, "participating"),
    participationCapMultiple: said(row, "participationCap"),
    boardApprovalDate: said(row, "boardApproval"),
    stockholderApprovalDate: said(row, "stockholderApproval"),
    comments: said(row, "comments"),
    stockLegendIds,
  };
  const members = {
    class: "name",
    prefix: "defaultIdPrefix",
    authorized: "initialSharesAuthorized",
    votes: "votesPerShare",
  };
  const id = create(importing, row, {
    route: "share-classes",
    body,
    members: { ...members, issuePrice: "pricePerShare" },
  });
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
  const body = {
    planName,
    planType: said(row, "planType"),
    initialSharesReserved: said(row, "reserved"),
    stockClassIds,
    defaultCancellationBehavior: said(row, "cancellation"),
    adoptedDate: said(row, "adopted"),
    expirationDate: said(row, "expires"),
    boardApprovalDate: said(row, "boardApproval"),
    stockholderApprovalDate: said(row, "stockholderApproval"),
    comments: said(row, "comments"),
  };
  const id = create(importing, row, {
    route: "equity-plans",
    body,
    members: { plan: "planName", reserved: "initialSharesReserved" },
  });
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
  const body = {
    name,
    description,
    allocationMethod: said(row, "allocation"),
    triggerType: "TIME_BASED",
    vestingConditions: conditionsOf(months, cliff, every),
    schedule: {
      totalMonths: months,
      cliffMonths: cliff,
      cliffPercent: (cliff / months) * 100,
      vestingFrequency: said(row, "frequency"),
    },
  };
  const id = create(importing, row, {
    route: "vesting-terms",
    body,
    members: { terms: "name", allocation: "allocationMethod" },
  });
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
  const body = {
    type,
    stockClassId,
    pricePerShare: price,
    effectiveDate: effective,
    expirationDate: said(row, "expires"),
    status: said(row, "status") ?? "APPROVED",
    provider: said(row, "provider"),
    reportId: said(row, "report"),
    fairMarketValue: said(row, "fairMarketValue"),
    enterpriseValue: said(row, "enterpriseValue"),
    boardApprovalDate: said(row, "boardApproval"),
    comments: said(row, "comments"),
  };
  create(importing, row, {
    route: "valuations",
    body,
    members: {
      class: "stockClassId",
      price: "pricePerShare",
      effective: "effectiveDate",
    },
  });
}
