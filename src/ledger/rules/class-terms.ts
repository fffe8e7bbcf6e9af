// Terms of share classes: a class's price and conversion rights after a split, and after an adjustment of its
// conversion. The entry stores the terms before and after, so that a view of an earlier day has the earlier ones. Pure.
import { convertedBy, type RightRounding } from "../../kernel/numbers/converted.ts";
import {
  type Decimal,
  formatDecimal,
  greatestCommonDivisor,
  ONE,
  parseDecimal,
  scale,
  ZERO,
} from "../../kernel/numbers/decimal.ts";
import type { SplitRatio } from "../../kernel/numbers/split-figures.ts";
import { readTerms, type TermsForm } from "../../storage/records/terms-form.ts";
import type { Described } from "../operation.ts";
import type { ConvertibleRow, TermsRecords, TermsRow } from "../terms-records.ts";
import type { Metadata } from "../types.ts";

/** A right as a class's column holds it. */
export interface ConversionRight {
  readonly stockClassId: string | null;
  readonly ratio: { readonly numerator: string; readonly denominator: string };
  readonly conversionPrice: string | null;
  readonly rounding: RightRounding;
  readonly convertsToFutureRound: boolean | null;
}

/** The terms that a split and an adjustment change. */
export interface ClassTerms {
  readonly pricePerShare: string | null;
  readonly conversionPrice: string | null;
  readonly ratio: ConversionRight["ratio"];
  /** Absent if an adjustment did not store it. */
  readonly rounding?: ConversionRight["rounding"];
}

/** A class's terms before and after an entry. */
export interface ToldClassTerms {
  readonly stockClassId: string;
  readonly before: ClassTerms;
  readonly after: ClassTerms;
  /** Whether the entry stored the effective right, which was implicit before. */
  readonly isAdded?: true;
}

/** A number of shares that a trigger is fixed to, before and after a split. */
export interface ToldFixedQuantity {
  readonly securityId: string;
  readonly triggerId: string;
  readonly before: string;
  readonly after: string;
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

/** The oldest common class: the target of a right that names no class. */
export function oldestCommon(classes: readonly Pick<TermsRow, "id" | "classType">[]): string | null {
  return classes.find(({ classType }) => classType === "COMMON")?.id ?? null;
}

/**
 * The index of the effective right, the first into a common class; −1 if the implicit 1:1 into the oldest common class
 * applies.
 */
export function countingPlace(
  rights: readonly ConversionRight[],
  classes: readonly Pick<TermsRow, "id" | "classType">[],
) {
  const common = new Set(classes.filter(({ classType }) => classType === "COMMON").map(({ id }) => id));
  return rights.findIndex(({ stockClassId }) => stockClassId === null || common.has(stockClassId));
}

/** The effective right. */
export function countingRight(
  rights: readonly ConversionRight[],
  classes: readonly Pick<TermsRow, "id" | "classType">[],
) {
  return rights[countingPlace(rights, classes)] ?? ONE_TO_ONE;
}

function termsOf(row: Pick<TermsRow, "pricePerShare">, right: ConversionRight): ClassTerms {
  const { conversionPrice, ratio, rounding } = right;
  return { pricePerShare: row.pricePerShare, conversionPrice, ratio, rounding };
}

/** A ratio multiplied by another, exactly, in lowest terms. */
export function timesRatio(
  ratio: ConversionRight["ratio"],
  numerator: bigint,
  denominator: bigint,
): ConversionRight["ratio"] {
  const [a, b] = [parseDecimal(ratio.numerator) * numerator, parseDecimal(ratio.denominator) * denominator];
  const unit = greatestCommonDivisor(a, b);
  // Lowest terms of whole numbers are counts of one; finer numbers stay in their own places.
  const text = (part: Decimal) => formatDecimal((part / unit) * ONE);
  return { numerator: text(a), denominator: text(b) };
}

/** The changes of classes and convertibles, and the entry's record of them. */
export interface TermsChange {
  readonly described: readonly Described[];
  readonly classTerms: readonly ToldClassTerms[];
}

/** The same of a split, which changes fixed numbers of shares too. */
export interface SplitChange extends TermsChange {
  readonly fixedQuantities: readonly ToldFixedQuantity[];
}

/**
 * The effect of a split on the class's own terms, on those of classes that convert into it, and on fixed numbers of its
 * shares. `isThere` finds the other classes.
 */
export function splitTerms(
  { classes, convertibles }: TermsRecords,
  stockClassId: string,
  ratio: SplitRatio,
  isThere: (classId: string) => boolean = () => true,
): SplitChange {
  const common = oldestCommon(classes);
  const changes = classes
    .filter(({ id }) => id === stockClassId || isThere(id))
    .map((row) => splitClass(row, classes, { stockClassId, common, ratio }));
  const fixed = convertibles.map((row) => splitConvertible(row, { stockClassId, common, ratio }));
  return {
    described: [...changes, ...fixed].flatMap(({ described }) => described),
    classTerms: changes.flatMap(({ classTerms }) => classTerms),
    fixedQuantities: fixed.flatMap(({ told }) => told),
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
  return { described, classTerms: [toldTerms(before, after, classes)] };
}

/** The entry's record of a changed class. */
function toldTerms(before: TermsRow, after: TermsRow, classes: readonly TermsRow[]): ToldClassTerms {
  const terms = (row: TermsRow) => termsOf(row, countingRight(rightsOf(row), classes));
  const isThere = (row: TermsRow) => countingPlace(rightsOf(row), classes) !== -1;
  const isAdded = !isThere(before) && isThere(after);
  return {
    stockClassId: before.id,
    before: terms(before),
    after: terms(after),
    ...(isAdded ? { isAdded } : {}),
  };
}

function splitConvertible(
  { id, convertibleTerms }: ConvertibleRow,
  { stockClassId, common, ratio: { numerator, denominator } }: Splitting,
): { readonly described: readonly Described[]; readonly told: readonly ToldFixedQuantity[] } {
  if (convertibleTerms === null) return { described: [], told: [] };
  const before = readTerms(convertibleTerms);
  const told: ToldFixedQuantity[] = [];
  const triggers = before.triggers.map((trigger) => {
    const { mechanism } = trigger;
    if (mechanism.type !== "FIXED" || (trigger.stockClassId ?? common) !== stockClassId) return trigger;
    const quantity = formatDecimal(scale(parseDecimal(mechanism.quantity), numerator, denominator));
    told.push({ securityId: id, triggerId: trigger.id, before: mechanism.quantity, after: quantity });
    return { ...trigger, mechanism: { ...mechanism, quantity } };
  });
  const after: TermsForm = { ...before, triggers };
  const field = "convertibleTerms";
  return { described: told.length > 0 ? [{ resourceType: "security", id, field, before, after }] : [], told };
}

/**
 * The entry's record of rights that a user set. A price is corrected for all days; rights that stay implicit need no
 * record.
 */
export function rightsTold(
  before: TermsRow,
  after: TermsRow,
  classes: readonly TermsRow[],
): { readonly classTerms?: readonly ToldClassTerms[] } {
  const { isAdded: _, ...told } = toldTerms({ ...before, pricePerShare: after.pricePerShare }, after, classes);
  return Bun.deepEquals(told.before, told.after) ? {} : { classTerms: [told] };
}

/** Another ratio and conversion price of the effective right. */
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

/** The entry's class terms; empty if it changes no terms. */
export function toldClassTerms({ classTerms }: Metadata): readonly ToldClassTerms[] {
  return Array.isArray(classTerms) ? classTerms : [];
}

/** The result of a conversion adjustment, and whether it changed that; null for other adjustments. */
export function toldConversion(
  { conversionRight, conversionRights, classTerms }: Metadata,
  stockClassId: string,
): { readonly terms: ClassTerms; readonly isWritten: boolean } | null {
  if (conversionRight === undefined && conversionRights === undefined) return null;
  const told = toldClassTerms({ classTerms }).find((each) => each.stockClassId === stockClassId);
  const unsaid = { pricePerShare: null, conversionPrice: null, ratio: ONE_TO_ONE.ratio };
  return told ? { terms: told.after, isWritten: true } : { terms: unsaid, isWritten: false };
}

/** The split's record of triggers with a fixed number of shares. */
export function toldFixedQuantities({ fixedQuantities }: Metadata): readonly ToldFixedQuantity[] {
  return Array.isArray(fixedQuantities) ? fixedQuantities : [];
}

/** The shares that a class's shares convert into by a right, rounded by its rule; at 1:1 the quantity itself. */
export function convertedByRight(
  { ratio, rounding }: Pick<ConversionRight, "ratio" | "rounding">,
  quantity: Decimal,
): Decimal {
  const [numerator, denominator] = [parseDecimal(ratio.numerator), parseDecimal(ratio.denominator)];
  return convertedBy(quantity, { ratio: { numerator, denominator }, rounding });
}

/** Whether a ratio converts at all. */
export function isConvertible({ ratio }: ConversionRight): boolean {
  return parseDecimal(ratio.numerator) > ZERO;
}
