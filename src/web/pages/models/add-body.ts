// Securities that a model begins with and that are not there: rows of its form as members of the body, and back. Pure.
import { IssueConvertibleRequest, type ModelCapTableRequest } from "../../api/values.ts";
import { BEGINNING } from "../../text/models/beginning-words.ts";
import { day, decimal, holderAt, type ModelFaults, membersAt, needed, together, word } from "./codec.ts";
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

type ConvertibleKind = (typeof ModelCapTableRequest)["add.convertibleTerms.convertibleType"][number];
/** Of the register's request, which has the same: the model's own would bring all its other values with it. */
const CONVERTIBLES: readonly ConvertibleKind[] = IssueConvertibleRequest.convertibleType;

function isConvertible(kind: string): kind is ConvertibleKind {
  return (CONVERTIBLES as readonly string[]).includes(kind);
}

/** The fields that a row of a kind has, beside its kind and quantity. */
export function fieldsOf(kind: string): readonly (keyof typeof EMPTY_ROW)[] {
  if (kind === "RESERVE") return ["equityPlanId"];
  if (kind === "SAFE") return ["who", "valuationCap", "timing", "discountPercent", "date"];
  if (isConvertible(kind)) return ["who", "valuationCap", "discountPercent", "interestRate", "date"];
  return ["who", kind === "STOCK_OPTION" ? "equityPlanId" : "stockClassId", "price", "date"];
}

/** The fields of a row that are members, of the security or of its terms. */
interface RowMembers {
  readonly key: string;
  readonly stockClassId: string;
  readonly equityPlanId: string;
  readonly quantity: string;
  readonly price: string;
  readonly date: string;
  readonly valuationCap: string;
  readonly discountPercent: string;
  readonly interestRate: string;
  readonly timing: string;
}

const rowAt = (prefix: string) =>
  together(
    holderAt(prefix),
    membersAt<RowMembers>(prefix, {
      key: word,
      stockClassId: needed(word),
      equityPlanId: needed(word),
      quantity: needed(decimal),
      price: decimal,
      date: day,
      valuationCap: decimal,
      discountPercent: decimal,
      interestRate: decimal,
      timing: word,
    }),
  );

/** What is wrong with the rows, by field. */
export function addFaults(values: ModelValues): ModelFaults {
  const faults: ModelFaults = {};
  for (const row of rowsOf("add", values.add)) {
    const fields: readonly string[] = ["quantity", ...fieldsOf(values[`${row}.kind`] ?? "")];
    for (const [name, fault] of Object.entries(rowAt(`${row}.`).faults(values))) {
      if (fault && fields.includes(name.slice(row.length + 1))) faults[name] = fault;
    }
  }
  return faults;
}

/** The rows as members of a body; undefined where there are none, so that the body has no such member. */
export function addOf(values: ModelValues): readonly Added[] | undefined {
  const rows = rowsOf("add", values.add).map((row) => addedOf(values, row));
  return rows.length === 0 ? undefined : rows;
}

function addedOf(values: ModelValues, row: string): Added {
  const kind = values[`${row}.kind`] ?? "";
  const fields: readonly string[] = ["quantity", ...fieldsOf(kind)];
  const hasTerms = isConvertible(kind);
  const { convertibleTerms: keptTerms, ...kept } = JSON.parse(values[`${row}.kept`] || "{}") as Partial<Added>;
  const { key, ...typed } = rowAt(`${row}.`).read(values);
  const { stockClassId, equityPlanId, quantity, price, date, valuationCap, discountPercent, interestRate, timing } =
    Object.fromEntries(Object.entries(typed).filter(([name]) => fields.includes(name))) as Partial<RowMembers>;
  const isNamed = fields.includes("who") && Boolean(values[`${row}.who`]?.trim());
  const members = {
    ...(isNamed ? holderOf(values[`${row}.who`]?.trim() ?? "") : {}),
    ...{ stockClassId, equityPlanId, quantity: quantity ?? "" },
    [kind === "STOCK" ? "pricePerShare" : "exercisePrice"]: price,
    date,
  };
  const terms = { valuationCap, discountPercent, interestRate, timing: valuationCap && timing };
  return {
    ...(key === undefined ? {} : { key }),
    ...kept,
    type: hasTerms ? "CONVERTIBLE" : kind,
    ...given(members),
    ...(hasTerms ? { convertibleTerms: { ...keptTerms, convertibleType: kind, ...given(terms) } } : {}),
  };
}

/** An object without what is undefined. */
function given<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
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
  const price = pricePerShare ?? exercisePrice;
  const members = { key, stockClassId, equityPlanId, quantity, price, date };
  const typed = { ...members, valuationCap, discountPercent, interestRate, timing };
  const texts = Object.entries(typed).map(([member, value]) => [member, text(value)]);
  const { who: _who, ...written } = rowAt("").write(Object.fromEntries(texts));
  return {
    ...EMPTY_ROW,
    ...written,
    kind: type === "CONVERTIBLE" ? text(convertibleType) : type,
    who: type === "RESERVE" ? "" : whoOf({ stakeholderId: text(stakeholderId) || null, name: text(name) }),
    isKept: "true",
    kept: hasMore ? JSON.stringify({ ...kept, ...(convertibleTerms ? { convertibleTerms: terms } : {}) }) : "",
  };
}
