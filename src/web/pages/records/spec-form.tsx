// A form that is fields and a button, for dialogs and cards of the organization: it asks for figures and choices, too.
import { today } from "../../clock.ts";
import { type Body, faultOf, placeOf, valuesOf, wholeOf } from "../../parts/forms/body.ts";
import { FieldRows } from "../../parts/forms/field-rows.tsx";
import { FieldsForm, type FieldsFormProps, givenOf } from "../../parts/forms/fields-form.tsx";
import type { Form, FormParts } from "../../parts/forms/use-form.ts";
import { ActionField } from "../actions/action-field.tsx";
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

/** How a form holds what it changes: its values, and what it sends of them. */
export interface Change {
  readonly useHeld: <T>(parts: FormParts<Record<string, string>, T>) => Form<Record<string, string>>;
  readonly bodyOf: (shown: readonly FieldSpec[], values: Values) => Body;
}

interface SpecFormProps<L extends readonly FieldSpec[], T> extends FieldsFormProps<L, T> {
  /** What the fields of a new record begin with; without it they begin as their specs say. */
  readonly given?: object;
  /** Where it changes a record. */
  readonly change?: Change;
}

/** The form. */
export function SpecForm<const L extends readonly FieldSpec[], T>({ given, change, ...props }: SpecFormProps<L, T>) {
  const { fields, words } = props;
  const facts = factsNow();
  return (
    <FieldsForm<Facts, L[number], L, T>
      {...props}
      ways={{
        facts,
        initial: given ? valuesOf(fields, { ...given }) : givenOf<Facts, FieldSpec>(fields, facts),
        faultOf,
        bodyOf: wholeOf,
        ...change,
        placeOf(problem, shown) {
          const place = placeOf(problem, shown);
          return shown.find(({ name }) => name === place);
        },
        draw: (shown, form) => (
          <FieldRows
            fields={shown}
            field={(spec: L[number]) => <ActionField {...{ spec, form, facts, words: words[spec.name] }} />}
          />
        ),
      }}
    />
  );
}
