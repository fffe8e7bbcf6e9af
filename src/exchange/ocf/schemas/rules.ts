// Rules between members of one object, which OCF writes as oneOf, anyOf and not: named here, so that a fault can be
// worded in one sentence. They join a TypeBox schema as a kind of their own.
import { Kind, type TSchema, Type, TypeRegistry } from "@sinclair/typebox";
import { isObject, type JsonObject } from "../json.ts";

/** A broken rule. */
export interface RuleFault {
  /** The member that is at fault, or null for the object as a whole. */
  readonly member: string | null;
  readonly detail: string;
  readonly fix: string;
}

/** A rule: what is wrong with `object`, or null. It may assume nothing about the members' types. */
export type Rule = (object: JsonObject) => RuleFault | null;

interface RuleSchema extends TSchema {
  readonly rule: Rule;
}

const RULE_KIND = "OcfRule";
TypeRegistry.Set<RuleSchema>(RULE_KIND, (schema, value) => !isObject(value) || schema.rule(value) === null);

/** The fault that `schema`, met in an error, found in `value`; null if the schema is not a rule. */
export function ruleFault(schema: TSchema, value: unknown): RuleFault | null {
  if (schema[Kind] !== RULE_KIND || typeof schema.rule !== "function" || !isObject(value)) return null;
  return (schema as RuleSchema).rule(value);
}

/** The schema `base` with a rule on top. */
export function ruled<T extends TSchema>(base: T, rule: Rule) {
  return Type.Intersect([base, Type.Unsafe<unknown>({ [Kind]: RULE_KIND, rule })]);
}

/** Exactly one of the two members must be there. */
export function exactlyOne(a: string, b: string): Rule {
  return (object) => {
    const [hasA, hasB] = [a in object, b in object];
    if (hasA !== hasB) return null;
    const detail = hasA ? `has both ${a} and ${b}, where OCF takes only one` : `has neither ${a} nor ${b}`;
    return { member: hasA ? b : null, detail, fix: `Give exactly one of ${a} and ${b}.` };
  };
}

/** At least one of the two members must be there. */
export function atLeastOne(a: string, b: string): Rule {
  return (object) =>
    a in object || b in object
      ? null
      : { member: null, detail: `has neither ${a} nor ${b}`, fix: `Give ${a} or ${b}, or leave the whole entry out.` };
}

/** The two members exclude each other. */
export function atMostOne(a: string, b: string): Rule {
  return (object) =>
    a in object && b in object
      ? { member: b, detail: `has both ${a} and ${b}, which exclude each other`, fix: `Remove ${a} or ${b}.` }
      : null;
}

/** Where `member` has one of `values`, `needed` must be there. */
export function requiredFor(member: string, values: readonly string[], needed: string): Rule {
  return (object) => {
    const value = object[member];
    if (typeof value !== "string" || !values.includes(value) || needed in object) return null;
    return { member: needed, detail: `${needed} is missing; ${member} ${value} needs it`, fix: `Add ${needed}.` };
  };
}
