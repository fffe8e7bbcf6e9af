// Rules between members of the models' bodies; the models check what depends on the company. Pure.
import type { Static } from "@sinclair/typebox";
import { withRules } from "../../kernel/check.ts";
import { ONE, parseDecimal } from "../../kernel/numbers/decimal.ts";
import type { Finding } from "../../kernel/problem.ts";
import { dividendFindings, type PreferredFields } from "../../resources/share-classes/share-class-rules.ts";
import { termsFindings } from "../../storage/records/terms-form.ts";
import * as schema from "./schema.ts";

type Base = Static<typeof schema.CapTableModelBody>;
type Round = Omit<Static<typeof schema.RoundModelBody>, keyof Base>;
type Waterfall = Omit<Static<typeof schema.WaterfallModelBody>, keyof Base>;
type Add = NonNullable<Base["add"]>[number];

const isGiven = (value: unknown) => value !== undefined && value !== null;

/** Exactly one of some members. */
function oneOfThese(given: object, names: readonly string[], at: string): Finding[] {
  const members = given as Readonly<Record<string, unknown>>;
  const count = names.filter((name) => isGiven(members[name])).length;
  const words = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return count === 1 ? [] : [[at, `must have exactly one of ${words}`]];
}

/** Amounts of money have at most two places. */
export function cents(amount: string | null | undefined, at: string): Finding[] {
  return isGiven(amount) && parseDecimal(String(amount)) % (ONE / 100n) !== 0n
    ? [[at, "must have at most 2 places"]]
    : [];
}

function below100(percent: string | null | undefined, at: string): Finding[] {
  return isGiven(percent) && parseDecimal(String(percent)) >= 100n * ONE ? [[at, "must be below 100"]] : [];
}

const ADDED: Readonly<Record<Add["type"], { needs: readonly (keyof Add)[]; takes: readonly (keyof Add)[] }>> = {
  STOCK: { needs: ["stockClassId"], takes: ["pricePerShare"] },
  STOCK_OPTION: { needs: ["equityPlanId", "exercisePrice"], takes: [] },
  WARRANT: { needs: ["stockClassId", "exercisePrice"], takes: [] },
  CONVERTIBLE: { needs: ["convertibleTerms"], takes: [] },
  RESERVE: { needs: ["equityPlanId"], takes: [] },
};
const OF_TYPES = ["stockClassId", "equityPlanId", "pricePerShare", "exercisePrice", "convertibleTerms"] as const;

function addFindings(add: readonly Add[] = []): Finding[] {
  const seen = new Set<string>();
  return add.flatMap((each, index): Finding[] => {
    const at = `#/add/${index}`;
    const { needs, takes } = ADDED[each.type];
    const missing = needs.filter((name) => !isGiven(each[name]));
    const foreign = OF_TYPES.filter((name) => isGiven(each[name]) && !needs.includes(name) && !takes.includes(name));
    const key = each.key ?? `add-${index + 1}`;
    const isTaken = seen.has(key);
    seen.add(key);
    const isReserve = each.type === "RESERVE";
    const reserved = (["key", "date", "stakeholderId", "name"] as const).filter(
      (name) => isReserve && isGiven(each[name]),
    );
    return [
      ...missing.map((name): Finding => [`${at}/${name}`, `is required for ${each.type}`]),
      ...[...foreign, ...reserved].map((name): Finding => [`${at}/${name}`, `is not for ${each.type}`]),
      ...(isReserve ? [] : oneOfThese(each, ["stakeholderId", "name"], at)),
      ...(isTaken ? [[`${at}/key`, "is another one's key"] as const] : []),
      ...(each.convertibleTerms ? termsFindings(each.convertibleTerms, `${at}/convertibleTerms`) : []),
    ];
  });
}

/** What is wrong within a round; pointers begin with `at`. */
export function roundFindings(round: Round, at: string): Finding[] {
  const { investors, proRata, pool, newClass, valuation } = round;
  const whole = (text: string) => parseDecimal(text) % ONE === 0n;
  return [
    ...dividendFindings(newClass as Omit<PreferredFields, "classType">).map(
      ([pointer, detail]): Finding => [`${at}/newClass${pointer.slice(1)}`, detail],
    ),
    ...(valuation.convertibles === "ADDED_AT_COST" && valuation.kind !== "PRE_MONEY"
      ? [[`${at}/valuation/convertibles`, "ADDED_AT_COST goes with PRE_MONEY only"] as const]
      : []),
    ...investors.flatMap((each, index) => [
      ...oneOfThese(each, ["stakeholderId", "name"], `${at}/investors/${index}`),
      ...cents(each.amount, `${at}/investors/${index}/amount`),
    ]),
    ...(proRata?.participants ?? []).flatMap((each, index) => {
      const place = `${at}/proRata/participants/${index}`;
      const isMissing = proRata?.mode === "ON_TOP" && !isGiven(each.percent);
      return [
        ...oneOfThese(each, ["stakeholderId", "name"], place),
        ...(isMissing ? [[`${place}/percent`, "is required for ON_TOP"] as const] : []),
      ];
    }),
    ...below100(pool?.targetPercent, `${at}/pool/targetPercent`),
    ...(pool && isGiven(pool.targetPercent) && isGiven(pool.increase)
      ? [[`${at}/pool/increase`, "stands in place of targetPercent"] as const]
      : []),
    ...(pool?.increase && !whole(pool.increase) ? [[`${at}/pool/increase`, "must be whole shares"] as const] : []),
    ...(pool && isGiven(pool.promised) && pool.measure === "GRANTED_AND_AVAILABLE"
      ? [[`${at}/pool/promised`, "goes with AVAILABLE only"] as const]
      : []),
  ];
}

function datesInOrder(asOf: string | null | undefined, date: string | null | undefined, at: string): Finding[] {
  return asOf && date && date < asOf ? [[at, "is before asOf"]] : [];
}

function baseFindings({ asOf, add, rounds }: Base): Finding[] {
  return [
    ...addFindings(add),
    ...(rounds ?? []).flatMap((round, index) => [
      ...roundFindings(round, `#/rounds/${index}`),
      ...datesInOrder(asOf, round.closingDate, `#/rounds/${index}/closingDate`),
    ]),
  ];
}

function waterfallFindings(body: Waterfall): Finding[] {
  const { exitValues, range, deductions = [], classOverrides = [] } = body;
  return [
    ...oneOfThese({ exitValues, range }, ["exitValues", "range"], "#/exitValues"),
    ...(exitValues ?? []).flatMap((value, index) => cents(value, `#/exitValues/${index}`)),
    ...cents(range?.from, "#/range/from"),
    ...cents(range?.to, "#/range/to"),
    ...(range && parseDecimal(range.to) < parseDecimal(range.from) ? [["#/range/to", "is below from"] as const] : []),
    ...deductions.flatMap((each, index) => [
      ...oneOfThese(each, ["amount", "percent", "slices"], `#/deductions/${index}`),
      ...cents(each.amount, `#/deductions/${index}/amount`),
      ...sliceFindings(each.slices ?? [], `#/deductions/${index}/slices`),
    ]),
    ...classOverrides.flatMap((each, index) =>
      oneOfThese(each, ["stockClassId", "className"], `#/classOverrides/${index}`),
    ),
  ];
}

type Slices = NonNullable<NonNullable<Waterfall["deductions"]>[number]["slices"]>;

/** Bounds rise, only the last slice is unbounded, and a slice takes no more than all of its part. */
function sliceFindings(slices: Slices, at: string): Finding[] {
  return slices.flatMap(({ upTo, percent }, index): Finding[] => {
    const isLast = index === slices.length - 1;
    const before = index === 0 ? "0" : (slices[index - 1]?.upTo ?? null);
    const isRising = upTo === null || before === null || parseDecimal(upTo) > parseDecimal(before);
    return [
      ...(isLast && upTo !== null ? [[`${at}/${index}/upTo`, "must be null in the last slice"] as const] : []),
      ...(!isLast && upTo === null ? [[`${at}/${index}/upTo`, "is null in the last slice only"] as const] : []),
      ...(isRising ? [] : [[`${at}/${index}/upTo`, "must be above the slice before"] as const]),
      ...cents(upTo, `${at}/${index}/upTo`),
      ...(parseDecimal(percent) > 100n * ONE ? [[`${at}/${index}/percent`, "must not be above 100"] as const] : []),
    ];
  });
}

const BASE = ["asOf", "add", "rounds"] as const;
const ROUND = ["closingDate", "newClass", "valuation", "investors", "proRata", "pool"] as const;

export const CapTableModel = withRules(schema.CapTableModelBody, { of: BASE, findings: baseFindings });
export const RoundModel = withRules(
  schema.RoundModelBody,
  { of: BASE, findings: baseFindings },
  {
    of: ["asOf", ...ROUND],
    findings: (body) => [...roundFindings(body, "#"), ...datesInOrder(body.asOf, body.closingDate, "#/closingDate")],
  },
);
export const WaterfallModel = withRules(
  schema.WaterfallModelBody,
  { of: BASE, findings: baseFindings },
  {
    of: ["asOf", "exitDate", "exitValues", "range", "deductions", "classOverrides"],
    findings: (body) => [...waterfallFindings(body), ...datesInOrder(body.asOf, body.exitDate, "#/exitDate")],
  },
);
export const ExpenseModel = withRules(schema.ExpenseModelBody, {
  of: ["from", "to"],
  findings: ({ from, to }) => (to < from ? [["#/to", "is before from"]] : []),
});
