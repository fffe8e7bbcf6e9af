// Reads what an exit divides from a company: units in their order, by which ties in rounding go, and the tiers of what
// is paid first. Pure.
import type { CalendarDate } from "../../../kernel/date.ts";
import { type Decimal, formatDecimal, ONE, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { type Finding, refuse } from "../../../kernel/problem.ts";
import { add, type Fraction, greatest, NOTHING, ofDecimal, reduced, times, WHOLE } from "../fraction.ts";
import { dividendOn } from "../interest.ts";
import { Missing } from "../missing.ts";
import {
  type Company,
  type Held,
  type ModelClass,
  type ModelWarning,
  type OptionHeld,
  ratioOf,
  type StockHeld,
  type WarrantHeld,
} from "../model-company.ts";
import { convertiblesOf, readElections } from "../round/converting.ts";
import { convertiblePay, exitMechanism } from "./convertible-pay.ts";
import type { WaterfallBody } from "./exit-body.ts";
import { preferredOf, tiersOf } from "./tiers.ts";
import type { Member, Pay, ShareTerms, Stake, Unit } from "./unit.ts";

/** What an exit divides among, with what was odd. */
export interface StakeRead extends Stake {
  readonly warnings: readonly ModelWarning[];
}

/** Reads a company for an exit on a day. Throws `404` and `422` for what the body names and does not fit. */
export function readStake(company: Company, body: WaterfallBody, exitDate: CalendarDate): StakeRead {
  const classes = overridden(company.classes, body);
  const reader = new StakeReader({ ...company, classes }, body, exitDate);
  const units = reader.units();
  const { unvested } = reader;
  return { units, unvested, tiers: tiersOf(units, classes), warnings: [...company.warnings, ...reader.warnings] };
}

function overridden(classes: readonly ModelClass[], { classOverrides = [] }: WaterfallBody): readonly ModelClass[] {
  const changed = new Map<string, ModelClass>();
  const findings: Finding[] = [];
  for (const [index, override] of classOverrides.entries()) {
    const { stockClassId, className, seniority, liquidationPreferenceMultiple, isParticipating } = override;
    const found = classes.find(({ id, name }) => (stockClassId ? id === stockClassId : name === className));
    if (!found) throw new Missing("share class", String(stockClassId ?? className));
    const at = `#/classOverrides/${index}`;
    if (changed.has(found.key)) findings.push([at, "names a class that the list has already"]);
    if (found.classType === "COMMON") findings.push([at, "is for PREFERRED classes only"]);
    const cap = override.participationCapMultiple;
    changed.set(found.key, {
      ...found,
      seniority: seniority ?? found.seniority,
      preferenceMultiple:
        liquidationPreferenceMultiple === undefined
          ? found.preferenceMultiple
          : parseDecimal(liquidationPreferenceMultiple),
      isParticipating: isParticipating ?? found.isParticipating,
      participationCapMultiple:
        cap === undefined ? found.participationCapMultiple : cap === null ? null : parseDecimal(cap),
    });
  }
  refuse(findings);
  return classes.map((each) => changed.get(each.key) ?? each);
}

/** What a share of a preferred class gets, with dividends accrued since a day where one is given. */
export function shareTerms(stockClass: ModelClass, since: CalendarDate | null, exitDate: CalendarDate): ShareTerms {
  const price = ofDecimal(stockClass.price ?? ZERO);
  const preference = times(price, ofDecimal(stockClass.preferenceMultiple));
  const dividend =
    stockClass.dividend !== null && since !== null
      ? times(price, dividendOn(stockClass.dividend, since, exitDate))
      : NOTHING;
  const multiple = stockClass.participationCapMultiple;
  const capOf = (most: Decimal): Fraction => {
    const amount = times(price, ofDecimal(most));
    const isTotal = stockClass.participationCapBasis === "TOTAL";
    return add(isTotal ? greatest(amount, preference) : add(preference, amount), dividend);
  };
  return {
    claim: reduced(add(preference, dividend)),
    ratio: reduced(ratioOf(stockClass)),
    isParticipating: stockClass.isParticipating,
    cap: stockClass.isParticipating && multiple !== null ? reduced(capOf(multiple)) : null,
  };
}

const byStrike = (a: Decimal, b: Decimal) => (a < b ? -1 : a > b ? 1 : 0);

class StakeReader {
  readonly warnings: ModelWarning[] = [];
  readonly #company: Company;
  readonly #body: WaterfallBody;
  readonly #exitDate: CalendarDate;
  readonly #classes: ReadonlyMap<string, ModelClass>;
  readonly #open: readonly Held[];
  #unvested: Fraction = NOTHING;

  constructor(company: Company, body: WaterfallBody, exitDate: CalendarDate) {
    this.#company = company;
    this.#body = body;
    this.#exitDate = exitDate;
    this.#classes = new Map(company.classes.map((each) => [each.key, each]));
    this.#open = company.held.filter((held) => !this.#isLeftOut(held));
  }

  units(): readonly Unit[] {
    this.#requireAccelerated();
    return [...this.#convertibles(), ...this.#preferred(), ...this.#common(), ...this.#warrants(), ...this.#options()];
  }

  #isLeftOut(held: Held): boolean {
    if (held.type === "WARRANT" && held.quantity === ZERO) {
      this.#warn("quantity-unknown", `${held.name} is for a number of shares that is not known.`, held.key);
      return true;
    }
    if (held.type !== "STOCK_OPTION" && held.type !== "WARRANT") return false;
    if (held.expirationDate === null || held.expirationDate >= this.#exitDate) return false;
    this.#warn("expired", `${held.name} expired on ${held.expirationDate}.`, held.key);
    return true;
  }

  #warn(code: ModelWarning["code"], detail: string, securityId: string | null): void {
    this.warnings.push({ code, detail, securityId });
  }

  #requireAccelerated(): void {
    const known = new Map(this.#company.held.map((held) => [held.key, held]));
    const findings: Finding[] = [];
    for (const [index, key] of (this.#body.accelerate ?? []).entries()) {
      const held = known.get(key);
      if (!held) throw new Missing("security", key);
      if (held.type !== "STOCK_OPTION") findings.push([`#/accelerate/${index}`, "must be an option"]);
    }
    refuse(findings);
  }

  #ofType<T extends Held["type"]>(type: T): readonly Extract<Held, { type: T }>[] {
    return this.#open.filter((held): held is Extract<Held, { type: T }> => held.type === type);
  }

  #convertibles(): readonly Unit[] {
    const all = convertiblesOf(this.#company);
    const elections = readElections(this.#body.mfnElections, all, "#/mfnElections");
    const whole = this.#capitalization();
    return all.map((security): Unit => {
      const elected = elections.get(security.key);
      const mechanism = exitMechanism(security, all, elected);
      if (mechanism.type === "CUSTOM") {
        this.#warn(
          "custom-terms",
          `${security.name} has terms that no model knows; it counts as its cash.`,
          security.key,
        );
      }
      return {
        kind: "CONVERTIBLE",
        classKey: null,
        stockClassId: null,
        securityId: security.id,
        name: security.name,
        accruesFrom: null,
        strike: null,
        quantity: null,
        count: WHOLE,
        pay: convertiblePay(security, mechanism, this.#exitDate, whole),
        members: [{ security, quantity: ONE }],
      };
    });
  }

  /** All stock as converted, options and warrants: what a cap before other convertibles is divided by. */
  #capitalization(): Fraction {
    let whole = NOTHING;
    for (const held of this.#open) {
      if (held.type === "CONVERTIBLE") continue;
      const stockClass =
        held.type === "STOCK_OPTION" || held.classKey === null ? null : this.#classes.get(held.classKey);
      whole = add(whole, stockClass ? times(ofDecimal(held.quantity), ratioOf(stockClass)) : ofDecimal(held.quantity));
    }
    return whole;
  }

  #preferred(): readonly Unit[] {
    const stock = this.#ofType("STOCK");
    return preferredOf(this.#company.classes).flatMap((stockClass) => {
      const own = stock.filter(({ classKey }) => classKey === stockClass.key);
      if (own.length > 0 && stockClass.price === null) {
        this.#warn("preference-unknown", `${stockClass.name} has no price: its preference counts 0.`, null);
      }
      if (stockClass.dividend === null) return own.length === 0 ? [] : [this.#preferredUnit(stockClass, own, null)];
      const dates = [...new Set(own.map(({ grantDate }) => grantDate))].sort();
      return dates.map((date) =>
        this.#preferredUnit(
          stockClass,
          own.filter(({ grantDate }) => grantDate === date),
          date,
        ),
      );
    });
  }

  #preferredUnit(stockClass: ModelClass, own: readonly StockHeld[], since: CalendarDate | null): Unit {
    const pay: Pay = { kind: "PREFERRED", share: shareTerms(stockClass, since, this.#exitDate) };
    return { ...this.#stockUnit("PREFERRED", stockClass, own, pay), accruesFrom: since };
  }

  #common(): readonly Unit[] {
    const stock = this.#ofType("STOCK");
    return this.#company.classes
      .filter(({ classType }) => classType === "COMMON")
      .flatMap((stockClass) => {
        const own = stock.filter(({ classKey }) => classKey === stockClass.key);
        return own.length === 0 ? [] : [this.#stockUnit("COMMON", stockClass, own, { kind: "COMMON" })];
      });
  }

  #stockUnit(kind: "PREFERRED" | "COMMON", stockClass: ModelClass, own: readonly StockHeld[], pay: Pay): Unit {
    const members = own.map((security) => ({ security, quantity: security.quantity }));
    const { key, id, name } = stockClass;
    return unitOf({ kind, classKey: key, stockClassId: id, name, strike: null, pay }, members);
  }

  #strike(held: OptionHeld | WarrantHeld): Decimal {
    if (held.strike !== null) return held.strike;
    this.#warn("strike-unknown", `The strike of ${held.name} is not known; it counts 0.`, held.key);
    return ZERO;
  }

  #warrants(): readonly Unit[] {
    const all = this.#ofType("WARRANT").map((held) => ({ held, strike: this.#strike(held) }));
    const keys = [...this.#company.classes.map(({ key }) => key), null];
    return keys.flatMap((classKey) => {
      const own = all.filter(({ held }) => (held.classKey ?? null) === classKey);
      const strikes = [...new Set(own.map(({ strike }) => strike))].sort(byStrike);
      const stockClass = classKey === null ? null : (this.#classes.get(classKey) ?? null);
      return strikes.map((strike) => {
        const members = own.filter((each) => each.strike === strike).map(({ held }) => memberOf(held, held.quantity));
        return this.#warrantUnit(stockClass, strike, members);
      });
    });
  }

  #warrantUnit(stockClass: ModelClass | null, strike: Decimal, members: readonly Member[]): Unit {
    const exact = ofDecimal(strike);
    const isOnPreferred = stockClass?.classType === "PREFERRED";
    const pay: Pay =
      stockClass && isOnPreferred
        ? { kind: "PREFERRED_CALL", strike: exact, share: shareTerms(stockClass, null, this.#exitDate) }
        : { kind: "CALL", strike: exact };
    const name = isOnPreferred
      ? `Warrants on ${stockClass.name} at ${formatDecimal(strike)}`
      : `Warrants at ${formatDecimal(strike)}`;
    const [classKey, stockClassId] = [stockClass?.key ?? null, stockClass?.id ?? null];
    return unitOf({ kind: "WARRANTS", classKey, stockClassId, name, strike, pay }, members);
  }

  #options(): readonly Unit[] {
    const isAllVested = this.#body.unvested === "ACCELERATE";
    const accelerated = new Set(this.#body.accelerate);
    const all = this.#ofType("STOCK_OPTION").map((held) => {
      const unvested = isAllVested || accelerated.has(held.key) ? ZERO : held.unvested;
      return { member: memberOf(held, held.quantity - unvested), strike: this.#strike(held), unvested };
    });
    this.#unvested = ofDecimal(all.reduce((sum, { unvested }) => sum + unvested, ZERO));
    const vested = all.filter(({ member }) => member.quantity > ZERO);
    const strikes = [...new Set(vested.map(({ strike }) => strike))].sort(byStrike);
    return strikes.map((strike) => {
      const members = vested.filter((each) => each.strike === strike).map(({ member }) => member);
      const pay: Pay = { kind: "CALL", strike: ofDecimal(strike) };
      const name = `Options at ${formatDecimal(strike)}`;
      return unitOf({ kind: "OPTIONS", classKey: null, stockClassId: null, name, strike, pay }, members);
    });
  }

  /** Options that are forfeited. */
  get unvested(): Fraction {
    return this.#unvested;
  }
}

function memberOf(security: Held, quantity: Decimal): Member {
  return { security, quantity };
}

function unitOf(
  given: Pick<Unit, "kind" | "classKey" | "stockClassId" | "name" | "strike" | "pay">,
  members: readonly Member[],
): Unit {
  const quantity = members.reduce((sum, each) => sum + each.quantity, ZERO);
  const count = ofDecimal(quantity);
  return { ...given, securityId: null, accruesFrom: null, quantity, count, members };
}
