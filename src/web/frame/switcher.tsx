// The organization switcher: the person's organizations with their roles; opens the same page of the other one.
// biome-ignore-all lint/a11y/noStaticElementInteractions: Escape is taken where it passes
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import type { Membership } from "../api/session.ts";
import { Icon } from "../parts/icon.tsx";
import { COMMON, ROLE_NAMES } from "../text/common.ts";
import { FRAME } from "../text/frame.ts";
import { homeOf } from "./navigation.ts";
import type { OrganizationContext } from "./page-organization.ts";

/** From how many on they are searched. */
const SEARCHED_FROM = 9;

/** The page of another organization that is the same as this one: a list, not one of its records. */
export function samePage(path: string, from: string | null, to: Membership): string {
  if (from === null || to.role === "STAKEHOLDER") return homeOf(to);
  const [section] = path.replace(`/o/${from}`, "").split("/").filter(Boolean);
  return section === undefined || section === "record" || section === "mine" ? homeOf(to) : `/o/${to.id}/${section}`;
}

/** The switcher. */
export function OrganizationSwitcher({
  organization,
  memberships,
  mark,
}: {
  readonly organization: OrganizationContext | null;
  readonly memberships: readonly Membership[];
  /** Beside the name. */
  readonly mark: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const [path] = useLocation();
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!isOpen) return;
    const onPointer = ({ target }: PointerEvent) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    addEventListener("pointerdown", onPointer);
    return () => removeEventListener("pointerdown", onPointer);
  }, [isOpen]);
  const leave = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isOpen) return;
    event.stopPropagation();
    event.preventDefault();
    setOpen(false);
    root.current?.querySelector("button")?.focus();
  };
  const name = organization?.name ?? FRAME.organizations;
  return (
    <div class="switcher" ref={root} onKeyDown={leave}>
      <button
        type="button"
        class="switcher-button"
        aria-expanded={isOpen}
        title={FRAME.switchOrganization}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="mark square" aria-hidden="true">
          {[...name][0]}
        </span>
        <span class="switcher-name">
          <span>{name}</span>
          <span class="hint">{organization ? ROLE_NAMES[organization.role] : COMMON.product}</span>
        </span>
        {mark}
        <Icon name="updown" />
      </button>
      {isOpen && <List organization={organization} memberships={memberships} />}
    </div>
  );
}

function List({
  organization,
  memberships,
}: {
  readonly organization: OrganizationContext | null;
  readonly memberships: readonly Membership[];
}) {
  const [typed, setTyped] = useState("");
  const [path] = useLocation();
  const words = typed.toLocaleLowerCase();
  const found = memberships.filter(({ legalName }) => legalName.toLocaleLowerCase().includes(words));
  return (
    <div class="switcher-list">
      {memberships.length >= SEARCHED_FROM && (
        <input
          type="search"
          aria-label={FRAME.searchOrganizations}
          placeholder={FRAME.searchOrganizations}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <ul>
        {found.map((each) => (
          <li key={each.id}>
            <Link
              href={samePage(path, organization?.id ?? null, each)}
              aria-current={each.id === organization?.id ? "true" : undefined}
            >
              <span class="mark square small" aria-hidden="true">
                {[...each.legalName][0]}
              </span>
              <span class="switcher-name">
                <span>{each.legalName}</span>
                <span class="hint">{ROLE_NAMES[each.role]}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <Link href="/organizations" class="switcher-all">
        {FRAME.allOrganizations}
      </Link>
    </div>
  );
}
