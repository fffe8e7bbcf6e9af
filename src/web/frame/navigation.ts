// The side bar's entries, and where things of an organization are. An entry whose page is not in routes.ts is not shown.

import { REGISTER_PAGES } from "../api/menu.ts";
import type { Membership, Role } from "../api/session.ts";
import { mayAs } from "../api/session.ts";
import type { IconName } from "../parts/icon.tsx";
import { PAGES } from "../routes.ts";
import { FRAME } from "../text/frame.ts";

/** An entry of the side bar. */
export interface NavItem {
  readonly label: string;
  readonly icon: IconName;
  /** Below `/o/{orgId}`. */
  readonly path: string;
  readonly role: Role;
}

/** Entries under a heading. */
export interface NavGroup {
  readonly title?: string;
  readonly items: readonly NavItem[];
}

/** Where approvals are: the entry that says how many wait. */
export const APPROVALS_PATH = "/approvals";

const viewer = (label: string, icon: IconName, path: string): NavItem => ({ label, icon, path, role: "VIEWER" });

/** Where the page of a register is that has one by itself. */
const registerPath = (register: string) => `/registers/${register}`;
const REGISTERS = Object.entries(REGISTER_PAGES).map(([name, title]) => viewer(title, "file", registerPath(name)));

const GROUPS: readonly NavGroup[] = [
  { items: [viewer(FRAME.overview, "overview", "")] },
  {
    title: FRAME.register,
    items: [
      viewer(FRAME.stakeholders, "people", "/stakeholders"),
      viewer(FRAME.securities, "paper", "/securities"),
      viewer(FRAME.classesAndPlans, "bars", "/classes-and-plans"),
      viewer(FRAME.ledger, "ledger", "/ledger"),
    ],
  },
  {
    title: FRAME.governance,
    items: [
      viewer(FRAME.approvals, "check", APPROVALS_PATH),
      viewer(FRAME.corporateActions, "action", "/corporate-actions"),
      viewer(FRAME.valuations, "line", "/valuations"),
      viewer(FRAME.documents, "file", "/documents"),
      ...REGISTERS,
    ],
  },
  { items: [viewer(FRAME.models, "swap", "/models"), viewer(FRAME.reports, "paper", "/reports")] },
  { items: [viewer(FRAME.settings, "gear", "/settings")] },
];
const MINE: NavItem = { label: FRAME.mine, icon: "person", path: "/mine", role: "STAKEHOLDER" };
const KNOWN: readonly string[] = [
  ...Object.values(PAGES).map(({ path }) => path),
  ...REGISTERS.map(({ path }) => `/o/:orgId${path}`),
];

/** Whether an address below `/o/{orgId}` has a page. */
export function isPage(path: string): boolean {
  return KNOWN.includes(`/o/:orgId${path}`);
}

/** What a member's side bar shows. */
export function navigationOf({ role, stakeholderIds }: Membership): readonly NavGroup[] {
  const mine = stakeholderIds.length > 0 ? [{ items: [MINE] }] : [];
  return [...GROUPS, ...mine]
    .map((group) => ({ ...group, items: group.items.filter((item) => mayAs(role, item.role) && isPage(item.path)) }))
    .filter(({ items }) => items.length > 0);
}

/** Where a member begins in an organization. */
export function homeOf({ id, role }: Membership): string {
  return role === "STAKEHOLDER" && isPage("/mine") ? `/o/${id}/mine` : `/o/${id}`;
}
