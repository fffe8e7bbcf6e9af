// Where acceptances stand in a package.
import type { JsonObject } from "../../../../src/exchange/ocf/json.ts";

/** The acceptances that do not lie between what issues their security in OCF and what ends that, by day or in the file. */
export function misplacedIn(items: readonly JsonObject[]): readonly unknown[] {
  const misplaced = items.filter((object, place) => {
    if (!String(object.object_type).endsWith("_ACCEPTANCE")) return false;
    const about = (types: RegExp) =>
      items.findIndex(
        ({ object_type: type, security_id: id }) => id === object.security_id && types.test(String(type)),
      );
    const issued = about(/_ISSUANCE$/);
    const ended = about(/_(TRANSFER|CANCELLATION|RETRACTION|REISSUANCE|CONVERSION|REPURCHASE)$|WARRANT_EXERCISE$/);
    const isBehind = issued >= 0 && issued < place && String(items[issued]?.date) <= String(object.date);
    return !isBehind || (ended >= 0 && (ended < place || String(items[ended]?.date) < String(object.date)));
  });
  return misplaced.map(({ id }) => id);
}
