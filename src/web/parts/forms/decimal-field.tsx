// A field for an exact number: shares, a price, a ratio. What is typed is read as a decimal text and never as a float.
import type { ComponentChildren } from "preact";
import { quantityText } from "../../locale.ts";
import { readDecimal } from "./decimal.ts";
import { type FieldProps, TextField } from "./field.tsx";

/** The field; under it stands the number as it was read, with `unit`. */
export function DecimalField({
  unit,
  ...props
}: FieldProps & { readonly unit?: string; readonly suffix?: string; readonly readOnly?: boolean }) {
  const read = readDecimal(props.value);
  const text = read === null ? "" : quantityText(read);
  // What was read says something only where it looks another way than what was typed.
  const isSaid = read !== null && (unit !== undefined || text !== props.value.trim());
  const shown = isSaid ? [text, unit].filter(Boolean).join(" ") : undefined;
  const hint = shown && props.hint ? <ReadAnd read={shown} hint={props.hint} /> : (props.hint ?? shown);
  return <TextField {...props} hint={hint} inputMode="decimal" autoComplete="off" />;
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
