// Convertibles that convert in a round, and the ways of each. A SAFE with `mfn` has, beside its own terms, those of
// each later SAFE without it: more ways, of which the equations take the best. Pure.
import { type Decimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { type Finding, refuse } from "../../../kernel/problem.ts";
import { type Fraction, ofDecimal, ofPercent, subtract, WHOLE } from "../fraction.ts";
import { interestOn } from "../interest.ts";
import { Missing } from "../missing.ts";
import {
  type Company,
  type ConvertibleHeld,
  fixedShares,
  type Mechanism,
  type ModelWarning,
  type PricedMechanism,
  percentOf,
} from "../model-company.ts";
import type { Way } from "./known.ts";
import type { RoundPlan } from "./plan.ts";
import type { Election, Pointer } from "./round-body.ts";

/** A mechanism that a convertible may convert by: its own, or that of the security that it adopts. */
export interface Candidate {
  readonly mechanism: Exclude<Mechanism, { type: "CUSTOM" }>;
  readonly adopted: ConvertibleHeld | null;
  readonly way: Way;
}

/** A convertible that converts. */
export interface Converter {
  readonly security: ConvertibleHeld;
  readonly interest: Decimal;
  readonly amount: Decimal;
  readonly candidates: readonly [Candidate, ...Candidate[]];
}

export type Reason = "EXCLUDED" | "CUSTOM_TERMS" | "BELOW_MINIMUM_PROCEEDS" | "NO_SHARES";

/** One that does not. */
export interface NotConverting {
  readonly security: ConvertibleHeld;
  readonly reason: Reason;
}

export interface WhoConverts {
  readonly converters: readonly Converter[];
  readonly others: readonly NotConverting[];
  readonly warnings: readonly ModelWarning[];
}

/** The convertibles of a company, as they were issued. */
export function convertiblesOf(company: Company): readonly ConvertibleHeld[] {
  return company.held.filter((held) => held.type === "CONVERTIBLE");
}

/** Whether a security is a SAFE that may take the terms of a later one. */
export function isMfn({ terms }: ConvertibleHeld): boolean {
  return terms.mechanism.type === "SAFE" && terms.mechanism.isMfn;
}

/** Later SAFEs whose terms one with `mfn` may take: later by the day of the grant, then as they came to be. */
export function adoptable(security: ConvertibleHeld, all: readonly ConvertibleHeld[]): readonly ConvertibleHeld[] {
  const own = all.indexOf(security);
  const isLater = (other: ConvertibleHeld, index: number) =>
    other.grantDate > security.grantDate || (other.grantDate === security.grantDate && index > own);
  return all
    .filter((other, index) => other.terms.mechanism.type === "SAFE" && !isMfn(other) && isLater(other, index))
    .sort((a, b) => (a.grantDate < b.grantDate ? -1 : a.grantDate > b.grantDate ? 1 : 0));
}

/** What holders chose for their SAFEs with `mfn`. Throws `404` and `422` for what does not fit. */
export function readElections(
  elections: readonly Election[] | undefined,
  all: readonly ConvertibleHeld[],
  at: Pointer,
): ReadonlyMap<string, ConvertibleHeld | null> {
  const known = new Map(all.map((each) => [each.key, each]));
  const chosen = new Map<string, ConvertibleHeld | null>();
  const findings: Finding[] = [];
  for (const [index, { securityId, adoptsSecurityId }] of (elections ?? []).entries()) {
    const [security, adopted] = [known.get(securityId), adoptsSecurityId === null ? null : known.get(adoptsSecurityId)];
    if (!security) throw new Missing("convertible", securityId);
    if (adopted === undefined) throw new Missing("convertible", String(adoptsSecurityId));
    if (!isMfn(security)) findings.push([`${at}/${index}/securityId`, "must be a SAFE with `mfn`"]);
    else if (chosen.has(securityId)) findings.push([`${at}/${index}`, "names a security that the list has already"]);
    else if (adopted && !adoptable(security, all).includes(adopted)) {
      findings.push([`${at}/${index}/adoptsSecurityId`, "must be a later SAFE without `mfn`"]);
    }
    chosen.set(securityId, adopted);
  }
  refuse(findings);
  return chosen;
}

/** Says who converts, and how each may. */
export function whoConverts(company: Company, { body, at, closingDate, money }: RoundPlan): WhoConverts {
  const all = convertiblesOf(company);
  const { exclude = [], force = [], mfnElections } = body.conversion ?? {};
  requireAll([...exclude, ...force], all);
  const elections = readElections(mfnElections, all, `${at}/conversion/mfnElections`);
  const [excluded, forced] = [new Set(exclude), new Set(force)];
  const reasonOf = ({ key, terms }: ConvertibleHeld): Reason | null => {
    if (excluded.has(key)) return "EXCLUDED";
    if (terms.mechanism.type === "CUSTOM") return "CUSTOM_TERMS";
    const isBelow = terms.minimumProceeds !== null && terms.minimumProceeds > money;
    return isBelow && !forced.has(key) ? "BELOW_MINIMUM_PROCEEDS" : null;
  };
  const converters: Converter[] = [];
  const others: NotConverting[] = [];
  for (const security of all) {
    const reason = reasonOf(security);
    const own = candidate(security.terms.mechanism, null);
    if (reason !== null || own === null) {
      others.push({ security, reason: reason ?? "CUSTOM_TERMS" });
      continue;
    }
    const interest = interestOn(security.quantity, security.terms.interest, closingDate);
    const candidates = candidatesOf(security, own, all, elections);
    converters.push({ security, interest, amount: security.quantity + interest, candidates });
  }
  return { converters, others, warnings: all.flatMap((security) => oddities(security, closingDate, converters)) };
}

function requireAll(keys: readonly string[], all: readonly ConvertibleHeld[]): void {
  const known = new Set(all.map(({ key }) => key));
  const missing = keys.find((key) => !known.has(key));
  if (missing !== undefined) throw new Missing("convertible", missing);
}

function candidatesOf(
  security: ConvertibleHeld,
  own: Candidate,
  all: readonly ConvertibleHeld[],
  elections: ReadonlyMap<string, ConvertibleHeld | null>,
): readonly [Candidate, ...Candidate[]] {
  if (!isMfn(security)) return [own];
  const elected = elections.get(security.key);
  if (elected === null) return [own];
  const taken = (elected ? [elected] : adoptable(security, all)).flatMap(
    (adopted) => candidate(adopted.terms.mechanism, adopted) ?? [],
  );
  const [first] = taken;
  return elected && first ? [first] : [own, ...taken];
}

function candidate(mechanism: Mechanism, adopted: ConvertibleHeld | null): Candidate | null {
  if (mechanism.type === "CUSTOM") return null;
  return { mechanism, adopted, way: wayOf(mechanism) };
}

function wayOf(mechanism: Candidate["mechanism"]): Way {
  if (mechanism.type === "FIXED") return { kind: "FIXED", quantity: fixedShares(mechanism) };
  const { rules } = mechanism;
  if (mechanism.type === "PERCENT") return { kind: "PERCENT", percent: percentOf(mechanism), rules };
  const { cap } = mechanism;
  return { kind: "PRICED", factor: factorOf(mechanism), cap: cap === null ? null : ofDecimal(cap), rules };
}

/** 1 − the discount. */
export function factorOf({ discountPercent }: PricedMechanism): Fraction {
  return discountPercent === ZERO ? WHOLE : subtract(WHOLE, ofPercent(discountPercent));
}

function oddities(
  { key, name, terms }: ConvertibleHeld,
  closingDate: string,
  converters: readonly Converter[],
): readonly ModelWarning[] {
  const { mechanism, maturityDate } = terms;
  const odd: ModelWarning[] = [];
  if (maturityDate !== null && maturityDate <= closingDate) {
    odd.push({ code: "matured", detail: `${name} matures on ${maturityDate}.`, securityId: key });
  }
  if (mechanism.type === "NOTE" && mechanism.isMfn) {
    odd.push({ code: "mfn-not-applied", detail: `${name} is no SAFE: its \`mfn\` is not applied.`, securityId: key });
  }
  const isAssumed = mechanism.type === "SAFE" && mechanism.cap !== null && mechanism.timing === null;
  if (isAssumed && converters.some(({ security }) => security.key === key)) {
    const detail = `${name} has a cap and does not say whether before or after the money; it is counted as post-money.`;
    odd.push({ code: "timing-assumed", detail, securityId: key });
  }
  return odd;
}
