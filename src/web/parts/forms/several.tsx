// A field for several of many: what was chosen, each with a button that takes it away, and a combobox for the next.
import { COMMON } from "../../text/common.ts";
import { Icon } from "../icon.tsx";
import { Combobox, type Option } from "./combobox.tsx";

/** The field; `chosen` are values of options, in the order in which they were chosen. */
export function SeveralField({
  label,
  name,
  chosen,
  options,
  onChange,
  isOptional = false,
  hint,
  fault,
}: {
  readonly label: string;
  readonly name: string;
  readonly chosen: readonly string[];
  readonly options: readonly Option[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly isOptional?: boolean;
  readonly hint?: string;
  readonly fault?: string | undefined;
}) {
  const others = options.filter(({ value }) => !chosen.includes(value));
  const labelOf = (value: string) => options.find((option) => option.value === value)?.label ?? value;
  return (
    <div class="several">
      <Combobox
        {...{ label, name, isOptional, fault }}
        {...(hint === undefined ? {} : { hint })}
        value=""
        options={others}
        onInput={(value) => value && onChange([...chosen, value])}
      />
      {chosen.length > 0 && (
        <ul class="chosen" aria-label={label}>
          {chosen.map((value) => (
            <li key={value}>
              <span>{labelOf(value)}</span>
              <button
                type="button"
                class="icon-button small"
                aria-label={`${COMMON.remove}: ${labelOf(value)}`}
                onClick={() => onChange(chosen.filter((each) => each !== value))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
