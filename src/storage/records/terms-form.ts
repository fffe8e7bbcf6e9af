// Convertible terms: the conversion of a body, in full or in short form, to the stored full form. Pure.
import type { CalendarDate } from "../../kernel/date.ts";
import { isSameFigure, ONE, parseDecimal } from "../../kernel/numbers/decimal.ts";
import type { Finding } from "../../kernel/problem.ts";
import type {
  ACCRUAL_PERIODS,
  CAPITALIZATION_MEMBERS,
  COMPOUNDINGS,
  CONVERTIBLE_TYPES,
  DAY_COUNTS,
  GivenMechanism,
  GivenTerms,
  GivenTrigger,
  INTEREST_PAYOUTS,
  TIMINGS,
  TRIGGER_TYPES,
} from "./convertible-terms.ts";

export type Capitalization = Readonly<Record<(typeof CAPITALIZATION_MEMBERS)[number], boolean>>;

export interface Rate {
  readonly ratePercent: string;
  readonly startDate: CalendarDate;
  readonly endDate: CalendarDate | null;
}

interface Priced {
  readonly valuationCap: string | null;
  readonly discountPercent: string | null;
  readonly mfn: boolean;
  readonly exitMultiple: string | null;
  readonly capitalization: Capitalization | null;
  readonly capitalizationText: string | null;
}

/** A mechanism with every member that its type has. */
export type MechanismForm =
  | (Priced & { readonly type: "SAFE"; readonly timing: (typeof TIMINGS)[number] | null })
  | (Priced & {
      readonly type: "NOTE";
      readonly interestRates: readonly Rate[];
      readonly dayCount: (typeof DAY_COUNTS)[number];
      readonly interestPayout: (typeof INTEREST_PAYOUTS)[number];
      readonly compounding: (typeof COMPOUNDINGS)[number];
      readonly accrualPeriod: (typeof ACCRUAL_PERIODS)[number];
    })
  | {
      readonly type: "PERCENT";
      readonly percent: string;
      readonly capitalization: Capitalization | null;
      readonly capitalizationText: string | null;
    }
  | { readonly type: "FIXED"; readonly quantity: string }
  | { readonly type: "CUSTOM"; readonly description: string };

export interface TriggerForm {
  readonly id: string;
  readonly type: (typeof TRIGGER_TYPES)[number];
  readonly condition: string | null;
  readonly date: CalendarDate | null;
  readonly startDate: CalendarDate | null;
  readonly endDate: CalendarDate | null;
  readonly nickname: string | null;
  readonly description: string | null;
  readonly minimumProceeds: string | null;
  readonly convertsToFutureRound: boolean | null;
  readonly stockClassId: string | null;
  readonly mechanism: MechanismForm;
}

/** Terms in full, as the column stores them. */
export interface TermsForm {
  readonly convertibleType: (typeof CONVERTIBLE_TYPES)[number] | null;
  readonly seniority: number;
  readonly maturityDate: CalendarDate | null;
  readonly proRata: string | null;
  readonly triggers: readonly TriggerForm[];
}

/** The convertible of the terms, from which defaults are made. */
export interface TermsOwner {
  readonly securityId: string;
  readonly grantDate: CalendarDate;
}

/** The placeholder for terms that were never recorded. */
export const NOT_RECORDED = "Terms not recorded";

const ALLOWED: Readonly<Record<GivenMechanism["type"], readonly string[]>> = {
  SAFE: ["valuationCap", "discountPercent", "timing", "mfn", "exitMultiple", "capitalization", "capitalizationText"],
  NOTE: [
    "valuationCap",
    "discountPercent",
    "mfn",
    "exitMultiple",
    "capitalization",
    "capitalizationText",
    "interestRates",
    "dayCount",
    "interestPayout",
    "compounding",
    "accrualPeriod",
  ],
  PERCENT: ["percent", "capitalization", "capitalizationText"],
  FIXED: ["quantity"],
  CUSTOM: ["description"],
};
const REQUIRED = { PERCENT: "percent", FIXED: "quantity", CUSTOM: "description", SAFE: null, NOTE: null } as const;
/** Members of the short form that belong to a mechanism. */
const SHORT = [...new Set([...ALLOWED.SAFE, ...ALLOWED.NOTE])];

/** The default id of a security's trigger, by its place. */
export function defaultTriggerId(securityId: string, index: number): string {
  return index === 0 ? `${securityId}:conversion` : `${securityId}:conversion-${index + 1}`;
}

/** The trigger that a financing sets off: the first without a date that converts by known terms, else the first. */
export function financingTrigger(triggers: readonly TriggerForm[]): TriggerForm | null {
  const isOfFinancing = ({ type, mechanism }: TriggerForm) =>
    type !== "AUTOMATIC_ON_DATE" && type !== "ELECTIVE_IN_RANGE" && mechanism.type !== "CUSTOM";
  return triggers.find(isOfFinancing) ?? triggers[0] ?? null;
}

type Members = Readonly<Record<string, unknown>>;
const isGiven = (value: unknown) => value !== undefined && value !== null;

/** Faults of terms that passed their schema; pointers begin with `at`. */
export function termsFindings(given: GivenTerms, at: string): readonly Finding[] {
  const { triggers } = given;
  if (triggers === undefined) return shortFindings(given, at);
  const findings = triggers.flatMap((trigger, index) => triggerFindings(trigger, `${at}/triggers/${index}`));
  const seen = new Set<string>();
  for (const [index, trigger] of triggers.entries()) {
    if (trigger.id !== undefined && seen.has(trigger.id))
      findings.push([`${at}/triggers/${index}/id`, "is another trigger's"]);
    if (trigger.id !== undefined) seen.add(trigger.id);
  }
  return findings.length > 0 ? findings : besideFindings(given, at);
}

function triggerFindings(trigger: GivenTrigger, at: string): Finding[] {
  const { type, startDate, endDate } = trigger;
  const isConditional = type.endsWith("_ON_CONDITION");
  const findings: Finding[] = [
    ...only(trigger, "condition", isConditional, at),
    ...only(trigger, "date", type === "AUTOMATIC_ON_DATE", at),
    ...only(trigger, "startDate", type === "ELECTIVE_IN_RANGE", at),
    ...only(trigger, "endDate", type === "ELECTIVE_IN_RANGE", at),
    ...mechanismFindings(trigger.mechanism, `${at}/mechanism`),
  ];
  if (startDate && endDate && startDate > endDate) findings.push([`${at}/endDate`, "is before the start"]);
  return findings;
}

/** A member that some types require and others forbid. */
function only(trigger: GivenTrigger, name: keyof GivenTrigger, isNeeded: boolean, at: string): Finding[] {
  const has = isGiven(trigger[name]);
  if (has === isNeeded) return [];
  return [[`${at}/${name}`, isNeeded ? `is required for ${trigger.type}` : `is not for ${trigger.type}`]];
}

function mechanismFindings(mechanism: GivenMechanism, at: string): Finding[] {
  const { type } = mechanism;
  const foreign = Object.entries(mechanism).filter(
    ([name, value]) => name !== "type" && isGiven(value) && value !== false && !ALLOWED[type].includes(name),
  );
  const required = REQUIRED[type];
  const findings: Finding[] = foreign.map(([name]) => [`${at}/${name}`, `is not for ${type}`]);
  if (required !== null && !isGiven(mechanism[required]))
    findings.push([`${at}/${required}`, `is required for ${type}`]);
  return [...findings, ...figureFindings(mechanism, at)];
}

/** Percentages and rates within their bounds. */
function figureFindings(given: Members, at: string): Finding[] {
  const findings: Finding[] = [];
  const check = (name: string, most: "below" | "up to", value: unknown, pointer = `${at}/${name}`) => {
    if (typeof value !== "string") return;
    const isOver = parseDecimal(value) > 100n * ONE || (most === "below" && parseDecimal(value) === 100n * ONE);
    if (isOver) findings.push([pointer, most === "below" ? "must be below 100" : "must be at most 100"]);
    else if (!hasPlaces(value)) findings.push([pointer, "must have at most 8 places"]);
  };
  check("discountPercent", "below", given.discountPercent);
  check("percent", "below", given.percent);
  check("interestRate", "up to", given.interestRate);
  const rates = (given.interestRates ?? []) as readonly Rate[];
  const starts = new Set<string>();
  for (const [index, { ratePercent, startDate, endDate }] of rates.entries()) {
    const place = `${at}/interestRates/${index}`;
    check("ratePercent", "up to", ratePercent, `${place}/ratePercent`);
    if (starts.has(startDate)) findings.push([`${place}/startDate`, "is another rate's"]);
    if (isGiven(endDate) && String(endDate) < startDate) findings.push([`${place}/endDate`, "is before the start"]);
    starts.add(startDate);
  }
  return findings;
}

function hasPlaces(decimal: string): boolean {
  return (decimal.split(".")[1] ?? "").replace(/0+$/, "").length <= 8;
}

/** The mechanism that the short form describes. */
function shortType(given: Members): GivenMechanism["type"] {
  const { convertibleType } = given;
  if (convertibleType === "SAFE" || convertibleType === "NOTE") return convertibleType;
  const rates = given.interestRates as readonly unknown[] | undefined;
  if (isGiven(given.interestRate) || (rates?.length ?? 0) > 0) return "NOTE";
  return isGiven(given.valuationCap) || isGiven(given.discountPercent) ? "SAFE" : "CUSTOM";
}

function shortFindings(given: GivenTerms, at: string): readonly Finding[] {
  const type = shortType(given);
  const { interestRate, interestRates } = given;
  const members: Members = given;
  const findings: Finding[] = SHORT.flatMap((name): Finding[] => {
    const value = members[name];
    const isThere = isGiven(value) && value !== false && !(Array.isArray(value) && value.length === 0);
    return isThere && !ALLOWED[type].includes(name) ? [[`${at}/${name}`, `is not for ${type}`]] : [];
  });
  if (isGiven(interestRate) && type !== "NOTE") findings.push([`${at}/interestRate`, `is not for ${type}`]);
  if (isGiven(interestRate) && (interestRates?.length ?? 0) > 0) {
    findings.push([`${at}/interestRate`, "stands in place of interestRates"]);
  }
  return [...findings, ...figureFindings(members, at)];
}

/** Members of the short form beside triggers must agree with the financing trigger's mechanism. */
function besideFindings(given: GivenTerms, at: string): readonly Finding[] {
  const form = formOf(given, { securityId: "", grantDate: "" });
  const trigger = financingTrigger(form.triggers);
  const mechanism = (trigger?.mechanism ?? {}) as Members;
  const rates = (mechanism.interestRates ?? []) as readonly Rate[];
  const said: Members = {
    ...mechanism,
    interestRate: rates[0]?.ratePercent ?? null,
    minimumProceeds: trigger?.minimumProceeds ?? null,
  };
  return [...SHORT, "interestRate", "minimumProceeds"].flatMap((name): Finding[] => {
    const value = (given as Members)[name];
    if (value === undefined || saysSame(value, said[name] ?? null)) return [];
    return [[`${at}/${name}`, "is not what the financing trigger's mechanism says"]];
  });
}

/** Whether two members are equal: decimals as numbers, an empty list of rates as null. */
export function saysSame(a: unknown, b: unknown): boolean {
  if (typeof a === "string" && typeof b === "string") return isSameFigure(a, b);
  const isNone = (value: unknown) => !isGiven(value) || value === false || (Array.isArray(value) && value.length === 0);
  if (isNone(a) && isNone(b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, i) => saysSame(each, b[i]));
  if (typeof a === "object" && typeof b === "object" && a !== null && b !== null) {
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...names].every((name) => saysSame((a as Members)[name], (b as Members)[name]));
  }
  return a === b;
}

/** The full form of checked terms. */
export function formOf(given: GivenTerms, owner: TermsOwner): TermsForm {
  const { convertibleType, seniority = 1, maturityDate = null, proRata = null } = given;
  const triggers = given.triggers ?? [shortTrigger(given, owner)];
  const taken = new Set(triggers.flatMap((trigger) => trigger.id ?? []));
  return {
    convertibleType,
    seniority,
    maturityDate,
    proRata,
    triggers: triggers.map((trigger, index) => triggerForm(trigger, freeId(owner.securityId, index, taken))),
  };
}

function freeId(securityId: string, index: number, taken: Set<string>): string {
  let place = index;
  while (taken.has(defaultTriggerId(securityId, place))) place += 1;
  return defaultTriggerId(securityId, place);
}

function shortTrigger(given: GivenTerms, { grantDate }: TermsOwner): GivenTrigger {
  const type = shortType(given);
  const { minimumProceeds = null, interestRate, interestRates } = given;
  if (type === "CUSTOM")
    return { type: "UNSPECIFIED", minimumProceeds, mechanism: { type, description: NOT_RECORDED } };
  const members = Object.fromEntries(ALLOWED[type].map((name) => [name, (given as Members)[name]]));
  const rates = isGiven(interestRate) ? [{ ratePercent: String(interestRate), startDate: grantDate }] : interestRates;
  const mechanism = {
    ...members,
    ...(type === "NOTE" && rates ? { interestRates: rates } : {}),
    type,
  } as GivenMechanism;
  return { type: "UNSPECIFIED", minimumProceeds, mechanism };
}

function triggerForm(trigger: GivenTrigger, freeId: string): TriggerForm {
  return {
    id: trigger.id ?? freeId,
    type: trigger.type,
    condition: trigger.condition ?? null,
    date: trigger.date ?? null,
    startDate: trigger.startDate ?? null,
    endDate: trigger.endDate ?? null,
    nickname: trigger.nickname ?? null,
    description: trigger.description ?? null,
    minimumProceeds: trigger.minimumProceeds ?? null,
    convertsToFutureRound: trigger.convertsToFutureRound ?? null,
    stockClassId: trigger.stockClassId ?? null,
    mechanism: mechanismForm(trigger.mechanism),
  };
}

function mechanismForm(given: GivenMechanism): MechanismForm {
  const { capitalization = null, capitalizationText = null } = given;
  if (given.type === "CUSTOM") return { type: "CUSTOM", description: given.description ?? NOT_RECORDED };
  if (given.type === "FIXED") return { type: "FIXED", quantity: given.quantity ?? "0" };
  if (given.type === "PERCENT")
    return { type: "PERCENT", percent: given.percent ?? "0", capitalization, capitalizationText };
  const common: Priced = {
    valuationCap: given.valuationCap ?? null,
    discountPercent: given.discountPercent ?? null,
    mfn: given.mfn ?? false,
    exitMultiple: given.exitMultiple ?? null,
    capitalization,
    capitalizationText,
  };
  if (given.type === "SAFE") return { type: "SAFE", ...common, timing: given.timing ?? null };
  return {
    type: "NOTE",
    ...common,
    interestRates: (given.interestRates ?? []).map((rate) => ({ ...rate, endDate: rate.endDate ?? null })),
    dayCount: given.dayCount ?? "ACTUAL_365",
    interestPayout: given.interestPayout ?? "DEFERRED",
    compounding: given.compounding ?? "SIMPLE",
    accrualPeriod: given.accrualPeriod ?? "ANNUAL",
  };
}

/** The terms of a column, in full. */
export function readTerms(stored: string): TermsForm {
  return JSON.parse(stored) as TermsForm;
}

/** The classes that triggers name. */
export function classesNamed(given: GivenTerms | null | undefined): readonly string[] {
  return (given?.triggers ?? []).flatMap(({ stockClassId }) => stockClassId ?? []);
}
