// Fields that are more than a line of text: a day, several lines, one of a few choices, a box to tick.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Field, type FieldProps, TextField } from "./field.tsx";

/** A calendar day. */
export function DateField(props: FieldProps) {
  return <TextField {...props} type="date" />;
}

/** Several lines of text. */
export function LongTextField({
  label,
  name,
  value,
  onInput,
  onLeave,
  isOptional = false,
  hint,
  fault,
  rows = 3,
}: FieldProps & { readonly rows?: number }) {
  return (
    <Field
      {...{ label, isOptional, hint, fault }}
      control={(tied) => (
        <textarea
          {...tied}
          name={name}
          rows={rows}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
          onBlur={onLeave}
        />
      )}
    />
  );
}

/** One of a few that are known. */
export function SelectField({
  label,
  name,
  value,
  onInput,
  onLeave,
  isOptional = false,
  hint,
  fault,
  choices,
  empty,
}: FieldProps & {
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  /** What stands for no choice; left out where there always is one. */
  readonly empty?: string;
}) {
  return (
    <Field
      {...{ label, isOptional, hint, fault }}
      control={(tied) => (
        <select
          {...tied}
          name={name}
          value={value}
          onChange={(event) => onInput(event.currentTarget.value)}
          onBlur={onLeave}
        >
          {empty !== undefined && <option value="">{empty}</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    />
  );
}

/** Yes or no, as part of a form. */
export function CheckField({
  label,
  name,
  isChecked,
  onChange,
  hint,
}: {
  readonly label: string;
  readonly name: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly hint?: ComponentChildren;
}) {
  const id = useId();
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          name={name}
          checked={isChecked}
          aria-describedby={hint ? id : undefined}
          onChange={() => onChange(!isChecked)}
        />{" "}
        <span>{label}</span>
      </label>
      {hint && (
        <div class="hint" id={id}>
          {hint}
        </div>
      )}
    </div>
  );
}
