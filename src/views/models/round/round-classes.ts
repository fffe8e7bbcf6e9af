// Classes that a round makes: one for new money and for what converts at its price, and one for each other price, so
// that no holder's preference is above what was paid (YC's safe preferred). Pure.
import { type Decimal, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import type { Company, ModelClass } from "../model-company.ts";
import type { Conversion } from "./prices.ts";
import type { NewClassBody } from "./round-body.ts";

/** A class that a round makes. */
export interface MadeClass {
  readonly role: "NEW_MONEY" | "SHADOW";
  readonly price: Decimal;
  readonly prefix: string;
  readonly class: ModelClass;
}

const NAME_MAX = 96;

/** The prefix of a name: its capitals and digits, and a dash. */
export function defaultPrefix(name: string): string {
  const marks = name.match(/[A-Z0-9]/g)?.join("") ?? "";
  return marks === "" ? "P-" : `${marks.slice(0, 19)}-`;
}

/** Moves every class of a rank, or below it, one rank down. */
export function shiftSeniority(classes: readonly ModelClass[], from: number): readonly ModelClass[] {
  return classes.map((each) => (each.seniority >= from ? { ...each, seniority: each.seniority + 1 } : each));
}

/** What shares of a round cost: those of new money, and those into which something converts. */
interface Issue {
  readonly price: Decimal;
  readonly conversions: readonly Conversion[];
  /** Whether what converts at another price gets a class of its own. */
  readonly isShadowed: boolean;
}

/** The classes that the conversions need, the one of new money first, then by falling price. */
export function makeClasses(
  company: Company,
  body: NewClassBody,
  { price, conversions, isShadowed }: Issue,
): readonly MadeClass[] {
  const prefix = body.defaultIdPrefix ?? defaultPrefix(body.name);
  const into = company.classes.find(({ classType }) => classType === "COMMON")?.key ?? null;
  const first: MadeClass = { role: "NEW_MONEY", price, prefix, class: modelClass(body, body.name, price, into) };
  if (!isShadowed) return [first];
  const prices = new Set(conversions.map((each) => each.price));
  prices.delete(price);
  const taken = new Set(company.classes.map(({ name }) => name));
  let number = 0;
  const nextName = (): string => {
    for (;;) {
      number += 1;
      const name = `${[...body.name].slice(0, NAME_MAX).join("")}-${number}`;
      if (!taken.has(name)) return name;
    }
  };
  const falling = [...prices].sort((a, b) => (a > b ? -1 : 1));
  return [
    first,
    ...falling.map((own): MadeClass => {
      const name = nextName();
      const ownPrefix = `${prefix.replace(/-$/, "")}${number}-`;
      return { role: "SHADOW", price: own, prefix: ownPrefix, class: modelClass(body, name, own, into) };
    }),
  ];
}

function modelClass(body: NewClassBody, name: string, price: Decimal, intoKey: string | null): ModelClass {
  const one = parseDecimal("1");
  const cap = body.participationCapMultiple;
  return {
    key: `c:${name}`,
    id: null,
    name,
    classType: "PREFERRED",
    seniority: body.seniority ?? 1,
    price,
    preferenceMultiple: parseDecimal(body.liquidationPreferenceMultiple ?? "1"),
    isParticipating: body.isParticipating ?? false,
    participationCapMultiple: cap === undefined || cap === null ? null : parseDecimal(cap),
    participationCapBasis: body.participationCapBasis ?? "BEYOND_PREFERENCE",
    antiDilution: body.antiDilution ?? "NONE",
    antiDilutionCounts: body.antiDilutionCounts ?? null,
    dividend:
      body.dividendType === "CUMULATIVE"
        ? {
            ratePercent: parseDecimal(body.dividendRatePercent ?? "0"),
            compounding: body.dividendCompounding ?? "SIMPLE",
          }
        : null,
    ratio: { numerator: one, denominator: one },
    rounding: "FLOOR",
    rightPrice: price,
    intoKey,
    authorized: null,
  };
}

/** Shares that a class of this price gets, by its key, of what converts; for a class that holds them. */
export function classOf(made: readonly MadeClass[], price: Decimal): MadeClass {
  const found = made.find((each) => each.price === price) ?? made[0];
  if (!found) throw new Error("a round makes at least one class");
  return found;
}
