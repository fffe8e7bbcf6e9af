// What a class's price and its rights to convert become by a split, and by an adjustment of its conversion (MODELLING
// section 2). The entry tells the terms of before and after, so that a view of an earlier day has those of then. Pure.
import {
  type Decimal,
  formatDecimal,
  greatestCommonDivisor,
  ONE,
  parseDecimal,
  scale,
  ZERO,
} from "../kernel/decimal.ts";
import { readTerms, type TermsForm } from "../records/terms-form.ts";
import type { Described } from "./operation.ts";
import type { SplitRatio } from "./split.ts";
import type { ConvertibleRow, TermsRecords, TermsRow } from "./terms-records.ts";
import type { Metadata } from "./types.ts";

/** A right as a class's column holds it. */
export interface ConversionRight {
  readonly stockClassId: string | null;
  readonly ratio: { readonly numerator: string; readonly denominator: string };
  readonly conversionPrice: string | null;
  readonly rounding: "FLOOR" | "CEILING" | "NORMAL";
  readonly convertsToFutureRound: boolean | null;
}

/** What a split and an adjustment change of a class. */
export interface ClassTerms {
  readonly pricePerShare: string | null;
  readonly conversionPrice: string | null;
  readonly ratio: ConversionRight["ratio"];
}

/** A class's terms before and after an entry. */
export interface ToldClassTerms {
  readonly stockClassId: string;
  readonly before: ClassTerms;
  readonly after: ClassTerms;
}

const ONE_TO_ONE: ConversionRight = {
  stockClassId: null,
  ratio: { numerator: "1", denominator: "1" },
  conversionPrice: null,
  rounding: "FLOOR",
  convertsToFutureRound: null,
};

/** The rights that a class's column holds. */
export function rightsOf({ conversionRights }: Pick<TermsRow, "conversionRights">): readonly ConversionRight[] {
  return JSON.parse(conversionRights);
}

/** The oldest common class: what a right that names no class is into. */
export function oldestCommon(classes: readonly Pick<TermsRow, "id" | "classType">[]): string | null {
  return classes.find(({ classType }) => classType === "COMMON")?.id ?? null;
}

/**
 * The place of the right that counts, the first into a common class; −1 where 1:1 into the oldest common class does.
 */
export function countingPlace(
  rights: readonly ConversionRight[],
  classes: readonly Pick<TermsRow, "id" | "classType">[],
) {
  const common = new Set(classes.filter(({ classType }) => classType === "COMMON").map(({ id }) => id));
  return rights.findIndex(({ stockClassId }) => stockClassId === null || common.has(stockClassId));
}

/** The right that counts. */
export function countingRight(
  rights: readonly ConversionRight[],
  classes: readonly Pick<TermsRow, "id" | "classType">[],
) {
  return rights[countingPlace(rights, classes)] ?? ONE_TO_ONE;
}

function termsOf(row: Pick<TermsRow, "pricePerShare">, right: ConversionRight): ClassTerms {
  return { pricePerShare: row.pricePerShare, conversionPrice: right.conversionPrice, ratio: right.ratio };
}

/** A ratio multiplied by another, exactly, in lowest terms. */
export function timesRatio(
  ratio: ConversionRight["ratio"],
  numerator: bigint,
  denominator: bigint,
): ConversionRight["ratio"] {
  const [a, b] = [parseDecimal(ratio.numerator) * numerator, parseDecimal(ratio.denominator) * denominator];
  const unit = greatestCommonDivisor(a, b);
  // Lowest terms of whole numbers are counts of one; what is finer than a unit stays in its own places.
  const text = (part: Decimal) => formatDecimal((part / unit) * ONE);
  return { numerator: text(a), denominator: text(b) };
}

/** What changes of classes and convertibles, and what the entry tells of it. */
export interface TermsChange {
  readonly described: readonly Described[];
  readonly classTerms: readonly ToldClassTerms[];
}

/**
 * What a split of a class does to its own terms, to those of classes that convert into it, and to fixed numbers of its
 * shares.
 */
export function splitTerms(
  { classes, convertibles }: TermsRecords,
  stockClassId: string,
  ratio: SplitRatio,
): TermsChange {
  const common = oldestCommon(classes);
  const changes = classes.map((row) => splitClass(row, classes, { stockClassId, common, ratio }));
  return {
    described: [
      ...changes.flatMap(({ described }) => described),
      ...convertibles.flatMap((row) => splitConvertible(row, stockClassId, common, ratio)),
    ],
    classTerms: changes.flatMap(({ classTerms }) => classTerms),
  };
}

interface Splitting {
  readonly stockClassId: string;
  readonly common: string | null;
  readonly ratio: SplitRatio;
}

function splitClass(
  row: TermsRow,
  classes: readonly TermsRow[],
  { stockClassId, common, ratio }: Splitting,
): TermsChange {
  const { numerator: n, denominator: d } = ratio;
  const isOwn = row.id === stockClassId;
  const rights = rightsOf(row);
  const isInto = (right: ConversionRight) => (right.stockClassId ?? common) === stockClassId;
  const isPreferred = row.classType === "PREFERRED";
  const counting = countingPlace(rights, classes);
  const isTold = isPreferred && (isOwn || (counting === -1 ? common === stockClassId : rights.some(isInto)));
  const all = isTold && counting === -1 ? [...rights, ONE_TO_ONE] : rights;
  const after = all.map((right) => {
    if (isOwn) return { ...right, ratio: timesRatio(right.ratio, d, n) };
    if (!isInto(right)) return right;
    const conversionPrice = right.conversionPrice === null ? null : priceBy(right.conversionPrice, d, n);
    return { ...right, ratio: timesRatio(right.ratio, n, d), conversionPrice };
  });
  const pricePerShare = isOwn && row.pricePerShare !== null ? priceBy(row.pricePerShare, d, n) : row.pricePerShare;
  const told = { ...row, pricePerShare, conversionRights: JSON.stringify(isTold ? after : rights) };
  if (!isOwn && !isTold) return { described: [], classTerms: [] };
  return changeOf(row, told, classes);
}

function priceBy(price: string, numerator: bigint, denominator: bigint): string {
  return formatDecimal(scale(parseDecimal(price), numerator, denominator));
}

function changeOf(before: TermsRow, after: TermsRow, classes: readonly TermsRow[]): TermsChange {
  const described: Described[] = [];
  const about = { resourceType: "share-class", id: before.id } as const;
  if (before.pricePerShare !== after.pricePerShare) {
    described.push({ ...about, field: "pricePerShare", before: before.pricePerShare, after: after.pricePerShare });
  }
  if (before.conversionRights !== after.conversionRights) {
    described.push({ ...about, field: "conversionRights", before: rightsOf(before), after: rightsOf(after) });
  }
  const terms = (row: TermsRow) => termsOf(row, countingRight(rightsOf(row), classes));
  return { described, classTerms: [{ stockClassId: before.id, before: terms(before), after: terms(after) }] };
}

function splitConvertible(
  { id, grantDate, convertibleTerms }: ConvertibleRow,
  stockClassId: string,
  common: string | null,
  { numerator, denominator }: SplitRatio,
): readonly Described[] {
  if (convertibleTerms === null) return [];
  const before = readTerms(convertibleTerms, { securityId: id, grantDate });
  let isChanged = false;
  const triggers = before.triggers.map((trigger) => {
    const { mechanism } = trigger;
    if (mechanism.type !== "FIXED" || (trigger.stockClassId ?? common) !== stockClassId) return trigger;
    isChanged = true;
    const quantity = formatDecimal(scale(parseDecimal(mechanism.quantity), numerator, denominator));
    return { ...trigger, mechanism: { ...mechanism, quantity } };
  });
  const after: TermsForm = { ...before, triggers };
  return isChanged ? [{ resourceType: "security", id, field: "convertibleTerms", before, after }] : [];
}

/** Another ratio and conversion price of the right that counts. */
export function adjustTerms(
  { classes }: TermsRecords,
  stockClassId: string,
  to: Pick<ConversionRight, "ratio" | "conversionPrice"> & { readonly rounding: ConversionRight["rounding"] | null },
): TermsChange {
  const row = classes.find(({ id }) => id === stockClassId);
  if (!row) throw new Error(`share class ${stockClassId} was not loaded`);
  const rights = rightsOf(row);
  const place = countingPlace(rights, classes);
  const was = rights[place] ?? ONE_TO_ONE;
  const now = { ...was, ratio: to.ratio, conversionPrice: to.conversionPrice, rounding: to.rounding ?? was.rounding };
  const after = place === -1 ? [...rights, now] : rights.map((right, index) => (index === place ? now : right));
  return changeOf(row, { ...row, conversionRights: JSON.stringify(after) }, classes);
}

/** What an entry tells of the terms of classes; nothing for those that change none. */
export function toldClassTerms({ classTerms }: Metadata): readonly ToldClassTerms[] {
  return Array.isArray(classTerms) ? classTerms : [];
}

/** Whether a ratio converts at all. */
export function isConvertible({ ratio }: ConversionRight): boolean {
  return parseDecimal(ratio.numerator) > ZERO;
}
