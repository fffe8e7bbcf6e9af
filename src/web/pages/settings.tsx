// `/o/{org}/settings`: the organization and what holders see of it, members, API keys, chain, backups.
import { session } from "../api/session.ts";
import { useOrganization } from "../frame/organization.ts";
import { PageHead } from "../parts/page.tsx";
import { Tabs, useTab } from "../parts/tabs.tsx";
import { SETTINGS } from "../text/settings.ts";
import { Keys } from "./settings/api-keys.tsx";
import { Backups } from "./settings/backups.tsx";
import { Chain } from "./settings/chain.tsx";
import { Invitations } from "./settings/invitations.tsx";
import { Members } from "./settings/members.tsx";
import { OrganizationSettings } from "./settings/organization.tsx";

type Tab = keyof typeof SETTINGS.tabs;

/** The page. */
export function Page() {
  const { name, may, path } = useOrganization();
  const isOperator = session.value?.account?.isOperator === true;
  const shown: Tab[] = ["organization"];
  if (may("ADMIN")) shown.push("members", "keys");
  shown.push("chain");
  if (isOperator) shown.push("backups");
  const tabs = shown.map((value) => ({ value, label: SETTINGS.tabs[value] }));
  const tab = useTab(tabs);
  return (
    <>
      <PageHead title={SETTINGS.title} of={name} />
      <Tabs label={SETTINGS.title} tabs={tabs} current={tab} path={path("/settings")} />
      {tab === "organization" && <OrganizationSettings />}
      {tab === "members" && (
        <>
          <Members />
          <Invitations />
        </>
      )}
      {tab === "keys" && <Keys />}
      {tab === "chain" && <Chain />}
      {tab === "backups" && <Backups />}
    </>
  );
}
