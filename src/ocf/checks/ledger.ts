// Plays a package's transactions by date and says where they cannot have happened: on securities that did not exist
// yet, exist no more, or hold less. OCF's own rules: what ends a security in part opens a balance security. Pure.
import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, formatDecimal, max, scale, ZERO } from "../../kernel/decimal.ts";
import { type Findings, pointerTo, shown } from "../finding.ts";
import { dateOf, decimalOf, isObject, objectsOf, textOf, textsOf, toDecimal } from "../json.ts";
import { readRestatement } from "../mapping/restatement.ts";
import type { SecurityFamily } from "../schemas/registry.ts";
import { type Located, type PackageIndex, whereIs, YIELD_EVERY } from "./objects.ts";
import { checkResults, type Results, resultsOf } from "./results.ts";
import { Totals } from "./totals.ts";

/** A security in the course of the replay. */
export interface Security {
  readonly id: string;
  readonly family: SecurityFamily;
  readonly issuance: Located;
  readonly date: CalendarDate | null;
  /** The place of its issuance among the package's objects. */
  readonly position: number;
  /** Shares, or a convertible's principal; null where the issuance gives none (some warrants) or none readable. */
  readonly issued: Decimal | null;
  /** What is left of it now; null as for `issued`. */
  held: Decimal | null;
  /** The most that it ever held: what was issued, or what a split made of it. */
  most: Decimal | null;
  closedBy: Located | null;
}

/** Nobody holds more; a security that splits beyond it is not counted any further. */
const HELD_MAX = 10n ** 60n;

interface Event {
  readonly at: Located;
  readonly date: CalendarDate;
  readonly position: number;
  readonly rank: number;
}

interface Ledger {
  readonly index: PackageIndex;
  readonly findings: Findings;
  readonly securities: ReadonlyMap<string, Security>;
  readonly results: Results;
  readonly totals: Totals;
}

/** Replays the ledger of the package; every impossibility becomes a finding at the transaction that is impossible. */
export function* checkLedger(index: PackageIndex, findings: Findings): Generator<void> {
  const securities = openSecurities(index);
  yield;
  const results = resultsOf(index);
  yield;
  const totals = new Totals(index, results, findings);
  const ledger: Ledger = { index, findings, securities, results, totals };
  const events = eventsOf(index);
  for (const [i, event] of events.entries()) {
    // A split looks at every security of the package.
    if (i % YIELD_EVERY === 0 || event.at.objectType === "TX_STOCK_CLASS_SPLIT") yield;
    apply(event, ledger);
    const next = events[i + 1];
    if (next?.date !== event.date) totals.endOfDay(event.date);
  }
  totals.certificates(securities.values());
}

function openSecurities(index: PackageIndex): Map<string, Security> {
  const securities = new Map<string, Security>();
  for (const [position, at] of index.objects.entries()) {
    const id = textOf(at.value, "security_id");
    const { family, action } = at.type;
    if (family === null || action !== "ISSUANCE" || id === null || securities.has(id)) continue;
    const issued = decimalOf(at.value, family === "CONVERTIBLE" ? "investment_amount" : "quantity");
    const date = dateOf(at.value, "date");
    securities.set(id, {
      id,
      family,
      issuance: at,
      date,
      position,
      issued,
      held: issued,
      most: issued,
      closedBy: null,
    });
  }
  return securities;
}

/** Transactions by date; on one day issuances come first, then exercises, then the rest in the package's order. */
function eventsOf(index: PackageIndex): Event[] {
  const events: Event[] = [];
  for (const [position, at] of index.objects.entries()) {
    const date = dateOf(at.value, "date");
    if (date === null || at.type.fileType !== "OCF_TRANSACTIONS_FILE") continue;
    events.push({ at, date, position, rank: rankOf(at) });
  }
  return events.sort((a, b) => compare(a.date, b.date) || a.rank - b.rank || a.position - b.position);
}

function rankOf({ type: { action, family } }: Located): number {
  if (action === "ISSUANCE") return 0;
  return family === "EQUITY_COMPENSATION" && (action === "EXERCISE" || action === "RELEASE") ? 1 : 2;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function apply(event: Event, ledger: Ledger): void {
  const { at } = event;
  if (at.type.action === "ISSUANCE") applyIssuance(event, ledger);
  else if (at.objectType === "TX_STOCK_CLASS_SPLIT") applySplit(event, ledger);
  else if (at.objectType === "TX_STOCK_CONSOLIDATION") applyConsolidation(event, ledger);
  else if (at.type.action !== null || at.objectType.startsWith("TX_VESTING_")) applyOnSecurity(event, ledger);
  else {
    if (at.objectType === "TX_STOCK_PLAN_RETURN_TO_POOL") checkReturn(at, ledger);
    ledger.totals.adjust(at);
  }
}

function applyIssuance({ at }: Event, { securities, totals, findings }: Ledger): void {
  const security = securities.get(textOf(at.value, "security_id") ?? "");
  if (!security || security.issuance !== at) return;
  const { issued, family } = security;
  if (issued !== null && issued <= 0n) {
    const field = family === "CONVERTIBLE" ? "investment_amount" : "quantity";
    const place = { ...at, pointer: pointerTo(field) };
    const detail = `The security is issued for ${formatDecimal(issued)}.`;
    if (issued < 0n) findings.problem("not-positive", place, detail, "Write the number of shares or the amount.");
    else findings.warning("not-positive", place, detail, "Nothing to do if nothing was issued on purpose.");
  }
  totals.issue(security);
}

/** The transaction's security where it can be acted on; otherwise null, after saying why. */
function usable(event: Event, id: string | null, pointer: string, ledger: Ledger): Security | null {
  const { at, date } = event;
  const { findings } = ledger;
  const security = ledger.securities.get(id ?? "");
  if (!security || security.date === null) return null;
  const place = { ...at, pointer };
  const { type } = at;
  if (type.family !== null && type.family !== security.family) {
    const detail = `${at.objectType} acts on ${shown(security.id)}, which ${security.issuance.objectType} made.`;
    findings.problem("wrong-kind", place, detail, "Correct the security_id, or use the transaction of that kind.");
    return null;
  }
  if (at.objectType !== "TX_VESTING_START" && date < security.date) {
    const detail = `This happens on ${date}, but the security ${shown(security.id)} was issued on ${security.date}.`;
    findings.problem("before-issuance", { ...at, pointer: "#/date" }, detail, "Correct one of the two dates.");
    return null;
  }
  const { closedBy } = security;
  if (closedBy === null) return security;
  const closed = `${closedBy.objectType} of ${dateOf(closedBy.value, "date")} (${whereIs(closedBy)})`;
  const detail = `The security ${shown(security.id)} had ended before, by ${closed}.`;
  const fix = "Remove one of the two, correct their dates, or name the balance or resulting security.";
  if (changesHolding(at)) findings.problem("closed-security", place, detail, fix);
  else if (dateOf(closedBy.value, "date") !== date) findings.warning("closed-security", place, detail, fix);
  return null;
}

function changesHolding({ type: { action } }: Located): boolean {
  return action !== null && action !== "ACCEPTANCE";
}

function applyOnSecurity(event: Event, ledger: Ledger): void {
  const { at } = event;
  const security = usable(event, textOf(at.value, "security_id"), "#/security_id", ledger);
  if (!security || !changesHolding(at) || at.type.action === "REPRICING") return;
  checkTrigger(at, security, ledger.findings);
  const amount = amountOf(at, security, ledger);
  checkResults(at, security, amount, ledger);
  if (at.type.family === "EQUITY_COMPENSATION" && (at.type.action === "EXERCISE" || at.type.action === "RELEASE")) {
    const left = security.held === null || amount === null ? security.held : security.held - amount;
    ledger.totals.change(at, security, left !== null && left < 0n ? 0n : left);
  } else if (shrinksInPlace(at, security, amount, ledger)) {
    ledger.totals.giveBack(at, security, amount ?? 0n);
    ledger.totals.change(at, security, (security.held ?? 0n) - (amount ?? 0n));
  } else {
    ledger.totals.giveBack(at, security, amount ?? security.held ?? 0n);
    close(at, security, ledger);
  }
}

function close(at: Located, security: Security, { totals }: Ledger): void {
  totals.change(at, security, security.held === null ? null : 0n);
  security.closedBy = at;
}

/** The field in which a transaction says how much it moves; null where it always moves the whole. */
function amountField({ type: { family, action } }: Located): string | null {
  if (action === "CONVERSION") return family === "STOCK" ? "quantity_converted" : null;
  if (action === "REISSUANCE" || action === "RETRACTION" || (action === "EXERCISE" && family === "WARRANT"))
    return null;
  return family === "CONVERTIBLE" ? "amount" : "quantity";
}

/** How much a transaction moves, checked against what is held; null where it says nothing. */
function amountOf(at: Located, security: Security, { findings }: Ledger): Decimal | null {
  const field = amountField(at);
  if (field === null) return at.type.action === "CONVERSION" ? null : security.held;
  const amount = decimalOf(at.value, field);
  if (amount === null) return null;
  const place = { ...at, pointer: pointerTo(field) };
  if (amount <= 0n) {
    const detail = `The ${field} is ${formatDecimal(amount)}: nothing would move.`;
    findings.problem("not-positive", place, detail, "Write how many shares or how much the transaction moves.");
  } else if (security.held !== null && amount > security.held) {
    const [taken, held] = [formatDecimal(amount), formatDecimal(security.held)];
    const detail = `${taken} are taken from ${shown(security.id)}, which holds ${held}.`;
    const fix = "Correct the quantity, or the issuance; earlier transactions may have taken some already.";
    findings.problem("more-than-held", place, detail, fix);
  }
  return amount < 0n ? 0n : amount;
}

/** Whether a partial transaction names no balance security: then what is left stays where it was. */
function shrinksInPlace(at: Located, security: Security, amount: Decimal | null, ledger: Ledger): boolean {
  const { held } = security;
  if (textOf(at.value, "balance_security_id") || amount === null || held === null || amount >= held) return false;
  if (amount === 0n) return true;
  const taken = `${formatDecimal(amount)} of ${formatDecimal(held)} are taken`;
  const detail = `${taken}, and no balance security says where the rest is.`;
  const fix = "Issue the rest as a new security and name it in balance_security_id.";
  ledger.findings.warning("no-balance", at, detail, `${fix} It was counted as staying in ${shown(security.id)}.`);
  return true;
}

function checkTrigger(at: Located, security: Security, findings: Findings): void {
  const triggerId = textOf(at.value, "trigger_id");
  if (triggerId === null) return;
  const { value } = security.issuance;
  const triggers = [...objectsOf(value, "conversion_triggers"), ...objectsOf(value, "exercise_triggers")];
  if (triggers.some((trigger) => trigger.trigger_id === triggerId)) return;
  const detail = `The security ${shown(security.id)} has no trigger ${shown(triggerId)}.`;
  const place = { ...at, pointer: pointerTo("trigger_id") };
  findings.problem("dangling-reference", place, detail, "Write the trigger_id of one of the triggers in its issuance.");
}

/** Shares go back to a pool at most once, and ordinarily to the plan that they came from. */
function checkReturn(at: Located, { securities, findings }: Ledger): void {
  const security = securities.get(textOf(at.value, "security_id") ?? "");
  // Where a split restates what a plan granted, one security stands for all.
  if (!security || readRestatement(textOf(at.value, "reason_text")) !== null) return;
  const quantity = decimalOf(at.value, "quantity");
  if (quantity !== null && security.most !== null && quantity > security.most) {
    const [back, most] = [formatDecimal(quantity), formatDecimal(security.most)];
    const detail = `${back} return to the pool from ${shown(security.id)}, which never held more than ${most}.`;
    const fix = "Correct the quantity: at most what was cancelled.";
    findings.problem("more-than-held", { ...at, pointer: pointerTo("quantity") }, detail, fix);
  }
  const plan = textOf(security.issuance.value, "stock_plan_id");
  if (plan === at.value.stock_plan_id) return;
  const detail = `The shares were issued under ${shown(plan)}, but return to ${shown(at.value.stock_plan_id)}.`;
  const fix = "Nothing to do if a later plan takes over what earlier ones return.";
  findings.warning("other-plan", { ...at, pointer: pointerTo("stock_plan_id") }, detail, fix);
}

/** A split multiplies the open stock of its class, but for what is reissued under it. */
function applySplit({ at, date, position }: Event, ledger: Ledger): void {
  const ratio = at.value.split_ratio;
  const [numerator, denominator] = isObject(ratio)
    ? [toDecimal(ratio.numerator), toDecimal(ratio.denominator)]
    : [null, null];
  if (numerator === null || denominator === null) return;
  if (numerator <= 0n || denominator <= 0n) {
    const place = { ...at, pointer: pointerTo("split_ratio") };
    ledger.findings.problem("not-positive", place, "The ratio of the split is zero or negative.", "Write new : old.");
    return;
  }
  const reissued = ledger.results.reissuedUnder.get(at.id ?? "");
  for (const security of ledger.securities.values()) {
    if (
      security.family !== "STOCK" ||
      security.closedBy !== null ||
      security.held === null ||
      reissued?.has(security.id)
    )
      continue;
    if (security.issuance.value.stock_class_id !== at.value.stock_class_id) continue;
    if (security.date === null || security.date > date || (security.date === date && security.position > position))
      continue;
    const held = scale(security.held, numerator, denominator);
    const isCounted = held <= HELD_MAX;
    ledger.totals.change(at, security, isCounted ? held : null);
    if (isCounted) security.most = max(security.most ?? ZERO, held);
  }
}

function applyConsolidation(event: Event, ledger: Ledger): void {
  const { at } = event;
  let total: Decimal | null = 0n;
  for (const [i, id] of textsOf(at.value, "security_ids").entries()) {
    const security = usable(event, id, pointerTo("security_ids", i), ledger);
    total = security?.held === null || security === null || total === null ? null : total + security.held;
    if (security) close(at, security, ledger);
  }
  const result = ledger.securities.get(textOf(at.value, "resulting_security_id") ?? "");
  if (total === null || !result || result.issued === null || result.issued === total) return;
  const place = { ...at, pointer: pointerTo("resulting_security_id") };
  const detail = `${formatDecimal(total)} shares are consolidated into a security of ${formatDecimal(result.issued)}.`;
  ledger.findings.problem("does-not-add-up", place, detail, "Correct the resulting security's quantity.");
}
