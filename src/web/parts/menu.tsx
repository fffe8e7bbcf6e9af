// A menu behind a button, as the ARIA authoring practices have it: arrows move, Home and End, a letter finds, Escape closes.
// biome-ignore-all lint/a11y/noStaticElementInteractions: keys of the items are taken where they pass
// biome-ignore-all lint/a11y/useSemanticElements: items of a menu are grouped by role
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import type { ButtonKind } from "./button.tsx";

/** One thing to choose: a link, or something to do. */
export interface MenuItem {
  readonly label: string;
  readonly href?: string;
  readonly onChoose?: () => void;
  /** Of several that exclude one another, whether this is the one. */
  readonly isChecked?: boolean;
  /** Whether it is on; choosing it turns it, and the menu stays. */
  readonly isSwitched?: boolean;
  readonly hint?: string;
}

/** Items under a heading, or under none. */
export interface MenuGroup {
  readonly title?: string;
  readonly items: readonly MenuItem[];
}

interface MenuProps {
  readonly label: ComponentChildren;
  /** The button's name, where `label` has no words of its own. */
  readonly name?: string;
  readonly groups: readonly MenuGroup[];
  readonly kind?: ButtonKind | "bare";
  readonly class?: string;
  readonly align?: "start" | "end" | "above";
}

/** A menu button. */
export function Menu({ label, name, groups, kind = "plain", align = "start", ...rest }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const close = (isFocusKept: boolean) => {
    setOpen(false);
    if (isFocusKept) root.current?.querySelector<HTMLElement>("[aria-haspopup]")?.focus();
  };
  // Before anything is painted: a key that follows at once belongs to the first item.
  useLayoutEffect(() => {
    if (!isOpen) return;
    itemsIn(root.current)[0]?.focus();
    const onPointer = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) close(false);
    };
    addEventListener("pointerdown", onPointer);
    return () => removeEventListener("pointerdown", onPointer);
  }, [isOpen]);
  return (
    <div
      class={`menu ${align}`}
      ref={root}
      onKeyDown={(event) => isOpen && onMenuKey(event, root.current, close)}
      onFocusOut={(event) => {
        const next = event.relatedTarget;
        if (isOpen && next instanceof Node && !root.current?.contains(next)) close(false);
      }}
    >
      <button
        type="button"
        class={`${kind === "bare" ? "" : `button ${kind}`} ${rest.class ?? ""}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={name}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (isOpen || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
          event.preventDefault();
          // Else the list, which is there by the time that the event goes up, would take the key as well.
          event.stopPropagation();
          setOpen(true);
        }}
      >
        {label}
      </button>
      {isOpen && (
        <div class="menu-list" role="menu" id={id}>
          {groups.map((group) => (
            <div role="group" aria-label={group.title} key={group.title ?? ""}>
              {group.title && <div class="menu-title">{group.title}</div>}
              {group.items.map((item) => (
                <Item key={item.label} item={item} close={close} />
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function Item({ item, close }: { readonly item: MenuItem; readonly close: (isFocusKept: boolean) => void }) {
  const { label, hint, href, onChoose, isChecked, isSwitched } = item;
  const role = isSwitched !== undefined ? "menuitemcheckbox" : isChecked !== undefined ? "menuitemradio" : "menuitem";
  const props = { role, tabIndex: -1, "aria-checked": isSwitched ?? isChecked, class: "menu-item" } as const;
  const words = (
    <>
      <span>{label}</span>
      {hint && <span class="hint">{hint}</span>}
    </>
  );
  if (href !== undefined) {
    return (
      <Link href={href} {...props} onClick={() => close(false)}>
        {words}
      </Link>
    );
  }
  return (
    <button
      type="button"
      {...props}
      onClick={() => {
        if (isSwitched === undefined) close(true);
        onChoose?.();
      }}
    >
      {words}
    </button>
  );
}

function itemsIn(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>(".menu-item") ?? [])];
}

function onMenuKey(event: KeyboardEvent, root: HTMLElement | null, close: (isFocusKept: boolean) => void): void {
  const items = itemsIn(root);
  const focused = document.activeElement;
  const at = focused instanceof HTMLElement ? items.indexOf(focused) : -1;
  const next = nextItem(event.key, at, items);
  if (event.key === "Escape") close(true);
  else if (next !== undefined) items[next]?.focus();
  else {
    if (event.key === "Tab") close(false);
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

function nextItem(key: string, at: number, items: readonly HTMLElement[]): number | undefined {
  if (key === "ArrowDown") return (at + 1) % items.length;
  if (key === "ArrowUp") return (at - 1 + items.length) % items.length;
  if (key === "Home") return 0;
  if (key === "End") return items.length - 1;
  if (key.length !== 1 || key === " ") return undefined;
  const order = [...items.keys()].map((step) => (at + 1 + step) % items.length);
  return order.find((index) => items[index]?.textContent.toLowerCase().startsWith(key.toLowerCase()));
}
