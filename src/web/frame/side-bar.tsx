// The side bar: organization, pages, the person. Below 52 rem it is a dialog behind a menu button.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { answer, BACKGROUND } from "../api/client.ts";
import { useQuery } from "../api/query.ts";
import { mayAs, type Session, session, signOut } from "../api/session.ts";
import { useStore } from "../api/store.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { Badge } from "../parts/notice.tsx";
import { useAfter } from "../parts/states.tsx";
import { COMMON } from "../text/common.ts";
import { FRAME } from "../text/frame.ts";
import { chooseTheme, type Theme, theme } from "../theme.ts";
import { APPROVALS_PATH, navigationOf } from "./navigation.ts";
import type { OrganizationContext } from "./page-organization.ts";
import { SearchButton } from "./search/search.tsx";
import { OrganizationSwitcher } from "./switcher.tsx";

/** Approvals are counted up to here, a second after the page was opened. */
const WAITING_MAX = 100;
const LATER_MS = 1000;

/** The first letters of a name, as its mark. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word = "") => [...word][0] ?? "")
    .join("")
    .toLocaleUpperCase();
}

/** The side bar; `organization` is null on pages of the person. */
export function SideBar({ organization }: { readonly organization: OrganizationContext | null }) {
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  return (
    <>
      <header class="top-bar">
        <button type="button" class="icon-button framed" aria-label={COMMON.menu} onClick={() => setOpen(true)}>
          <Icon name="menu" />
        </button>
        <span class="top-name">{organization?.name ?? COMMON.product}</span>
        <TestMark />
      </header>
      {isOpen && (
        <Dialog title={COMMON.menu} kind="side" onClose={() => setOpen(false)}>
          <Content organization={organization} />
        </Dialog>
      )}
      <div class="side-bar">
        <Content organization={organization} />
      </div>
    </>
  );
}

function Content({ organization }: { readonly organization: OrganizationContext | null }) {
  const current = useStore(session);
  if (!current?.account) return null;
  return (
    <>
      <OrganizationSwitcher organization={organization} memberships={current.organizations} mark={<TestMark />} />
      {organization && mayAs(organization.role, "VIEWER") && <SearchButton />}
      <nav class="nav" aria-label={FRAME.nav}>
        {organization ? <OrganizationNav organization={organization} /> : <PersonNav current={current} />}
      </nav>
      <Person name={current.account.name} isOperator={current.account.isOperator} />
    </>
  );
}

/** Says that keys and tokens of this instance are for trying out. */
function TestMark() {
  return useStore(session)?.environment === "test" ? <Badge tone="warn">{FRAME.test}</Badge> : null;
}

/** How many approvals wait, up to a page of them; null where none do. Asked after what the page itself asks. */
function useWaiting({ api, key, may }: OrganizationContext): string | null {
  const isLater = useAfter(true, LATER_MS);
  const query = useQuery(isLater && may("VIEWER") ? key("approvals", "waiting") : null, async (signal) => {
    const params = { query: { status: "Submitted", limit: WAITING_MAX } } as const;
    return answer(api.GET("/api/v1/approvals", { params, signal, headers: BACKGROUND }));
  });
  if (!query.data?.data.length) return null;
  const { data, nextCursor } = query.data;
  return FRAME.count(data.length, nextCursor !== null);
}

function OrganizationNav({ organization }: { readonly organization: OrganizationContext }) {
  const waiting = useWaiting(organization);
  return (
    <>
      {navigationOf(organization.membership).map((group) => (
        <div class="nav-group" key={group.title ?? group.items[0]?.path}>
          {group.title && <h2 class="nav-title">{group.title}</h2>}
          <ul>
            {group.items.map(({ path, label, icon }) => (
              <NavLink key={path} href={organization.path(path)} label={label} icon={icon} isExact={path === ""}>
                {path === APPROVALS_PATH && waiting && (
                  <span class="count">
                    {waiting} <span class="visually-hidden">{FRAME.waiting}</span>
                  </span>
                )}
              </NavLink>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

function PersonNav({ current }: { readonly current: Session }) {
  return (
    <ul>
      <NavLink href="/organizations" label={FRAME.organizations} icon="building" />
      <NavLink href="/account" label={FRAME.account} icon="person" />
      {current.account?.isOperator && <NavLink href="/instance" label={FRAME.instance} icon="server" />}
    </ul>
  );
}

function NavLink({
  href,
  label,
  icon,
  isExact = false,
  children,
}: {
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
  readonly isExact?: boolean;
  readonly children?: ComponentChildren;
}) {
  const [path] = useLocation();
  const isHere = path === href || (!isExact && path.startsWith(`${href}/`));
  return (
    <li>
      <Link href={href} class="nav-link" aria-current={isHere ? "page" : undefined}>
        <Icon name={icon} />
        <span>{label}</span>
        {children}
      </Link>
    </li>
  );
}

const THEMES: readonly Theme[] = ["system", "light", "dark"];

function Person({ name, isOperator }: { readonly name: string; readonly isOperator: boolean }) {
  const chosen = useStore(theme);
  const pages = [
    { label: FRAME.account, href: "/account" },
    { label: FRAME.organizations, href: "/organizations" },
    ...(isOperator ? [{ label: FRAME.instance, href: "/instance" }] : []),
  ];
  const themes = THEMES.map((each) => ({
    label: FRAME.themes[each],
    isChecked: each === chosen,
    onChoose: () => chooseTheme(each),
  }));
  const leave = [{ label: FRAME.signOut, onChoose: () => void signOut() }];
  return (
    <div class="person">
      <Menu
        kind="bare"
        class="person-button"
        align="above"
        label={
          <>
            <span class="mark" aria-hidden="true">
              {initialsOf(name)}
            </span>
            <span class="person-name">
              {name}
              <span class="visually-hidden">{FRAME.accountMenu}</span>
            </span>
            <Icon name="updown" />
          </>
        }
        groups={[{ items: pages }, { title: FRAME.theme, items: themes }, { items: leave }]}
      />
    </div>
  );
}
