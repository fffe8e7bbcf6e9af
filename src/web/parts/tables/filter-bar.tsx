// The row of fields above a list, and how many of how many rows they leave.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { countText } from "../../locale.ts";
import { COMMON } from "../../text/common.ts";
import { REGISTER } from "../../text/register-words.ts";

/** Fields to filter by, how many rows are left of all, and what can be done with them. */
export function FilterBar({
  shown,
  total,
  children,
  actions,
}: {
  readonly shown: number;
  readonly total: number;
  readonly children: ComponentChildren;
  readonly actions?: ComponentChildren;
}) {
  return (
    <search class="filters no-print" aria-label={REGISTER.filters}>
      {children}
      <div class="filters-end">
        <p class="note" role="status">
          {COMMON.of(countText(shown), countText(total))}
        </p>
        {actions}
      </div>
    </search>
  );
}

interface FilterProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** What a text has to have in it, or a day. */
export function FilterText({
  label,
  name,
  value,
  onInput,
  type = "search",
}: FilterProps & { readonly type?: "search" | "date" }) {
  const id = useId();
  return (
    <div class={`field is-${type}`}>
      <label for={id}>{label}</label>
      <input
        id={id}
        // Its kinds take the same attributes here; their types differ by role.
        type={type as "text"}
        name={name}
        value={value}
        autoComplete="off"
        spellcheck={false}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

/** One of a few; empty for all. */
export function FilterChoice({
  label,
  name,
  value,
  onInput,
  choices,
}: FilterProps & { readonly choices: readonly { readonly value: string; readonly label: string }[] }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} value={value} onChange={(event) => onInput(event.currentTarget.value)}>
        <option value="">{REGISTER.all}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  );
}
