// `conversion_rights` of a stock class ↔ `share_classes.conversionRights`, and the members of a class for which OCF has
// no field. Pure.

import { RIGHT_ROUNDINGS } from "../../../kernel/numbers/converted.ts";
import { formatDecimal, parseDecimal, scale, ZERO } from "../../../kernel/numbers/decimal.ts";
import type { ConversionRight } from "../../../ledger/rules/class-terms.ts";
import type { Columns, Row } from "../../../storage/database/sql.ts";
import { assumedVotesBasis } from "../../../storage/records/share-class.ts";
import { isObject, type JsonObject, objectsOf, textOf } from "../json.ts";
import { captableComment, fromCaptableComment } from "./captable-comment.ts";
import { amountText, numberText } from "./values.ts";
import { compact, money } from "./values-to-ocf.ts";

/** How one class becomes another, of a right or an adjustment of one. */
export type RatioMechanism = Pick<ConversionRight, "ratio" | "conversionPrice" | "rounding">;

/** A `RATIO_CONVERSION`; null where it is another mechanism or its ratio cannot be read. */
export function ratioMechanismOf(value: unknown): RatioMechanism | null {
  if (!isObject(value) || (value.type !== undefined && value.type !== "RATIO_CONVERSION")) return null;
  const given = isObject(value.ratio) ? value.ratio : {};
  const [numerator, denominator] = [numberText(given, "numerator"), numberText(given, "denominator")];
  if (numerator === null || denominator === null || parseDecimal(denominator) === ZERO) return null;
  const price = amountText(value, "conversion_price");
  return {
    ratio: { numerator, denominator },
    conversionPrice: price === null || parseDecimal(price) === ZERO ? null : price,
    rounding: RIGHT_ROUNDINGS.find((word) => word === value.rounding_type) ?? "FLOOR",
  };
}

/** The conversion price that a right without one exports, since OCF requires it; `"0"` if it cannot be computed. */
function impliedPrice({ ratio }: Pick<RatioMechanism, "ratio">, pricePerShare: string | null): string {
  const numerator = parseDecimal(ratio.numerator);
  if (pricePerShare === null || numerator === ZERO) return "0";
  return formatDecimal(scale(parseDecimal(pricePerShare), parseDecimal(ratio.denominator), numerator));
}

/** A `RATIO_CONVERSION` of a class at an issue price. */
export function ratioMechanismToOcf(
  mechanism: RatioMechanism,
  pricePerShare: string | null,
  currency: string,
): JsonObject {
  const { numerator, denominator } = mechanism.ratio;
  return {
    type: "RATIO_CONVERSION",
    conversion_price: money(mechanism.conversionPrice ?? impliedPrice(mechanism, pricePerShare), currency),
    ratio: { numerator, denominator },
    rounding_type: mechanism.rounding,
  };
}

/**
 * The rights of a preferred class, of those that can be read. A price that only repeats ratio and issue price, less
 * exactly, counts as absent.
 */
export function rightsFromOcf(value: JsonObject): readonly ConversionRight[] {
  if (value.class_type !== "PREFERRED") return [];
  const pricePerShare = amountText(value, "price_per_share");
  return objectsOf(value, "conversion_rights").flatMap((right) => {
    const mechanism = ratioMechanismOf(right.conversion_mechanism);
    if (mechanism === null) return [];
    const future = right.converts_to_future_round;
    return [
      {
        stockClassId: textOf(right, "converts_to_stock_class_id"),
        ...mechanism,
        conversionPrice: isRounded(mechanism, pricePerShare) ? null : mechanism.conversionPrice,
        convertsToFutureRound: typeof future === "boolean" ? future : null,
      },
    ];
  });
}

function isRounded(mechanism: RatioMechanism, pricePerShare: string | null): boolean {
  const { conversionPrice, ratio } = mechanism;
  if (conversionPrice === null || pricePerShare === null) return false;
  const numerator = parseDecimal(ratio.numerator);
  const exact = parseDecimal(pricePerShare) * parseDecimal(ratio.denominator);
  if (numerator === ZERO || exact % numerator === 0n) return false;
  return parseDecimal(conversionPrice) === parseDecimal(impliedPrice(mechanism, pricePerShare));
}

/** The rights as OCF writes them; undefined where a class has none. */
export function rightsToOcf(row: Row<"share_classes">, currency: string): readonly JsonObject[] | undefined {
  const rights: readonly ConversionRight[] = JSON.parse(row.conversionRights);
  if (rights.length === 0) return undefined;
  return rights.map((right) =>
    compact({
      type: "STOCK_CLASS_CONVERSION_RIGHT",
      conversion_mechanism: ratioMechanismToOcf(right, row.pricePerShare, currency),
      converts_to_future_round: right.convertsToFutureRound,
      converts_to_stock_class_id: right.stockClassId,
    }),
  );
}

const WORDS: Readonly<Record<string, readonly string[]>> = {
  antiDilution: ["BROAD_BASED", "BROAD_BASED_WITH_POOL", "FULL_RATCHET"],
  antiDilutionCounts: ["CONVERSIONS", "NEW_MONEY_ONLY"],
  participationCapBasis: ["TOTAL"],
  dividendType: ["NON_CUMULATIVE", "CUMULATIVE"],
  dividendCompounding: ["SIMPLE", "ANNUAL"],
  votesBasis: ["PER_SHARE", "AS_CONVERTED"],
};

/** Whether members of a comment are a preferred class's, and go together. */
function fits(members: JsonObject): boolean {
  const { isParticipating, dividendRatePercent, ...words } = members;
  const isFlag = isParticipating === undefined || typeof isParticipating === "boolean";
  const rate = dividendRatePercent === undefined ? null : numberText(members, "dividendRatePercent");
  const isDividend = (members.dividendType !== undefined) === (rate !== null);
  const isAlone = members.dividendCompounding !== undefined && members.dividendType === undefined;
  return isFlag && isDividend && !isAlone && Object.entries(words).every(([name, word]) => isWord(name, word));
}

function isWord(name: string, word: unknown): boolean {
  return typeof word === "string" && (WORDS[name]?.includes(word) ?? false);
}

function commentOf(value: JsonObject) {
  return fromCaptableComment(value, (each) => value.class_type === "PREFERRED" && fits(each));
}

/** Whether a comment of ours says how the class votes. */
export function saysVotesBasis(value: JsonObject): boolean {
  return commentOf(value).members.votesBasis !== undefined;
}

/** What a comment of ours says of a class, as columns, and which comment that is. */
export function toldOfClass(value: JsonObject): {
  readonly columns: Columns;
  readonly isOurs: (comment: string) => boolean;
} {
  const { members, isOurs } = commentOf(value);
  const hasCap = numberText(value, "participation_cap_multiple") !== null;
  const hasDividend = members.dividendType !== undefined;
  return {
    columns: {
      isParticipating: (members.isParticipating ?? hasCap) === true ? 1 : 0,
      antiDilution: textOf(members, "antiDilution") ?? "NONE",
      antiDilutionCounts: textOf(members, "antiDilutionCounts"),
      participationCapBasis: textOf(members, "participationCapBasis") ?? "BEYOND_PREFERENCE",
      dividendType: textOf(members, "dividendType") ?? "NONE",
      dividendRatePercent: textOf(members, "dividendRatePercent"),
      dividendCompounding: hasDividend ? (textOf(members, "dividendCompounding") ?? "SIMPLE") : null,
      votesBasis: textOf(members, "votesBasis") ?? votesBasisOf(value),
    },
    isOurs,
  };
}

/** The default if no comment of ours states it. */
function votesBasisOf(value: JsonObject) {
  const classType = textOf(value, "class_type") ?? "COMMON";
  return assumedVotesBasis({ classType, votesPerShare: numberText(value, "votes_per_share") ?? "0" });
}

/** The comment with a class's members that OCF has no field for; null without any. */
export function classComment(row: Row<"share_classes">): string | null {
  if (row.classType !== "PREFERRED") return null;
  const isParticipating = row.isParticipating === 1;
  const hasCap = row.participationCapMultiple !== null;
  const hasDividend = row.dividendType !== "NONE";
  return captableComment(
    compact({
      isParticipating: isParticipating === hasCap ? null : isParticipating,
      antiDilution: row.antiDilution === "NONE" ? null : row.antiDilution,
      antiDilutionCounts: row.antiDilutionCounts,
      participationCapBasis: row.participationCapBasis === "BEYOND_PREFERENCE" ? null : row.participationCapBasis,
      dividendType: hasDividend ? row.dividendType : null,
      dividendRatePercent: hasDividend ? row.dividendRatePercent : null,
      dividendCompounding: hasDividend && row.dividendCompounding !== "SIMPLE" ? row.dividendCompounding : null,
      votesBasis: row.votesBasis === assumedVotesBasis(row) ? null : row.votesBasis,
    }),
  );
}
