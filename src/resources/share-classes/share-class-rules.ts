// Members that only a preferred class may have. Pure.
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

/** The values that count as unset. */
const UNSAID: readonly unknown[] = ["NONE", "BEYOND_PREFERENCE", "[]", "PER_SHARE"];

/** The members under these rules. */
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

/** The finding for a preferred-only member of a common class. */
export function preferredFindings(given: PreferredFields, name: (typeof PREFERRED_ONLY)[number]): readonly Finding[] {
  const value = given[name];
  const isSaid = Array.isArray(value) ? value.length > 0 : Boolean(value) && !UNSAID.includes(value);
  return given.classType === "COMMON" && isSaid ? [[`#/${name}`, "is for PREFERRED classes only"]] : [];
}

/** The members that a dividend requires, and those that require a dividend. */
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
