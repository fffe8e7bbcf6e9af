// Action behind a button: busy state while it runs, and its error beside the button.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ApiProblem, Declined } from "../api/problem.ts";
import { ERRORS } from "../text/common.ts";
import { sentence } from "./forms/words.ts";
import { Notice } from "./notice.tsx";
import { wordsOf } from "./states.tsx";

/** Runs `act` when the button is pressed. A declined confirmation shows no error, since nothing was changed. */
export function useAction(act: () => Promise<unknown>): {
  readonly button: { readonly isBusy: boolean; readonly onClick: () => void };
  /** What went wrong, as a notice; null where nothing did. */
  readonly trouble: ComponentChildren;
} {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      await act();
    } catch (thrown) {
      if (!(thrown instanceof Declined)) setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const trouble = error ? (
    <Notice tone="bad" title={ERRORS.failed}>
      {error instanceof ApiProblem ? <Words problem={error} /> : wordsOf(error).detail}
    </Notice>
  ) : null;
  return { button: { isBusy, onClick: () => void run() }, trouble };
}

/** What a refusal says: each thing that is wrong, with the member that it is about; else its detail. */
function Words({ problem: { detail, errors } }: { readonly problem: ApiProblem }) {
  if (errors.length === 0) return <>{detail}</>;
  return (
    <ul class="plain-list">
      {errors.map(({ pointer, detail: own }) => (
        <li key={`${pointer} ${own}`}>
          {pointer && <code>{pointer.replace(/^#\//, "")}</code>} {sentence(own)}
        </li>
      ))}
    </ul>
  );
}
