// Field of checkboxes under one label.
import { useId } from "preact/hooks";
import { COMMON } from "../../text/common.ts";
import { APART } from "./body.ts";
import type { FieldProps } from "./field.tsx";
import { CheckField } from "./other-fields.tsx";

/** The boxes; the value is the list of those that are ticked. */
export function ManyField({
  label,
  name,
  value,
  onInput,
  isOptional,
  hint,
  fault,
  choices,
}: FieldProps & {
  readonly choices: readonly { readonly value: string; readonly label: string; readonly hint?: string }[];
}) {
  const id = useId();
  const ticked = value === "" ? [] : value.split(APART);
  const toggle = (each: string) =>
    onInput((ticked.includes(each) ? ticked.filter((other) => other !== each) : [...ticked, each]).join(APART));
  return (
    <fieldset
      class={choices.some((choice) => choice.hint) ? "plain-set" : "many"}
      aria-describedby={hint || fault ? id : undefined}
    >
      <legend>
        {label} {isOptional && <span class="optional">{COMMON.optional}</span>}
      </legend>
      {choices.map((choice) => (
        <CheckField
          key={choice.value}
          {...{ name, label: choice.label, hint: choice.hint }}
          isChecked={ticked.includes(choice.value)}
          onChange={() => toggle(choice.value)}
        />
      ))}
      {(fault || hint) && (
        <div id={id} class={fault ? "fault" : "hint"}>
          {fault || hint}
        </div>
      )}
    </fieldset>
  );
}
