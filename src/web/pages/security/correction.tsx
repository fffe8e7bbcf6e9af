// The correction of what was typed wrongly: a direct edit, which the ledger records as one.
import type { Security } from "../../frame/lists/security-columns.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { toast } from "../../parts/toast.tsx";
import { RECORD } from "../../text/records.ts";
import { REGISTER } from "../../text/register-words.ts";
import { SECURITIES } from "../../text/securities.ts";
import type { FieldSpec } from "../actions/spec.ts";
import { ChangeForm } from "../records/change-form.tsx";

const WORDS = {
  certificateId: { label: REGISTER.certificate },
  quantity: { label: REGISTER.quantity },
  pricePerShare: { label: SECURITIES.pricePerShare },
  exercisePrice: { label: SECURITIES.strike },
  grantDate: { label: SECURITIES.issued },
  expirationDate: { label: SECURITIES.expiry },
  vestingStartDate: { label: SECURITIES.vestingStart },
  boardApprovalDate: { label: REGISTER.boardApproval },
  stockholderApprovalDate: { label: REGISTER.holderApproval },
  comments: { label: REGISTER.comments },
};

/** What of a security can have been typed wrongly. */
function fieldsOf({ type, certificateId, vestingTermsId }: Security): readonly FieldSpec[] {
  const hasStrike = type === "STOCK_OPTION" || type === "WARRANT";
  const optional = { isOptional: true, isBeside: true };
  return [
    { name: "certificateId", kind: "text", isOptional: !certificateId },
    { name: "quantity", kind: "decimal", isBeside: true },
    { name: "pricePerShare", kind: "decimal", ...optional, isShown: () => type === "STOCK" },
    { name: "exercisePrice", kind: "decimal", ...optional, isShown: () => hasStrike },
    { name: "grantDate", kind: "day", isBeside: true },
    { name: "expirationDate", kind: "day", ...optional, isShown: () => hasStrike },
    { name: "vestingStartDate", kind: "day", ...optional, isShown: () => vestingTermsId !== null },
    { name: "boardApprovalDate", kind: "day", ...optional },
    { name: "stockholderApprovalDate", kind: "day", ...optional },
    { name: "comments", kind: "long", isOptional: true },
  ];
}

/** The tab. */
export function Correction({ security }: { readonly security: Security }) {
  const fields = fieldsOf(security);
  return (
    <Card title={SECURITIES.correction} class="narrow">
      <Notice>{SECURITIES.correctionWords}</Notice>
      <ChangeForm
        of={`/securities/${security.id}`}
        fields={fields}
        words={security.type === "CONVERTIBLE" ? { ...WORDS, quantity: { label: SECURITIES.principal } } : WORDS}
        submit={SECURITIES.correct}
        label={SECURITIES.correction}
        done={(corrected) => toast(corrected === null ? RECORD.unchanged : SECURITIES.corrected)}
      />
    </Card>
  );
}
