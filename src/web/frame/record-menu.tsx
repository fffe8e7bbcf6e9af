// Menu "Record": the guided actions, for editors.
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { ACTION_GROUPS } from "../text/actions.ts";
import { FRAME } from "../text/frame.ts";
import { isPage } from "./navigation.ts";
import { useOrganization } from "./page-organization.ts";

/** The menu; nothing where the person may not write. */
export function RecordMenu() {
  const { may, path } = useOrganization();
  if (!may("EDITOR") || !isPage("/record/:operation")) return null;
  const groups = ACTION_GROUPS.map(({ title, actions }) => ({
    title,
    items: actions.map(({ operation, label }) => ({ label, href: path(`/record/${operation}`) })),
  }));
  return (
    <Menu
      kind="primary"
      align="end"
      label={
        <>
          <Icon name="plus" /> {FRAME.record}
        </>
      }
      groups={groups}
    />
  );
}
