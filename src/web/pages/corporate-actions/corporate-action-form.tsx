// The dialog that records a corporate action, or changes one.
import { useLocation } from "wouter-preact";
import { type Schemas, write } from "../../api/client.ts";
import { CorporateActionCreate } from "../../api/values.ts";
import { titleOf, useDocuments } from "../../frame/document-names.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { toast } from "../../parts/toast.tsx";
import { CORPORATE_ACTIONS } from "../../text/corporate-actions.ts";
import type { FieldSpec } from "../actions/spec.ts";
import { ChangeForm } from "../records/change-form.tsx";
import { SpecForm } from "../records/spec-form.tsx";

/** A corporate action as the API shows it. */
export type CorporateAction = Schemas["CorporateAction"];
type Document = Schemas["Document"];

/** The fields; the papers are of the organization's documents. */
const fieldsOf = (documents: readonly Document[]): readonly FieldSpec[] => [
  { name: "title", kind: "text" },
  { name: "type", kind: "choice", choices: CorporateActionCreate.type, given: () => "Financing Round" },
  { name: "status", kind: "choice", choices: CorporateActionCreate.status, given: () => "Draft", isBeside: true },
  { name: "effectiveDate", kind: "day", given: (_, { today }) => today },
  { name: "metadata.boardApprovalDate", kind: "day", isOptional: true, isBeside: true },
  { name: "metadata.stockholderApprovalDate", kind: "day", isOptional: true },
  { name: "summary", kind: "long", isOptional: true },
  { name: "metadata.notes", kind: "long", isOptional: true },
  { name: "metadata.documentIds", kind: "several", isOptional: true, options: documents.map(optionOf) },
];

const optionOf = (document: Document) => ({
  value: document.id,
  label: titleOf(document) ?? CORPORATE_ACTIONS.untitled,
});

const WORDS = {
  title: { label: CORPORATE_ACTIONS.name },
  type: { label: CORPORATE_ACTIONS.type, choices: CORPORATE_ACTIONS.types },
  status: { label: CORPORATE_ACTIONS.status, choices: CORPORATE_ACTIONS.statuses },
  effectiveDate: { label: CORPORATE_ACTIONS.date },
  "metadata.boardApprovalDate": { label: CORPORATE_ACTIONS.board },
  "metadata.stockholderApprovalDate": { label: CORPORATE_ACTIONS.holders },
  summary: { label: CORPORATE_ACTIONS.summary },
  "metadata.notes": { label: CORPORATE_ACTIONS.notes },
  "metadata.documentIds": { label: CORPORATE_ACTIONS.documents, hint: CORPORATE_ACTIONS.documentsHint },
};

interface FormProps {
  readonly onClose: () => void;
}

/** The dialog that records one, and goes to it. */
export function NewCorporateAction({ onClose }: FormProps) {
  const { api, path } = useOrganization();
  const [, navigate] = useLocation();
  const documents = useDocuments().data?.items ?? [];
  return (
    <Dialog title={CORPORATE_ACTIONS.add} kind="large" onClose={onClose}>
      <SpecForm
        fields={fieldsOf(documents)}
        words={WORDS}
        submit={CORPORATE_ACTIONS.create}
        label={CORPORATE_ACTIONS.add}
        send={(body, key) => {
          const params = { header: { "Idempotency-Key": key } };
          return write(api.POST("/api/v1/corporate-actions", { body: body as never, params }));
        }}
        done={({ data: { id } }) => {
          toast(CORPORATE_ACTIONS.created);
          onClose();
          navigate(path(`/corporate-actions/${id}`));
        }}
      />
    </Dialog>
  );
}

/** The dialog that changes one. */
export function EditCorporateAction({ id, onClose }: FormProps & Pick<CorporateAction, "id">) {
  const documents = useDocuments().data?.items ?? [];
  return (
    <Dialog title={CORPORATE_ACTIONS.edit} kind="large" onClose={onClose}>
      <ChangeForm
        of={`/corporate-actions/${id}`}
        fields={fieldsOf(documents)}
        words={WORDS}
        submit={CORPORATE_ACTIONS.save}
        label={CORPORATE_ACTIONS.edit}
        done={() => {
          toast(CORPORATE_ACTIONS.saved);
          onClose();
        }}
      />
    </Dialog>
  );
}
