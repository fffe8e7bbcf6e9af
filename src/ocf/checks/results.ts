// Whether the securities that a transaction brings about fit it: their kind, class, holder and date, and that the
// numbers add up, so that no share appears or disappears. Pure.
import { type Decimal, formatDecimal, ONE, scale, sum } from "../../kernel/decimal.ts";
import { type Findings, pointerTo, shown } from "../finding.ts";
import { dateOf, isObject, textOf, textsOf, toDecimal } from "../json.ts";
import type { Security } from "./ledger.ts";
import { type Located, type PackageIndex, whereIs } from "./objects.ts";

/** What transactions bring about, over the whole package. */
export interface Results {
  /** The transactions that name a security as resulting or balance, by that security's id. */
  readonly makers: ReadonlyMap<string, readonly Located[]>;
  /** By the id of a split: the securities that are reissued under it, old and new. */
  readonly reissuedUnder: ReadonlyMap<string, ReadonlySet<string>>;
}

interface Context {
  readonly index: PackageIndex;
  readonly findings: Findings;
  readonly securities: ReadonlyMap<string, Security>;
  readonly results: Results;
}

/** Gathers what the package's transactions bring about. */
export function resultsOf(index: PackageIndex): Results {
  const makers = new Map<string, Located[]>();
  const reissuedUnder = new Map<string, Set<string>>();
  for (const at of index.objects) {
    if (at.type.action === null || at.type.action === "ISSUANCE") continue;
    const made = [...textsOf(at.value, "resulting_security_ids"), ...(balanceId(at) ?? [])];
    const merged = textOf(at.value, "resulting_security_id");
    for (const id of new Set(merged === null ? made : [...made, merged])) {
      const known = makers.get(id);
      if (known) known.push(at);
      else makers.set(id, [at]);
    }
    const split = textOf(at.value, "split_transaction_id");
    if (split === null) continue;
    const touched = reissuedUnder.get(split) ?? new Set();
    for (const id of [...made, textOf(at.value, "security_id") ?? ""]) touched.add(id);
    reissuedUnder.set(split, touched);
  }
  return { makers, reissuedUnder };
}

function balanceId(at: Located): [string] | null {
  const id = textOf(at.value, "balance_security_id");
  return id === null || id === "" ? null : [id];
}

/** Checks what `at` makes out of `source`, of which it moves `amount` (null: not said). */
export function checkResults(at: Located, source: Security, amount: Decimal | null, context: Context): void {
  const balance = balanceId(at)?.[0] ?? null;
  const ids = textsOf(at.value, "resulting_security_ids");
  for (const [i, id] of ids.entries()) {
    const pointer = pointerTo("resulting_security_ids", i);
    const made = context.securities.get(id);
    if (made) checkMade(at, source, made, pointer, context);
    if (made && id !== balance) checkKind(at, source, made, pointer, context.findings);
  }
  const rest = balance === null ? undefined : context.securities.get(balance);
  if (rest) checkBalance(at, source, rest, amount, context);
  checkSum(
    at,
    source,
    ids.filter((id) => id !== balance),
    amount,
    context,
  );
}

function checkMade(
  at: Located,
  source: Security,
  made: Security,
  pointer: string,
  { findings, results }: Context,
): void {
  const place = { ...at, pointer };
  const date = dateOf(at.value, "date") ?? "";
  if (made.id === source.id) {
    const detail = "The transaction names the security that it acts on as its own result.";
    findings.problem("names-itself", place, detail, "Name the new security.");
  } else if (made.date !== null && made.date < date) {
    const detail = `${shown(made.id)} was issued on ${made.date}, before the transaction of ${date} that makes it.`;
    findings.problem("result-before", place, detail, "Correct one of the two dates.");
  } else if (made.date !== null && made.date > date && !("settlement_date" in at.value)) {
    const detail = `${shown(made.id)} is issued on ${made.date}, after the transaction of ${date} that makes it.`;
    findings.warning("result-after", place, detail, "Use one date, unless the certificate really came later.");
  }
  const makers = results.makers.get(made.id) ?? [];
  const other = makers.find((maker) => maker !== at);
  if (other && !(at.type.action === "REISSUANCE" && other.type.action === "REISSUANCE")) {
    const detail = `The security ${shown(made.id)} is the result of another transaction too (${whereIs(other)}).`;
    findings.problem("made-twice", place, detail, "Give each transaction resulting securities of its own.");
  }
}

function checkKind(at: Located, source: Security, made: Security, pointer: string, findings: Findings): void {
  const { action, family } = at.type;
  const same = action === "TRANSFER" || action === "REISSUANCE";
  const fits =
    made.family === "STOCK" ||
    (same && made.family === source.family) ||
    (family === "WARRANT" && action === "EXERCISE" && made.family === "WARRANT") ||
    (family === "CONVERTIBLE" && action === "CONVERSION") ||
    (family === "EQUITY_COMPENSATION" && textOf(source.issuance.value, "compensation_type") === "CSAR");
  const place = { ...at, pointer };
  if (!fits || (same && made.family !== source.family)) {
    const detail = `${at.objectType} of a ${words(source)} makes a ${words(made)} (${shown(made.id)}).`;
    findings.problem("wrong-kind", place, detail, `Name a resulting ${same ? words(source) : "stock"} security.`);
  } else if (same) checkClass(at, source, made, pointer, findings);
}

function words(security: Security): string {
  return security.family.toLowerCase().replace("_", " ");
}

function checkClass(at: Located, source: Security, made: Security, pointer: string, findings: Findings): void {
  if (source.family !== "STOCK" || made.family !== "STOCK") return;
  const [from, to] = [source.issuance.value.stock_class_id, made.issuance.value.stock_class_id];
  if (from === to) return;
  const detail = `The shares change from class ${shown(from)} to ${shown(to)}.`;
  const fix = "Ordinarily only a conversion changes the class; correct the issuance unless this was meant.";
  findings.warning("class-differs", { ...at, pointer }, detail, fix);
}

function checkBalance(at: Located, source: Security, rest: Security, amount: Decimal | null, context: Context): void {
  const { findings } = context;
  const pointer = pointerTo("balance_security_id");
  const place = { ...at, pointer };
  checkMade(at, source, rest, pointer, context);
  if (rest.family !== source.family) {
    const detail = `The balance of a ${words(source)} security is a ${words(rest)} security.`;
    findings.problem("wrong-kind", place, detail, "Name the security that holds the rest.");
    return;
  }
  checkClass(at, source, rest, pointer, findings);
  if (rest.issuance.value.stakeholder_id !== source.issuance.value.stakeholder_id) {
    const detail = "The balance security belongs to another stakeholder than the security that it is left of.";
    findings.problem("holder-differs", place, detail, "The rest stays with the holder: correct the issuance.");
  }
  if (amount === null || source.held === null || rest.issued === null || amount > source.held) return;
  const left = source.held - amount;
  if (left === rest.issued || isReplacedAfterSplit(at, source.held, rest.issued, context)) return;
  const kept = `${formatDecimal(source.held)} less ${formatDecimal(amount)} leaves ${formatDecimal(left)}`;
  const detail = `${kept}, but the balance security holds ${formatDecimal(rest.issued)}.`;
  findings.problem("does-not-add-up", place, detail, "Correct the quantity here, or of the balance security.");
}

/**
 * Whether the balance is what a split up to that day made of the whole: OCF's split moves stock only, so that options
 * and warrants into the class are cancelled into balances with the new figures.
 */
function isReplacedAfterSplit(at: Located, held: Decimal, made: Decimal, { index }: Context): boolean {
  if (at.type.action !== "CANCELLATION" || at.type.family === "STOCK") return false;
  const splits = [...(index.byType.get("TX_STOCK_CLASS_SPLIT")?.values() ?? [])];
  return splits.some((split) => {
    const difference = made - afterSplit(held, split);
    return String(split.value.date) <= String(at.value.date) && isRoundedOff(difference);
  });
}

/** Compares what was moved with what came out, where OCF says that they are the same thing. */
function checkSum(
  at: Located,
  source: Security,
  ids: readonly string[],
  amount: Decimal | null,
  { index, findings, securities, results }: Context,
): void {
  const { action, family } = at.type;
  const compared =
    action === "TRANSFER" || action === "REISSUANCE" || (family === "EQUITY_COMPENSATION" && ids.length > 0);
  if (!compared || amount === null || ids.length === 0) return;
  const parts = ids.map((id) => ((results.makers.get(id)?.length ?? 0) > 1 ? null : securities.get(id)?.issued));
  if (parts.some((part) => part === null || part === undefined)) return;
  const made = sum(parts.map((part) => part ?? 0n));
  const split = index.byType.get("TX_STOCK_CLASS_SPLIT")?.get(textOf(at.value, "split_transaction_id") ?? "");
  const expected = split ? afterSplit(amount, split) : amount;
  const difference = made - expected;
  if (difference === 0n || (split && isRoundedOff(difference))) return;
  const place = { ...at, pointer: pointerTo("resulting_security_ids") };
  const detail = `${formatDecimal(expected)} were moved, but the resulting securities hold ${formatDecimal(made)}.`;
  const net = family === "EQUITY_COMPENSATION" && (action === "EXERCISE" || action === "RELEASE") && difference < 0n;
  if (!net)
    findings.problem("does-not-add-up", place, detail, "Correct the quantity here, or of the resulting securities.");
  else if (action === "EXERCISE" && "exercise_price" in source.issuance.value) {
    findings.warning("does-not-add-up", place, detail, "Nothing to do if the rest paid for the exercise or the taxes.");
  }
}

/** Whether whole shares explain it. A whole one does too: what they were made of is itself rounded to 10 places. */
function isRoundedOff(difference: Decimal): boolean {
  return difference <= ONE && difference >= -ONE;
}

function afterSplit(amount: Decimal, split: Located): Decimal {
  const ratio = split.value.split_ratio;
  if (!isObject(ratio)) return amount;
  const [numerator, denominator] = [toDecimal(ratio.numerator), toDecimal(ratio.denominator)];
  if (numerator === null || denominator === null || denominator <= 0n) return amount;
  return scale(amount, numerator, denominator);
}
