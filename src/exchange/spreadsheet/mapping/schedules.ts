// Parses vesting schedules as people write them, such as `4 yr/1 yr cliff`: completely, or not at all. Pure.

/** A schedule of months. */
export interface Schedule {
  readonly months: number;
  /** 0 for none; the cliff vests its part of the whole. */
  readonly cliffMonths: number;
  readonly frequency: Frequency;
}

/** How often something vests. */
export type Frequency = "MONTHLY" | "QUARTERLY" | "ANNUALLY";

/** The meaning of a text: a schedule, fully vested, or not understood, with the parts of it that could be read. */
export type ReadSchedule =
  | { readonly kind: "SCHEDULE"; readonly schedule: Schedule }
  | { readonly kind: "VESTED" }
  | { readonly kind: "UNKNOWN"; readonly parts: Partial<Schedule> };

const MONTHS_MAX = 120;
/** Months of a period. */
export const EVERY: Readonly<Record<Frequency, number>> = { MONTHLY: 1, QUARTERLY: 3, ANNUALLY: 12 };
const FREQUENCIES: Readonly<Record<string, Frequency>> = {
  monthly: "MONTHLY",
  quarterly: "QUARTERLY",
  yearly: "ANNUALLY",
  annually: "ANNUALLY",
};

const D = "(\\d{1,4}) ?(yrs?|years?|mo|months?)(?![a-z])";
const F = "(monthly|quarterly|yearly|annually)";
const WITH_CLIFF = new RegExp(`^${D} ?/? ?${D} cliff(?: ${F})?$`);
const PARTS = new RegExp(`^1 ?/ ?(\\d{1,4}) ${F}(?: ${D} cliff)?$`);
const FIRST_PART = new RegExp(
  `^(\\d{1,3}(?:\\.\\d{1,10})?) ?% (?:at|after) ${D} 1 ?/ ?(\\d{1,4}) ${F}(?: thereafter)?$`,
);
const VESTED = /^(?:fully vested|immediate)$/;
/** Words without a meaning of their own. */
const FILLING = /\b(?:with|a|vesting)\b/g;

/** The meaning of a text. */
export function readSchedule(text: string): ReadSchedule {
  const plain = plainOf(text);
  if (VESTED.test(plain)) return { kind: "VESTED" };
  const schedule = withCliff(plain) ?? inParts(plain) ?? firstPart(plain);
  return schedule && isPossible(schedule) ? { kind: "SCHEDULE", schedule } : { kind: "UNKNOWN", parts: partsOf(plain) };
}

function plainOf(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(",", " ").replace(FILLING, " ").replace(/\s+/gu, " ").trim();
}

function monthsOf(count: string | undefined, unit: string | undefined): number {
  return Number(count ?? 0) * (unit?.startsWith("y") === true ? 12 : 1);
}

function withCliff(plain: string): Schedule | null {
  const match = WITH_CLIFF.exec(plain);
  if (!match) return null;
  const [, whole, unit, cliff, cliffUnit, often = "monthly"] = match;
  const frequency = FREQUENCIES[often] ?? "MONTHLY";
  return { months: monthsOf(whole, unit), cliffMonths: monthsOf(cliff, cliffUnit), frequency };
}

function inParts(plain: string): Schedule | null {
  const match = PARTS.exec(plain);
  if (!match) return null;
  const [, parts, often = "", cliff, unit] = match;
  const frequency = FREQUENCIES[often] ?? "MONTHLY";
  return { months: Number(parts) * EVERY[frequency], cliffMonths: monthsOf(cliff, unit), frequency };
}

/** The percentage has to be the part that the days before are of the whole, exactly. */
function firstPart(plain: string): Schedule | null {
  const match = FIRST_PART.exec(plain);
  if (!match) return null;
  const [, percent = "", cliff, unit, parts, often = ""] = match;
  const frequency = FREQUENCIES[often] ?? "MONTHLY";
  const [months, cliffMonths] = [Number(parts) * EVERY[frequency], monthsOf(cliff, unit)];
  const isItsPart = months > 0 && isPartOf(percent, cliffMonths, months);
  return isItsPart ? { months, cliffMonths, frequency } : null;
}

function isPartOf(percent: string, cliff: number, months: number): boolean {
  const [whole = "0", places = ""] = percent.split(".");
  const scaled = BigInt(whole + places) * BigInt(months);
  return scaled === BigInt(cliff) * 100n * 10n ** BigInt(places.length);
}

function isPossible({ months, cliffMonths, frequency }: Schedule): boolean {
  const every = EVERY[frequency];
  const isInPeriods = months % every === 0 && cliffMonths % every === 0;
  return months > 0 && months <= MONTHS_MAX && cliffMonths <= months && isInPeriods;
}

/**
 * The meaning of single words of a text, for the person who completes it: never a cliff whose part differs from its
 * months'.
 */
function partsOf(plain: string): Partial<Schedule> {
  const often = new RegExp(`\\b${F}\\b`).exec(plain)?.[1];
  const frequency = often === undefined ? undefined : FREQUENCIES[often];
  const parts = /(?<!\d)1 ?\/ ?(\d{1,3})(?!\d)/.exec(plain)?.[1];
  const cliff = new RegExp(`${D} cliff`).exec(plain);
  const whole = new RegExp(`^${D}`).exec(plain);
  const ofParts = parts !== undefined && frequency !== undefined ? Number(parts) * EVERY[frequency] : undefined;
  const isCliffAlone = cliff !== null && cliff.index === whole?.index;
  const ofWhole = whole !== null && !isCliffAlone ? monthsOf(whole[1], whole[2]) : undefined;
  const months = ofParts ?? ofWhole;
  return {
    ...(months === undefined || months === 0 ? {} : { months }),
    ...(cliff === null ? {} : { cliffMonths: monthsOf(cliff[1], cliff[2]) }),
    ...(frequency === undefined ? {} : { frequency }),
  };
}
