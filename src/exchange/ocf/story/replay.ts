// Replays a package's transactions in the order in which an import applies them, and to the same effect, and reports
// where they cannot have happened: on securities that did not exist yet, exist no more, or hold less. OCF's own rules:
// a transaction that ends a part of a security opens a balance security. Pure.
import type { CalendarDate } from "../../../kernel/date.ts";
import { type Decimal, formatDecimal, max, scale, ZERO } from "../../../kernel/numbers/decimal.ts";
import { amountTaken, isInPlace, leavesUnnamedRest } from "../codec/ending.ts";
import { type Findings, type Place, pointerTo, shown } from "../finding.ts";
import { dateOf, isObject, textOf, toDecimal } from "../json.ts";
import { amountOf, checkReturn, checkTrigger } from "./amounts.ts";
import { type OcfObject, whereIs, YIELD_EVERY } from "./object.ts";
import type { Story } from "./read-story.ts";
import { Results } from "./results.ts";
import { issuedField, type Move, type Security, securitiesOf } from "./security.ts";
import type { StoryEvent } from "./story-event.ts";
import { Totals } from "./story-totals.ts";

/** No real security holds more; one that splits beyond it is not counted any further. */
const HELD_MAX = 10n ** 60n;

/** An event with its day. */
interface Event {
  readonly at: StoryEvent;
  readonly date: CalendarDate;
}

/** A split of a class's stock. */
interface Split extends Event {
  readonly numerator: Decimal;
  readonly denominator: Decimal;
}

/** Follows the story to its end; every impossibility becomes a finding at the transaction that is impossible. */
export function* replay(story: Story, findings: Findings): Generator<void> {
  const balances = new Balances(story, findings);
  for (const [i, at] of story.told.transactions.entries()) {
    // A split looks at every security of the package.
    if (i % YIELD_EVERY === 0 || at.kind === "SPLIT") yield;
    balances.follow(at);
  }
  balances.end();
}

/** What every security of a package holds, transaction by transaction. */
class Balances {
  readonly #story: Story;
  readonly #findings: Findings;
  readonly #securities: ReadonlyMap<string, Security>;
  readonly #totals: Totals;
  /** By class, in the order of their application. */
  readonly #splits = new Map<unknown, Split[]>();

  constructor(story: Story, findings: Findings) {
    this.#story = story;
    this.#findings = findings;
    this.#securities = securitiesOf(story.told.issuances);
    this.#totals = new Totals(story, findings);
  }

  /** Follows the next transaction; one without a day has no effect. */
  follow(at: StoryEvent): void {
    const date = dateOf(at.value, "date");
    const { kind } = at;
    if (kind === "ISSUANCE") this.#noteDuplicate(at);
    if (date === null) return;
    this.#totals.enterDay(date);
    if (kind === "ISSUANCE") this.#issue({ at, date });
    else if (kind === "SPLIT") this.#splitClass({ at, date });
    else if (at.type.action === "CONSOLIDATION") this.#consolidate({ at, date });
    else if (kind !== "OTHER") this.#actOn({ at, date });
    else {
      const security = this.#securities.get(textOf(at.value, "security_id") ?? "");
      if (at.objectType === "TX_STOCK_PLAN_RETURN_TO_POOL" && security) checkReturn(at, security, this.#findings);
      this.#totals.adjust(at);
    }
  }

  /** Checks that need the whole package. */
  end(): void {
    this.#totals.end(this.#securities.values());
  }

  #noteDuplicate(at: OcfObject): void {
    const securityId = textOf(at.value, "security_id");
    const first = this.#story.told.issuances.get(securityId ?? "");
    if (!first || first === at) return;
    const place = { ...at, pointer: pointerTo("security_id") };
    const detail = `The security ${shown(securityId)} was issued already (${whereIs(first)}).`;
    this.#findings.problem("duplicate-security", place, detail, "Give every issuance a security_id of its own.");
  }

  #issue({ at, date }: Event): void {
    const security = this.#securities.get(textOf(at.value, "security_id") ?? "");
    if (!security || security.issuance !== at) return;
    const { issued, family } = security;
    if (issued !== null && issued <= ZERO) {
      const place = { ...at, pointer: pointerTo(issuedField(family)) };
      const detail = `The security is issued for ${formatDecimal(issued)}.`;
      if (issued < ZERO)
        this.#findings.problem("not-positive", place, detail, "Write the number of shares or the amount.");
      else this.#findings.warning("not-positive", place, detail, "Nothing to do if nothing was issued on purpose.");
    }
    this.#totals.issue(security);
    security.isIssued = true;
    const splits = this.#splits.get(at.value.stock_class_id) ?? [];
    for (const split of splits) if (date < split.date) this.#split(security, split);
  }

  /** The security where it can be acted on; otherwise null, after saying why. `place` is where it is named. */
  #usable({ at, date }: Event, id: string | null, place: Place): Security | null {
    const security = this.#securities.get(id ?? "");
    if (!security || security.date === null) return null;
    if (at.objectType !== "TX_VESTING_START" && date < security.date) {
      const detail = `This happens on ${date}, but the security ${shown(security.id)} was issued on ${security.date}.`;
      this.#findings.problem("before-issuance", { ...at, pointer: "#/date" }, detail, "Correct one of the two dates.");
    }
    const { closedBy } = security;
    if (closedBy === null) {
      if (at.type.family !== null && at.type.family !== security.family) {
        const detail = `${at.objectType} acts on ${shown(security.id)}, which ${security.issuance.objectType} made.`;
        const fix = "Correct the security_id, or use the transaction of that kind.";
        this.#findings.problem("wrong-kind", place, detail, fix);
      }
      return security;
    }
    const closed = `${closedBy.objectType} of ${dateOf(closedBy.value, "date")} (${whereIs(closedBy)})`;
    const detail = `The security ${shown(security.id)} had ended before, by ${closed}.`;
    const fix = "Remove one of the two, correct their dates, or name the balance or resulting security.";
    if (changesHolding(at)) this.#findings.problem("closed-security", place, detail, fix);
    else if (dateOf(closedBy.value, "date") !== date) this.#findings.warning("closed-security", place, detail, fix);
    return null;
  }

  #actOn(event: Event): void {
    const { at } = event;
    const findings = this.#findings;
    const source = this.#usable(event, textOf(at.value, "security_id"), { ...at, pointer: "#/security_id" });
    if (!source || at.kind !== "ENDING") return;
    checkTrigger(at, source, findings);
    const move = { at, source, amount: amountOf(at, source, findings) };
    new Results(this.#story, this.#securities, findings, move).check();
    const { held } = source;
    const taken = held === null ? null : amountTaken(at.type, at.value, move.amount, held);
    if (taken !== null) this.#noteNoBalance(move, taken);
    if (!isInPlace(at.type)) this.#totals.returnToPool(move);
    if (held === null || taken === null || taken === held) this.#close(at, source);
    else this.#totals.change(at, source, held - taken);
  }

  /** A partial transaction that names no balance security: what is left stays where it was. */
  #noteNoBalance({ at, source: { id, held }, amount }: Move, taken: Decimal): void {
    if (amount === null || held === null || !leavesUnnamedRest({ type: at.type, amount, held }, taken)) return;
    const part = `${formatDecimal(amount)} of ${formatDecimal(held)} are taken`;
    const detail = `${part}, and no balance security says where the rest is.`;
    const fix = "Issue the rest as a new security and name it in balance_security_id.";
    this.#findings.warning("no-balance", at, detail, `${fix} It was counted as staying in ${shown(id)}.`);
  }

  #close(at: OcfObject, security: Security): void {
    this.#totals.change(at, security, security.held === null ? null : ZERO);
    security.closedBy = at;
  }

  /** A split multiplies the open stock of its class, but for what is reissued under it. */
  #splitClass({ at, date }: Event): void {
    const ratio = at.value.split_ratio;
    const [numerator, denominator] = isObject(ratio)
      ? [toDecimal(ratio.numerator), toDecimal(ratio.denominator)]
      : [null, null];
    if (numerator === null || denominator === null) return;
    if (numerator <= ZERO || denominator <= ZERO) {
      const place = { ...at, pointer: pointerTo("split_ratio") };
      this.#findings.problem("not-positive", place, "The ratio of the split is zero or negative.", "Write new : old.");
      return;
    }
    const classId = at.value.stock_class_id;
    const split = { at, date, numerator, denominator };
    const before = this.#splits.get(classId);
    if (before) before.push(split);
    else this.#splits.set(classId, [split]);
    for (const security of this.#securities.values()) {
      if (security.issuance.value.stock_class_id !== classId || !security.isIssued) continue;
      if (security.date !== null && security.date <= date) this.#split(security, split);
    }
  }

  /** Open stock is multiplied, but for what is reissued under the split. */
  #split(security: Security, { at, numerator, denominator }: Split): void {
    const { family, closedBy, held: before } = security;
    if (family !== "STOCK" || closedBy !== null || before === null) return;
    if (this.#story.told.reissuedUnder.get(at.id ?? "")?.has(security.id)) return;
    const held = scale(before, numerator, denominator);
    const isCounted = held <= HELD_MAX;
    this.#totals.change(at, security, isCounted ? held : null);
    if (isCounted) security.most = max(security.most ?? ZERO, held);
  }

  #consolidate(event: Event): void {
    const { at } = event;
    let total: Decimal | null = ZERO;
    for (const [id, i] of new Map(at.sources.map((id, i) => [id, i]))) {
      const security = this.#usable(event, id, { ...at, pointer: pointerTo("security_ids", i) });
      total = security?.held === null || security === null || total === null ? null : total + security.held;
      if (security) this.#close(at, security);
    }
    const result = this.#securities.get(textOf(at.value, "resulting_security_id") ?? "");
    if (total === null || !result || result.issued === null || result.issued === total) return;
    const place = { ...at, pointer: pointerTo("resulting_security_id") };
    const [merged, issued] = [formatDecimal(total), formatDecimal(result.issued)];
    const detail = `${merged} shares are consolidated into a security of ${issued}.`;
    this.#findings.problem("does-not-add-up", place, detail, "Correct the resulting security's quantity.");
  }
}

function changesHolding({ type: { action } }: OcfObject): boolean {
  return action !== null && action !== "ACCEPTANCE";
}
