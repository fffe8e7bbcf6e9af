// Warnings of a completed operation that is allowed but unusual, for its answer. Reads the state after it.

import type { Call } from "../../kernel/call.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { parseDecimal } from "../../kernel/numbers/decimal.ts";
import type { Warning } from "../../kernel/warning.ts";
import { findAny, findRecord } from "../../storage/database/records.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { membersOf } from "../members.ts";
import { readEntry } from "../replay/event.ts";
import { considerationWarnings } from "../rules/consideration.ts";
import { differingTotal } from "../rules/paid.ts";
import { listDatedSplits, priceInSharesOn } from "../splits/dated-splits.ts";
import type { EntryDraft } from "../types.ts";
import { asText, datedWarnings, dayWarnings } from "./dated-warnings.ts";
import { isoRecordWarnings, isoWarningsOf } from "./iso-warnings.ts";
import { issueWarningsOf, type Loaded, leftInPlan, parUnchanged, recordWarnings } from "./issue-warnings.ts";
import { ratioWarnings, toldClassIds } from "./ratio-warnings.ts";
import { type Named, Reserving, shortOfReserved } from "./short-of-reserved.ts";
import { lastDayOf, Valuations409A } from "./valuation-in-force.ts";
import { listOpenWithoutClass, listValuationsOf, type PlanRow } from "./warning-store.ts";

/** An operation that was done: its body and entries, and the records that it named, as before it. */
export interface Done extends Loaded {
  readonly route: string;
  readonly command: Readonly<Record<string, unknown>>;
  readonly entries: readonly EntryDraft[];
  readonly securities: ReadonlyMap<string, SecurityRow>;
}

/** Operations that may need more authorized shares, or authorize fewer. */
const NEEDING: ReadonlySet<string> = new Set([
  ...[
    "issue-shares",
    "issue-options",
    "issue-warrant",
    "convert",
    "split",
    "adjust-authorized",
    "adjust-reserve",
    "adjust-conversion",
  ],
]);

/** Operations after which classes may convert at another ratio. */
const CONVERTING: ReadonlySet<string> = new Set(["split", "adjust-conversion"]);

type SecurityRow = Row<"securities">;

/** What a total that is said is compared with. */
const PAID = ["statedConsideration", "pricePerShare"] as const;

/** What a direct edit may change and a class's need of shares follows from. */
const MOVING = ["status", "quantity", "stockClassId", "equityPlanId"] as const;

/**
 * All warnings about an operation, in the order of the codes. For a row of a spreadsheet without valuations and
 * reserved shares: these need all outstanding shares, again for each row.
 */
export function operationWarnings(db: Reader, { orgId, importing, today }: Call, done: Done): readonly Warning[] {
  const isos = isoWarningsOf(db, orgId, done);
  const others = [
    ...datedWarnings(db, orgId, done),
    ...dayWarnings(asText(done.command.effectiveDate), today),
    ...netWarnings(done),
    ...retractWarnings(db, orgId, done),
    ...countsUntil(done),
    ...(importing ? rowTotal(importing, done.command) : []),
    ...issueWarningsOf(db, orgId, done),
    ...parUnchanged(db, orgId, done.route, done.command),
    ...leftInPlan(db, done.securities.get(asText(done.command.securityId) ?? ""), done.route, done.command),
  ];
  if (importing || !NEEDING.has(done.route)) return [...others, ...isos];
  const reserving = new Reserving(db, orgId);
  return [
    ...others,
    ...(done.route === "issue-options" ? grantWarnings(db, orgId, grantOf(done.command), reserving) : []),
    ...shortOfReserved(db, orgId, done.entries.map(namedBy), reserving),
    ...(done.route === "split" ? splitWarnings(db, orgId, done.entries) : []),
    ...(CONVERTING.has(done.route) ? ratioWarnings(db, orgId, toldClassIds(done.entries)) : []),
    ...isos,
  ];
}

/** The same of a security that was made as a record, or changed; `before` is null for one that is new. */
export function securityWarnings(
  db: Reader,
  { importing, today }: Call,
  row: SecurityRow,
  before: SecurityRow | null,
): readonly Warning[] {
  const isPaidAnew = PAID.some((name) => before === null || row[name] !== before[name]);
  const others = [
    ...(before === null ? dayWarnings(row.grantDate, today) : []),
    ...recordWarnings(db, row, before),
    ...isoRecordWarnings(db, row, before),
    ...(isPaidAnew ? considerationWarnings(db, row) : []),
  ];
  if (importing || (before !== null && MOVING.every((name) => row[name] === before[name]))) return others;
  const reserving = new Reserving(db, row.orgId);
  const isGrant = before === null && row.type === "STOCK_OPTION";
  return [
    ...others,
    ...(isGrant ? grantWarnings(db, row.orgId, { ...row, day: row.grantDate }, reserving) : []),
    ...shortOfReserved(db, row.orgId, [row], reserving),
  ];
}

function grantOf(command: Done["command"]): Grant {
  return {
    stakeholderId: asText(command.stakeholderId),
    equityPlanId: asText(command.stockPlanId),
    stockClassId: asText(command.stockClassId),
    optionType: asText(command.optionType),
    exercisePrice: asText(command.exercisePrice),
    day: String(command.effectiveDate),
  };
}

/** The class and plan that an entry names. */
function namedBy(entry: Pick<EntryDraft, "metadata">): Named {
  const { stockClassId, equityPlanId } = membersOf(entry);
  return { stockClassId, equityPlanId };
}

function grantWarnings(db: Reader, orgId: string, grant: Grant, { plans, counting }: Reserving): readonly Warning[] {
  const plan = plans.find(({ id }) => id === grant.equityPlanId);
  const stockClassId = counting.ofOption({ ...grant, equityPlanId: plan?.id ?? null });
  const valuations = stockClassId === null ? [] : valuationWarnings(db, orgId, stockClassId, grant);
  return [...valuations, ...isoWarnings(db, orgId, grant), ...planWarnings(plan, grant.day)];
}

/** A grant of options, as an operation or a record says it. */
interface Grant extends Named {
  readonly stakeholderId: string | null;
  readonly optionType: string | null;
  readonly exercisePrice: string | null;
  readonly day: CalendarDate;
}

/** By the 409A in force on the day of the grant; if the last one is no longer in force, the warning says so. */
function valuationWarnings(
  db: Reader,
  orgId: string,
  stockClassId: string,
  { day, exercisePrice: strike }: Grant,
): readonly Warning[] {
  const valuations = new Valuations409A(listValuationsOf(db, { orgId, stockClassId }));
  const valuation = valuations.inForce(stockClassId, day);
  if (valuation === null) {
    const ended = valuations.of(stockClassId).filter(({ effectiveDate }) => effectiveDate <= day);
    const last = ended.map(lastDayOf).sort().at(-1);
    if (last === undefined) return [];
    const detail = `No 409A valuation is in force on ${day}: the last one could be relied on until ${last}.`;
    return [{ code: "valuation-expired", detail }];
  }
  if (strike === null) return [];
  const price = priceInSharesOn(day, valuation, listDatedSplits(db, orgId));
  if (parseDecimal(strike) >= parseDecimal(price)) return [];
  const detail = `The strike of ${strike} is below ${price}, the 409A valuation's price per share of ${valuation.effectiveDate}.`;
  return [{ code: "strike-below-valuation", detail }];
}

function isoWarnings(db: Reader, orgId: string, { optionType, stakeholderId }: Grant): readonly Warning[] {
  if (optionType !== "ISO" || stakeholderId === null) return [];
  const holder = findRecord(db, "stakeholders", orgId, stakeholderId);
  if (holder?.type !== "INSTITUTION") return [];
  const detail = `${holder.displayName} is an institution; only an employee can have incentive stock options.`;
  return [{ code: "iso-to-institution", detail }];
}

function planWarnings(plan: PlanRow | undefined, day: CalendarDate): readonly Warning[] {
  const begins = plan?.adoptedDate ?? plan?.boardApprovalDate ?? null;
  if (!plan || begins === null || day >= begins) return [];
  const detail = `The grant is dated ${day}, before ${plan.planName} was adopted on ${begins}.`;
  return [{ code: "granted-before-plan", detail }];
}

/** The total stated in a spreadsheet's row beside its price. */
function rowTotal({ described }: NonNullable<Call["importing"]>, command: Done["command"]): readonly Warning[] {
  const quantity = asText(command.quantity);
  if (quantity === null) return [];
  return differingTotal(described?.statedConsideration ?? null, asText(command.pricePerShare), parseDecimal(quantity));
}

/** A retraction dated after the issue leaves the mistake in the days between. */
function countsUntil({ route, command, securities }: Done): readonly Warning[] {
  const made = route === "retract" ? securities.get(String(command.securityId)) : undefined;
  const day = asText(command.effectiveDate);
  if (!made || day === null || day <= made.grantDate) return [];
  const detail = `It counts until ${day}: days from ${made.grantDate} on keep it. Date the retraction ${made.grantDate} to remove it.`;
  return [{ code: "counts-until", detail }];
}

/** The warning of a retracted security made from another: the other one does not get its shares back. */
function retractWarnings(db: Reader, orgId: string, { route, command, securities }: Done): readonly Warning[] {
  const made = route === "retract" ? securities.get(String(command.securityId)) : undefined;
  const source = made?.originSecurityId ? findAny(db, "securities", orgId, made.originSecurityId) : null;
  if (!made || !source) return [];
  const [name, of] = [made, source].map(({ certificateId, id }) => certificateId ?? id);
  const detail = `${name} was made from ${of}, which stays ${source.status} with ${source.quantity} and gets no share back.`;
  return [{ code: "source-not-restored", detail }];
}

/**
 * The warning of options and warrants without a class, own or by their plan: a split leaves them as they are, which
 * dilutes them.
 */
function splitWarnings(db: Reader, orgId: string, entries: Done["entries"]): readonly Warning[] {
  const events = entries.map((entry) => readEntry(entry));
  const inferred = new Set(events.flatMap((event) => (event.kind === "split" ? event.split.inferredSecurityIds : [])));
  const left = listOpenWithoutClass(db, { orgId }).filter(({ id }) => !inferred.has(id));
  const [first] = left;
  if (!first) return [];
  const others = left.length > 1 ? ` and ${left.length - 1} more` : "";
  const detail = `${first.certificateId ?? first.id}${others}: options and warrants that name no class, by themselves or by their plan, stay as they are.`;
  return [{ code: "left-unsplit", detail }];
}

function netWarnings({ route, command }: Done): readonly Warning[] {
  if (route !== "exercise" || command.paymentMethod !== "NET_EXERCISE") return [];
  if (asText(command.fairMarketValue) || asText(command.resultingQuantity)) return [];
  const detail =
    "Without `fairMarketValue` or `resultingQuantity` a net exercise issues the gross number of shares: nothing is withheld.";
  return [{ code: "net-without-value", detail }];
}
