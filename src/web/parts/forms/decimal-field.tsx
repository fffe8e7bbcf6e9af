// A field for an exact number: shares, a price, a ratio. What is typed is read as a decimal text and never as a float.
import { quantityText } from "../../locale.ts";
import { readDecimal } from "./decimal.ts";
import { type FieldProps, TextField } from "./field.tsx";

/** The field; under it stands the number as it was read, with `unit`. */
export function DecimalField({
  unit,
  ...props
}: FieldProps & { readonly unit?: string; readonly suffix?: string; readonly disabled?: boolean }) {
  const read = readDecimal(props.value);
  const shown = read === null ? undefined : [quantityText(read), unit].filter(Boolean).join(" ");
  return <TextField {...props} hint={props.hint ?? shown} inputMode="decimal" autoComplete="off" />;
}
