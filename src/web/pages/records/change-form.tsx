// A form that changes members of a record: it reads the record, keeps it as it was read, and sends what was touched.

import { type Query, useQuery } from "../../api/query.ts";
import { changeTagged, readTagged, type Tagged } from "../../api/tagged.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { useFocusInDialog } from "../../parts/dialog.tsx";
import { type Body, changesOf, valuesOf } from "../../parts/forms/body.ts";
import type { FieldsFormProps } from "../../parts/forms/fields-form.tsx";
import { type Basis, useBasis, useChangeForm } from "../../parts/forms/use-change-form.tsx";
import { Loaded } from "../../parts/states.tsx";
import { RECORD } from "../../text/records.ts";
import type { FieldSpec, Values } from "../actions/spec.ts";
import { SpecForm } from "./spec-form.tsx";

/** A record by its address below `/api/v1`, with the tag of its answer; null asks nothing. */
export function useTagged<R>(address: string | null): Query<Tagged<R>> {
  const { api, key } = useOrganization();
  return useQuery(address === null ? null : key("tagged", address), (signal) =>
    readTagged<R>(api, `/api/v1${address}`, signal),
  );
}

interface ChangeFormProps<L extends readonly FieldSpec[], R extends object>
  extends Omit<FieldsFormProps<L, R | null>, "send" | "done"> {
  /** The record's address below `/api/v1`. */
  readonly of: string;
  /** The record as the fields name its members, where that is not as it is answered. */
  readonly shownAs?: (record: R) => object;
  /** What is sent of the members that were touched, where that is not what the fields mean. */
  readonly sentAs?: (touched: Body, values: Values, basis: Basis<R, Values>) => Body;
  readonly isOfMoment?: boolean;
  /** Called with the record as it is then; with null where nothing was touched. */
  readonly done: (record: R | null) => void | Promise<void>;
}

/** The form, once the record is read. */
export function ChangeForm<const L extends readonly FieldSpec[], R extends object>(props: ChangeFormProps<L, R>) {
  const query = useTagged<R>(props.of);
  return (
    <Loaded query={query} what={RECORD.loading}>
      {(tagged) => <Read {...props} {...{ tagged, query }} />}
    </Loaded>
  );
}

function Read<const L extends readonly FieldSpec[], R extends object>({
  of,
  shownAs = (record) => record,
  sentAs = (touched) => touched,
  isOfMoment,
  tagged,
  query,
  ...form
}: ChangeFormProps<L, R> & { readonly tagged: Tagged<R>; readonly query: Query<Tagged<R>> }) {
  const { api } = useOrganization();
  useFocusInDialog();
  const { fields, words } = form;
  const changing = {
    ...{ tagged, query, isOfMoment },
    valuesOf: (record: R) => valuesOf(fields, { ...shownAs(record) }),
    labelOf: (name: string) => words[name]?.label ?? name,
  };
  const basis = useBasis(changing);
  return (
    <SpecForm
      {...form}
      change={{
        useHeld: (parts) => useChangeForm(parts, changing, basis),
        bodyOf: (shown, values) => changesOf(shown, basis.current.values, values),
      }}
      send={async (body, _key, values) => {
        const sent = sentAs(body, values, basis.current);
        if (Object.keys(sent).length === 0) return null;
        return changeTagged<R>(api, `/api/v1${of}`, sent, basis.current.tag);
      }}
    />
  );
}
