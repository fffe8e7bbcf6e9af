// Button for an action that cannot be undone: states the effect and asks for a second press.
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
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
  const question = useRef<HTMLDivElement>(null);
  const opener = useId();
  // Neither button is there any more once it was pressed: the focus goes where it goes on.
  const wasAsking = useRef(false);
  useLayoutEffect(() => {
    if (isAsking) question.current?.querySelector("button")?.focus();
    else if (wasAsking.current) document.getElementById(opener)?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);
  if (!isAsking) {
    return (
      <Button id={opener} kind={kind} onClick={() => setAsking(true)}>
        {label}
      </Button>
    );
  }
  return (
    <div class="confirm" role="alert" ref={question}>
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
