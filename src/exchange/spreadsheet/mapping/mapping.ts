// The mapping language: it maps the sheets and columns of another program's workbook to our fields. Vendors' formats
// are files in it, without code of their own. Pure.

import type { Static } from "@sinclair/typebox";
import { Type } from "@sinclair/typebox";
import { type Fault, findFaults } from "../../../kernel/check.ts";
import { oneOf } from "../../../kernel/fields.ts";
import cartaLedgers from "../assets/carta-ledgers.json" with { type: "json" };
import cartaTemplate from "../assets/carta-template.json" with { type: "json" };
import ocx from "../assets/ocx.json" with { type: "json" };
import pulley from "../assets/pulley.json" with { type: "json" };
import { isAdditional, TARGETS, TEMPLATE } from "../file/template.ts";

const texts = Type.Array(Type.String());
/** Patterns, which whole columns are held against. */
const pattern = Type.String({ maxLength: 200 });
const patterns = Type.Array(pattern, { maxItems: 50 });
const textByName = Type.Record(Type.String(), Type.String());
const textsByName = Type.Record(Type.String(), texts);
const strict = { additionalProperties: false } as const;

const From = Type.Object(
  {
    sheetWildcard: Type.Optional(Type.Integer({ minimum: 1 })),
    sheetName: Type.Optional(Type.Boolean()),
    titleRow: Type.Optional(Type.Boolean()),
    after: Type.Optional(Type.String()),
  },
  strict,
);

const Derive = Type.Object(
  {
    field: Type.Optional(Type.String()),
    column: Type.Optional(Type.String()),
    match: Type.Record(pattern, Type.String(), { maxProperties: 50 }),
    else: Type.String(),
  },
  strict,
);

/** What went out of what was issued: headers of it in one list, or by how it went. */
const Minus = Type.Union([
  texts,
  Type.Object(
    { exercised: Type.Optional(texts), forfeited: Type.Optional(texts), transferred: Type.Optional(texts) },
    strict,
  ),
]);

/** Rows filled in one column alone, which say a field of the rows below them. */
const Band = Type.Object({ column: Type.String(), field: oneOf(["class", "plan", "kind"]) }, strict);

const Table = Type.Object(
  {
    sheet: patterns,
    notSheet: Type.Optional(patterns),
    optional: Type.Optional(Type.Boolean()),
    headerRow: Type.Optional(Type.Integer({ minimum: 1 })),
    headerHas: Type.Optional(texts),
    to: oneOf(TARGETS),
    columns: textByName,
    ignore: Type.Optional(Type.Union([Type.Literal("*"), texts])),
    constants: Type.Optional(textByName),
    from: Type.Optional(Type.Record(Type.String(), From)),
    derive: Type.Optional(Type.Record(Type.String(), Derive)),
    emptyWhen: Type.Optional(textsByName),
    section: Type.Optional(Type.Object({ column: Type.String(), is: Type.String() }, strict)),
    unsupported: Type.Optional(textsByName),
    values: Type.Optional(Type.Record(Type.String(), textByName)),
    units: Type.Optional(Type.Record(Type.String(), oneOf(["FRACTION"]))),
    fallback: Type.Optional(textByName),
    minus: Type.Optional(Minus),
    band: Type.Optional(Band),
    closedWhen: Type.Optional(texts),
    skipRows: Type.Optional(patterns),
    skipWhere: Type.Optional(textsByName),
  },
  strict,
);

const Mapping = Type.Object(
  {
    captableMapping: Type.Integer({ minimum: 1, maximum: 1 }),
    name: Type.String(),
    mode: oneOf(["FULL", "OUTSTANDING"]),
    options: Type.Optional(
      Type.Object(
        { dateOrder: Type.Optional(oneOf(["MDY", "DMY"])), decimal: Type.Optional(oneOf(["POINT", "COMMA"])) },
        strict,
      ),
    ),
    asOf: Type.Optional(Type.Object({ sheet: Type.String(), rows: Type.String(), text: Type.String() }, strict)),
    ignoreSheets: Type.Optional(patterns),
    tables: Type.Array(Table, { minItems: 1, maxItems: 50 }),
    totals: Type.Optional(
      Type.Array(
        Type.Object({ sheet: Type.String(), column: Type.String(), by: Type.String(), of: Type.String() }, strict),
      ),
    ),
    notes: Type.Optional(Type.String()),
  },
  strict,
);

export type Mapping = Static<typeof Mapping>;
export type MappedTable = Static<typeof Table>;

/** A text is not a mapping: one line says why, and each fault where. */
export class WrongMapping extends Error {
  override readonly name = "WrongMapping";

  constructor(readonly faults: readonly [Fault, ...Fault[]]) {
    const [{ path, detail }] = faults;
    super(path === "" ? `The mapping ${detail}.` : `The mapping is wrong at ${path}: ${detail}.`);
  }
}

const BYTES_MAX = 64 * 1024;

/** Reads a mapping. Throws {@link WrongMapping} for an invalid one, with place and reason. */
export function readMapping(text: string): Mapping {
  if (Buffer.byteLength(text) > BYTES_MAX) throw new WrongMapping([{ path: "", detail: "is longer than 64 KiB" }]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new WrongMapping([{ path: "", detail: "is no JSON" }]);
  }
  refuse(findFaults(Mapping, value));
  const mapping = value as Mapping;
  refuse([...mapping.tables.flatMap(unknownFields), ...strangePatterns(mapping)]);
  return mapping;
}

/** A mapping of 64 KiB can be wrong in thousands of places. */
const FAULTS_MAX = 100;

function refuse(faults: readonly Fault[]): void {
  const [first, ...others] = faults.slice(0, FAULTS_MAX);
  if (first) throw new WrongMapping([first, ...others]);
}

/** A pointer's part for a name. */
function part(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The unknown fields of a table, each at its place. */
function unknownFields(table: MappedTable, at: number): Fault[] {
  const { to, columns, constants, from, derive = {}, emptyWhen, values, units, fallback = {}, band } = table;
  const byField = { constants, from, derive, emptyWhen, values, units, fallback };
  const keys = Object.entries(byField).flatMap(([member, each]) =>
    Object.keys(each ?? {}).map((field) => [`${member}/${part(field)}`, field] as const),
  );
  const named = [
    ...(band ? [["band/field", band.field] as const] : []),
    ...Object.entries(columns).map(([header, field]) => [`columns/${part(header)}`, field] as const),
    ...Object.entries(derive).flatMap(([name, { field }]) =>
      field === undefined ? [] : [[`derive/${part(name)}/field`, field] as const],
    ),
    ...Object.entries(fallback).flatMap(([name, field]) =>
      field === NEXT ? [] : [[`fallback/${part(name)}`, field] as const],
    ),
  ];
  return [...named, ...keys]
    .filter(([, field]) => !isField(to, field))
    .map(([path, field]) => ({ path: `/tables/${at}/${path}`, detail: `${field} is not a field of ${to}` }));
}

/** Signs of other pattern languages: here they would stand for themselves, and match nothing. */
const STRANGE = /[[\]{}]/;
const STRANGE_DETAIL = "may have * and ? alone as pattern signs: for a bracket or brace write ?";

type PatternAt = readonly [path: string, pattern: string];

function strangePatterns({ tables, asOf, totals = [], ignoreSheets = [] }: Mapping): Fault[] {
  const given: readonly PatternAt[] = [
    ...(asOf ? [["/asOf/sheet", asOf.sheet] as const, ["/asOf/text", asOf.text] as const] : []),
    ...ignoreSheets.map((text, at) => [`/ignoreSheets/${at}`, text] as const),
    ...totals.map(({ sheet }, at) => [`/totals/${at}/sheet`, sheet] as const),
    ...tables.flatMap(patternsOf),
  ];
  return given.filter(([, text]) => STRANGE.test(text)).map(([path]) => ({ path, detail: STRANGE_DETAIL }));
}

function patternsOf({ sheet, notSheet = [], skipRows = [], derive = {} }: MappedTable, at: number): PatternAt[] {
  const lists = Object.entries({ sheet, notSheet, skipRows }).flatMap(([member, list]) =>
    list.map((text, index) => [`${member}/${index}`, text] as const),
  );
  const matches = Object.entries(derive).flatMap(([field, { match }]) =>
    Object.keys(match).map((text) => [`derive/${part(field)}/match/${part(text)}`, text] as const),
  );
  return [...lists, ...matches].map(([path, text]) => [`/tables/${at}/${path}`, text]);
}

/** Stands in a field for the next free number. */
export const NEXT = "NEXT";

/** Whether rows of a kind have a field: in the template, or in mappings alone. */
function isField(to: string, field: string): boolean {
  const own = TEMPLATE.find((sheet) => sheet.to === to)?.columns.some((column) => column.field === field);
  return own === true || isAdditional(to, field);
}

/** The formats of vendors, by name. */
export const FORMATS: Readonly<Record<string, unknown>> = {
  CARTA_TEMPLATE: cartaTemplate,
  CARTA_LEDGERS: cartaLedgers,
  OCX: ocx,
  PULLEY: pulley,
};

/** The mapping of a format. */
export function mappingOf(format: string): Mapping {
  return readMapping(JSON.stringify(FORMATS[format]));
}

const LOOKED_AT = 1000;

/**
 * Whether a text fits a pattern of `*` and `?`, whatever its case and outer spaces; what each `*` stands for, each as
 * short as it can be. Takes time by the product of the two lengths and no more: patterns are short, and of a text only
 * the first 1,000 characters are looked at.
 */
export function fits(pattern: string, text: string): readonly string[] | null {
  const signs = [...text.trim().slice(0, LOOKED_AT)];
  const parts = pattern
    .trim()
    .split("*")
    .map((part) => [...part]);
  const [first = [], ...rest] = parts;
  if (!isAt(signs, 0, first)) return null;
  let at = first.length;
  const stars: string[] = [];
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1;
    let found = isLast ? signs.length - part.length : at;
    if (isLast && (found < at || !isAt(signs, found, part))) return null;
    while (!isAt(signs, found, part)) if (++found > signs.length) return null;
    stars.push(signs.slice(at, found).join(""));
    at = found + part.length;
  }
  return at === signs.length ? stars : null;
}

/** Whether signs stand there, where `?` is any. */
function isAt(signs: readonly string[], at: number, part: readonly string[]): boolean {
  return part.every((sign, ahead) => {
    const own = signs[at + ahead];
    return own !== undefined && (sign === "?" || sign.toLowerCase() === own.toLowerCase());
  });
}
