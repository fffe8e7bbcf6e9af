// What stands in the form of an exit as the body that asks for it, and back. Pure.
import { isCalendarDate } from "../../../kernel/date.ts";
import { formatDecimal, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import type { paths } from "../../api/types.ts";
import { decimalFault, readDecimal } from "../../parts/forms/decimal.ts";
import { COMMON, FIELD_FAULTS } from "../../text/common.ts";
import { addFaults, valuesOfAdd } from "./add-body.ts";
import { type Beginning, beginningOf, ITS_OWN } from "./beginning-values.ts";
import { type ModelValues, rowsOf } from "./values.ts";

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
export function exitFaults(values: ModelValues): Record<string, string | undefined> {
  const faults: Record<string, string | undefined> = addFaults(values);
  const read = (name: string) => {
    const fault = decimalFault(values[name] ?? "");
    if (fault) faults[name] = fault;
  };
  for (const name of ["exitDate", "range.to"]) if (!values[name]?.trim()) faults[name] = COMMON.required;
  for (const name of Object.keys(values)) {
    if (name === "range.to" || name === "value" || name.startsWith(MULTIPLE)) read(name);
    if (name.startsWith(RANK) && values[name] && !/^\d{1,4}$/.test(values[name] ?? ""))
      faults[name] = FIELD_FAULTS.whole;
  }
  for (const row of rowsOf("deductions", values.deductions)) {
    for (const name of [`${row}.name`, `${row}.amount`]) if (!values[name]?.trim()) faults[name] = COMMON.required;
    const typed = values[`${row}.amount`]?.trim();
    if (typed && amountOf(typed) === null) faults[`${row}.amount`] = decimalFault(typed);
  }
  if (values.exitDate && !isCalendarDate(values.exitDate)) faults.exitDate = FIELD_FAULTS.date;
  return faults;
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
function typedAmount({ amount, percent, slices }: Deduction): string {
  if (!slices) return amount ?? `${percent}%`;
  return slices
    .map((slice) => (slice.upTo === null ? `${slice.percent}%` : `${slice.percent}% up to ${slice.upTo}`))
    .join("; ");
}

function overridesOf(values: ModelValues): readonly Override[] {
  const made = new Map<string, Record<string, unknown>>();
  const put = (id: string, members: object) => made.set(id, { ...made.get(id), stockClassId: id, ...members });
  for (const [name, typed] of Object.entries(values)) {
    if (!typed) continue;
    if (name.startsWith(MULTIPLE))
      put(name.slice(MULTIPLE.length), { liquidationPreferenceMultiple: readDecimal(typed) });
    if (name.startsWith(RANK)) put(name.slice(RANK.length), { seniority: Number.parseInt(typed, 10) });
    if (name.startsWith(PART)) put(name.slice(PART.length), { isParticipating: typed === "YES" });
  }
  return [...made.values()] as Override[];
}

/** The body, as a scenario keeps it; null while something is missing. `first` is what the exit comes after. */
export function exitBody(values: ModelValues, before: ExitBody | null, first: Beginning = {}): ExitBody | null {
  if (Object.values(exitFaults(values)).some(Boolean)) return null;
  const { exitDate = "", unvested } = values;
  const { exitValues: _values, rounds: _rounds, add: _add, classOverrides: _overrides, ...rest } = before ?? {};
  const { deductions: _deductions, ...others } = rest;
  const overrides = [...(before?.classOverrides ?? []).filter(({ className }) => className), ...overridesOf(values)];
  return {
    ...others,
    // The table of the day of the exit, but for rounds that are to come: they begin with the table as it is.
    ...beginningOf(values, first),
    exitDate,
    range: { from: "0", to: readDecimal(values["range.to"] ?? "") ?? "0", steps: STEPS },
    unvested,
    ...(values.deductions === "0"
      ? {}
      : {
          deductions: rowsOf("deductions", values.deductions).map((row) => ({
            name: values[`${row}.name`]?.trim() ?? "",
            ...amountOf(values[`${row}.amount`]?.trim() ?? ""),
            ...(values[`${row}.of`] === "REMAINDER" ? { of: "REMAINDER" } : {}),
          })),
        }),
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
  const values: Record<string, string> = { ...firstExit(today, to), ...valuesOfAdd(body.add ?? []) };
  values.exitDate = body.exitDate ?? body.asOf ?? today;
  values.unvested = body.unvested ?? "FORFEIT";
  values.from = body.rounds?.length ? ITS_OWN : "";
  const deductions = body.deductions ?? [];
  values.deductions = String(deductions.length);
  for (const [index, deduction] of deductions.entries()) {
    values[`deductions.${index}.name`] = deduction.name;
    values[`deductions.${index}.amount`] = typedAmount(deduction);
    values[`deductions.${index}.of`] = deduction.of ?? "EXIT_VALUE";
  }
  for (const { stockClassId, ...terms } of body.classOverrides ?? []) {
    if (!stockClassId) continue;
    values[MULTIPLE + stockClassId] = terms.liquidationPreferenceMultiple ?? "";
    values[RANK + stockClassId] = terms.seniority === undefined ? "" : String(terms.seniority);
    const isPart = terms.isParticipating;
    values[PART + stockClassId] = isPart === undefined ? "" : isPart ? "YES" : "NO";
  }
  return values;
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
