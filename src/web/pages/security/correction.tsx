// The correction of what was typed wrongly: a direct edit, which the ledger records as one.
import { write } from "../../api/client.ts";
import type { Security } from "../../frame/lists/security-columns.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { decimalFault, readDecimal } from "../../parts/forms/decimal.ts";
import { DecimalField } from "../../parts/forms/decimal-field.tsx";
import { DateField, LongTextField, TextField } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { Notice } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { toast } from "../../parts/toast.tsx";
import { COMMON } from "../../text/common.ts";
import { REGISTER } from "../../text/register-words.ts";
import { SECURITIES } from "../../text/securities.ts";

const DATES = [
  ["grantDate", SECURITIES.issued],
  ["expirationDate", SECURITIES.expiry],
  ["vestingStartDate", SECURITIES.vestingStart],
  ["boardApprovalDate", REGISTER.boardApproval],
  ["stockholderApprovalDate", REGISTER.holderApproval],
] as const;

function valuesOf(security: Security) {
  const text = (value: string | null) => value ?? "";
  return {
    certificateId: text(security.certificateId),
    quantity: security.quantity,
    pricePerShare: text(security.pricePerShare),
    exercisePrice: text(security.exercisePrice),
    grantDate: security.grantDate,
    expirationDate: text(security.expirationDate),
    vestingStartDate: text(security.vestingStartDate),
    boardApprovalDate: text(security.boardApprovalDate),
    stockholderApprovalDate: text(security.stockholderApprovalDate),
    comments: text(security.comments),
  };
}
type Values = ReturnType<typeof valuesOf>;

const FIGURES: readonly (keyof Values)[] = ["quantity", "pricePerShare", "exercisePrice"];

/** What was changed, as the API takes it; an emptied field is null. */
function changesOf(before: Values, after: Values) {
  const names = (Object.keys(after) as (keyof Values)[]).filter((name) => after[name].trim() !== before[name]);
  const read = (name: keyof Values) => (FIGURES.includes(name) ? readDecimal(after[name]) : after[name].trim() || null);
  return Object.fromEntries(names.map((name) => [name, read(name)]));
}

/** The tab. */
export function Correction({ security }: { readonly security: Security }) {
  const { api } = useOrganization();
  const { id, type } = security;
  const before = valuesOf(security);
  const form = useForm({
    initial: before,
    check: (values) => ({
      certificateId: values.certificateId.trim() || !before.certificateId ? undefined : COMMON.required,
      quantity: values.quantity.trim() ? decimalFault(values.quantity) : COMMON.required,
      pricePerShare: decimalFault(values.pricePerShare),
      exercisePrice: decimalFault(values.exercisePrice),
      grantDate: values.grantDate ? undefined : COMMON.required,
    }),
    send: (values) => {
      const body = changesOf(before, values);
      return write(api.PATCH("/api/v1/securities/{id}", { body, params: { path: { id } } }));
    },
    done: () => toast(SECURITIES.corrected),
    fieldOf: ({ slug }) => {
      if (slug === "duplicate-certificate-id") return { name: "certificateId" };
      return slug.startsWith("insufficient") ? { name: "quantity" } : undefined;
    },
  });
  const hasDate = (name: (typeof DATES)[number][0]) =>
    (name !== "expirationDate" || type === "STOCK_OPTION" || type === "WARRANT") &&
    (name !== "vestingStartDate" || security.vestingTermsId !== null);
  return (
    <Card title={SECURITIES.correction} class="narrow">
      <Notice>{SECURITIES.correctionWords}</Notice>
      <Form form={form} submit={SECURITIES.correct} label={SECURITIES.correction}>
        <div class="fields-2">
          <TextField label={REGISTER.certificate} {...form.field("certificateId")} autoComplete="off" />
          <DecimalField
            label={type === "CONVERTIBLE" ? SECURITIES.principal : REGISTER.quantity}
            {...form.field("quantity")}
          />
        </div>
        <div class="fields-2">
          {type === "STOCK" && (
            <DecimalField label={SECURITIES.pricePerShare} {...form.field("pricePerShare")} isOptional />
          )}
          {(type === "STOCK_OPTION" || type === "WARRANT") && (
            <DecimalField label={SECURITIES.strike} {...form.field("exercisePrice")} isOptional />
          )}
          {DATES.filter(([name]) => hasDate(name)).map(([name, label]) => (
            <DateField key={name} label={label} {...form.field(name)} isOptional={name !== "grantDate"} />
          ))}
        </div>
        <LongTextField label={REGISTER.comments} {...form.field("comments")} isOptional />
      </Form>
    </Card>
  );
}
