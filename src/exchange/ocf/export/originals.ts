// Exports imported originals as they came, except for members whose columns were changed since the import.

import { type Decimal, isSameFigure, parseDecimal, sum, ZERO } from "../../../kernel/numbers/decimal.ts";
import { type CorrectedPrice, priced } from "../../../ledger/replay/state.ts";
import { isUndated, type Parcels } from "../../../ledger/vesting/parcels.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { quantityMembers } from "../codec/ending.ts";
import { isRowComment } from "../codec/found-again.ts";
import { type Issued, issuanceToOcf } from "../codec/issuance.ts";
import { patchOriginal } from "../codec/values-to-ocf.ts";
import { isWaitingComment, vestingsFromOcf, vestingsToOcf } from "../codec/vestings.ts";
import { type JsonObject, textsOf } from "../json.ts";
import { correctedParcels } from "./adjustments/parcels.ts";
import { silent } from "./notes.ts";

type Original = Pick<Row<"ocf_objects">, "raw" | "mapped">;

/** The record as it was imported, where the original kept that. */
export function importedRow<R extends object>({ mapped }: Pick<Original, "mapped">, row: R): R {
  return mapped === null ? row : { ...row, ...JSON.parse(mapped) };
}

/** The original of a record: `toOcf` is our own mapping of its row, today's and the one that was imported. */
export function originalOf<R extends object>(original: Original, row: R, toOcf: (row: R) => JsonObject): JsonObject {
  const raw: JsonObject = JSON.parse(original.raw);
  const imported = importedRow(original, row);
  if (Bun.deepEquals(imported, row)) return raw;
  return patchOriginal(raw, toOcf(imported), toOcf(row));
}

/** Members of an issuance that our mapping makes up rather than reads from a row's columns. */
const NOT_FROM_COLUMNS = ["exercise_triggers", "compensation_type"] as const;

/** What an imported issuance is compared by. */
export interface IssuanceChange {
  readonly row: Row<"securities">;
  /** By how much each direct edit corrects the quantity. */
  readonly corrections: readonly Decimal[];
  /** Whether a price that differs was edited; a split or a repricing changes prices without making the issuance wrong. */
  readonly arePricesEdited: boolean;
  /** Of amounts that it came without. */
  readonly currency: string;
}

/** The original of an issuance, corrected by the direct edits since its import. */
export function originalIssuanceOf(original: Original, change: IssuanceChange): JsonObject {
  const { corrections, arePricesEdited, currency } = change;
  const raw: JsonObject = JSON.parse(original.raw);
  const row = asMade(change.row);
  const { pricePerShare, exercisePrice } = row;
  const kept = arePricesEdited || row.correctedPrice !== null ? {} : { pricePerShare, exercisePrice };
  const imported: Row<"securities"> = { ...importedRow(original, row), ...kept };
  if (corrections.length === 0 && Bun.deepEquals(imported, row)) return raw;
  const held = quantityOf(raw);
  const patched = patchOriginal(
    raw,
    comparable(imported, held, { raw, currency }),
    comparable(row, held + sum(corrections), { raw, currency }),
  );
  const parcels = vestingsFromOcf(raw);
  if (parcels === null || corrections.length === 0) return patched;
  return withParcels(patched, correctedParcels(parcels, corrections));
}

/** A security at the price that it should have been issued at, if that was corrected; else as it is now. */
function asMade(row: Row<"securities">): Row<"securities"> {
  const corrected: CorrectedPrice | null = JSON.parse(row.correctedPrice ?? "null");
  return corrected === null ? row : priced(row, corrected.asMade);
}

/** An issuance that names its parcels anew. */
function withParcels(issuance: JsonObject, parcels: Parcels): JsonObject {
  const { vestings: _, comments: __, ...rest } = issuance;
  const { vestings, comment } = vestingsToOcf(parcels);
  const said = textsOf(issuance, "comments").filter((text) => !isWaitingComment(text));
  const comments = comment === null ? said : [...said, comment];
  return {
    ...rest,
    ...(vestings === undefined ? {} : { vestings }),
    ...(comments.length === 0 ? {} : { comments }),
  };
}

function quantityOf(raw: JsonObject): Decimal {
  const value = raw.investment_amount as JsonObject | undefined;
  const text = value?.amount ?? raw.quantity;
  return typeof text === "string" ? parseDecimal(text) : ZERO;
}

/** An issuance as our mapping makes it of a row, and with the comment of the original that is no column's. */
function comparable(
  row: Row<"securities">,
  quantity: Decimal,
  { raw, currency }: { readonly raw: JsonObject; readonly currency: string },
): JsonObject {
  const issued: Issued = {
    row,
    objectId: "",
    securityId: row.id,
    date: row.grantDate,
    quantity,
    pricePerShare: row.pricePerShare,
    exercisePrice: row.exercisePrice,
    currency,
    equityPlanId: row.equityPlanId,
    classPrice: null,
    isBalance: false,
    parcels: null,
    comments: textsOf(raw, "comments").filter(isRowComment),
  };
  const members: Record<string, unknown> = { ...issuanceToOcf(issued, silent) };
  for (const name of NOT_FROM_COLUMNS) delete members[name];
  return members;
}

/** The prices of a security per share, as they are now. */
type Prices = Pick<Row<"securities">, "pricePerShare" | "exercisePrice">;

/** An imported issuance at the prices of now: a split, or a repricing, changes them without making the issuance wrong. */
export function atPrices(issuance: JsonObject, { pricePerShare, exercisePrice }: Prices): JsonObject {
  const prices = [
    ["share_price", pricePerShare],
    ["exercise_price", exercisePrice],
  ] as const;
  const changed = prices.flatMap(([name, price]) => {
    const amount = issuance[name] as JsonObject | undefined;
    const was = amount?.amount;
    if (price === null || typeof was !== "string" || isSameFigure(was, price)) return [];
    return [[name, { ...amount, amount: price }] as const];
  });
  return { ...issuance, ...Object.fromEntries(changed) };
}

/** An imported issuance for what is left of it: all that it says, but for what belonged to the whole. */
export function balanceOf(
  original: JsonObject,
  as: { readonly objectId: string; readonly openId: string; readonly date: string },
  quantity: Decimal,
  parcels: Parcels | null,
): JsonObject {
  const { share_numbers_issued: _, cost_basis: __, vesting_terms_id: terms, ...rest } = original;
  const { investment_amount: invested } = rest;
  const amount = quantityMembers(quantity, typeof invested === "object" ? (invested as JsonObject) : null);
  const isByTerms = terms !== undefined && (parcels === null || parcels.some(isUndated));
  const comments = textsOf(original, "comments").filter((text) => !isRowComment(text));
  const balance = { ...rest, comments, id: as.objectId, security_id: as.openId, date: as.date, ...amount };
  return withParcels(isByTerms ? { ...balance, vesting_terms_id: terms } : balance, parcels ?? []);
}
