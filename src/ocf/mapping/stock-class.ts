// STOCK_CLASS ↔ share class (OCF.md section 7.3). Pure.
import type { Row } from "../../database/sql.ts";
import { type JsonObject, textOf } from "../json.ts";
import { currencyAmong } from "./currencies.ts";
import {
  amountText,
  approvalDates,
  commentsText,
  exactNumber,
  numberText,
  requiredName,
  requiredNumber,
  requiredWord,
} from "./values.ts";

/** The columns that OCF carries. `seniority` runs the other way there. */
export const STOCK_CLASS_COLUMNS = [
  "name",
  "classType",
  "defaultIdPrefix",
  "initialSharesAuthorized",
  "votesPerShare",
  "parValue",
  "pricePerShare",
  "seniority",
  "liquidationPreferenceMultiple",
  "participationCapMultiple",
  "boardApprovalDate",
  "stockholderApprovalDate",
  "comments",
  "sourceDocumentId",
] as const satisfies readonly (keyof Row<"share_classes">)[];

/** What an OCF stock class becomes; `seniority` by {@link seniorityRanks}. Throws `Refusal` for what it cannot lack. */
export function stockClassFromOcf(value: JsonObject, seniority: number) {
  const initialSharesAuthorized = authorizedText(value, "initial_shares_authorized");
  const participationCapMultiple = numberText(value, "participation_cap_multiple");
  return {
    name: requiredName(value, "name"),
    classType: requiredWord(value, "class_type", ["COMMON", "PREFERRED"]),
    defaultIdPrefix: textOf(value, "default_id_prefix") ?? "",
    initialSharesAuthorized,
    currentSharesAuthorized: initialSharesAuthorized,
    votesPerShare: requiredNumber(value, "votes_per_share"),
    parValue: amountText(value, "par_value"),
    pricePerShare: amountText(value, "price_per_share"),
    seniority,
    liquidationPreferenceMultiple: numberText(value, "liquidation_preference_multiple"),
    participationCapMultiple,
    isParticipating: participationCapMultiple === null ? 0 : 1,
    ...approvalDates(value),
    comments: commentsText(value),
  } as const;
}

/** The currency of a class's amounts; null where none says one. */
export function currencyOfClass(value: JsonObject): string | null {
  return currencyAmong(value, ["price_per_share", "par_value"]);
}

/** A count of authorized shares, or one of the words that stand for no limit. */
function authorizedText(value: JsonObject, name: string): string {
  const word = value[name];
  return word === "UNLIMITED" || word === "NOT APPLICABLE" ? word : requiredNumber(value, name);
}

/**
 * The service's seniority of each class by id: 1 is the most senior, equals share a rank. OCF's highest number is the
 * most senior; a class without a readable one comes last.
 */
export function seniorityRanks(classes: Iterable<JsonObject>): Map<string, number> {
  const given = [...classes].map((value) => [textOf(value, "id") ?? "", exactNumber(value, "seniority")] as const);
  const numbers = given.map(([, number]) => number).filter((number) => number !== null);
  const descending = [...new Set(numbers)].sort((a, b) => (a > b ? -1 : 1));
  const rankOf = (number: bigint | null) => (number === null ? descending.length : descending.indexOf(number)) + 1;
  return new Map(given.map(([id, number]) => [id, rankOf(number)]));
}
