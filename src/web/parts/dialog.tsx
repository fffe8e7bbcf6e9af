// A dialog over the page: the platform's own, so that focus stays in it and returns.
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { COMMON } from "../text/common.ts";
import { Icon } from "./icon.tsx";

/** Gives the focus to what a dialog asks for: it comes before the button that leaves. */
function focusFirst(dialog: Element | null): void {
  dialog?.querySelector<HTMLElement>(".dialog-body :is(input, select, textarea):not(:disabled)")?.focus();
}

/** For what comes into a dialog after it was opened: takes the focus from the button that leaves. */
export function useFocusInDialog(): void {
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (activeElement?.matches("dialog, dialog .dialog-head button")) focusFirst(activeElement.closest("dialog"));
  }, []);
}

/** A dialog that is there as long as it is rendered. Without `onClose` it is left by what is in it alone. */
export function Dialog({
  title,
  onClose,
  children,
  kind = "",
}: {
  readonly title: string;
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
  readonly kind?: "" | "large" | "side" | "search";
}) {
  const element = useRef<HTMLDialogElement>(null);
  const isLeft = useRef(false);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    focusFirst(dialog);
    return () => {
      isLeft.current = true;
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={`dialog ${kind}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      // Pressed often enough, Escape closes a dialog whatever its page says.
      {...(onClose ? {} : { closedby: "none" })}
      onClose={() => {
        if (isLeft.current) return;
        if (onClose) onClose();
        else element.current?.showModal();
      }}
      onPointerDown={(event) => {
        if (event.target === element.current) onClose?.();
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          {onClose && (
            <button type="button" class="icon-button" aria-label={COMMON.close} onClick={onClose}>
              <Icon name="close" />
            </button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  );
}
