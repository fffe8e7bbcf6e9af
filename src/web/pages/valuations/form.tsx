// The dialog that records a valuation.
import { type Schemas, write } from "../../api/client.ts";
import { today } from "../../clock.ts";
import { useOrganization } from "../../frame/organization.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { decimalFault, readDecimal } from "../../parts/forms/decimal.ts";
import { DecimalField } from "../../parts/forms/decimal-field.tsx";
import { DateField, LongTextField, SelectField, TextField } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { toast } from "../../parts/toast.tsx";
import { COMMON, FIELD_FAULTS } from "../../text/common.ts";
import { choicesOf } from "../../text/register.ts";
import { VALUATIONS } from "../../text/valuations.ts";
import type { Valuation } from "./lines.ts";

const INITIAL = {
  type: "409A" as Valuation["type"],
  status: "DRAFT" as Valuation["status"],
  ...{ stockClassId: "", pricePerShare: "", effectiveDate: today(), expirationDate: "" },
  ...{ provider: "", reportId: "", fairMarketValue: "", enterpriseValue: "", boardApprovalDate: "", comments: "" },
};

function check(values: typeof INITIAL) {
  const { stockClassId, pricePerShare, effectiveDate, expirationDate } = values;
  return {
    stockClassId: stockClassId ? undefined : FIELD_FAULTS.choice,
    pricePerShare: pricePerShare.trim() ? decimalFault(pricePerShare) : COMMON.required,
    effectiveDate: effectiveDate ? undefined : COMMON.required,
    expirationDate: expirationDate && expirationDate < effectiveDate ? VALUATIONS.beforeStart : undefined,
    fairMarketValue: decimalFault(values.fairMarketValue),
    enterpriseValue: decimalFault(values.enterpriseValue),
  };
}

function bodyOf(values: typeof INITIAL) {
  const { type, status, stockClassId, effectiveDate } = values;
  const optional = {
    expirationDate: values.expirationDate,
    provider: values.provider.trim(),
    reportId: values.reportId.trim(),
    fairMarketValue: readDecimal(values.fairMarketValue) ?? "",
    enterpriseValue: readDecimal(values.enterpriseValue) ?? "",
    boardApprovalDate: values.boardApprovalDate,
    comments: values.comments.trim(),
  };
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== ""));
  return {
    type,
    status,
    stockClassId,
    effectiveDate,
    pricePerShare: readDecimal(values.pricePerShare) ?? "",
    ...given,
  };
}

/** The dialog. */
export function NewValuation({
  classes,
  onClose,
}: {
  readonly classes: readonly Schemas["ShareClass"][];
  readonly onClose: () => void;
}) {
  const { api } = useOrganization();
  const form = useForm({
    initial: { ...INITIAL, stockClassId: classes.find(({ classType }) => classType === "COMMON")?.id ?? "" },
    check,
    send: (values, key) =>
      write(api.POST("/api/v1/valuations", { body: bodyOf(values), params: { header: { "Idempotency-Key": key } } })),
    done() {
      toast(VALUATIONS.recorded);
      onClose();
    },
  });
  return (
    <Dialog title={VALUATIONS.add} kind="wide" onClose={onClose}>
      <Form form={form} submit={VALUATIONS.record} label={VALUATIONS.add}>
        <div class="fields-2">
          <SelectField
            label={VALUATIONS.class}
            {...form.field("stockClassId")}
            choices={classes.map(({ id, name }) => ({ value: id, label: name }))}
            empty={COMMON.choose}
          />
          <SelectField label={VALUATIONS.type} {...form.field("type")} choices={choicesOf(VALUATIONS.types)} />
          <DecimalField label={VALUATIONS.price} {...form.field("pricePerShare")} />
          <SelectField
            label={VALUATIONS.status}
            {...form.field("status")}
            choices={choicesOf(VALUATIONS.statuses)}
            hint={VALUATIONS.statusHint}
          />
          <DateField label={VALUATIONS.effective} {...form.field("effectiveDate")} hint={VALUATIONS.effectiveHint} />
          <DateField
            label={VALUATIONS.expires}
            {...form.field("expirationDate")}
            isOptional
            hint={VALUATIONS.expiresHint}
          />
          <TextField label={VALUATIONS.provider} {...form.field("provider")} isOptional />
          <TextField label={VALUATIONS.reportId} {...form.field("reportId")} isOptional />
          <DecimalField label={VALUATIONS.fairMarketValue} {...form.field("fairMarketValue")} isOptional />
          <DecimalField label={VALUATIONS.enterpriseValue} {...form.field("enterpriseValue")} isOptional />
          <DateField label={VALUATIONS.boardApproval} {...form.field("boardApprovalDate")} isOptional />
        </div>
        <LongTextField label={VALUATIONS.comments} {...form.field("comments")} isOptional />
      </Form>
    </Dialog>
  );
}
