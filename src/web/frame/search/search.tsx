// Search: Ctrl or ⌘ and K opens one combobox over pages, actions, holders and certificates.
import { useEffect } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { Store, useStore } from "../../api/store.ts";
import { Icon } from "../../parts/icon.tsx";
import { useLoadedLater } from "../../parts/use-loaded-later.ts";
import { FRAME } from "../../text/frame.ts";

const isOpen = new Store(false);

/** The button in the side bar. */
export function SearchButton() {
  return (
    <button type="button" class="nav-link search-button" onClick={() => isOpen.set(true)}>
      <Icon name="search" />
      <span>{FRAME.search}</span>
      <kbd>{/Mac|iPhone|iPad/.test(navigator.platform) ? FRAME.searchKeysOnMac : FRAME.searchKeys}</kbd>
    </button>
  );
}

/** Listens for the keys, and shows the dialog; once, on pages of an organization. */
export function Search() {
  const isShown = useStore(isOpen);
  const [path] = useLocation();
  const loaded = useLoadedLater(() => import("../over-page/over-page-chunk.ts"), isShown);
  useEffect(() => isOpen.set(false), [path]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isWanted = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      // Over another dialog it would be lost what that asks.
      if (!isWanted || event.altKey || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      isOpen.set(true);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return isShown && loaded ? <loaded.OVER_PAGE.SearchDialog onClose={() => isOpen.set(false)} /> : null;
}
