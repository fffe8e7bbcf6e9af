// A button for what cannot be undone: it says what happens, and does it when it is told so once more.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { COMMON } from "../text/common.ts";
import { Button, type ButtonKind } from "./button.tsx";
import { useAction } from "./use-action.tsx";

/** The button; `words` stand beside the second one, which says `sure` or the same. */
export function ConfirmButton({
  label,
  sure = label,
  words,
  act,
  kind = "plain",
}: {
  readonly label: string;
  readonly sure?: string;
  /** What will happen. */
  readonly words: ComponentChildren;
  readonly act: () => Promise<unknown>;
  readonly kind?: ButtonKind;
}) {
  const [isAsking, setAsking] = useState(false);
  const { button, trouble } = useAction(act);
  if (!isAsking) {
    return (
      <Button kind={kind} onClick={() => setAsking(true)}>
        {label}
      </Button>
    );
  }
  return (
    <div class="confirm" role="alert">
      <div>{words}</div>
      {trouble}
      <div class="row">
        <Button kind="danger" {...button}>
          {sure}
        </Button>
        <Button kind="quiet" onClick={() => setAsking(false)}>
          {COMMON.cancel}
        </Button>
      </div>
    </div>
  );
}
