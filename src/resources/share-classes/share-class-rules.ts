// What only a preferred class may have. Pure.
import type { Finding } from "../../kernel/problem.ts";

/** The members that are for preferred classes only. */
export const PREFERRED_ONLY = [
  "liquidationPreferenceMultiple",
  "participationCapMultiple",
  "isParticipating",
  "conversionRights",
  "antiDilution",
  "antiDilutionCounts",
  "participationCapBasis",
  "dividendType",
  "dividendRatePercent",
  "dividendCompounding",
  "votesBasis",
] as const;

/** What members hold that say nothing. */
const UNSAID: readonly unknown[] = ["NONE", "BEYOND_PREFERENCE", "[]", "PER_SHARE"];

/** The part of a class that says whether they fit it. */
export interface PreferredFields {
  readonly classType: string;
  readonly liquidationPreferenceMultiple?: string | null;
  readonly participationCapMultiple?: string | null;
  readonly isParticipating?: boolean | 0 | 1;
  readonly conversionRights?: string | readonly unknown[];
  readonly antiDilution?: string;
  readonly antiDilutionCounts?: string | null;
  readonly participationCapBasis?: string;
  readonly dividendType?: string;
  readonly dividendRatePercent?: string | null;
  readonly dividendCompounding?: string | null;
  readonly votesBasis?: string;
}

/** The finding for a member that a common class has and may not have. */
export function preferredFindings(given: PreferredFields, name: (typeof PREFERRED_ONLY)[number]): readonly Finding[] {
  const value = given[name];
  const isSaid = Array.isArray(value) ? value.length > 0 : Boolean(value) && !UNSAID.includes(value);
  return given.classType === "COMMON" && isSaid ? [[`#/${name}`, "is for PREFERRED classes only"]] : [];
}

/** What a dividend needs, and what only one may have. */
export function dividendFindings(given: Omit<PreferredFields, "classType">): readonly Finding[] {
  const hasDividend = (given.dividendType ?? "NONE") !== "NONE";
  const isSaid = (value: string | null | undefined) => value !== undefined && value !== null;
  if (hasDividend) {
    return isSaid(given.dividendRatePercent) ? [] : [["#/dividendRatePercent", "is required with a type of dividend"]];
  }
  const names = ["dividendRatePercent", "dividendCompounding"] as const;
  return names.flatMap((name): Finding[] =>
    isSaid(given[name]) ? [[`#/${name}`, "goes with a type of dividend"]] : [],
  );
}
