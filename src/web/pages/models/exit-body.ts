// What stands in the form of an exit as the body that asks for it, and back. Pure.
import { formatDecimal, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import type { paths } from "../../api/types.ts";
import { decimalFault, readDecimal } from "../../parts/forms/decimal.ts";
import { addFaults, valuesOfAdd } from "./add-body.ts";
import { type Beginning, beginningOf, ITS_OWN } from "./beginning-values.ts";
import {
  day,
  decimal,
  faultIn,
  type Member,
  type ModelFaults,
  membersAt,
  needed,
  recordsAt,
  rowsAt,
  whole,
  word,
} from "./codec.ts";
import type { ModelValues } from "./values.ts";

type Path = paths["/api/v1/models/waterfall"]["post"];
export type ExitBody = Path["requestBody"]["content"]["application/json"];
export type ExitAnswer = Path["responses"][200]["content"]["application/json"]["data"];
export type ExitPoint = ExitAnswer["points"][number];
type Deduction = NonNullable<ExitBody["deductions"]>[number];
type Override = NonNullable<ExitBody["classOverrides"]>[number];

/** How many steps the chart has, and the slider. */
export const STEPS = 100;
export const MULTIPLE = "multiple.";
export const RANK = "rank.";
export const PART = "part.";

/** What a form begins with. */
export function firstExit(today: string, to: string): ModelValues {
  return { exitDate: today, from: "", add: "0", "range.to": to, unvested: "FORFEIT", deductions: "0", value: "" };
}

/** What is wrong with what was typed, by field. */
export function exitFaults(values: ModelValues): ModelFaults {
  const parts = [EXIT, OVERRIDES, DEDUCTIONS];
  return Object.assign(addFaults(values), ...parts.map((part) => part.faults(values)));
}

type Amount = Pick<Deduction, "amount" | "percent" | "slices">;

const isMissing = (value: unknown) => value === null;

/** `5000`, `2 %`, or `5 % up to 30000000; 10 %`. */
function amountOf(typed: string): Amount | null {
  const parts = typed.split(";");
  if (parts.length > 1) return slicesOf(parts);
  const isPercent = typed.endsWith("%");
  const read = readDecimal(isPercent ? typed.slice(0, -1) : typed);
  if (read === null) return null;
  return isPercent ? { percent: read } : { amount: read };
}

function slicesOf(parts: readonly string[]): Amount | null {
  const slices = parts.map((part) => {
    const [, percent = "", , bound] = /^([^%]*)%(\s*up to\s+(.+))?$/.exec(part.trim()) ?? [];
    const upTo = bound === undefined ? null : readDecimal(bound);
    const isWrong = readDecimal(percent) === null || (bound !== undefined && upTo === null);
    return isWrong ? null : { percent: readDecimal(percent) ?? "0", upTo };
  });
  if (slices.some(isMissing)) return null;
  const isOpen = (slice: (typeof slices)[number]) => slice?.upTo === null;
  const isRight = slices.every((slice, index) => isOpen(slice) === (index === slices.length - 1));
  return isRight ? { slices: slices as NonNullable<Deduction["slices"]> } : null;
}

/** A deduction as it is typed. */
function typedAmount({ amount, percent, slices }: Amount): string {
  if (!slices) return amount ?? `${percent}%`;
  return slices
    .map((slice) => (slice.upTo === null ? `${slice.percent}%` : `${slice.percent}% up to ${slice.upTo}`))
    .join("; ");
}

type Of = NonNullable<Deduction["of"]>;

/** A row of what is paid before all holders: its one field `amount` is money, a percentage, or slices. */
const DEDUCTIONS = rowsAt<Pick<Deduction, "name" | "of"> & Amount>("deductions", (row) => {
  const name = needed(word);
  const at = (values: ModelValues, field: string) => values[row + field]?.trim() ?? "";
  return {
    read: (values) => ({
      name: at(values, "name"),
      ...amountOf(at(values, "amount")),
      ...(at(values, "of") === "REMAINDER" ? { of: "REMAINDER" as Of } : {}),
    }),
    write: (deduction) => ({
      [`${row}name`]: deduction.name,
      [`${row}amount`]: typedAmount(deduction),
      [`${row}of`]: deduction.of ?? "EXIT_VALUE",
    }),
    faults: (values) => ({
      [`${row}name`]: faultIn(name, values[`${row}name`]),
      [`${row}amount`]: faultIn(AMOUNT, values[`${row}amount`]),
    }),
  };
});
const AMOUNT: Member<Amount> = {
  read: (text) => amountOf(text) ?? undefined,
  write: typedAmount,
  fault: (text) => (amountOf(text) === null ? decimalFault(text) : undefined),
  isNeeded: true,
};

/** Yes, no, or as on record. */
const YES_OR_NO: Member<boolean> = { read: (text) => text === "YES", write: (isSo) => (isSo ? "YES" : "NO") };
type Terms = Pick<Override, "liquidationPreferenceMultiple" | "seniority" | "isParticipating">;
const OVERRIDES = recordsAt<Terms>({
  liquidationPreferenceMultiple: [MULTIPLE, decimal],
  seniority: [RANK, whole],
  isParticipating: [PART, YES_OR_NO],
});
const EXIT = membersAt<{ exitDate: string; "range.to": string; value: string; unvested: string }>("", {
  exitDate: needed(day),
  "range.to": needed(decimal),
  value: decimal,
  unvested: word,
});

/** The body, as a scenario keeps it; null while something is missing. `first` is what the exit comes after. */
export function exitBody(values: ModelValues, before: ExitBody | null, first: Beginning = {}): ExitBody | null {
  if (Object.values(exitFaults(values)).some(Boolean)) return null;
  const { exitDate = "", unvested, "range.to": to = "0" } = EXIT.read(values);
  const { exitValues: _values, rounds: _rounds, add: _add, classOverrides: _overrides, ...rest } = before ?? {};
  const { deductions: _deductions, ...others } = rest;
  const own = [...OVERRIDES.read(values)].map(([stockClassId, terms]) => ({ stockClassId, ...terms }));
  const overrides = [...(before?.classOverrides ?? []).filter(({ className }) => className), ...own];
  return {
    ...others,
    // The table of the day of the exit, but for rounds that are to come: they begin with the table as it is.
    ...beginningOf(values, first),
    exitDate,
    range: { from: "0", to, steps: STEPS },
    unvested,
    ...(values.deductions === "0" ? {} : { deductions: DEDUCTIONS.read(values) }),
    ...(overrides.length > 0 ? { classOverrides: overrides } : {}),
  } as ExitBody;
}

/** The same for one value alone, with who gets what. */
export function atValue({ range: _range, ...body }: ExitBody, value: string): ExitBody {
  return { ...body, exitValues: [value], detail: "HOLDERS", breakpoints: false } as ExitBody;
}

/** What stands in the form for a body that was kept. */
export function valuesOfExit(body: ExitBody, today: string): ModelValues {
  const to = body.range?.to ?? body.exitValues?.at(-1) ?? "";
  const { exitDate = body.asOf ?? today, unvested = "FORFEIT", classOverrides = [], deductions = [] } = body;
  const terms = classOverrides.flatMap((each) => (each.stockClassId ? [[each.stockClassId, each] as const] : []));
  return {
    ...firstExit(today, to),
    ...valuesOfAdd(body.add ?? []),
    ...EXIT.write({ exitDate: exitDate ?? today, unvested }),
    from: body.rounds?.length ? ITS_OWN : "",
    ...DEDUCTIONS.write(deductions),
    ...OVERRIDES.write(new Map(terms)),
  };
}

/** The value at a step of the chart, to the cent. */
export function valueAt(step: number, to: string): string {
  const cent = parseDecimal("0.01");
  const exact = (parseDecimal(to) * BigInt(step)) / BigInt(STEPS);
  return formatDecimal((exact / cent) * cent);
}

/** The step of the chart next below a value. */
export function stepOf(value: string, to: string): number {
  const whole = parseDecimal(to);
  if (whole === 0n) return 0;
  const step = (parseDecimal(value) * BigInt(STEPS)) / whole;
  return Number.parseInt(String(step > BigInt(STEPS) ? BigInt(STEPS) : step), 10);
}
