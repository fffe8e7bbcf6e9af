// Checks an object's shape against OCF's schemas, and reports each fault with its pointer, in a sentence, with a
// remedy. Compiled schemas decide quickly; only failures are explained. Pure.
import { Kind, type TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { Value, type ValueError, ValueErrorType } from "@sinclair/typebox/value";
import { shown } from "../finding.ts";
import { isObject } from "../json.ts";
import { ruleFault } from "../schemas/rules.ts";
import type { ObjectType } from "../schemas/schema-registry.ts";

/** A fault of shape. `pointer` is a JSON Pointer fragment into the object. */
export interface ShapeFault {
  readonly code: "missing-field" | "unknown-field" | "null-field" | "wrong-value" | "rule";
  readonly pointer: string;
  readonly detail: string;
  readonly fix: string;
}

/** What {@link checkShape} found: under the released version, and whether the development version takes the object. */
export interface ShapeVerdict {
  /** No faults: valid OCF 1.2.0. */
  readonly faults: readonly ShapeFault[];
  /** The object is invalid in 1.2.0 but valid in the development version; `faults` then says what is new in it. */
  readonly validInDevelopment: boolean;
}

const VALID: ShapeVerdict = { faults: [], validInDevelopment: true };
const compiled = new Map<TSchema, TypeCheck<TSchema>>();

function compiledOf(schema: TSchema): TypeCheck<TSchema> {
  const known = compiled.get(schema);
  if (known) return known;
  const check = TypeCompiler.Compile(schema);
  compiled.set(schema, check);
  return check;
}

/** Checks `value` against its type's schema; where 1.2.0 refuses it, against the development version's too. */
export function checkShape(type: ObjectType, value: unknown): ShapeVerdict {
  if (compiledOf(type.schema).Check(value)) return VALID;
  if (type.developmentSchema === type.schema) return { faults: explain(type.schema, value), validInDevelopment: false };
  const inDevelopment = compiledOf(type.developmentSchema).Check(value);
  const faults = explain(inDevelopment ? type.schema : type.developmentSchema, value);
  return { faults, validInDevelopment: inDevelopment };
}

/** All faults of `value` under `schema`, one for each place. Empty where it is valid. */
export function explain(schema: TSchema, value: unknown): ShapeFault[] {
  const faults = new Map<string, ShapeFault>();
  for (const error of leaves(Value.Errors(schema, value))) {
    const fault = describe(error);
    if (!faults.has(fault.pointer)) faults.set(fault.pointer, fault);
  }
  return [...faults.values()];
}

/** The errors that help: of a choice, those of the branch that was meant; never the bare "does not fit". */
function* leaves(errors: Iterable<ValueError>): Generator<ValueError> {
  for (const error of errors) {
    if (error.type === ValueErrorType.Intersect) continue;
    if (error.type === ValueErrorType.Union && typeof error.schema.says !== "string") yield* ofMeantBranch(error);
    else yield error;
  }
}

function* ofMeantBranch(error: ValueError): Generator<ValueError> {
  const branches: readonly TSchema[] = error.schema.anyOf;
  const candidates = branches.map((schema) => [...leaves(Value.Errors(schema, error.value))]);
  const meant = branches.findIndex((schema) => isMeant(schema, error.value));
  const sizes = candidates.map((found) => found.length);
  const chosen = meant >= 0 ? meant : sizes.indexOf(Math.min(...sizes));
  if (meant < 0 && isObject(error.value) && "type" in error.value) yield unknownChoice(error, branches);
  else for (const leaf of candidates[chosen] ?? []) yield { ...leaf, path: error.path + leaf.path };
}

function isMeant(schema: TSchema, value: unknown): boolean {
  return isObject(value) && typesOf(schema).includes(String(value.type));
}

/** The words that a branch takes as its `type`. */
function typesOf(schema: TSchema): string[] {
  const object = schema[Kind] === "Intersect" ? schema.allOf[0] : schema;
  const type = object?.properties?.type;
  const literals: readonly TSchema[] = type?.anyOf ?? (type ? [type] : []);
  return literals.map((literal) => String(literal.const));
}

function unknownChoice(error: ValueError, branches: readonly TSchema[]): ValueError {
  const says = `one of ${[...new Set(branches.flatMap(typesOf))].join(", ")}`;
  const value = isObject(error.value) ? error.value.type : undefined;
  return {
    ...error,
    type: ValueErrorType.Literal,
    path: `${error.path}/type`,
    value,
    schema: { ...error.schema, says },
  };
}

function describe(error: ValueError): ShapeFault {
  const pointer = `#${error.path}`;
  const name = memberName(error.path);
  const says = saysOf(error.schema);
  const broken = ruleFault(error.schema, error.value);
  if (broken) {
    const where = broken.member === null ? pointer : `${pointer}/${broken.member}`;
    return { code: "rule", pointer: where, detail: `${capital(name)} ${broken.detail}.`, fix: broken.fix };
  }
  switch (error.type) {
    case ValueErrorType.ObjectRequiredProperty:
      return { code: "missing-field", pointer, detail: `The field ${name} is missing.`, fix: `Add it: ${says}.` };
    case ValueErrorType.ObjectAdditionalProperties: {
      const meant = similarMember(error.schema, name);
      const fix = meant ? `Did you mean ${meant}? Rename it.` : "Remove it; what must be kept can go into comments.";
      return { code: "unknown-field", pointer, detail: `OCF has no field ${name} here.`, fix };
    }
    case ValueErrorType.ArrayMinItems:
      return { code: "wrong-value", pointer, detail: `The list ${name} is empty.`, fix: "Add at least one entry." };
    case ValueErrorType.ArrayUniqueItems:
      return { code: "wrong-value", pointer, detail: `The list ${name} has an entry twice.`, fix: "Keep it once." };
  }
  if (error.value === null) {
    const fix = `Write ${says}, or remove the field where it is optional: OCF leaves out what is not known.`;
    return { code: "null-field", pointer, detail: `The field ${name} is null, which OCF does not allow.`, fix };
  }
  const detail = `${capital(name)} is ${shown(error.value)}.`;
  return { code: "wrong-value", pointer, detail, fix: `It must be ${says}.` };
}

/** What a schema takes, in words. */
function saysOf(schema: TSchema): string {
  if (typeof schema.says === "string") return schema.says;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  return schema[Kind] === "Intersect" ? saysOf(schema.allOf[0]) : "an object in braces";
}

/** The member that is spelled alike but for case and underscores (`sharePrice` for `share_price`), or null. */
function similarMember(schema: TSchema, name: string): string | null {
  const plain = (text: string) => text.replaceAll("_", "").toLowerCase();
  return Object.keys(schema.properties ?? {}).find((member) => plain(member) === plain(name)) ?? null;
}

/** A message's words for the place: the member's name, or which entry of which list. */
function memberName(path: string): string {
  const steps = path.split("/").map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = steps.at(-1) ?? "";
  if (last === "") return "the object";
  return /^\d+$/.test(last) && steps.length > 2 ? `entry ${Number(last) + 1} of ${steps.at(-2)}` : last;
}

function capital(name: string): string {
  return name.startsWith("the ") || name.startsWith("entry ") ? `${name[0]?.toUpperCase()}${name.slice(1)}` : name;
}
