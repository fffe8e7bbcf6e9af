// What only a preferred class may have. Pure.
import type { Finding } from "../../kernel/problem.ts";

/** The members that are for preferred classes only. */
export const PREFERRED_ONLY = ["liquidationPreferenceMultiple", "participationCapMultiple", "isParticipating"] as const;

/** The part of a class that says whether they fit it. */
export interface PreferredFields {
  readonly classType: string;
  readonly liquidationPreferenceMultiple?: string | null;
  readonly participationCapMultiple?: string | null;
  readonly isParticipating?: boolean | 0 | 1;
}

/** The finding for a member that a common class has and may not have. */
export function preferredFindings(given: PreferredFields, name: (typeof PREFERRED_ONLY)[number]): readonly Finding[] {
  return given.classType === "COMMON" && given[name] ? [[`#/${name}`, "is for PREFERRED classes only"]] : [];
}
