// One field of a form: a text, a code or a password.
import type { FieldWords } from "../../text/actions/field-words.ts";
import { PasswordField, TextField } from "./field.tsx";
import type { Spec } from "./field-spec.ts";
import type { Form } from "./use-form.ts";

/** What draws a field. */
export interface SpecFieldProps<F, S extends Spec<F>> {
  readonly spec: S;
  readonly form: Form<Record<string, string>>;
  readonly facts: F;
  readonly words: FieldWords;
}

/** What every field takes: its words, its value, and what is wrong with it. */
export function propsOf<F, S extends Spec<F>>({ spec, form, facts, words }: SpecFieldProps<F, S>) {
  const { name, isOptional = false, brings } = spec;
  return {
    ...form.field(name),
    onInput: (value: string) => form.set({ [name]: value, ...brings?.(value) }),
    label: words.label,
    isOptional,
    hint: spec.note?.(form.values, facts) ?? words.hint,
  };
}

/** The field. */
export function PlainField<F, S extends Spec<F>>(props: SpecFieldProps<F, S>) {
  const { spec, form, facts } = props;
  const { kind, isEmail, maxLength, inputMode } = spec;
  const field = propsOf(props);
  if (kind === "password") return <PasswordField {...field} autoComplete={spec.autoComplete ?? "current-password"} />;
  return (
    <TextField
      {...{ ...field, maxLength, inputMode }}
      type={isEmail ? "email" : "text"}
      autoComplete={spec.autoComplete ?? (kind === "code" ? "one-time-code" : "off")}
      disabled={spec.isFixed?.(form.values, facts)}
    />
  );
}
