// What a field of text holds, and what is wrong with it. Pure.
import { COMMON, FIELD_FAULTS } from "../../text/common.ts";
import type { AnySpec } from "./field-spec.ts";

/** What counts of what was typed: spaces are part of a password, and of nothing else. */
export function textIn({ kind }: AnySpec, typed: string): string {
  if (kind === "password") return typed;
  return kind === "code" ? typed.replace(/\s/g, "") : typed.trim();
}

/** What is wrong with a text as a text; undefined where nothing is. */
export function plainFault(spec: AnySpec, typed: string): string | undefined {
  const text = textIn(spec, typed);
  if (text === "") return spec.isOptional || spec.kind === "check" ? undefined : (spec.missing ?? COMMON.required);
  return spec.isEmail && !/^\S+@\S+$/.test(text) ? FIELD_FAULTS.email : spec.fault?.(text);
}
