// The fields of a form in rows, two beside each other where they belong together.
import { type ComponentChildren, Fragment } from "preact";
import type { AnySpec } from "./field-spec.ts";

/** The rows; `field` draws one field. */
export function FieldRows<S extends AnySpec>({
  fields,
  field,
}: {
  readonly fields: readonly S[];
  readonly field: (spec: S) => ComponentChildren;
}) {
  return (
    <>
      {rowsOf(fields).map((row) => (
        <div key={row[0]?.name} class={row.length > 1 ? "fields-2" : ""}>
          {row.map((spec) => (
            <Fragment key={spec.name}>{field(spec)}</Fragment>
          ))}
        </div>
      ))}
    </>
  );
}

function rowsOf<S extends AnySpec>(fields: readonly S[]): readonly (readonly S[])[] {
  const rows: S[][] = [];
  for (const field of fields) {
    const last = rows.at(-1);
    if (field.isBeside && last?.length === 1) last.push(field);
    else rows.push([field]);
  }
  return rows;
}
