// `/o/{org}/settings`: the organization and what holders see of it, members, API keys, webhooks, chain, backups.
import { session } from "../../api/session.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { Tabs, useTab } from "../../parts/tabs.tsx";
import { SETTINGS } from "../../text/settings.ts";
import { Keys } from "./api-keys.tsx";
import { Backups } from "./backups.tsx";
import { Chain } from "./chain.tsx";
import { Invitations } from "./invitations.tsx";
import { Mails } from "./mails.tsx";
import { Members } from "./member-settings.tsx";
import { OrganizationSettings } from "./organization-settings.tsx";
import { Webhooks } from "./webhooks.tsx";

type Tab = keyof typeof SETTINGS.tabs;

/** The page. */
export function Page() {
  const { name, may, path } = useOrganization();
  const isOperator = session.value?.account?.isOperator === true;
  const shown: Tab[] = ["organization"];
  if (may("ADMIN")) shown.push("members", "keys", "webhooks");
  if (may("ADMIN") && session.value?.sendsMail === true) shown.push("mail");
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
      {tab === "webhooks" && <Webhooks />}
      {tab === "mail" && <Mails />}
      {tab === "chain" && <Chain />}
      {tab === "backups" && <Backups />}
    </>
  );
}
