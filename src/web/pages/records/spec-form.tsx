// A form that is fields and a button, by the specs that serve actions and records: for dialogs and cards.
import type { ComponentChildren } from "preact";
import { today } from "../../clock.ts";
import type { ButtonKind } from "../../parts/button.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { sentence } from "../../parts/forms/words.ts";
import type { FieldWords } from "../../text/actions/field-words.ts";
import { type Body, faultsOf, valuesOf, wholeOf } from "../actions/body.ts";
import { FieldRows } from "../actions/groups.tsx";
import { placeOf } from "../actions/refusals.ts";
import type { Facts, FieldSpec, Values } from "../actions/spec.ts";

/** What a form knows whose fields name no records. */
function factsNow(): Facts {
  const nothing = {
    security: null,
    vesting: null,
    exercisable: null,
    inForce: null,
    nextCertificate: null,
    table: null,
  };
  const none = { classes: [], plans: [], terms: [], valuations: [], leaving: [] };
  return { today: today(), ...none, ...nothing, holders: new Map() };
}

interface SpecFormProps<T> {
  readonly fields: readonly FieldSpec[];
  readonly words: Readonly<Record<string, FieldWords>>;
  /** The record whose members the fields begin with; null for a new one, whose fields begin as their specs say. */
  readonly record: object | null;
  readonly submit: string;
  readonly label?: string;
  readonly kind?: ButtonKind;
  readonly beside?: ComponentChildren;
  /** Sends the members of all fields: null for what is empty. */
  readonly send: (body: Body, key: string, values: Values) => Promise<T>;
  readonly done: (answer: T) => void;
  /** Below the fields, of what they hold. */
  readonly children?: (values: Values) => ComponentChildren;
}

/** The form. */
export function SpecForm<T>({ fields, words, record, send, done, children, ...frame }: SpecFormProps<T>) {
  const facts = factsNow();
  const given = () => Object.fromEntries(fields.map(({ name, given }) => [name, given?.({}, facts) ?? ""]));
  const form = useForm<Record<string, string>, T>({
    initial: record === null ? given() : valuesOf(fields, record as Readonly<Record<string, unknown>>),
    check: (values) => faultsOf(fields, values),
    send: (values, key) => send(wholeOf(fields, values), key, values),
    done,
    fieldOf(problem) {
      const name = placeOf(problem, fields);
      return name === undefined ? undefined : { name, words: sentence(problem.detail) };
    },
  });
  return (
    <Form form={form} {...frame}>
      <FieldRows fields={fields} form={form} facts={facts} words={words} />
      {children?.(form.values)}
    </Form>
  );
}
