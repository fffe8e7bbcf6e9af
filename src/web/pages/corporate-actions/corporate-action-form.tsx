// The dialog that records a corporate action, or changes one.
import { useLocation } from "wouter-preact";
import { type Schemas, write } from "../../api/client.ts";
import { today } from "../../clock.ts";
import { titleOf, useDocuments } from "../../frame/document-names.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { DateField, LongTextField, SelectField, TextField } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { SeveralField } from "../../parts/forms/several.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { toast } from "../../parts/toast.tsx";
import { COMMON } from "../../text/common.ts";
import { CORPORATE_ACTIONS } from "../../text/corporate-actions.ts";
import { choicesOf } from "../../text/register-words.ts";

/** A corporate action as the API shows it. */
export type CorporateAction = Schemas["CorporateAction"];

function valuesOf(action: CorporateAction | null) {
  return {
    type: action?.type ?? ("Financing Round" as const),
    status: action?.status ?? ("Draft" as const),
    title: action?.title ?? "",
    summary: action?.summary ?? "",
    effectiveDate: action?.effectiveDate ?? today(),
    notes: action?.metadata?.notes ?? "",
    boardApprovalDate: action?.metadata?.boardApprovalDate ?? "",
    stockholderApprovalDate: action?.metadata?.stockholderApprovalDate ?? "",
    documentIds: (action?.metadata?.documentIds ?? []) as readonly string[],
  };
}

function bodyOf({ type, status, title, summary, effectiveDate, ...more }: ReturnType<typeof valuesOf>) {
  const metadata = {
    notes: more.notes.trim() || null,
    boardApprovalDate: more.boardApprovalDate || null,
    stockholderApprovalDate: more.stockholderApprovalDate || null,
    documentIds: [...more.documentIds],
  };
  return { type, status, title: title.trim(), summary: summary.trim() || null, effectiveDate, metadata };
}

/** The dialog; with `action` it changes that one. */
export function CorporateActionForm({
  action = null,
  onClose,
}: {
  readonly action?: CorporateAction | null;
  readonly onClose: () => void;
}) {
  const { api, path } = useOrganization();
  const [, navigate] = useLocation();
  const documents = useDocuments().data?.items ?? [];
  const form = useForm({
    initial: valuesOf(action),
    check: ({ title, effectiveDate }) => ({
      title: title.trim() ? undefined : COMMON.required,
      effectiveDate: effectiveDate ? undefined : COMMON.required,
    }),
    send(values, key) {
      const body = bodyOf(values);
      if (action === null) {
        return write(api.POST("/api/v1/corporate-actions", { body, params: { header: { "Idempotency-Key": key } } }));
      }
      return write(api.PATCH("/api/v1/corporate-actions/{id}", { body, params: { path: { id: action.id } } }));
    },
    done({ data: { id } }) {
      toast(action ? CORPORATE_ACTIONS.saved : CORPORATE_ACTIONS.created);
      onClose();
      if (action === null) navigate(path(`/corporate-actions/${id}`));
    },
  });
  const title = action ? CORPORATE_ACTIONS.edit : CORPORATE_ACTIONS.add;
  return (
    <Dialog title={title} kind="large" onClose={onClose}>
      <Form form={form} submit={action ? CORPORATE_ACTIONS.save : CORPORATE_ACTIONS.create} label={title}>
        <TextField label={CORPORATE_ACTIONS.name} {...form.field("title")} autoComplete="off" />
        <div class="fields-2">
          <SelectField
            label={CORPORATE_ACTIONS.type}
            {...form.field("type")}
            choices={choicesOf(CORPORATE_ACTIONS.types)}
          />
          <SelectField
            label={CORPORATE_ACTIONS.status}
            {...form.field("status")}
            choices={choicesOf(CORPORATE_ACTIONS.statuses)}
          />
          <DateField label={CORPORATE_ACTIONS.date} {...form.field("effectiveDate")} />
          <DateField label={CORPORATE_ACTIONS.board} {...form.field("boardApprovalDate")} isOptional />
          <DateField label={CORPORATE_ACTIONS.holders} {...form.field("stockholderApprovalDate")} isOptional />
        </div>
        <LongTextField label={CORPORATE_ACTIONS.summary} {...form.field("summary")} isOptional />
        <LongTextField label={CORPORATE_ACTIONS.notes} {...form.field("notes")} isOptional />
        <SeveralField
          label={CORPORATE_ACTIONS.documents}
          name="documentIds"
          chosen={form.values.documentIds}
          options={documents.map((each) => ({ value: each.id, label: titleOf(each) ?? CORPORATE_ACTIONS.untitled }))}
          onChange={(documentIds) => form.set({ documentIds })}
          isOptional
          hint={CORPORATE_ACTIONS.documentsHint}
        />
      </Form>
    </Dialog>
  );
}
