// The fields that adding and changing documents share: what they are about, and whether those holders see them.

import type { Option } from "../../parts/forms/combobox.tsx";
import { CheckField } from "../../parts/forms/field.tsx";
import { SeveralField } from "../../parts/forms/several.tsx";
import type { Form } from "../../parts/forms/use-form.ts";
import { DOCUMENTS } from "../../text/documents.ts";
import { holdersIn } from "./document-files.ts";

/** What these fields hold. */
export interface AboutValues {
  readonly relatedObjects: readonly string[];
  readonly isShared: boolean;
}

/** The fields. */
export function AboutFields<V extends AboutValues>({
  form,
  options,
  label,
}: {
  readonly form: Form<V>;
  readonly options: readonly Option[];
  readonly label: string;
}) {
  const { relatedObjects, isShared } = form.values;
  const holders = holdersIn(relatedObjects).map((id) => {
    const value = `STAKEHOLDER ${id}`;
    return options.find((option) => option.value === value)?.label ?? id;
  });
  const told = holders.length === 0 ? DOCUMENTS.shareNoHolder : DOCUMENTS.shareNames(holders.join(", "));
  return (
    <>
      <SeveralField
        label={label}
        name="relatedObjects"
        chosen={relatedObjects}
        options={options}
        onChange={(chosen) => form.set({ relatedObjects: chosen } as Partial<V>)}
        isOptional
        hint={DOCUMENTS.relatedHint}
        fault={form.faults.relatedObjects}
      />
      <CheckField
        label={DOCUMENTS.share}
        name="isShared"
        isChecked={isShared}
        onChange={(shared) => form.set({ isShared: shared } as Partial<V>)}
        hint={isShared ? told : DOCUMENTS.shareHint}
      />
    </>
  );
}
