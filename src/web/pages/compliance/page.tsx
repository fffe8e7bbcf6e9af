// `/o/{orgId}/models/compliance`: grants against valuations, the limit of incentive options, Rule 701, the expense of grants.
import { useOrganization } from "../../frame/page-organization.ts";
import { LinkButton } from "../../parts/button.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Tabs, useTab } from "../../parts/tabs.tsx";
import { COMPLIANCE } from "../../text/models/compliance.ts";
import { MODELS } from "../../text/models/models.ts";
import { Grants, IsoLimit, Rule701 } from "../models/compliance-parts.tsx";
import { Expense } from "../models/expense.tsx";

const TABS = [
  { value: "grants", label: COMPLIANCE.tabs.grants },
  { value: "iso", label: COMPLIANCE.tabs.iso },
  { value: "rule-701", label: COMPLIANCE.tabs["rule-701"] },
  { value: "expense", label: COMPLIANCE.tabs.expense },
] as const;

/** The page. */
export function Page() {
  const { name, path } = useOrganization();
  const tab = useTab(TABS);
  return (
    <>
      <PageHead title={COMPLIANCE.title} of={name}>
        <LinkButton href={path("/models")}>{MODELS.title}</LinkButton>
      </PageHead>
      <p class="about">{COMPLIANCE.about}</p>
      <Tabs label={COMPLIANCE.tabsLabel} tabs={TABS} current={tab} path={path("/models/compliance")} />
      {tab === "grants" && <Grants />}
      {tab === "iso" && <IsoLimit />}
      {tab === "rule-701" && <Rule701 />}
      {tab === "expense" && <Expense />}
    </>
  );
}
