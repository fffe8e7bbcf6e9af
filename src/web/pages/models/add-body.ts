// Securities that a model begins with and that are not there: rows of its form as members of the body, and back. Pure.
import { isCalendarDate } from "../../../kernel/date.ts";
import { ModelCapTableRequest } from "../../api/values.ts";
import { decimalFault, readDecimal } from "../../parts/forms/decimal.ts";
import { COMMON, FIELD_FAULTS } from "../../text/common.ts";
import { BEGINNING } from "../../text/models/beginning-words.ts";
import { holderOf, type ModelValues, rowsOf, whoOf } from "./values.ts";

/** A security that is not there, as a body says it. */
export interface Added {
  readonly type: string;
  /** By which the body names it. */
  readonly key?: string;
  readonly convertibleTerms?: object | null;
  readonly [member: string]: unknown;
}

/**
 * What a new row begins with: its kind is a type, or that of a convertible; `how` is how it converts in a round; `kept`
 * holds members that have no field, and `isKept` tells a row that came with a scenario.
 */
export const EMPTY_ROW = {
  ...{ kind: "SAFE", who: "", stockClassId: "", equityPlanId: "", quantity: "", price: "" },
  ...{ valuationCap: "", discountPercent: "", interestRate: "", timing: "POST_MONEY", date: "", kept: "" },
  ...{ key: "", how: "", isKept: "" },
} as const;

const CONVERTIBLES = ModelCapTableRequest["add.convertibleTerms.convertibleType"];
const TERMS = ["valuationCap", "discountPercent", "interestRate"] as const;

function isConvertible(kind: string): kind is (typeof CONVERTIBLES)[number] {
  return (CONVERTIBLES as readonly string[]).includes(kind);
}

/** The fields that a row of a kind has, beside its kind and quantity. */
export function fieldsOf(kind: string): readonly (keyof typeof EMPTY_ROW)[] {
  if (kind === "RESERVE") return ["equityPlanId"];
  if (kind === "SAFE") return ["who", "valuationCap", "timing", "discountPercent", "date"];
  if (isConvertible(kind)) return ["who", "valuationCap", "discountPercent", "interestRate", "date"];
  return ["who", kind === "STOCK_OPTION" ? "equityPlanId" : "stockClassId", "price", "date"];
}

/** What is wrong with the rows, by field. */
export function addFaults(values: ModelValues): Record<string, string | undefined> {
  const faults: Record<string, string | undefined> = {};
  for (const row of rowsOf("add", values.add)) {
    const fields = ["quantity", ...fieldsOf(values[`${row}.kind`] ?? "")];
    for (const field of ["quantity", "who", "stockClassId", "equityPlanId"]) {
      if (fields.includes(field) && !values[`${row}.${field}`]?.trim()) faults[`${row}.${field}`] = COMMON.required;
    }
    for (const field of ["quantity", "price", ...TERMS]) {
      const fault = decimalFault(values[`${row}.${field}`] ?? "");
      if (fields.includes(field) && fault) faults[`${row}.${field}`] = fault;
    }
    const day = values[`${row}.date`];
    if (fields.includes("date") && day && !isCalendarDate(day)) faults[`${row}.date`] = FIELD_FAULTS.date;
  }
  return faults;
}

/** The rows as members of a body; undefined where there are none, so that the body has no such member. */
export function addOf(values: ModelValues): readonly Added[] | undefined {
  const rows = rowsOf("add", values.add).map((row) => addedOf((name) => values[`${row}.${name}`]?.trim() ?? ""));
  return rows.length === 0 ? undefined : rows;
}

function addedOf(at: (name: string) => string): Added {
  const kind = at("kind");
  const fields = fieldsOf(kind);
  const hasTerms = isConvertible(kind);
  const key = at("key");
  const { convertibleTerms: keptTerms, ...kept } = JSON.parse(at("kept") || "{}") as Partial<Added>;
  const figure = (name: string) => readDecimal(at(name)) ?? undefined;
  const has = (name: keyof typeof EMPTY_ROW) => fields.includes(name) && at(name) !== "";
  const terms = TERMS.flatMap((name) => (has(name) ? [[name, figure(name)]] : []));
  return {
    ...(key === "" ? {} : { key }),
    ...kept,
    type: hasTerms ? "CONVERTIBLE" : kind,
    ...(has("who") ? holderOf(at("who")) : {}),
    ...(has("stockClassId") ? { stockClassId: at("stockClassId") } : {}),
    ...(has("equityPlanId") ? { equityPlanId: at("equityPlanId") } : {}),
    quantity: figure("quantity") ?? "",
    ...(has("price") ? { [kind === "STOCK" ? "pricePerShare" : "exercisePrice"]: figure("price") } : {}),
    ...(has("date") ? { date: at("date") } : {}),
    ...(hasTerms
      ? {
          convertibleTerms: {
            ...keptTerms,
            convertibleType: kind,
            ...Object.fromEntries(terms),
            ...(has("timing") && has("valuationCap") ? { timing: at("timing") } : {}),
          },
        }
      : {}),
  };
}

/** A row of a convertible, by the name of its fields, and what the model calls it. */
export interface AddedConvertible {
  readonly row: string;
  readonly key: string;
}

/**
 * The rows of convertibles, each with a key that is not among `taken`: `SAFE 2` for the second row. What a scenario was
 * kept with keeps its own.
 */
export function addedConvertibles(values: ModelValues, taken: Iterable<string>): readonly AddedConvertible[] {
  const others = new Set(taken);
  const rows = rowsOf("add", values.add);
  const own = new Set(rows.map((row) => values[`${row}.key`] ?? ""));
  return rows.flatMap((row, index) => {
    const kind = values[`${row}.kind`] ?? "";
    if (!isConvertible(kind)) return [];
    const kept = values[`${row}.key`] ?? "";
    const key =
      kept !== "" && !others.has(kept) ? kept : freeKey(kind, index + 1, (each) => others.has(each) || own.has(each));
    others.add(key);
    return [{ row, key }];
  });
}

function freeKey(kind: keyof typeof BEGINNING.kinds, first: number, isTaken: (key: string) => boolean): string {
  for (let number = first; ; number++) {
    const key = `${BEGINNING.kinds[kind]} ${number}`;
    if (!isTaken(key)) return key;
  }
}

/**
 * The rows as members of a body that come after others with the keys `taken`: convertibles have a key, but for those of
 * a scenario that had none and of which the body says nothing more.
 */
export function keyedAddOf(values: ModelValues, taken: Iterable<string>): readonly Added[] {
  const keys = new Map(addedConvertibles(values, taken).map(({ row, key }) => [row, key]));
  const rows = rowsOf("add", values.add);
  return (addOf(values) ?? []).map((added, index) => {
    const row = rows[index] ?? "";
    const key = keys.get(row);
    const isLeft = values[`${row}.isKept`] === "true" && !values[`${row}.how`] && added.key === undefined;
    return key === undefined || isLeft ? added : { key, ...added };
  });
}

/** What stands in the rows for securities that were kept. */
export function valuesOfAdd(added: readonly object[]): Record<string, string> {
  const values: Record<string, string> = { add: String(added.length) };
  for (const [index, each] of (added as readonly Added[]).entries()) {
    for (const [name, value] of Object.entries(valuesOf(each))) values[`add.${index}.${name}`] = value;
  }
  return values;
}

function valuesOf(added: Added): Record<string, string> {
  const { type, stakeholderId, name, pricePerShare, exercisePrice, convertibleTerms, ...others } = added;
  const { convertibleType, valuationCap, discountPercent, interestRate, timing, ...terms } = (convertibleTerms ??
    {}) as Record<string, unknown>;
  const { key, stockClassId, equityPlanId, quantity, date, ...kept } = others;
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  const hasMore = Object.keys(terms).length > 0 || Object.keys(kept).length > 0;
  return {
    ...EMPTY_ROW,
    kind: type === "CONVERTIBLE" ? text(convertibleType) : type,
    who: type === "RESERVE" ? "" : whoOf({ stakeholderId: text(stakeholderId) || null, name: text(name) }),
    ...{ stockClassId: text(stockClassId), equityPlanId: text(equityPlanId), quantity: text(quantity) },
    ...{ price: text(pricePerShare ?? exercisePrice), date: text(date), valuationCap: text(valuationCap) },
    ...{ discountPercent: text(discountPercent), interestRate: text(interestRate) },
    ...{ timing: text(timing), key: text(key), isKept: "true" },
    kept: hasMore ? JSON.stringify({ ...kept, ...(convertibleTerms ? { convertibleTerms: terms } : {}) }) : "",
  };
}
