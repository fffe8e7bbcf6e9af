// A form of texts, codes and passwords, which every page can ask for, those for signed-out visitors among them.

import type { PlainKind, Spec } from "./field-spec.ts";
import { FieldsForm, type FieldsFormProps, givenOf } from "./fields-form.tsx";
import { plainFault, textIn } from "./plain.ts";
import { PlainField } from "./plain-field.tsx";

type PlainSpec = Spec<unknown, PlainKind>;

/** The form. A refused sign-in or confirmation stands at the code or password that it shows last. */
export function PlainForm<const L extends readonly PlainSpec[], T>(props: FieldsFormProps<L, T>) {
  return (
    <FieldsForm<unknown, L[number], L, T>
      {...props}
      ways={{
        facts: null,
        initial: givenOf(props.fields, null),
        faultOf: plainFault,
        bodyOf: (shown, values) =>
          Object.fromEntries(shown.map((spec) => [spec.name, textIn(spec, values[spec.name] ?? "") || null])),
        placeOf: ({ slug }, shown) =>
          slug === "sign-in-failed" ? shown.findLast(({ kind }) => kind !== "text") : undefined,
        draw: (shown, form) =>
          shown.map((spec: L[number]) => (
            <PlainField
              key={spec.name}
              {...{ spec, form }}
              facts={null}
              words={props.words[spec.name] ?? { label: spec.name }}
            />
          )),
      }}
    />
  );
}
