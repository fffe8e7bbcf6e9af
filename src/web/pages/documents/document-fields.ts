// The fields that adding and changing documents share: what they are about, and whether those holders see them.
import { APART } from "../../parts/forms/body.ts";
import type { Option, Values } from "../../parts/forms/field-spec.ts";
import { DOCUMENTS } from "../../text/documents.ts";
import type { FieldSpec } from "../actions/spec.ts";
import { holdersIn } from "./document-files.ts";

/** The fields; `options` are what documents can be about. */
export function aboutFields(options: readonly Option[]) {
  const shared = ({ isSharedWithHolders, relatedObjects }: Values) => {
    if (!isSharedWithHolders) return DOCUMENTS.shareHint;
    const names = holdersIn(relatedObjects?.split(APART) ?? []).map(
      (id) => options.find(({ value }) => value === `STAKEHOLDER ${id}`)?.label ?? id,
    );
    return names.length === 0 ? DOCUMENTS.shareNoHolder : DOCUMENTS.shareNames(names.join(", "));
  };
  return [
    { name: "relatedObjects", kind: "several", options, isOptional: true },
    { name: "isSharedWithHolders", kind: "check", note: shared },
  ] as const satisfies readonly FieldSpec[];
}

/** Their words; `about` is the label of the first. */
export const aboutWords = (about: string) => ({
  relatedObjects: { label: about, hint: DOCUMENTS.relatedHint },
  isSharedWithHolders: { label: DOCUMENTS.share },
});
