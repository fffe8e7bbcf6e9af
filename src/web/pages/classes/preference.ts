// A class's liquidation preference in words.
import { CLASSES } from "../../text/classes.ts";

/** `1×, participating up to 2×`; `none` for common stock. */
export function preferenceOf({
  classType,
  liquidationPreferenceMultiple,
  isParticipating,
  participationCapMultiple,
}: {
  readonly classType: "COMMON" | "PREFERRED";
  readonly liquidationPreferenceMultiple: string | null;
  readonly isParticipating: boolean;
  readonly participationCapMultiple: string | null;
}): string {
  if (classType === "COMMON" || liquidationPreferenceMultiple === null) return CLASSES.noPreference;
  const multiple = CLASSES.multiple(liquidationPreferenceMultiple);
  if (!isParticipating) return multiple;
  const more = participationCapMultiple === null ? CLASSES.participating : CLASSES.capped(participationCapMultiple);
  return `${multiple}, ${more}`;
}
