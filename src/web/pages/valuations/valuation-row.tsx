// One valuation in a dialog: what it says, and what can be done with it.
import { changeTagged } from "../../api/tagged.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { RecordLink } from "../../frame/record-links.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Day, Money, None } from "../../parts/figure.tsx";
import { Facts } from "../../parts/page-head.tsx";
import { toast } from "../../parts/toast.tsx";
import { VALUATIONS } from "../../text/valuations.ts";
import { useTagged } from "../records/change-form.tsx";
import type { Valuation } from "./lines.ts";

/** The dialog; `name` is that of the class. */
export function OneValuation({
  valuation: listed,
  name,
  onClose,
}: {
  readonly valuation: Valuation;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const { api, may } = useOrganization();
  const address = `/valuations/${listed.id}`;
  const read = useTagged<Valuation>(address).data;
  const valuation = read?.record ?? listed;
  const { id, status } = valuation;
  const become = async (next: "APPROVED" | "EXPIRED") => {
    // What is approved is what is shown.
    await changeTagged(api, `/api/v1${address}`, { status: next }, read?.tag ?? "");
    toast(next === "APPROVED" ? VALUATIONS.approved : VALUATIONS.expired);
    onClose();
  };
  const isOpen = status === "DRAFT" || status === "PENDING_APPROVAL";
  return (
    <Dialog title={VALUATIONS.openOne(name, valuation.effectiveDate)} onClose={onClose}>
      <Facts
        facts={[
          [VALUATIONS.type, VALUATIONS.types[valuation.type]],
          [VALUATIONS.status, VALUATIONS.statuses[status]],
          [VALUATIONS.price, <Money key="price" value={valuation.pricePerShare} />],
          [VALUATIONS.priceToday, <Money key="today" value={valuation.pricePerShareToday} />],
          [VALUATIONS.effective, <Day key="from" value={valuation.effectiveDate} />],
          [VALUATIONS.expires, <Day key="until" value={valuation.expirationDate} />],
          [VALUATIONS.provider, valuation.provider ?? <None key="by" />],
          [VALUATIONS.reportId, valuation.reportId ?? <None key="report" />],
          [VALUATIONS.fairMarketValue, <Money key="fair" value={valuation.fairMarketValue} />],
          [VALUATIONS.enterpriseValue, <Money key="enterprise" value={valuation.enterpriseValue} />],
          [VALUATIONS.boardApproval, <Day key="board" value={valuation.boardApprovalDate} />],
          [VALUATIONS.comments, valuation.comments ?? <None key="comments" />],
        ]}
      />
      {may("EDITOR") && (
        <>
          <p class="note">{VALUATIONS.ledger}</p>
          <div class="row">
            <RecordLink record="valuation" id={id} />
            {read && isOpen && (
              <ConfirmButton
                kind="primary"
                label={VALUATIONS.approve}
                words={VALUATIONS.approveWords}
                act={() => become("APPROVED")}
              />
            )}
            {read && status !== "EXPIRED" && (
              <ConfirmButton label={VALUATIONS.expire} words={VALUATIONS.expireWords} act={() => become("EXPIRED")} />
            )}
          </div>
        </>
      )}
    </Dialog>
  );
}
