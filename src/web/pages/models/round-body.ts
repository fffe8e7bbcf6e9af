// What stands in the form of a round as the body that asks for it, and back. Pure.
import type { components, paths } from "../../api/types.ts";
import { COMMON } from "../../text/common.ts";
import { type AddedConvertible, addedConvertibles, addFaults, valuesOfAdd } from "./add-body.ts";
import { type Beginning, beginningOf, ITS_OWN, neededKeys } from "./beginning-values.ts";
import {
  box,
  day,
  decimal,
  holderAt,
  type ModelFaults,
  membersAt,
  needed,
  oneOf,
  rowsAt,
  together,
  whole,
  word,
} from "./codec.ts";
import type { ModelValues } from "./values.ts";

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

type NewClass = Pick<
  RoundBody["newClass"],
  | "name"
  | "liquidationPreferenceMultiple"
  | "seniority"
  | "isParticipating"
  | "participationCapMultiple"
  | "participationCapBasis"
  | "antiDilution"
  | "antiDilutionCounts"
  | "dividendType"
  | "dividendRatePercent"
  | "dividendCompounding"
>;
type Pool = NonNullable<RoundBody["pool"]>;

const NEW_CLASS = membersAt<NewClass>("newClass.", {
  name: needed(word),
  liquidationPreferenceMultiple: decimal,
  seniority: whole,
  isParticipating: box,
  participationCapMultiple: decimal,
  participationCapBasis: oneOf(),
  antiDilution: oneOf(),
  antiDilutionCounts: oneOf(),
  dividendType: oneOf(),
  dividendRatePercent: decimal,
  dividendCompounding: oneOf(),
});
const VALUATION = membersAt<RoundBody["valuation"]>("valuation.", {
  kind: oneOf(),
  amount: needed(decimal),
  convertibles: oneOf(),
});
const POOL = membersAt<Pool>("pool.", {
  targetPercent: decimal,
  increase: decimal,
  measure: oneOf(),
  position: oneOf(),
  promised: decimal,
  equityPlanId: word,
});
const INVESTORS = rowsAt("investors", (row) =>
  together(holderAt(row), membersAt<{ amount: string }>(row, { amount: needed(decimal) })),
);
/** Who takes part; on top of the round each with a part of its own. */
const participants = (isOnTop: boolean) =>
  rowsAt("proRata.participants", (row) =>
    together(holderAt(row), membersAt<{ percent: string }>(row, { percent: isOnTop ? needed(decimal) : decimal })),
  );
const ROUND = membersAt<Pick<RoundBody, "closingDate" | "shiftSeniority" | "pricePlaces">>("", {
  closingDate: needed(day),
  shiftSeniority: box,
  pricePlaces: whole,
});

/** What is wrong with what was typed, by field. */
export function roundFaults(values: ModelValues): ModelFaults {
  const mode = values["proRata.mode"];
  const parts = [NEW_CLASS, VALUATION, POOL, INVESTORS, ROUND, ...(mode ? [participants(mode === "ON_TOP")] : [])];
  const faults: ModelFaults = Object.assign(addFaults(values), ...parts.map((part) => part.faults(values)));
  const need = (name: string) => {
    if (!values[name]?.trim()) faults[name] = COMMON.required;
  };
  if (values["pool.how"] === "TARGET") need("pool.targetPercent");
  if (values["pool.how"] === "INCREASE") need("pool.increase");
  if (values["newClass.dividendType"] !== "NONE") need("newClass.dividendRatePercent");
  return faults;
}

/** An object without what is undefined. */
function given<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}

/** The new class; terms that others rule out are left out. */
function newClassOf(values: ModelValues, before: RoundBody["newClass"] | undefined) {
  const typed = NEW_CLASS.read(values);
  const hasDividend = typed.dividendType !== "NONE";
  const cap = typed.isParticipating ? typed.participationCapMultiple : undefined;
  return given({
    ...before,
    ...Object.fromEntries(TYPED.map((name) => [name, typed[name]])),
    name: typed.name ?? "",
    participationCapMultiple: cap,
    participationCapBasis: cap === undefined ? undefined : typed.participationCapBasis,
    antiDilutionCounts: typed.antiDilution === "NONE" ? undefined : typed.antiDilutionCounts,
    dividendRatePercent: hasDividend ? typed.dividendRatePercent : undefined,
    dividendCompounding: hasDividend ? typed.dividendCompounding : undefined,
  }) as RoundBody["newClass"];
}

/** Members that the form has without a condition: empty ones are left out, whatever a scenario had. */
const TYPED = [
  "liquidationPreferenceMultiple",
  "seniority",
  "isParticipating",
  "antiDilution",
  "dividendType",
] as const;

function poolOf(values: ModelValues): RoundBody["pool"] {
  const how = values["pool.how"];
  if (!how) return undefined;
  const { targetPercent, increase, measure, promised, ...others } = POOL.read(values);
  const isTarget = how === "TARGET";
  const isAvailable = !isTarget || measure === "AVAILABLE";
  return given({
    ...others,
    ...(isTarget ? { targetPercent, measure } : { increase }),
    ...(isAvailable ? { promised } : {}),
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
  const { kind, amount, convertibles } = VALUATION.read(values);
  const isAtCost = convertibles === "ADDED_AT_COST" && kind !== "PRE_MONEY";
  const mode = values["proRata.mode"];
  const { closingDate = "", shiftSeniority, pricePlaces } = ROUND.read(values);
  return given({
    ...others,
    // What is closed is dated so, and a model of another day would have another digest; rounds that come before begin
    // with the table as it is.
    ...(first.rounds ? {} : { asOf: closingDate }),
    ...beginningOf(values, first),
    closingDate,
    newClass: newClassOf(values, before?.newClass),
    shiftSeniority,
    valuation: { kind, amount: amount ?? "", convertibles: isAtCost ? "IN_PRE_MONEY" : convertibles },
    investors: INVESTORS.read(values),
    proRata: mode ? { mode, participants: participants(mode === "ON_TOP").read(values) } : undefined,
    pool: poolOf(values),
    conversion: conversionOf(values, addedConvertibles(values, neededKeys(values, first))),
    pricePlaces,
  }) as RoundBody;
}

/** What stands in the form for a body that was kept. */
export function valuesOfRound(body: RoundBody, today: string): ModelValues {
  const { newClass, valuation, pool = null, investors, proRata = null } = body;
  const values: Record<string, string> = {
    ...firstValues(today, ""),
    ...valuesOfAdd(body.add ?? []),
    ...NEW_CLASS.write(newClass),
    ...VALUATION.write(valuation),
    ...(pool ? POOL.write(pool) : {}),
    ...INVESTORS.write(investors as never),
    ...(proRata ? participants(false).write(proRata.participants as never) : {}),
    ...ROUND.write(body),
  };
  if (pool?.increase) values["pool.how"] = "INCREASE";
  if (pool?.targetPercent) values["pool.how"] = "TARGET";
  values["proRata.mode"] = proRata?.mode ?? "";
  const added = (body.add ?? []).map(({ key }, index) => key ?? `add-${index + 1}`);
  // How one of the rows converts is told by the row: it moves with it.
  const fieldOf = (id: string) => (added.includes(id) ? `add.${added.indexOf(id)}.how` : HOW + id);
  for (const id of body.conversion?.exclude ?? []) values[fieldOf(id)] = "EXCLUDE";
  for (const id of body.conversion?.force ?? []) values[fieldOf(id)] = "FORCE";
  for (const { securityId, adoptsSecurityId } of body.conversion?.mfnElections ?? []) {
    values[MFN + securityId] = adoptsSecurityId ?? OWN;
  }
  values["conversion.shadowSeries"] = body.conversion?.shadowSeries === false ? "" : "true";
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
