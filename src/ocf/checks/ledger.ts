// Plays a package's transactions in the order in which an import applies them, and to the same effect, and says where
// they cannot have happened: on securities that did not exist yet, exist no more, or hold less. OCF's own rules: what
// ends a security in part opens a balance security. Pure.
import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, formatDecimal, max, min, scale, ZERO } from "../../kernel/decimal.ts";
import { type Findings, pointerTo, shown } from "../finding.ts";
import { dateOf, decimalOf, isObject, textOf, textsOf, toDecimal } from "../json.ts";
import { inLedgerOrder } from "../ledger-order.ts";
import { amountTaken, isInPlace } from "../mapping/transaction.ts";
import type { SecurityFamily } from "../schemas/registry.ts";
import { amountOf, checkReturn, checkTrigger } from "./amounts.ts";
import { type Located, type PackageIndex, whereIs, YIELD_EVERY } from "./objects.ts";
import { checkResults, type Results, resultsOf } from "./results.ts";
import { Totals } from "./totals.ts";

/** A security in the course of the replay. */
export interface Security {
  readonly id: string;
  readonly family: SecurityFamily;
  readonly issuance: Located;
  readonly date: CalendarDate | null;
  /** Shares, or a convertible's principal; null where the issuance gives none (some warrants) or none readable. */
  readonly issued: Decimal | null;
  /** What is left of it now; null as for `issued`. */
  held: Decimal | null;
  /** The most that it ever held: what was issued, or what a split made of it. */
  most: Decimal | null;
  /** Whether the replay has come to its issuance. */
  isIssued: boolean;
  closedBy: Located | null;
}

/** Nobody holds more; a security that splits beyond it is not counted any further. */
const HELD_MAX = 10n ** 60n;

interface Event {
  readonly at: Located;
  readonly date: CalendarDate;
}

/** A split of a class's stock. */
interface Split {
  readonly at: Located;
  readonly date: CalendarDate;
  readonly numerator: Decimal;
  readonly denominator: Decimal;
}

interface Ledger {
  readonly index: PackageIndex;
  readonly findings: Findings;
  readonly securities: ReadonlyMap<string, Security>;
  readonly results: Results;
  readonly totals: Totals;
  /** By class, in the order of their application. */
  readonly splits: Map<unknown, Split[]>;
}

/** Replays the ledger of the package; every impossibility becomes a finding at the transaction that is impossible. */
export function* checkLedger(index: PackageIndex, findings: Findings): Generator<void> {
  const isTransaction = ({ type }: Located) => type.fileType === "OCF_TRANSACTIONS_FILE";
  const { transactions, issuances } = yield* inLedgerOrder(index.objects.filter(isTransaction));
  const securities = new Map([...issuances].flatMap(([id, at]) => securityOf(id, at)));
  yield;
  const results = resultsOf(index);
  yield;
  const totals = new Totals(index, results, findings);
  const ledger: Ledger = { index, findings, securities, results, totals, splits: new Map() };
  let day: CalendarDate = "";
  for (const [i, at] of transactions.entries()) {
    // A split looks at every security of the package.
    if (i % YIELD_EVERY === 0 || at.objectType === "TX_STOCK_CLASS_SPLIT") yield;
    const date = dateOf(at.value, "date");
    if (at.type.action === "ISSUANCE") noteDuplicate(at, issuances, findings);
    if (date === null) continue;
    if (date > day) {
      totals.endOfDay(day);
      day = date;
    }
    apply({ at, date }, ledger);
  }
  totals.endOfDay(day);
  totals.certificates(securities.values());
}

function securityOf(id: string, issuance: Located): [string, Security][] {
  const { family } = issuance.type;
  if (family === null) return [];
  const issued = decimalOf(issuance.value, family === "CONVERTIBLE" ? "investment_amount" : "quantity");
  const date = dateOf(issuance.value, "date");
  const now = { held: issued, most: issued, isIssued: false, closedBy: null };
  return [[id, { id, family, issuance, date, issued, ...now }]];
}

function noteDuplicate(at: Located, issuances: ReadonlyMap<string, Located>, findings: Findings): void {
  const securityId = textOf(at.value, "security_id");
  const first = issuances.get(securityId ?? "");
  if (!first || first === at) return;
  const place = { ...at, pointer: pointerTo("security_id") };
  const detail = `The security ${shown(securityId)} was issued already (${whereIs(first)}).`;
  findings.problem("duplicate-security", place, detail, "Give every issuance a security_id of its own.");
}

function apply(event: Event, ledger: Ledger): void {
  const { at } = event;
  if (at.type.action === "ISSUANCE") applyIssuance(event, ledger);
  else if (at.objectType === "TX_STOCK_CLASS_SPLIT") applySplit(event, ledger);
  else if (at.objectType === "TX_STOCK_CONSOLIDATION") applyConsolidation(event, ledger);
  else if (at.type.action !== null || at.objectType.startsWith("TX_VESTING_")) applyOnSecurity(event, ledger);
  else {
    const security = ledger.securities.get(textOf(at.value, "security_id") ?? "");
    if (at.objectType === "TX_STOCK_PLAN_RETURN_TO_POOL" && security) checkReturn(at, security, ledger.findings);
    ledger.totals.adjust(at);
  }
}

function applyIssuance({ at, date }: Event, ledger: Ledger): void {
  const { securities, totals, findings } = ledger;
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
  security.isIssued = true;
  const splits = ledger.splits.get(at.value.stock_class_id) ?? [];
  for (const split of splits) if (date < split.date) splitOne(security, split, ledger);
}

/** The transaction's security where it can be acted on; otherwise null, after saying why. */
function usable(event: Event, id: string | null, pointer: string, ledger: Ledger): Security | null {
  const { at, date } = event;
  const { findings } = ledger;
  const security = ledger.securities.get(id ?? "");
  if (!security || security.date === null) return null;
  const place = { ...at, pointer };
  const { type } = at;
  if (at.objectType !== "TX_VESTING_START" && date < security.date) {
    const detail = `This happens on ${date}, but the security ${shown(security.id)} was issued on ${security.date}.`;
    findings.problem("before-issuance", { ...at, pointer: "#/date" }, detail, "Correct one of the two dates.");
  }
  const { closedBy } = security;
  if (closedBy === null) {
    if (type.family !== null && type.family !== security.family) {
      const detail = `${at.objectType} acts on ${shown(security.id)}, which ${security.issuance.objectType} made.`;
      findings.problem("wrong-kind", place, detail, "Correct the security_id, or use the transaction of that kind.");
    }
    return security;
  }
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
  const amount = amountOf(at, security, ledger.findings);
  checkResults(at, security, amount, ledger);
  const { held } = security;
  const taken = held === null ? null : amountTaken(at.type, at.value, amount, held);
  if (amount !== null && held !== null) noteNoBalance(at, security, { amount, taken: taken ?? held, held }, ledger);
  if (!isInPlace(at.type)) ledger.totals.giveBack(at, security, min(amount ?? held ?? ZERO, held ?? ZERO));
  if (held === null || taken === null || taken === held) close(at, security, ledger);
  else ledger.totals.change(at, security, held - taken);
}

/** A partial transaction that names no balance security: what is left stays where it was. */
function noteNoBalance(
  at: Located,
  security: Security,
  { amount, taken, held }: { readonly amount: Decimal; readonly taken: Decimal; readonly held: Decimal },
  { findings }: Ledger,
): void {
  if (amount === ZERO || taken === held || isInPlace(at.type)) return;
  const detail = `${formatDecimal(amount)} of ${formatDecimal(held)} are taken, and no balance security says where the rest is.`;
  const fix = "Issue the rest as a new security and name it in balance_security_id.";
  findings.warning("no-balance", at, detail, `${fix} It was counted as staying in ${shown(security.id)}.`);
}

function close(at: Located, security: Security, { totals }: Ledger): void {
  totals.change(at, security, security.held === null ? null : 0n);
  security.closedBy = at;
}

/** A split multiplies the open stock of its class, but for what is reissued under it. */
function applySplit({ at, date }: Event, ledger: Ledger): void {
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
  const classId = at.value.stock_class_id;
  const split = { at, date, numerator, denominator };
  const before = ledger.splits.get(classId);
  if (before) before.push(split);
  else ledger.splits.set(classId, [split]);
  for (const security of ledger.securities.values()) {
    if (security.issuance.value.stock_class_id !== classId || !security.isIssued) continue;
    if (security.date !== null && security.date <= date) splitOne(security, split, ledger);
  }
}

/** Open stock is multiplied, but for what is reissued under the split. */
function splitOne(security: Security, { at, numerator, denominator }: Split, ledger: Ledger): void {
  const { family, closedBy, held: before } = security;
  if (family !== "STOCK" || closedBy !== null || before === null) return;
  if (ledger.results.reissuedUnder.get(at.id ?? "")?.has(security.id)) return;
  const held = scale(before, numerator, denominator);
  const isCounted = held <= HELD_MAX;
  ledger.totals.change(at, security, isCounted ? held : null);
  if (isCounted) security.most = max(security.most ?? ZERO, held);
}

function applyConsolidation(event: Event, ledger: Ledger): void {
  const { at } = event;
  let total: Decimal | null = 0n;
  for (const [id, i] of new Map(textsOf(at.value, "security_ids").map((id, i) => [id, i]))) {
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
