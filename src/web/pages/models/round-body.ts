// What stands in the form of a round as the body that asks for it, and back. Pure.
import { isCalendarDate } from "../../../kernel/date.ts";
import type { components, paths } from "../../api/types.ts";
import { decimalFault, readDecimal } from "../../parts/forms/decimal.ts";
import { COMMON, FIELD_FAULTS } from "../../text/common.ts";
import { type AddedConvertible, addedConvertibles, addFaults, valuesOfAdd } from "./add-body.ts";
import { type Beginning, beginningOf, ITS_OWN, neededKeys } from "./beginning-values.ts";
import { holderOf, type ModelValues, rowsOf, whoOf } from "./values.ts";

export type RoundBody = paths["/api/v1/models/round"]["post"]["requestBody"]["content"]["application/json"];
export type RoundAnswer =
  paths["/api/v1/models/round"]["post"]["responses"][200]["content"]["application/json"]["data"];
export type Convertible = Pick<
  components["schemas"]["Security"],
  "id" | "certificateId" | "stakeholderId" | "convertibleTerms"
>;

/** Where the choice for a convertible stands, and for one with a most favoured nation clause. */
export const HOW = "convertible.";
export const MFN = "mfn.";
/** Stands for its own terms. */
export const OWN = "OWN";

/** What a form begins with. */
export function firstValues(today: string, className: string): ModelValues {
  return {
    "newClass.name": className,
    closingDate: today,
    from: "",
    add: "0",
    "valuation.kind": "PRE_MONEY",
    "valuation.amount": "",
    "valuation.convertibles": "IN_PRE_MONEY",
    investors: "1",
    "investors.0.who": "",
    "investors.0.amount": "",
    "pool.how": "",
    "pool.targetPercent": "",
    "pool.increase": "",
    "pool.measure": "AVAILABLE",
    "pool.position": "PRE_MONEY",
    "pool.promised": "",
    "pool.equityPlanId": "",
    "proRata.mode": "",
    "proRata.participants": "1",
    "conversion.shadowSeries": "true",
    "newClass.liquidationPreferenceMultiple": "1",
    "newClass.seniority": "",
    shiftSeniority: "",
    "newClass.isParticipating": "",
    "newClass.participationCapMultiple": "",
    "newClass.participationCapBasis": "BEYOND_PREFERENCE",
    "newClass.antiDilution": "BROAD_BASED",
    "newClass.antiDilutionCounts": "",
    "newClass.dividendType": "NONE",
    "newClass.dividendRatePercent": "",
    "newClass.dividendCompounding": "SIMPLE",
    pricePlaces: "",
  };
}

const DECIMALS = [
  "valuation.amount",
  "pool.targetPercent",
  "pool.increase",
  "pool.promised",
  "newClass.liquidationPreferenceMultiple",
  "newClass.participationCapMultiple",
  "newClass.dividendRatePercent",
] as const;

const REQUIRED = ["newClass.name", "closingDate", "valuation.amount"] as const;
const WHOLE = /^\d{1,4}$/;

/** What is wrong with what was typed, by field. */
export function roundFaults(values: ModelValues): Record<string, string | undefined> {
  const faults: Record<string, string | undefined> = addFaults(values);
  const need = (name: string) => {
    if (!values[name]?.trim()) faults[name] = COMMON.required;
  };
  const read = (name: string) => {
    const fault = decimalFault(values[name] ?? "");
    if (fault) faults[name] = fault;
  };
  for (const name of REQUIRED) need(name);
  for (const name of DECIMALS) read(name);
  for (const row of rowsOf("investors", values.investors)) {
    for (const name of [`${row}.who`, `${row}.amount`]) need(name);
    read(`${row}.amount`);
  }
  if (values["proRata.mode"]) {
    for (const row of rowsOf("proRata.participants", values["proRata.participants"])) {
      need(`${row}.who`);
      if (values["proRata.mode"] === "ON_TOP") need(`${row}.percent`);
      read(`${row}.percent`);
    }
  }
  if (values["pool.how"] === "TARGET") need("pool.targetPercent");
  if (values["pool.how"] === "INCREASE") need("pool.increase");
  if (values["newClass.dividendType"] !== "NONE") need("newClass.dividendRatePercent");
  for (const name of ["newClass.seniority", "pricePlaces"]) {
    const typed = values[name]?.trim();
    if (typed && !WHOLE.test(typed)) faults[name] = FIELD_FAULTS.whole;
  }
  if (values.closingDate && !isCalendarDate(values.closingDate)) faults.closingDate = FIELD_FAULTS.date;
  return faults;
}

const decimalOr = (typed: string | undefined) => readDecimal(typed ?? "") ?? undefined;
const wholeOr = (typed: string | undefined) => (typed?.trim() ? Number.parseInt(typed, 10) : undefined);

/** An object without what is undefined. */
function given<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}

function newClassOf(values: ModelValues, before: RoundBody["newClass"] | undefined) {
  const at = (name: string) => values[`newClass.${name}`];
  const isParticipating = at("isParticipating") === "true";
  const hasDividend = at("dividendType") !== "NONE";
  const cap = isParticipating ? decimalOr(at("participationCapMultiple")) : undefined;
  return given({
    ...before,
    name: at("name")?.trim() ?? "",
    liquidationPreferenceMultiple: decimalOr(at("liquidationPreferenceMultiple")),
    seniority: wholeOr(at("seniority")),
    isParticipating,
    participationCapMultiple: cap,
    participationCapBasis: cap === undefined ? undefined : at("participationCapBasis"),
    antiDilution: at("antiDilution"),
    antiDilutionCounts: at("antiDilution") === "NONE" ? undefined : at("antiDilutionCounts") || undefined,
    dividendType: at("dividendType"),
    dividendRatePercent: hasDividend ? decimalOr(at("dividendRatePercent")) : undefined,
    dividendCompounding: hasDividend ? at("dividendCompounding") : undefined,
  }) as RoundBody["newClass"];
}

function poolOf(values: ModelValues): RoundBody["pool"] {
  const how = values["pool.how"];
  if (!how) return undefined;
  const isTarget = how === "TARGET";
  const isAvailable = !isTarget || values["pool.measure"] === "AVAILABLE";
  return given({
    targetPercent: isTarget ? decimalOr(values["pool.targetPercent"]) : undefined,
    increase: isTarget ? undefined : decimalOr(values["pool.increase"]),
    measure: isTarget ? values["pool.measure"] : undefined,
    position: values["pool.position"],
    promised: isAvailable ? decimalOr(values["pool.promised"]) : undefined,
    equityPlanId: values["pool.equityPlanId"] || undefined,
  }) as RoundBody["pool"];
}

function conversionOf(values: ModelValues, added: readonly AddedConvertible[]): RoundBody["conversion"] {
  const chosen = (how: string) => [
    ...named(HOW, (value) => value === how),
    ...added.filter(({ row }) => values[`${row}.how`] === how).map(({ key }) => key),
  ];
  const named = (prefix: string, wanted: (value: string) => boolean) =>
    Object.entries(values).flatMap(([name, value]) =>
      name.startsWith(prefix) && wanted(value) ? [name.slice(prefix.length)] : [],
    );
  return {
    exclude: chosen("EXCLUDE"),
    force: chosen("FORCE"),
    mfnElections: named(MFN, (value) => value !== "").map((securityId) => {
      const chosen = values[MFN + securityId] ?? "";
      return { securityId, adoptsSecurityId: chosen === OWN ? null : chosen };
    }),
    shadowSeries: values["conversion.shadowSeries"] === "true",
  } as RoundBody["conversion"];
}

/**
 * The body; null while something is missing or cannot be read. `before` is the scenario's, whose other members stay;
 * `first` is what the round comes after.
 */
export function roundBody(values: ModelValues, before: RoundBody | null, first: Beginning = {}): RoundBody | null {
  if (Object.values(roundFaults(values)).some(Boolean)) return null;
  const { asOf: _asOf, add: _add, rounds: _rounds, ...others } = before ?? {};
  const kind = values["valuation.kind"] as RoundBody["valuation"]["kind"];
  const convertibles = values["valuation.convertibles"];
  const isAtCost = convertibles === "ADDED_AT_COST" && kind !== "PRE_MONEY";
  const mode = values["proRata.mode"];
  return given({
    ...others,
    // What is closed is dated so, and a model of another day would have another digest; rounds that come before begin
    // with the table as it is.
    ...(first.rounds ? {} : { asOf: values.closingDate ?? "" }),
    ...beginningOf(values, first),
    closingDate: values.closingDate ?? "",
    newClass: newClassOf(values, before?.newClass),
    shiftSeniority: values.shiftSeniority === "true",
    valuation: {
      kind,
      amount: readDecimal(values["valuation.amount"] ?? "") ?? "",
      convertibles: isAtCost ? "IN_PRE_MONEY" : convertibles,
    },
    investors: rowsOf("investors", values.investors).map((row) => ({
      ...holderOf(values[`${row}.who`] ?? ""),
      amount: readDecimal(values[`${row}.amount`] ?? "") ?? "",
    })),
    proRata: mode
      ? {
          mode,
          participants: rowsOf("proRata.participants", values["proRata.participants"]).map((row) =>
            given({ ...holderOf(values[`${row}.who`] ?? ""), percent: decimalOr(values[`${row}.percent`]) }),
          ),
        }
      : undefined,
    pool: poolOf(values),
    conversion: conversionOf(values, addedConvertibles(values, neededKeys(values, first))),
    pricePlaces: wholeOr(values.pricePlaces),
  }) as RoundBody;
}

const textOf = (value: unknown) => (value === null || value === undefined || value === false ? "" : String(value));

/** What stands in the form for a body that was kept. */
export function valuesOfRound(body: RoundBody, today: string): ModelValues {
  const values: Record<string, string> = { ...firstValues(today, ""), ...valuesOfAdd(body.add ?? []) };
  for (const [name, value] of Object.entries(body.newClass)) values[`newClass.${name}`] = textOf(value);
  for (const [name, value] of Object.entries(body.valuation)) values[`valuation.${name}`] = textOf(value);
  for (const [name, value] of Object.entries(body.pool ?? {})) values[`pool.${name}`] = textOf(value);
  const { increase, targetPercent } = body.pool ?? {};
  if (increase) values["pool.how"] = "INCREASE";
  if (targetPercent) values["pool.how"] = "TARGET";
  const put = (list: string, rows: readonly object[]) => {
    values[list] = String(rows.length);
    for (const [index, row] of rows.entries()) {
      values[`${list}.${index}.who`] = whoOf(row);
      for (const [name, value] of Object.entries(row)) values[`${list}.${index}.${name}`] = textOf(value);
    }
  };
  put("investors", body.investors);
  if (body.proRata) put("proRata.participants", body.proRata.participants);
  values["proRata.mode"] = textOf(body.proRata?.mode);
  const added = (body.add ?? []).map(({ key }, index) => key ?? `add-${index + 1}`);
  // How one of the rows converts is told by the row: it moves with it.
  const fieldOf = (id: string) => (added.includes(id) ? `add.${added.indexOf(id)}.how` : HOW + id);
  for (const id of body.conversion?.exclude ?? []) values[fieldOf(id)] = "EXCLUDE";
  for (const id of body.conversion?.force ?? []) values[fieldOf(id)] = "FORCE";
  for (const { securityId, adoptsSecurityId } of body.conversion?.mfnElections ?? []) {
    values[MFN + securityId] = adoptsSecurityId ?? OWN;
  }
  values["conversion.shadowSeries"] = body.conversion?.shadowSeries === false ? "" : "true";
  values.shiftSeniority = textOf(body.shiftSeniority);
  values.pricePlaces = textOf(body.pricePlaces);
  values.closingDate = body.closingDate ?? body.asOf ?? today;
  values.from = body.rounds?.length ? ITS_OWN : "";
  return values;
}

/** The next letter's name, as series are called: `Series A`, or what comes after those that there are. */
export function nextSeries(names: readonly string[]): string {
  const letters = ["Seed", ..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const last = letters.findLastIndex((letter) => names.includes(`Series ${letter}`));
  return `Series ${letters[last + 1] ?? "A"}`;
}
