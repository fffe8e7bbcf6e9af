// One condition of vesting terms, as a row of fields.

import { TextField } from "../../parts/forms/field.tsx";
import { SelectField } from "../../parts/forms/other-fields.tsx";
import { Icon } from "../../parts/icon.tsx";
import { TERMS } from "../../text/records.ts";
import type { Row } from "./terms-rows.ts";

interface TermsRowProps {
  readonly row: Row;
  readonly number: number;
  /** The rows that may come before. */
  readonly others: readonly { readonly value: string; readonly label: string }[];
  readonly fault: string | undefined;
  readonly onChange: (changes: Partial<Row>) => void;
  /** Left out where it is the only one. */
  readonly onRemove?: (() => void) | undefined;
}

const KINDS = [
  { value: "TIME_BASED", label: TERMS.time },
  { value: "EVENT_BASED", label: TERMS.event },
];
const UNITS = Object.entries(TERMS.units).map(([value, label]) => ({ value, label }));

/** The row. */
export function TermsRow({ row, number, others, fault, onChange, onRemove }: TermsRowProps) {
  const field = (name: keyof Row) => ({
    name: `${name}-${number}`,
    value: row[name],
    onInput: (value: string) => onChange({ [name]: value }),
  });
  return (
    <fieldset class="terms-row">
      <legend>{TERMS.condition(number)}</legend>
      {onRemove && (
        <button type="button" class="icon-button" aria-label={TERMS.removeRow(number)} onClick={onRemove}>
          <Icon name="close" />
        </button>
      )}
      <div class="terms-fields">
        <SelectField label={TERMS.kind} {...field("type")} choices={KINDS} />
        {row.type === "TIME_BASED" ? (
          <>
            <TextField label={TERMS.every} {...field("length")} inputMode="numeric" />
            <SelectField label={TERMS.unit} {...field("unit")} choices={UNITS} />
          </>
        ) : (
          <TextField label={TERMS.what} {...field("event")} isOptional />
        )}
        <TextField label={TERMS.portion} {...field("numerator")} inputMode="numeric" />
        <TextField label={TERMS.parts} {...field("denominator")} inputMode="numeric" />
        <TextField label={TERMS.times} {...field("times")} inputMode="numeric" isOptional />
        <SelectField label={TERMS.after} {...field("after")} choices={others} empty={TERMS.fromStart} isOptional />
      </div>
      {fault && (
        <p class="fault" role="alert">
          <Icon name="problem" />
          <span>{fault}</span>
        </p>
      )}
    </fieldset>
  );
}
