// `vestings[]` of issuances ↔ the parcels of a security: exact days and amounts, which win over the vesting terms (OCF;
// TRUTH section 2). What waits for something without a day has no member there; a comment of ours says it. Pure.
import { ZERO } from "../../kernel/decimal.ts";
import { inOrderOfDate, type Parcels, parcelOn } from "../../vesting/parcels.ts";
import { tellParcels } from "../../vesting/told.ts";
import { dateOf, decimalOf, type JsonObject, objectsOf } from "../json.ts";

/** The parcels that an issuance names, by date; null where it names none. */
export function vestingsFromOcf(value: JsonObject): Parcels | null {
  const parcels = objectsOf(value, "vestings").flatMap((vesting) => {
    const [date, amount] = [dateOf(vesting, "date"), decimalOf(vesting, "amount")];
    return date === null || amount === null || amount <= ZERO ? [] : [parcelOn(date, amount)];
  });
  return parcels.length === 0 ? null : inOrderOfDate(parcels);
}

/** The same as a security's column `vestings` holds it. */
export function vestingsColumn(value: JsonObject): string | null {
  const parcels = vestingsFromOcf(value);
  return parcels === null ? null : JSON.stringify(tellParcels(parcels));
}
