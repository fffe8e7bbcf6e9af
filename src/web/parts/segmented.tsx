// A choice of a few, side by side: a group of radio buttons.
import { useId } from "preact/hooks";

/** One of the choices. */
export interface Choice<V extends string> {
  readonly value: V;
  readonly label: string;
}

/** Shows the choices and which one it is. `label` names the group. */
export function Segmented<V extends string>({
  label,
  value,
  choices,
  onChoose,
}: {
  readonly label: string;
  readonly value: V;
  readonly choices: readonly Choice<V>[];
  readonly onChoose: (value: V) => void;
}) {
  const name = useId();
  return (
    <fieldset class="segmented">
      <legend class="visually-hidden">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input type="radio" name={name} checked={choice.value === value} onChange={() => onChoose(choice.value)} />
          <span>{choice.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
