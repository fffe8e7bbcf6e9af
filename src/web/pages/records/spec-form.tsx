// A form that is fields and a button, for dialogs and cards of the organization: it asks for figures and choices, too.
import { today } from "../../clock.ts";
import { faultOf, placeOf, valuesOf, wholeOf } from "../../parts/forms/body.ts";
import { FieldRows } from "../../parts/forms/field-rows.tsx";
import { FieldsForm, type FieldsFormProps, givenOf } from "../../parts/forms/fields-form.tsx";
import { ActionField } from "../actions/action-field.tsx";
import type { Facts, FieldSpec } from "../actions/spec.ts";

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

interface SpecFormProps<L extends readonly FieldSpec[], T> extends FieldsFormProps<L, T> {
  /** The record whose members the fields begin with; without one they begin as their specs say. */
  readonly record?: object | null;
}

/** The form. */
export function SpecForm<const L extends readonly FieldSpec[], T>({ record, ...props }: SpecFormProps<L, T>) {
  const { fields, words } = props;
  const facts = factsNow();
  return (
    <FieldsForm<Facts, L[number], L, T>
      {...props}
      ways={{
        facts,
        initial: record ? valuesOf(fields, { ...record }) : givenOf<Facts, FieldSpec>(fields, facts),
        faultOf,
        bodyOf: wholeOf,
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
