// The dialogs that make and edit a draft.
import { useLocation } from "wouter-preact";
import { type Schemas, write } from "../../api/client.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { DateField, LongTextField, SelectField, TextField } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { type Form as FormState, useForm } from "../../parts/forms/use-form.ts";
import { toast } from "../../parts/toast.tsx";
import { APPROVAL_KINDS, APPROVALS } from "../../text/approvals.ts";
import { COMMON } from "../../text/common.ts";
import { choicesOf } from "../../text/register-words.ts";

type Approval = Schemas["Approval"];
interface Values {
  readonly title: string;
  readonly entityType: Approval["entityType"];
  readonly dueDate: string;
  readonly notes: string;
}

const checkTitle = ({ title }: Values) => ({ title: title.trim() ? undefined : COMMON.required });

function bodyOf({ title, entityType, dueDate, notes }: Values) {
  return { title: title.trim(), entityType, dueDate: dueDate || null, notes: notes.trim() || null };
}

/** Makes a draft and goes to it. */
export function NewApproval({ onClose }: { readonly onClose: () => void }) {
  const { api, path } = useOrganization();
  const [, navigate] = useLocation();
  const initial: Values & { readonly steps: string } = {
    ...{ title: "", dueDate: "", notes: "", steps: "" },
    entityType: "Stock Issuance",
  };
  const form = useForm({
    initial,
    check: checkTitle,
    send: (values, key) => {
      const steps = values.steps.split("\n").flatMap((line) => (line.trim() ? [{ name: line.trim() }] : []));
      const header = { "Idempotency-Key": key };
      return write(api.POST("/api/v1/approvals", { body: { ...bodyOf(values), steps }, params: { header } }));
    },
    done({ data }) {
      toast(APPROVALS.created);
      navigate(path(`/approvals/${data.id}`));
    },
  });
  return (
    <Dialog title={APPROVALS.add} onClose={onClose}>
      <Form form={form} submit={APPROVALS.create} label={APPROVALS.add}>
        <Fields form={form} />
        <LongTextField label={APPROVALS.stepsField} {...form.field("steps")} isOptional hint={APPROVALS.stepsHint} />
      </Form>
    </Dialog>
  );
}

/** Edits a draft. */
export function EditApproval({ approval, onClose }: { readonly approval: Approval; readonly onClose: () => void }) {
  const { api } = useOrganization();
  const { id, title, entityType, dueDate, notes } = approval;
  const initial: Values = { title, entityType, dueDate: dueDate ?? "", notes: notes ?? "" };
  const form = useForm({
    initial,
    check: checkTitle,
    async send(values) {
      await write(api.PATCH("/api/v1/approvals/{id}", { params: { path: { id } }, body: bodyOf(values) }));
    },
    done() {
      toast(APPROVALS.saved);
      onClose();
    },
  });
  return (
    <Dialog title={APPROVALS.editTitle} onClose={onClose}>
      <Form form={form} submit={APPROVALS.save} label={APPROVALS.editTitle}>
        <Fields form={form} />
      </Form>
    </Dialog>
  );
}

function Fields<V extends Values>({ form }: { readonly form: FormState<V> }) {
  return (
    <>
      <TextField label={APPROVALS.name} {...form.field("title")} autoComplete="off" hint={APPROVALS.nameHint} />
      <SelectField label={APPROVALS.kind} {...form.field("entityType")} choices={choicesOf(APPROVAL_KINDS)} />
      <DateField label={APPROVALS.due} {...form.field("dueDate")} isOptional />
      <LongTextField label={APPROVALS.notes} {...form.field("notes")} isOptional />
    </>
  );
}
