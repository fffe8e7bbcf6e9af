// Schema validation: checks a value against a TypeBox schema and lists every fault in words for the caller.
import { Kind, type Static, type TObject, type TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler, type ValueError, ValueErrorType } from "@sinclair/typebox/compiler";
import { explainFault } from "./fields.ts";
import type { Finding } from "./problem.ts";

/** One fault: a JSON Pointer below the value checked (`""` is the value itself) and what is wrong there. */
export interface Fault {
  readonly path: string;
  readonly detail: string;
}

/** A rule between members of a body; checked only if the schema finds no fault in the members that it reads. */
export interface MembersRule<B> {
  readonly of: readonly (keyof B & string)[];
  findings(given: B): readonly Finding[];
}

const rulesOf = new WeakMap<TSchema, readonly MembersRule<never>[]>();

/**
 * Gives a body's schema its rules between members. A `PATCH` body made from it drops them: there the stored record
 * decides too.
 */
export function withRules<S extends TObject>(schema: S, ...rules: readonly MembersRule<Static<S>>[]): S {
  rulesOf.set(schema, rules);
  return schema;
}

/** A value that is faulty all through would take long to explain, and its answer be many times its size. */
const FAULTS_MAX = 1000;

const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>();

function compile(schema: TSchema): TypeCheck<TSchema> {
  let check = compiled.get(schema);
  if (!check) {
    check = TypeCompiler.Compile(schema);
    compiled.set(schema, check);
  }
  return check;
}

/**
 * Returns the faults of `value` under `schema` and its rules, one for each place, the first thousand; an empty list if
 * the value is valid.
 */
export function findFaults(schema: TSchema, value: unknown): Fault[] {
  const check = compile(schema);
  const faults = new Map<string, string>();
  for (const error of check.Check(value) ? [] : check.Errors(value)) {
    collect(error, faults);
    if (faults.size === FAULTS_MAX) break;
  }
  const rules = rulesOf.get(schema);
  if (rules && !faults.has("")) applyRules(rules, value as never, faults);
  return [...faults].map(([path, detail]) => ({ path, detail }));
}

function applyRules<B>(rules: readonly MembersRule<B>[], given: B, faults: Map<string, string>): void {
  const faulty = new Set([...faults.keys()].map((path) => path.split("/")[1]));
  for (const rule of rules) {
    if (rule.of.some((name) => faulty.has(name))) continue;
    for (const [pointer, detail] of rule.findings(given)) {
      const path = pointer.slice(1);
      if (!faults.has(path)) faults.set(path, detail);
    }
  }
}

function collect(error: ValueError, faults: Map<string, string>): void {
  if (error.type === ValueErrorType.Union) {
    const [first] = error.errors;
    let found = false;
    for (const inner of first ?? []) {
      collect(inner, faults);
      found = true;
    }
    if (found) return;
  }
  if (!faults.has(error.path)) faults.set(error.path, describe(error));
}

function describe(error: ValueError): string {
  switch (error.type) {
    case ValueErrorType.ObjectRequiredProperty:
      return "is required";
    case ValueErrorType.ObjectAdditionalProperties:
      return "is not a member that this operation accepts";
    case ValueErrorType.Object:
      return "must be an object";
    case ValueErrorType.Array:
      return "must be an array";
    case ValueErrorType.ArrayMinItems:
      return `must have at least ${error.schema.minItems} element(s)`;
    case ValueErrorType.ArrayMaxItems:
      return `must have at most ${error.schema.maxItems} elements`;
    case ValueErrorType.ArrayUniqueItems:
      return "must not contain the same value twice";
    case ValueErrorType.Boolean:
      return "must be true or false";
    case ValueErrorType.Integer:
      return "must be an integer";
    case ValueErrorType.Number:
      return "must be a number";
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return `must be at least ${error.schema.minimum}`;
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return `must be at most ${error.schema.maximum}`;
    case ValueErrorType.StringPattern:
      return `must match the pattern ${error.schema.pattern}`;
    case ValueErrorType.Null:
      return "must be null";
    default:
      return explainFault(error.schema, error.value) ?? `must be a ${error.schema[Kind].toLowerCase()}`;
  }
}
