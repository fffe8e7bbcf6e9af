// Search: Ctrl or ⌘ and K opens one combobox over pages, actions, holders and certificates.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { Store, useStore } from "../../api/store.ts";
import { Icon } from "../../parts/icon.tsx";
import { useAfter } from "../../parts/states.tsx";
import { FRAME } from "../../text/frame.ts";

/** The dialog is loaded after what a page itself needs, and before anyone looks for something. */
const LATER_MS = 1000;

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
  const Dialog = useDialog(useAfter(true, LATER_MS) || isShown);
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
  return isShown && Dialog ? <Dialog onClose={() => isOpen.set(false)} /> : null;
}

type Dialog = ComponentType<{ readonly onClose: () => void }>;

/** The dialog, once it is loaded. */
function useDialog(isWanted: boolean): Dialog | null {
  const [dialog, setDialog] = useState<{ readonly Dialog: Dialog } | null>(null);
  useEffect(() => {
    if (!isWanted || dialog !== null) return;
    import("./search-dialog.tsx").then(
      ({ SearchDialog }) => setDialog({ Dialog: SearchDialog }),
      () => undefined,
    );
  }, [isWanted]);
  return dialog?.Dialog ?? null;
}
