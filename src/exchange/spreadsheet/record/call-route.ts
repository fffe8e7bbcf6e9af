// Calls a typed route for a row, inside the import's own transaction: the body is validated as the route's, and a
// refusal is reported at the cells that the body came from.

import { present } from "../../../kernel/assert.ts";
import type { Call } from "../../../kernel/call.ts";
import { findFaults } from "../../../kernel/check.ts";
import { type FieldError, Problem } from "../../../kernel/problem.ts";
import type { Warning } from "../../../kernel/warning.ts";
import { equityPlanRoutes } from "../../../resources/equity-plans/routes.ts";
import type { WriteRoute } from "../../../resources/route.ts";
import { securityRoutes } from "../../../resources/securities/routes.ts";
import { SecurityPatch } from "../../../resources/securities/schema.ts";
import { shareClassRoutes } from "../../../resources/share-classes/routes.ts";
import { stakeholderRoutes } from "../../../resources/stakeholders/routes.ts";
import { transactionRoutes } from "../../../resources/transactions/routes.ts";
import { valuationRoutes } from "../../../resources/valuations/routes.ts";
import { vestingTermsRoutes } from "../../../resources/vesting-terms/routes.ts";
import { inSavepoint, withoutSavepoint } from "../../../storage/database/savepoint.ts";
import type { SheetProblems } from "../file/cell-problem.ts";
import { headerOf, placeIn, placeOf } from "../rows/read-field.ts";
import type { SheetRow } from "../rows/understand.ts";
import type { Importing } from "./importing.ts";

const ROUTES: ReadonlyMap<string, WriteRoute> = new Map(
  [
    ...stakeholderRoutes,
    ...shareClassRoutes,
    ...equityPlanRoutes,
    ...vestingTermsRoutes,
    ...valuationRoutes,
    ...securityRoutes,
    ...transactionRoutes,
  ]
    .filter((route) => route.method === "POST" || route.method === "PATCH")
    .map((route) => [`${route.method} ${route.path.replace("/api/v1/", "")}`, route as WriteRoute]),
);

/** A body with the fields of the row that its members came from. */
export interface Asking {
  /** Such as `POST transactions/issue-shares`. */
  readonly route: string;
  readonly id?: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Members of the body by the fields of the row, where they are called otherwise. */
  readonly members?: Readonly<Record<string, string>>;
  /** What the security that it makes is described by besides, as a change of it would be. */
  readonly described?: Readonly<Record<string, unknown>>;
  /** The parcels in which it vests, where its terms do not say them. */
  readonly vestings?: string | undefined;
  /** What the entries say besides where they come from. */
  readonly noted?: Readonly<Record<string, string>>;
}

/** Where the route's answer is wrong with a row. */
interface Told {
  readonly row: SheetRow;
  readonly found: SheetProblems;
}

/**
 * Executes a route for a row; returns the id of the new record, or null if the route refused, which is then reported.
 */
export function callRoute(importing: Importing, row: SheetRow, asking: Asking): string | null {
  const { tx, found, options } = importing;
  const told = { row, found };
  const call = importing.callOf(placeOf(row), asking.noted);
  const route = present(ROUTES.get(asking.route), asking.route);
  const [body, described] = [given(asking.body), given(asking.described ?? {})];
  // A day that no change takes; it was understood as one.
  const { stockholderApprovalDate: _day, ...patched } = described;
  const [faults, ofDescription] = [route.body ? findFaults(route.body, body) : [], findFaults(SecurityPatch, patched)];
  for (const { path, detail } of [...faults, ...ofDescription]) {
    tellAt(told, asking, { code: "validation-failed", member: path.split("/")[1] ?? "", detail });
  }
  if (faults.length > 0) return null;
  // A row whose description is wrong has no effect; its other faults are reported all the same.
  const isRight = ofDescription.length === 0;
  try {
    const params = asking.id === undefined ? {} : { id: asking.id };
    const attempt = options.usesSavepoints === false ? withoutSavepoint : inSavepoint;
    const { json } = attempt(tx, () =>
      route.run(tx, describing(call, isRight ? described : {}, asking), { params, body }),
    );
    passOnWarnings(told, asking, json);
    return isRight ? idOf(json) : null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // A refusal is fully described by its errors; its own message adds nothing.
    const errors = error.slug === "validation-failed" ? (error.errors ?? []) : [];
    for (const each of errors) tellAt(told, asking, { code: error.slug, member: memberOf(each), detail: each.detail });
    if (errors.length === 0) tellAt(told, asking, { code: error.slug, member: "", detail: error.detail });
    return null;
  }
}

function given(members: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** A call whose security is written with its description: one line of the log, where a change after it would be another. */
function describing(
  call: Call,
  { totalConsideration, stockLegendIds, ...same }: Readonly<Record<string, unknown>>,
  { vestings }: Pick<Asking, "vestings">,
): Call {
  const described = given({
    ...same,
    vestings,
    statedConsideration: totalConsideration,
    stockLegendIds: stockLegendIds && JSON.stringify(stockLegendIds),
  });
  return call.importing ? { ...call, importing: { ...call.importing, described } } : call;
}

/** The warnings of a route that a row passes on: the member that each is about, and what mends it. */
const PASSED_ON: Readonly<Record<string, readonly [member: string, fix: string]>> = {
  "dated-before-split": ["effectiveDate", "Correct the day, or the quantity."],
  "dated-before-issue": ["effectiveDate", "Correct the day, or the quantity."],
  "counts-later": ["effectiveDate", "Correct the day, or the quantity."],
  "dated-ahead": ["effectiveDate", "Correct the day, if it is not to come."],
  "dated-long-ago": ["effectiveDate", "Correct the year, if it is a slip."],
  "plan-expired": ["effectiveDate", "Correct the day, or the plan's expiration date."],
  "expires-before-grant": ["expirationDate", "Correct the expiration date, or the day of the grant."],
  "holder-former": ["stakeholderId", "Correct the holder, or the holder's status."],
  "price-and-quantity-swapped": ["quantity", "Correct quantity and price, if they stand in each other's place."],
  "par-value-unchanged": [
    "stockClassId",
    "Correct the par value of the class after the import, if the charter changes it.",
  ],
  "not-by-right": ["resultingQuantity", "Correct the number, unless the paper has it."],
  "no-conversion-right": ["resultingQuantity", "Correct the class, or record its right to convert first."],
  "votes-basis-assumed": ["votesPerShare", "Say how the class votes after the import, if it votes otherwise."],
  "iso-to-non-employee": ["stakeholderId", "Correct the holder's relationships, or the kind of option."],
  "iso-term": ["expirationDate", "Correct the expiration date, or the kind of option."],
  "iso-ten-percent-holder": ["exercisePrice", "Correct strike or expiration date, or the kind of option."],
  "iso-plan-approval": ["stockPlanId", "Record when stockholders approved the plan."],
  "iso-plan-age": ["stockPlanId", "Correct the days of the plan, or the kind of option."],
  "consideration-differs": ["totalConsideration", "Correct the consideration, the price or the quantity."],
  "takes-vested": ["quantity", "Record the cancellation by hand, if the file means unvested shares."],
  "left-in-plan": ["returnToPool", "Say that it returns to the pool, if it does."],
};

function passOnWarnings(told: Told, asking: Asking, json: unknown): void {
  const { data, warnings = [] } = json as { readonly data?: Warned } & Warned;
  for (const { code, detail } of data?.warnings ?? warnings) {
    const [member, fix] = PASSED_ON[code] ?? [];
    if (member && fix) told.found.warning(code, placeIn(told.row, fieldOf(told, asking, member)), detail, fix);
  }
}

interface Warned {
  readonly warnings?: readonly Warning[];
}

function memberOf(error: FieldError): string {
  return "pointer" in error ? (error.pointer.replace(/^#\//, "").split("/")[0] ?? "") : "";
}

/** The field that a member of the body came from: of several that could be, one that the row fills, or has a column for. */
function fieldOf({ row }: Told, { members = {} }: Asking, member: string): string {
  const fields = [...Object.keys(members).filter((name) => members[name] === member), member];
  return (
    fields.find((name) => row.fields.has(name)) ?? fields.find((name) => row.columns?.has(name)) ?? fields[0] ?? ""
  );
}

interface Refused {
  readonly code: string;
  readonly member: string;
  readonly detail: string;
}

/** Reports a fault of a member, in a sentence to which the route gives all but the subject. */
function tellAt(told: Told, asking: Asking, { code, member, detail }: Refused): void {
  const field = fieldOf(told, asking, member);
  const isSentence = member === "" || !/^[a-z]/.test(detail);
  const sentence = isSentence ? detail : `${headerOf(told.row, field)} ${detail}`;
  told.found.problem(code, placeIn(told.row, field), sentence, "Correct the row.");
}

interface Made {
  readonly id?: string;
  readonly securityId?: string;
  readonly newSecurityId?: string;
  readonly transactionId?: string;
  readonly data?: Made;
}

function idOf(json: unknown): string {
  const made = json as Made;
  const { id, securityId, newSecurityId, transactionId } = made.data ?? made;
  return newSecurityId ?? securityId ?? id ?? transactionId ?? "";
}
