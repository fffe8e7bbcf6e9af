// Counted capitalization of a conversion, if its number of shares came from one: the entry keeps it, so that an export
// can state it in OCF's `capitalization_definition`. Pure.
import type { ToldCapitalization } from "../../../ledger/members.ts";
import type { CapitalizationRules } from "../model-company.ts";
import type { RoundOutcome } from "../round/round.ts";

/** The most securities that are listed: more make an entry too long, and OCF does not require the list. */
const SECURITIES_MAX = 1000;

type Conversion = RoundOutcome["conversions"][number];

/** What the conversions of a round may count. */
export interface Countable {
  readonly stockClassIds: readonly string[];
  readonly equityPlanIds: readonly string[];
  /** The warrants, and the convertibles that convert. Null where there are too many to list. */
  readonly securities: readonly { readonly id: string; readonly isWarrant: boolean }[] | null;
}

/** What the conversions of a round may count, once for all of them. */
export function countableIn({ before, conversions }: RoundOutcome): Countable {
  const converting = new Set(conversions.map(({ security }) => security.key));
  const concerned = before.held.filter(({ type, key }) => type === "WARRANT" || converting.has(key));
  return {
    stockClassIds: idsOf(before.classes),
    equityPlanIds: idsOf(before.plans),
    securities:
      concerned.length > SECURITIES_MAX
        ? null
        : concerned.flatMap(({ id, type }) => (id === null ? [] : [{ id, isWarrant: type === "WARRANT" }])),
  };
}

/** What the conversion of a security counted; null where its shares came from no capitalization of the whole company. */
export function countedIn(
  securityId: string,
  rules: CapitalizationRules | null,
  { stockClassIds, equityPlanIds, securities }: Countable,
): ToldCapitalization | null {
  if (rules === null || !rules.includeOutstandingShares || securities === null) return null;
  const isIncluded = ({ id, isWarrant }: (typeof securities)[number]) => {
    if (isWarrant) return rules.includeOutstandingOptions;
    return id === securityId ? rules.includeThisSecurity : rules.includeOtherConvertingSecurities;
  };
  const hasPlans = rules.includeOutstandingOptions || rules.includeOutstandingUnissuedOptions;
  return {
    stockClassIds,
    equityPlanIds: hasPlans ? equityPlanIds : [],
    securityIds: securities.filter(isIncluded).map(({ id }) => id),
    excludedSecurityIds: securities.filter((each) => !isIncluded(each)).map(({ id }) => id),
  };
}

/** The rules by which the shares of a conversion came to be; null where no capitalization did. */
export function rulesOf({ basis, adopted, security }: Conversion): CapitalizationRules | null {
  if (basis !== "CAP" && basis !== "PERCENT") return null;
  const { mechanism } = (adopted ?? security).terms;
  return "rules" in mechanism ? mechanism.rules : null;
}

function idsOf(all: readonly { readonly id: string | null }[]): readonly string[] {
  return all.flatMap(({ id }) => id ?? []);
}
