// Checks the results of a transaction: kind, class, holder and date of the new securities, and that the numbers add up,
// so that no share appears or disappears. Pure.
import { type Decimal, formatDecimal, ONE, scale, sum } from "../../../kernel/numbers/decimal.ts";
import { type Findings, type Place, pointerTo, shown } from "../finding.ts";
import { dateOf, isObject, textOf, textsOf, toDecimal } from "../json.ts";
import { type OcfObject, whereIs } from "./object.ts";
import type { Story } from "./read-story.ts";
import type { Move, Security } from "./security.ts";
import type { StoryEvent } from "./story-event.ts";

/** A security that a transaction made, and where the transaction names it. */
interface Made {
  readonly made: Security;
  readonly place: Place;
}

/** Checks what one transaction makes of its security. */
export class Results {
  readonly #story: Story;
  readonly #securities: ReadonlyMap<string, Security>;
  readonly #findings: Findings;
  readonly #at: StoryEvent;
  readonly #source: Security;
  readonly #amount: Decimal | null;

  constructor(story: Story, securities: ReadonlyMap<string, Security>, findings: Findings, move: Move) {
    this.#story = story;
    this.#securities = securities;
    this.#findings = findings;
    this.#at = move.at;
    this.#source = move.source;
    this.#amount = move.amount;
  }

  /** Adds what does not fit. */
  check(): void {
    const { value, balanceId: balance } = this.#at;
    const ids = textsOf(value, "resulting_security_ids");
    for (const [i, id] of ids.entries()) {
      const made = this.#made(id, pointerTo("resulting_security_ids", i));
      if (made) this.#checkMade(made);
      if (made && id !== balance) this.#checkKind(made);
    }
    const rest = balance === null ? null : this.#made(balance, pointerTo("balance_security_id"));
    if (rest) this.#checkBalance(rest);
    this.#checkSum(ids.filter((id) => id !== balance));
  }

  #made(id: string, pointer: string): Made | null {
    const made = this.#securities.get(id);
    return made ? { made, place: { ...this.#at, pointer } } : null;
  }

  #checkMade({ made, place }: Made): void {
    const { value, type } = this.#at;
    const date = dateOf(value, "date") ?? "";
    if (made.id === this.#source.id) {
      const detail = "The transaction names the security that it acts on as its own result.";
      this.#findings.problem("names-itself", place, detail, "Name the new security.");
    } else if (made.date !== null && made.date < date) {
      const detail = `${shown(made.id)} was issued on ${made.date}, before the transaction of ${date} that makes it.`;
      this.#findings.problem("result-before", place, detail, "Correct one of the two dates.");
    } else if (made.date !== null && made.date > date && !("settlement_date" in value)) {
      const detail = `${shown(made.id)} is issued on ${made.date}, after the transaction of ${date} that makes it.`;
      const fix = "Use one date, unless the certificate really came later.";
      this.#findings.warning("result-after", place, detail, fix);
    }
    const makers = this.#story.told.makers.get(made.id) ?? [];
    const other = makers.find((maker) => maker !== this.#at);
    if (other && !(type.action === "REISSUANCE" && other.type.action === "REISSUANCE")) {
      const detail = `The security ${shown(made.id)} is the result of another transaction too (${whereIs(other)}).`;
      this.#findings.problem("made-twice", place, detail, "Give each transaction resulting securities of its own.");
    }
  }

  #checkKind({ made, place }: Made): void {
    const [{ action, family }, source] = [this.#at.type, this.#source];
    const same = action === "TRANSFER" || action === "REISSUANCE";
    const fits =
      made.family === "STOCK" ||
      (same && made.family === source.family) ||
      (family === "WARRANT" && action === "EXERCISE" && made.family === "WARRANT") ||
      (family === "CONVERTIBLE" && action === "CONVERSION") ||
      (family === "EQUITY_COMPENSATION" && textOf(source.issuance.value, "compensation_type") === "CSAR");
    if (!fits || (same && made.family !== source.family)) {
      const detail = `${this.#at.objectType} of a ${words(source)} makes a ${words(made)} (${shown(made.id)}).`;
      const fix = `Name a resulting ${same ? words(source) : "stock"} security.`;
      this.#findings.problem("wrong-kind", place, detail, fix);
    } else if (same) this.#checkClass({ made, place });
  }

  #checkClass({ made, place }: Made): void {
    const source = this.#source;
    if (source.family !== "STOCK" || made.family !== "STOCK") return;
    const [from, to] = [source.issuance.value.stock_class_id, made.issuance.value.stock_class_id];
    if (from === to) return;
    const detail = `The shares change from class ${shown(from)} to ${shown(to)}.`;
    const fix = "Ordinarily only a conversion changes the class; correct the issuance unless this was meant.";
    this.#findings.warning("class-differs", place, detail, fix);
  }

  #checkBalance({ made: rest, place }: Made): void {
    const [source, amount, findings] = [this.#source, this.#amount, this.#findings];
    this.#checkMade({ made: rest, place });
    if (rest.family !== source.family) {
      const detail = `The balance of a ${words(source)} security is a ${words(rest)} security.`;
      findings.problem("wrong-kind", place, detail, "Name the security that holds the rest.");
      return;
    }
    this.#checkClass({ made: rest, place });
    if (rest.issuance.value.stakeholder_id !== source.issuance.value.stakeholder_id) {
      const detail = "The balance security belongs to another stakeholder than the security that it is left of.";
      findings.problem("holder-differs", place, detail, "The rest stays with the holder: correct the issuance.");
    }
    if (amount === null || source.held === null || rest.issued === null || amount > source.held) return;
    const left = source.held - amount;
    if (left === rest.issued || this.#isReplacedAfterSplit(source.held, rest.issued)) return;
    const kept = `${formatDecimal(source.held)} less ${formatDecimal(amount)} leaves ${formatDecimal(left)}`;
    const detail = `${kept}, but the balance security holds ${formatDecimal(rest.issued)}.`;
    const fix = "Correct the quantity here, or of the balance security.";
    if (amount === source.held && this.#isOnDayOfSplit())
      findings.warning("does-not-add-up", place, detail, AFTER_SPLIT);
    else findings.problem("does-not-add-up", place, detail, fix);
  }

  /** Whether a split of any class is on that day. */
  #isOnDayOfSplit(): boolean {
    const { type, value } = this.#at;
    if (type.action !== "CANCELLATION" || type.family === "STOCK") return false;
    const splits = [...(this.#story.byType.get("TX_STOCK_CLASS_SPLIT")?.values() ?? [])];
    return splits.some((split) => split.value.date === value.date);
  }

  /**
   * Whether the balance is what a split up to that day made of the whole: OCF's split moves stock only, so that options
   * and warrants into the class are cancelled into balances with the new figures.
   */
  #isReplacedAfterSplit(held: Decimal, made: Decimal): boolean {
    const { type, value } = this.#at;
    if (type.action !== "CANCELLATION" || type.family === "STOCK") return false;
    const splits = [...(this.#story.byType.get("TX_STOCK_CLASS_SPLIT")?.values() ?? [])];
    return splits.some((split) => {
      const difference = made - afterSplit(held, split);
      return String(split.value.date) <= String(value.date) && isRoundedOff(difference);
    });
  }

  /** Compares what was moved with what came out, where OCF says that they are the same thing. */
  #checkSum(ids: readonly string[]): void {
    const [at, amount, { told, byType }] = [this.#at, this.#amount, this.#story];
    const { action, family } = at.type;
    const compared =
      action === "TRANSFER" || action === "REISSUANCE" || (family === "EQUITY_COMPENSATION" && ids.length > 0);
    if (!compared || amount === null || ids.length === 0) return;
    const parts = ids.map((id) => ((told.makers.get(id)?.length ?? 0) > 1 ? null : this.#securities.get(id)?.issued));
    if (parts.some((part) => part === null || part === undefined)) return;
    const made = sum(parts.map((part) => part ?? 0n));
    const split = byType.get("TX_STOCK_CLASS_SPLIT")?.get(textOf(at.value, "split_transaction_id") ?? "");
    const expected = split ? afterSplit(amount, split) : amount;
    const difference = made - expected;
    if (difference === 0n || (split && (isRoundedOff(difference) || made === amount))) return;
    const place = { ...at, pointer: pointerTo("resulting_security_ids") };
    const detail = `${formatDecimal(expected)} were moved, but the resulting securities hold ${formatDecimal(made)}.`;
    const net = family === "EQUITY_COMPENSATION" && (action === "EXERCISE" || action === "RELEASE") && difference < 0n;
    if (split) this.#findings.warning("does-not-add-up", place, detail, AFTER_SPLIT);
    else if (!net) {
      const fix = "Correct the quantity here, or of the resulting securities.";
      this.#findings.problem("does-not-add-up", place, detail, fix);
    } else if (action === "EXERCISE" && "exercise_price" in this.#source.issuance.value) {
      const fix = "Nothing to do if the rest paid for the exercise or the taxes.";
      this.#findings.warning("does-not-add-up", place, detail, fix);
    }
  }
}

/** What was recorded after a split and dated before it is in shares of after it: the split leaves it, or what it took. */
const AFTER_SPLIT =
  "Nothing to do if some of it was counted in shares of after the split before that; else correct it.";

function words(security: Security): string {
  return security.family.toLowerCase().replace("_", " ");
}

/** Whether whole shares explain it. A whole one does too: what they were made of is itself rounded to 10 places. */
function isRoundedOff(difference: Decimal): boolean {
  return difference <= ONE && difference >= -ONE;
}

function afterSplit(amount: Decimal, split: OcfObject): Decimal {
  const ratio = split.value.split_ratio;
  if (!isObject(ratio)) return amount;
  const [numerator, denominator] = [toDecimal(ratio.numerator), toDecimal(ratio.denominator)];
  if (numerator === null || denominator === null || denominator <= 0n) return amount;
  return scale(amount, numerator, denominator);
}
