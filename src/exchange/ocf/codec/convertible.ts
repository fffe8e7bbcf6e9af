// Codec of a convertible's terms ↔ `securities.convertibleTerms`: triggers in order, each with its mechanism.
// Percentages are fractions in OCF. Terms without a member in OCF (the maturity, the new money that sets a trigger off)
// go into a comment. Pure.

import { type CalendarDate, isCalendarDate } from "../../../kernel/date.ts";
import { formatDecimal, ONE, parseDecimal, scale } from "../../../kernel/numbers/decimal.ts";
import type { Row } from "../../../storage/database/sql.ts";
import {
  ACCRUAL_PERIODS,
  CAPITALIZATION_MEMBERS,
  CONVERTIBLE_TYPES,
  DAY_COUNTS,
  TRIGGER_TYPES,
} from "../../../storage/records/convertible-terms.ts";
import {
  type Capitalization,
  financingTrigger,
  type MechanismForm,
  type Rate,
  readTerms,
  type TermsForm,
  type TriggerForm,
} from "../../../storage/records/terms-form.ts";
import { isObject, type JsonObject, listOf, objectsOf, textOf } from "../json.ts";
import { captableComment, fromCaptableComment } from "./captable-comment.ts";
import { amountText, dateText, exactNumber, numberText } from "./values.ts";
import { compact, money, type Note } from "./values-to-ocf.ts";

/** The terms that a security's column holds; null if they were not recorded. */
export function convertibleTermsOf({ convertibleTerms }: Row<"securities">): TermsForm | null {
  return convertibleTerms === null ? null : readTerms(convertibleTerms);
}

const MATURES = /^Matures on (\d{4}-\d{2}-\d{2})\.$/;

interface Told {
  readonly maturityDate: CalendarDate | null;
  readonly minimumProceeds: Readonly<Record<string, string>>;
}

const isDecimal = (value: unknown) => typeof value === "string" && /^[0-9]{1,15}(\.[0-9]{1,10})?$/.test(value);

function fits({ maturityDate, minimumProceeds, ...rest }: JsonObject): boolean {
  const isDate = maturityDate === undefined || (typeof maturityDate === "string" && isCalendarDate(maturityDate));
  const isMap =
    minimumProceeds === undefined || (isObject(minimumProceeds) && Object.values(minimumProceeds).every(isDecimal));
  return isDate && isMap && Object.keys(rest).length === 0;
}

/** The terms in comments of ours, and which comments those are; also the sentence of earlier exports. */
export function toldInComments(value: JsonObject): Told & { readonly isOurs: (comment: string) => boolean } {
  const { members, isOurs } = fromCaptableComment(value, fits);
  const { comments } = value;
  const sentence = (Array.isArray(comments) ? comments : []).find(
    (line) => typeof line === "string" && MATURES.test(line),
  );
  const said = sentence === undefined ? null : (MATURES.exec(String(sentence))?.[1] ?? null);
  return {
    maturityDate: typeof members.maturityDate === "string" ? members.maturityDate : said,
    minimumProceeds: (isObject(members.minimumProceeds) ? members.minimumProceeds : {}) as Record<string, string>,
    isOurs: (comment) => isOurs(comment) || comment === sentence,
  };
}

/** The comment of an issuance with the terms that OCF cannot say; null without any. */
export function termsComment(row: Row<"securities">): string | null {
  const terms = convertibleTermsOf(row);
  if (terms === null) return null;
  const proceeds = terms.triggers.flatMap(({ id, minimumProceeds }) =>
    minimumProceeds === null ? [] : [[id, minimumProceeds]],
  );
  return captableComment(
    compact({
      maturityDate: terms.maturityDate,
      minimumProceeds: proceeds.length === 0 ? null : Object.fromEntries(proceeds),
    }),
  );
}

/** The terms that an issuance says. */
export function convertibleTermsFromOcf(value: JsonObject): TermsForm {
  const { maturityDate, minimumProceeds } = toldInComments(value);
  const securityId = textOf(value, "security_id") ?? "";
  return {
    convertibleType: CONVERTIBLE_TYPES.find((type) => type === value.convertible_type) ?? null,
    seniority: Number.isSafeInteger(value.seniority) && Number(value.seniority) > 0 ? Number(value.seniority) : 1,
    maturityDate,
    proRata: numberText(value, "pro_rata"),
    triggers: listOf(value, "conversion_triggers").map((trigger, index) =>
      triggerFromOcf(
        isObject(trigger) ? trigger : {},
        `${securityId}:conversion${index === 0 ? "" : `-${index + 1}`}`,
        minimumProceeds,
      ),
    ),
  };
}

function triggerFromOcf(value: JsonObject, defaultId: string, proceeds: Told["minimumProceeds"]): TriggerForm {
  const right = isObject(value.conversion_right) ? value.conversion_right : {};
  const id = textOf(value, "trigger_id") ?? defaultId;
  return {
    id,
    type: TRIGGER_TYPES.find((type) => type === value.type) ?? "UNSPECIFIED",
    condition: textOf(value, "trigger_condition"),
    date: dateText(value, "trigger_date"),
    startDate: dateText(value, "start_date"),
    endDate: dateText(value, "end_date"),
    nickname: textOf(value, "nickname"),
    description: textOf(value, "trigger_description"),
    minimumProceeds: proceeds[id] ?? null,
    convertsToFutureRound: typeof right.converts_to_future_round === "boolean" ? right.converts_to_future_round : null,
    stockClassId: textOf(right, "converts_to_stock_class_id"),
    mechanism: mechanismFromOcf(isObject(right.conversion_mechanism) ? right.conversion_mechanism : {}),
  };
}

function mechanismFromOcf(value: JsonObject): MechanismForm {
  const type = textOf(value, "type");
  const capitalization = capitalizationFromOcf(value.capitalization_definition_rules);
  const capitalizationText = textOf(value, "capitalization_definition");
  const custom = { type: "CUSTOM", description: type ?? "Terms not recorded" } as const;
  if (type === "CUSTOM_CONVERSION")
    return { ...custom, description: textOf(value, "custom_conversion_description") ?? type };
  if (type === "FIXED_AMOUNT_CONVERSION") {
    const quantity = numberText(value, "converts_to_quantity");
    return quantity === null || parseDecimal(quantity) === 0n ? custom : { type: "FIXED", quantity };
  }
  if (type === "FIXED_PERCENT_OF_CAPITALIZATION_CONVERSION") {
    const percent = percentText(numberText(value, "converts_to_percent"), false);
    return percent === null || parseDecimal(percent) === 0n
      ? custom
      : { type: "PERCENT", percent, capitalization, capitalizationText };
  }
  const common = {
    valuationCap: amountText(value, "conversion_valuation_cap"),
    discountPercent: percentText(numberText(value, "conversion_discount"), false),
    mfn: value.conversion_mfn === true,
    exitMultiple: quotient(value.exit_multiple),
    capitalization,
    capitalizationText,
  };
  const timing = (["PRE_MONEY", "POST_MONEY"] as const).find((word) => word === value.conversion_timing) ?? null;
  if (type === "SAFE_CONVERSION") return { type: "SAFE", ...common, timing };
  if (type !== "CONVERTIBLE_NOTE_CONVERSION") return custom;
  return {
    type: "NOTE",
    ...common,
    interestRates: ratesFromOcf(value),
    dayCount: DAY_COUNTS.find((word) => word === value.day_count_convention) ?? "ACTUAL_365",
    interestPayout: value.interest_payout === "CASH" ? "CASH" : "DEFERRED",
    compounding: value.compounding_type === "COMPOUNDING" ? "COMPOUNDING" : "SIMPLE",
    accrualPeriod: ACCRUAL_PERIODS.find((word) => word === value.interest_accrual_period) ?? "ANNUAL",
  };
}

function ratesFromOcf(value: JsonObject): readonly Rate[] {
  return objectsOf(value, "interest_rates").flatMap((rate): Rate[] => {
    const ratePercent = percentText(numberText(rate, "rate"), true);
    const startDate = dateText(rate, "accrual_start_date");
    if (ratePercent === null || startDate === null) return [];
    return [{ ratePercent, startDate, endDate: dateText(rate, "accrual_end_date") }];
  });
}

/** OCF writes a share of one, the service percent: `"0.2"` is `"20"`. Null where it is 1 or more, unless 1 is taken. */
function percentText(share: string | null, isWholeTaken: boolean): string | null {
  if (share === null) return null;
  const percent = parseDecimal(share) * 100n;
  const most = 100n * ONE;
  return percent > most || (percent === most && !isWholeTaken) ? null : formatDecimal(percent);
}

function quotient(value: unknown): string | null {
  if (!isObject(value)) return null;
  const [numerator, denominator] = [exactNumber(value, "numerator"), exactNumber(value, "denominator")];
  if (numerator === null || denominator === null || numerator <= 0n || denominator <= 0n) return null;
  return formatDecimal(scale(ONE, numerator, denominator));
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function capitalizationFromOcf(value: unknown): Capitalization | null {
  if (!isObject(value)) return null;
  const members = CAPITALIZATION_MEMBERS.map((name) => [name, value[snake(name)] === true]);
  return Object.fromEntries(members) as Capitalization;
}

/** The triggers of an issuance. */
export function triggersToOcf(terms: TermsForm, currency: string, note: Note): readonly JsonObject[] {
  return terms.triggers.map((trigger) =>
    compact({
      type: trigger.type,
      trigger_id: trigger.id,
      nickname: trigger.nickname,
      trigger_description: trigger.description,
      trigger_condition: trigger.condition,
      trigger_date: trigger.date,
      start_date: trigger.startDate,
      end_date: trigger.endDate,
      conversion_right: compact({
        type: "CONVERTIBLE_CONVERSION_RIGHT",
        conversion_mechanism: mechanismToOcf(trigger.mechanism, currency, note),
        converts_to_future_round: trigger.convertsToFutureRound,
        converts_to_stock_class_id: trigger.stockClassId,
      }),
    }),
  );
}

/** The trigger that stands for unrecorded terms: OCF requires one. */
export function unknownTrigger(id: string, note: Note): JsonObject {
  note("the terms of a convertible are not recorded; a custom conversion exported");
  const mechanism = { type: "CUSTOM_CONVERSION", custom_conversion_description: "Terms not recorded" };
  const right = { type: "CONVERTIBLE_CONVERSION_RIGHT", conversion_mechanism: mechanism };
  return { type: "UNSPECIFIED", trigger_id: id, conversion_right: right };
}

function mechanismToOcf(form: MechanismForm, currency: string, note: Note): JsonObject {
  if (form.type === "CUSTOM") {
    if (form.description === "Terms not recorded") {
      note("the terms of a convertible are not recorded; a custom conversion exported");
    }
    return { type: "CUSTOM_CONVERSION", custom_conversion_description: form.description };
  }
  if (form.type === "FIXED") return { type: "FIXED_AMOUNT_CONVERSION", converts_to_quantity: form.quantity };
  const counted = {
    capitalization_definition: form.capitalizationText,
    capitalization_definition_rules: capitalizationToOcf(form.capitalization),
  };
  if (form.type === "PERCENT") {
    const type = "FIXED_PERCENT_OF_CAPITALIZATION_CONVERSION";
    return compact({ type, converts_to_percent: shareOf(form.percent), ...counted });
  }
  const common = {
    conversion_discount: form.discountPercent === null ? null : shareOf(form.discountPercent),
    conversion_valuation_cap: money(form.valuationCap, currency),
    exit_multiple: form.exitMultiple === null ? null : { numerator: form.exitMultiple, denominator: "1" },
    conversion_mfn: form.mfn,
    ...counted,
  };
  if (form.type === "SAFE") return compact({ type: "SAFE_CONVERSION", ...common, conversion_timing: form.timing });
  return compact({
    type: "CONVERTIBLE_NOTE_CONVERSION",
    interest_rates: form.interestRates.map(({ ratePercent, startDate, endDate }) =>
      compact({ rate: shareOf(ratePercent), accrual_start_date: startDate, accrual_end_date: endDate }),
    ),
    day_count_convention: form.dayCount,
    interest_payout: form.interestPayout,
    interest_accrual_period: form.accrualPeriod,
    compounding_type: form.compounding,
    ...common,
  });
}

function capitalizationToOcf(capitalization: Capitalization | null): JsonObject | null {
  if (capitalization === null) return null;
  return Object.fromEntries(CAPITALIZATION_MEMBERS.map((name) => [snake(name), capitalization[name]]));
}

/** OCF's Percentage of a number of percent: `"20"` is `"0.2"`; to 10 places, which 8 of a percentage never need. */
function shareOf(percent: string): string {
  return formatDecimal(scale(parseDecimal(percent), 1n, 100n));
}

/** The trigger by which a convertible converts in a financing; null where its terms name none. */
export function financingTriggerId(row: Row<"securities">): string | null {
  const terms = convertibleTermsOf(row);
  return terms && (financingTrigger(terms.triggers)?.id ?? null);
}
