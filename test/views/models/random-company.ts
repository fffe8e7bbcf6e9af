// Random companies for the models, as plain data: classes of every kind, options, warrants and convertibles of all
// mechanisms.
import { type Decimal, ONE, parseDecimal } from "../../../src/kernel/numbers/decimal.ts";
import type {
  CapitalizationRules,
  Company,
  Held,
  Mechanism,
  ModelClass,
  PricedMechanism,
} from "../../../src/views/models/model-company.ts";
import type { RoundBody } from "../../../src/views/models/round/round-body.ts";
import type { Random } from "../../kit/random.ts";

export const EXIT_DATE = "2024-06-30";

/** What a random company may have. */
export interface Limits {
  /** The most that decide at an exit: preferred classes and convertibles. */
  readonly deciders: number;
  /** Whether convertibles may convert into a part of the capitalization. */
  readonly hasParts: boolean;
}

const whole = (random: Random, first: number, last: number): Decimal => BigInt(random.between(first, last)) * ONE;

export function rulesOf(counts: "POST" | "PRE"): CapitalizationRules {
  const isPost = counts === "POST";
  return {
    includeOutstandingShares: true,
    includeOutstandingOptions: true,
    includeOutstandingUnissuedOptions: true,
    includeThisSecurity: isPost,
    includeOtherConvertingSecurities: isPost,
    includeOptionPoolTopupForPromisedOptions: true,
    includeAdditionalOptionPoolTopup: !isPost,
    includeNewMoney: false,
  };
}

const COUNTS = [null, "CONVERSIONS", "NEW_MONEY_ONLY"] as const;

function randomPreferred(random: Random, index: number): ModelClass {
  const price = BigInt(random.between(1, 40)) * (ONE / 4n);
  const isParticipating = random.chance(0.4);
  const ratio = random.chance(0.3)
    ? { numerator: BigInt(random.between(1, 4)) * ONE, denominator: BigInt(random.between(1, 3)) * ONE }
    : { numerator: ONE, denominator: ONE };
  const seniority = random.between(1, 3);
  return {
    key: `preferred-${index}`,
    id: `preferred-${index}`,
    name: `Series ${index}`,
    classType: "PREFERRED",
    seniority,
    price: random.chance(0.05) ? null : price,
    preferenceMultiple: random.pick([ONE, ONE, 2n * ONE, 0n, ONE + ONE / 2n]),
    isParticipating,
    participationCapMultiple: isParticipating && random.chance(0.7) ? whole(random, 0, 3) : null,
    participationCapBasis: random.pick(["BEYOND_PREFERENCE", "TOTAL"]),
    antiDilution: random.pick(["NONE", "BROAD_BASED", "BROAD_BASED_WITH_POOL", "FULL_RATCHET"]),
    antiDilutionCounts: COUNTS[(index + seniority) % COUNTS.length] ?? null,
    dividend: random.chance(0.2)
      ? { ratePercent: parseDecimal("8"), compounding: random.pick(["SIMPLE", "ANNUAL"]) }
      : null,
    ratio,
    rounding: random.pick(["FLOOR", "CEILING", "NORMAL"]),
    rightPrice: null,
    intoKey: "common",
    authorized: null,
  };
}

const COMMON: ModelClass = {
  key: "common",
  id: "common",
  name: "Common",
  classType: "COMMON",
  seniority: 9,
  price: null,
  preferenceMultiple: ONE,
  isParticipating: false,
  participationCapMultiple: null,
  participationCapBasis: "BEYOND_PREFERENCE",
  antiDilution: "NONE",
  antiDilutionCounts: null,
  dividend: null,
  ratio: { numerator: ONE, denominator: ONE },
  rounding: "FLOOR",
  rightPrice: null,
  intoKey: null,
  authorized: null,
};

function randomPriced(random: Random, type: "SAFE" | "NOTE", hasParts: boolean): PricedMechanism {
  const isPost = type === "SAFE" && hasParts && random.chance(0.7);
  return {
    type,
    cap: random.chance(0.75) ? BigInt(random.between(2, 40)) * 50_000n * ONE : null,
    discountPercent: random.chance(0.4) ? parseDecimal(random.pick(["10", "20", "33.3"])) : 0n,
    timing: type === "NOTE" ? null : isPost ? "POST_MONEY" : "PRE_MONEY",
    isMfn: type === "SAFE" && random.chance(0.2),
    exitMultiple: random.chance(0.2) ? random.pick([ONE, 2n * ONE]) : null,
    rules: rulesOf(isPost ? "POST" : "PRE"),
  };
}

function randomMechanism(random: Random, type: "SAFE" | "NOTE", hasParts: boolean): Mechanism {
  const kind = random.weighted({ PRICED: 8, FIXED: 1, PERCENT: hasParts ? 1 : 0, CUSTOM: 0.5 });
  if (kind === "FIXED") return { type: "FIXED", quantity: whole(random, 1, 200_000) };
  if (kind === "PERCENT") {
    return { type: "PERCENT", percent: parseDecimal(random.pick(["1", "5", "7"])), rules: rulesOf("POST") };
  }
  return kind === "CUSTOM" ? { type: "CUSTOM" } : randomPriced(random, type, hasParts);
}

/** A company that follows from a source of choices. */
export function randomCompany(random: Random, { deciders, hasParts }: Limits): Company {
  const held: Held[] = [];
  const put = (security: Held) => void held.push(security);
  const holders = Array.from({ length: 5 }, (_none, index) => ({
    key: `h${index}`,
    id: `h${index}`,
    name: `H${index}`,
  }));
  const common = (name: string) => {
    const holder = `h${random.below(5)}`;
    return { key: `${name}${held.length}`, id: `${name}${held.length}`, name: `${name}${held.length}`, holder };
  };
  const date = () => random.pick(["2022-06-30", "2023-06-30", "2024-01-15"]);
  const preferred = Array.from({ length: random.below(Math.min(4, deciders + 1)) }, (_none, index) =>
    randomPreferred(random, index),
  );
  for (let left = random.between(random.chance(0.1) ? 0 : 1, 3); left > 0; left -= 1) {
    const quantity = random.chance(0.1) ? BigInt(random.between(1, 10)) * (ONE / 3n) : whole(random, 1, 2_000_000);
    put({ ...common("C"), type: "STOCK", classKey: "common", quantity, grantDate: date() });
  }
  for (const { key, dividend } of preferred) {
    const certificates = dividend ? 1 : random.between(1, 2);
    for (let left = certificates; left > 0; left -= 1) {
      put({ ...common("P"), type: "STOCK", classKey: key, quantity: whole(random, 1, 900_000), grantDate: date() });
    }
  }
  for (let left = random.below(3); left > 0; left -= 1) {
    const quantity = whole(random, 1, 300_000);
    const unvested = random.chance(0.5) ? quantity / 4n : 0n;
    const strike = BigInt(random.between(0, 20)) * (ONE / 4n);
    const grant = { planKey: "plan", classKey: "common", expirationDate: null, grantDate: date() };
    put({ ...common("O"), ...grant, type: "STOCK_OPTION", quantity, strike, unvested });
  }
  for (let left = random.below(3); left > 0; left -= 1) {
    // Warrants on shares with dividends get none: they decide by themselves, and have a test of their own.
    const on = random.maybe(preferred.filter(({ dividend }) => dividend === null))?.key ?? "common";
    const strike = BigInt(random.between(0, 16)) * (ONE / 4n);
    const terms = { classKey: random.chance(0.5) ? on : "common", expirationDate: null, grantDate: date() };
    put({ ...common("W"), ...terms, type: "WARRANT", quantity: whole(random, 1, 90_000), strike });
  }
  for (let left = random.below(deciders + 1 - preferred.length); left > 0; left -= 1) {
    const convertibleType = random.pick(["SAFE", "SAFE", "NOTE"] as const);
    const terms = {
      convertibleType,
      seniority: random.between(1, 2),
      maturityDate: null,
      triggerId: null,
      minimumProceeds: random.chance(0.1) ? whole(random, 1, 5_000_000) : null,
      mechanism: randomMechanism(random, convertibleType, hasParts),
      interest: null,
    };
    const quantity = BigInt(random.between(1, 40)) * 25_000n * ONE;
    put({ ...common("S"), type: "CONVERTIBLE", quantity, terms, grantDate: date() });
  }
  return {
    classes: [COMMON, ...preferred],
    plans: random.chance(0.7)
      ? [{ key: "plan", id: "plan", available: whole(random, 0, 400_000), classKey: "common" }]
      : [],
    holders,
    held,
    warnings: [],
  };
}

/** A round for a company. Some have no solution. */
export function randomRound(random: Random, company: Company): RoundBody {
  const kind = random.pick(["PRE_MONEY", "POST_MONEY", "PRICE"] as const);
  const amount = kind === "PRICE" ? String(random.between(1, 400) / 100) : String(random.between(20, 900) * 50_000);
  const convertibles = random.pick(["IN_PRE_MONEY", "IN_PRE_MONEY", "EXCLUDED", "ADDED_AT_COST"] as const);
  const money = () => String(random.between(1, 90) * 10_000 + random.below(100) / 100);
  const pool = random.pick([
    null,
    { increase: String(random.between(0, 300_000)) },
    { targetPercent: random.pick(["5", "10", "12.5"]), position: random.pick(["PRE_MONEY", "POST_MONEY"] as const) },
    { targetPercent: "15", measure: "GRANTED_AND_AVAILABLE" as const },
    { targetPercent: "10", promised: String(random.between(1, 90_000)) },
  ]);
  const participants = random.chance(0.3)
    ? [{ stakeholderId: company.holders[0]?.id ?? "", percent: random.pick(["5", "12.5"]) }]
    : null;
  return {
    newClass: { name: "Series New", seniority: random.between(1, 3) },
    shiftSeniority: random.chance(0.5),
    valuation: {
      kind,
      amount,
      convertibles: kind !== "PRE_MONEY" && convertibles === "ADDED_AT_COST" ? "IN_PRE_MONEY" : convertibles,
    },
    investors: [{ name: "Lead", amount: money() }, ...(random.chance(0.5) ? [{ name: "Other", amount: money() }] : [])],
    proRata: participants && { mode: random.pick(["WITHIN", "ON_TOP"] as const), participants },
    pool,
    conversion: { shadowSeries: random.chance(0.7) },
    pricePlaces: random.pick([4, 6, 10]),
  };
}
