// A field for several of many: what was chosen, each with a button that takes it away, and a combobox for the next.
import { COMMON } from "../../text/common.ts";
import { Icon } from "../icon.tsx";
import { APART } from "./body.ts";
import { Combobox } from "./combobox.tsx";
import type { FieldProps } from "./field.tsx";
import type { Option } from "./field-spec.ts";

/** The field; the value is the list of options in the order in which they were chosen. */
export function SeveralField({
  value,
  options,
  onInput,
  ...field
}: FieldProps & { readonly options: readonly Option[] }) {
  const chosen = value === "" ? [] : value.split(APART);
  const change = (values: readonly string[]) => onInput(values.join(APART));
  const others = options.filter(({ value }) => !chosen.includes(value));
  const labelOf = (one: string) => options.find((option) => option.value === one)?.label ?? one;
  return (
    <div class="several">
      <Combobox {...field} value="" options={others} onInput={(next) => next && change([...chosen, next])} />
      {chosen.length > 0 && (
        <ul class="chosen" aria-label={field.label}>
          {chosen.map((one) => (
            <li key={one}>
              <span>{labelOf(one)}</span>
              <button
                type="button"
                class="icon-button small"
                aria-label={`${COMMON.remove}: ${labelOf(one)}`}
                onClick={() => change(chosen.filter((each) => each !== one))}
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
