// Field of checkboxes under one label.
import { useId } from "preact/hooks";
import type { FieldProps } from "../../parts/forms/field.tsx";
import { COMMON } from "../../text/common.ts";
import { APART } from "./body.ts";

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
}: FieldProps & { readonly choices: readonly { readonly value: string; readonly label: string }[] }) {
  const id = useId();
  const ticked = value === "" ? [] : value.split(APART);
  const toggle = (each: string) =>
    onInput((ticked.includes(each) ? ticked.filter((other) => other !== each) : [...ticked, each]).join(APART));
  return (
    <fieldset class="many" aria-describedby={hint || fault ? id : undefined}>
      <legend>
        {label} {isOptional && <span class="optional">{COMMON.optional}</span>}
      </legend>
      {choices.map((choice) => (
        <label key={choice.value} class="check">
          <input
            type="checkbox"
            name={name}
            checked={ticked.includes(choice.value)}
            onChange={() => toggle(choice.value)}
          />{" "}
          <span>{choice.label}</span>
        </label>
      ))}
      {(fault || hint) && (
        <div id={id} class={fault ? "fault" : "hint"}>
          {fault || hint}
        </div>
      )}
    </fieldset>
  );
}
