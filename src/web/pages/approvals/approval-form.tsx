// The dialogs that make and edit a draft.
import { useLocation } from "wouter-preact";
import { write } from "../../api/client.ts";
import { ApprovalCreate } from "../../api/values.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { toast } from "../../parts/toast.tsx";
import { APPROVAL_KINDS, APPROVALS } from "../../text/approvals.ts";
import type { FieldSpec } from "../actions/spec.ts";
import { ChangeForm } from "../records/change-form.tsx";
import { SpecForm } from "../records/spec-form.tsx";

const FIELDS = [
  { name: "title", kind: "text" },
  { name: "entityType", kind: "choice", choices: ApprovalCreate.entityType, given: () => "Stock Issuance" },
  { name: "dueDate", kind: "day", isOptional: true },
  { name: "notes", kind: "long", isOptional: true },
] as const satisfies readonly FieldSpec[];
const STEPS = { name: "steps", kind: "long", isOptional: true } as const;
const WORDS = {
  title: { label: APPROVALS.name, hint: APPROVALS.nameHint },
  entityType: { label: APPROVALS.kind, choices: APPROVAL_KINDS },
  dueDate: { label: APPROVALS.due },
  notes: { label: APPROVALS.notes },
  steps: { label: APPROVALS.stepsField, hint: APPROVALS.stepsHint },
};

/** Steps, one a line. */
function stepsOf(lines: string): { name: string }[] {
  return lines.split("\n").flatMap((line) => (line.trim() ? [{ name: line.trim() }] : []));
}

/** Makes a draft and goes to it. */
export function NewApproval({ onClose }: { readonly onClose: () => void }) {
  const { api, path } = useOrganization();
  const [, navigate] = useLocation();
  return (
    <Dialog title={APPROVALS.add} onClose={onClose}>
      <SpecForm
        fields={[...FIELDS, STEPS]}
        words={WORDS}
        submit={APPROVALS.create}
        label={APPROVALS.add}
        send={(body, key, { steps = "" }) => {
          const params = { header: { "Idempotency-Key": key } };
          return write(api.POST("/api/v1/approvals", { body: { ...body, steps: stepsOf(steps) }, params }));
        }}
        done={({ data }) => {
          toast(APPROVALS.created);
          navigate(path(`/approvals/${data.id}`));
        }}
      />
    </Dialog>
  );
}

/** Edits a draft. */
export function EditApproval({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  return (
    <Dialog title={APPROVALS.editTitle} onClose={onClose}>
      <ChangeForm
        of={`/approvals/${id}`}
        fields={FIELDS}
        words={WORDS}
        submit={APPROVALS.save}
        label={APPROVALS.editTitle}
        done={() => {
          toast(APPROVALS.saved);
          onClose();
        }}
      />
    </Dialog>
  );
}
