// A field for an exact number: shares, a price, a ratio. It is typed and shown in the way of the person's language, and held
// as the API writes it; below stands what it was understood as.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { quantityText } from "../../locale.ts";
import { heldOf, readDecimal, shownOf } from "./decimal.ts";
import { type FieldProps, TextField } from "./field.tsx";

/** The field; under it stands the number as it was read, with `unit`. */
export function DecimalField({
  unit,
  value,
  onInput,
  ...props
}: FieldProps & { readonly unit?: string; readonly suffix?: string; readonly readOnly?: boolean }) {
  const [own, setOwn] = useState({ typed: "", held: "" });
  const read = readDecimal(value.replace(/\s*%$/, ""));
  const shown =
    read === null ? undefined : [quantityText(read), value.endsWith("%") ? "%" : unit].filter(Boolean).join(" ");
  const type = (typed: string) => {
    const held = heldOf(typed);
    setOwn({ typed, held });
    onInput(held);
  };
  return (
    <TextField
      {...props}
      // What was typed stays as it is, until something else is put in.
      value={own.held === value ? own.typed : shownOf(value)}
      onInput={type}
      hint={shown && props.hint ? <ReadAnd read={shown} hint={props.hint} /> : (props.hint ?? shown)}
      inputMode="decimal"
      autoComplete="off"
    />
  );
}

function ReadAnd({ read, hint }: { readonly read: string; readonly hint: ComponentChildren }) {
  return (
    <>
      {read}
      <br />
      {hint}
    </>
  );
}
