// A form that is fields and a button, by their specs: what is asked for, checked, sent and refused.
import type { ComponentChildren } from "preact";
import type { ApiProblem } from "../../api/problem.ts";
import type { FieldWords } from "../../text/actions/field-words.ts";
import type { ButtonKind } from "../button.tsx";
import { type AnySpec, type BodyOf, type Spec, shownOf, type Values } from "./field-spec.ts";
import { Form } from "./form.tsx";
import { type FormParts, type Form as FormState, useForm } from "./use-form.ts";

/** The words of fields: each has its own, and each of its choices a label. */
type WordsOf<L extends readonly AnySpec[]> = {
  readonly [S in L[number] as S["name"]]: S extends { readonly choices: readonly (infer C extends string)[] }
    ? FieldWords & { readonly choices: Readonly<Record<C, string>> }
    : FieldWords;
};

/** What a form of fields takes. */
export interface FieldsFormProps<L extends readonly AnySpec[], T> {
  readonly fields: L;
  readonly words: Readonly<Record<string, FieldWords>> & WordsOf<L>;
  readonly submit: string;
  readonly label?: string;
  readonly kind?: ButtonKind;
  readonly beside?: ComponentChildren;
  /** Sends the members of the fields that are shown: null for what is empty. */
  readonly send: (body: BodyOf<L>, key: string, values: Values) => Promise<T>;
  /** `put` puts values into the form, which stays. */
  readonly done?: (answer: T, put: (values: Values) => void) => void;
  /** The field that a refusal is about, where its problem alone does not say so. */
  readonly refused?: (problem: ApiProblem) => { readonly name: string; readonly words?: string } | undefined;
  /** Below the fields, of what they hold. */
  readonly children?: ComponentChildren | ((values: Values) => ComponentChildren);
  /** Below the form, of what its fields hold. */
  readonly below?: (values: Values) => ComponentChildren;
}

/** How a form treats its fields, those that are shown. */
interface Ways<F, S extends Spec<F>> {
  readonly facts: F;
  readonly initial: Values;
  readonly faultOf: (spec: S, typed: string) => string | undefined;
  readonly bodyOf: (shown: readonly S[], values: Values) => object;
  /** The field that a problem of this kind is about. */
  readonly placeOf: (problem: ApiProblem, shown: readonly S[]) => S | undefined;
  readonly draw: (shown: readonly S[], form: FormState<Record<string, string>>) => ComponentChildren;
  /** Holds the form, where it changes a record that others may change as well. */
  readonly useHeld?: <T>(parts: FormParts<Record<string, string>, T>) => FormState<Record<string, string>>;
}

/** The form. */
export function FieldsForm<F, S extends Spec<F>, L extends readonly S[], T>({
  fields,
  words: _,
  send,
  done,
  refused,
  children,
  below,
  ways,
  ...frame
}: FieldsFormProps<L, T> & { readonly ways: Ways<F, S> }) {
  const shownIn = (values: Values) => shownOf<F, S>(fields, values, ways.facts);
  const { useHeld = useForm } = ways;
  const form: FormState<Record<string, string>> = useHeld<T>({
    initial: { ...ways.initial },
    check: (values) =>
      Object.fromEntries(shownIn(values).map((spec) => [spec.name, ways.faultOf(spec, values[spec.name] ?? "")])),
    send: (values, key) => send(ways.bodyOf(shownIn(values), values) as BodyOf<L>, key, values),
    done: (answer) => done?.(answer, form.set),
    shown: shownIn,
    fieldOf: (problem) => refused?.(problem) ?? ways.placeOf(problem, shownIn(form.values)),
  });
  const { values } = form;
  const part = (isBelow: boolean) =>
    ways.draw(
      shownIn(values).filter((spec) => (spec.isBelow ?? false) === isBelow),
      form,
    );
  return (
    <>
      <Form form={form} {...frame}>
        {part(false)}
        {typeof children === "function" ? children(values) : children}
        {part(true)}
      </Form>
      {below?.(values)}
    </>
  );
}

/** What fields are given to begin with. */
export function givenOf<F, S extends Spec<F>>(fields: readonly S[], facts: F): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, given }) => [name, given?.({}, facts) ?? ""]));
}
