// Counted capitalization of a conversion, if its number of shares came from one: the entry keeps it, so that an export
// can state it in OCF's `capitalization_definition`. Pure.
import type { ToldCapitalization } from "../../../ledger/members.ts";
import type { CapitalizationRules, Held } from "../model-company.ts";
import type { RoundOutcome } from "../round/round.ts";

/** The most securities that are listed: more make an entry too long, and OCF does not require the list. */
const SECURITIES_MAX = 1000;

type Conversion = RoundOutcome["conversions"][number];

/** What a conversion counted; null where its shares came from no capitalization of the whole company. */
export function countedIn(conversion: Conversion, { before, conversions }: RoundOutcome): ToldCapitalization | null {
  const rules = rulesOf(conversion);
  if (rules === null || !rules.includeOutstandingShares) return null;
  const { security } = conversion;
  const isConverting = new Map(conversions.map((each) => [each.security.key, each.security === security]));
  const isIncluded = (held: Held) => {
    if (held.type === "WARRANT") return rules.includeOutstandingOptions;
    const isThis = isConverting.get(held.key);
    if (isThis === undefined) return false;
    return isThis ? rules.includeThisSecurity : rules.includeOtherConvertingSecurities;
  };
  const concerned = before.held.filter(({ type, key }) => type === "WARRANT" || isConverting.has(key));
  if (concerned.length > SECURITIES_MAX) return null;
  const hasPlans = rules.includeOutstandingOptions || rules.includeOutstandingUnissuedOptions;
  return {
    stockClassIds: idsOf(before.classes),
    equityPlanIds: hasPlans ? idsOf(before.plans) : [],
    securityIds: idsOf(concerned.filter(isIncluded)),
    excludedSecurityIds: idsOf(concerned.filter((held) => !isIncluded(held))),
  };
}

/** The rules by which the shares came to be. */
function rulesOf({ basis, adopted, security }: Conversion): CapitalizationRules | null {
  if (basis !== "CAP" && basis !== "PERCENT") return null;
  const { mechanism } = (adopted ?? security).terms;
  return "rules" in mechanism ? mechanism.rules : null;
}

function idsOf(all: readonly { readonly id: string | null }[]): readonly string[] {
  return all.flatMap(({ id }) => id ?? []);
}
