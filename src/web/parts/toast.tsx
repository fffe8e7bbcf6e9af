// Toasts: report a finished action for six seconds; the page shows the result as well.
import { useEffect, useRef } from "preact/hooks";
import { Store, useStore } from "../api/store.ts";
import { COMMON } from "../text/common.ts";
import { Icon } from "./icon.tsx";

const SHOWN_MS = 6000;
const shown = new Store<{ readonly words: string } | null>(null);

/** Shows a toast in place of the one before. */
export function toast(words: string): void {
  shown.set({ words });
}

/** Where toasts appear; once, in the frame. It stays while the pointer or the focus is on it. */
export function Toasts() {
  const current = useStore(shown);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const leave = () => {
    clearTimeout(timer.current);
    if (shown.value) timer.current = setTimeout(() => shown.set(null), SHOWN_MS);
  };
  const stay = () => clearTimeout(timer.current);
  useEffect(() => {
    leave();
    return stay;
  }, [current]);
  return (
    <div class="toasts" role="status">
      {current && (
        <div class="toast" onPointerEnter={stay} onPointerLeave={leave} onFocusIn={stay} onFocusOut={leave}>
          <span>{current.words}</span>
          <button type="button" class="icon-button" aria-label={COMMON.close} onClick={() => shown.set(null)}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}
