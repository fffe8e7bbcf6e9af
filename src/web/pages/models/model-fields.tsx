// Fields of the forms of models: those of a list of rows, and of choices.
import type { ComponentChildren } from "preact";
import { Button } from "../../parts/button.tsx";
import { SelectField } from "../../parts/forms/other-fields.tsx";
import type { Form } from "../../parts/forms/use-form.ts";
import { Icon } from "../../parts/icon.tsx";
import { Notice } from "../../parts/notice.tsx";
import { COMMON } from "../../text/common.ts";
import { MODELS } from "../../text/models/models.ts";
import { type ModelValues, withoutRow } from "./values.ts";

export type ModelForm = Form<Record<string, string>>;

/** The form of a model. It has no submit button, since the result is computed while the user types. */
export function ModelInputs({
  form,
  label,
  children,
}: {
  readonly form: ModelForm;
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    <form class="form model-inputs" noValidate aria-label={label} onSubmit={(event) => event.preventDefault()}>
      {form.isRestored && (
        <Notice actions={<Button onClick={form.discard}>{COMMON.beginAnew}</Button>}>{COMMON.restored}</Notice>
      )}
      {children}
    </form>
  );
}

/** A choice, its values and words from one object. */
export function ChoiceField({
  form,
  name,
  label,
  choices,
  hint,
}: {
  readonly form: ModelForm;
  readonly name: string;
  readonly label: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly hint?: string;
}) {
  const options = Object.entries(choices).map(([value, words]) => ({ value, label: words }));
  return <SelectField label={label} {...form.field(name)} choices={options} {...(hint ? { hint } : {})} />;
}

/** Fields under a heading; `isMore` folds them away until they are wanted. */
export function Group({
  title,
  isMore = false,
  isOpen = false,
  children,
}: {
  readonly title: string;
  readonly isMore?: boolean;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}) {
  if (!isMore) {
    return (
      <section class="form-group" aria-label={title}>
        <h2>{title}</h2>
        {children}
      </section>
    );
  }
  return (
    <details class="more-fields" open={isOpen}>
      <summary>{title}</summary>
      <div class="form-group">{children}</div>
    </details>
  );
}

/** A list of rows of the form, each with its own fields. */
export function Rows({
  form,
  list,
  label,
  add,
  least = 1,
  empty,
  row,
}: {
  readonly form: ModelForm;
  /** The member of the body; the field of this name has the count. */
  readonly list: string;
  readonly label: string;
  readonly add: string;
  readonly least?: number;
  /** What a new row begins with. */
  readonly empty: ModelValues;
  readonly row: (name: string) => ComponentChildren;
}) {
  const count = Number.parseInt(form.values[list] ?? "0", 10);
  const addRow = () => {
    const fields = Object.entries(empty).map(([name, value]) => [`${list}.${count}.${name}`, value]);
    form.set({ ...Object.fromEntries(fields), [list]: String(count + 1) });
  };
  return (
    <>
      {Array.from({ length: count }, (_, index) => (
        <fieldset key={index} class="model-row">
          <legend class="visually-hidden">{`${label} ${index + 1}`}</legend>
          {row(`${list}.${index}`)}
          {count > least && (
            <button
              type="button"
              class="icon-button"
              aria-label={MODELS.removeRow(`${label} ${index + 1}`)}
              onClick={() => form.set(withoutRow(form.values, list, index))}
            >
              <Icon name="close" />
            </button>
          )}
        </fieldset>
      ))}
      {form.faults[list] && <p class="fault">{form.faults[list]}</p>}
      <div>
        <Button onClick={addRow}>{add}</Button>
      </div>
    </>
  );
}
