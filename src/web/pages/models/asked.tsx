// What stands beside the form of a model: its answer, or why there is none yet.
import type { ComponentChildren } from "preact";
import { ApiProblem } from "../../api/problem.ts";
import { sentence } from "../../parts/forms/words.ts";
import { Badge, Notice } from "../../parts/notice.tsx";
import { useAfter, wordsOf } from "../../parts/states.tsx";
import { MODELS } from "../../text/models/models.ts";
import type { Modelled } from "./use-model.ts";
import { type ModelValues, placed } from "./values.ts";

const DIMMED_AFTER_MS = 400;

/** The answer; dimmed while a newer one is computed, hidden where the form cannot be computed. */
export function Asked<T>({
  modelled: { data, isNow, error },
  isAsked,
  values,
  waiting,
  children,
}: {
  readonly modelled: Modelled<T>;
  /** Whether the form says enough to ask. */
  readonly isAsked: boolean;
  readonly values: ModelValues;
  readonly waiting: string;
  readonly children: (data: T) => ComponentChildren;
}) {
  const isPending = isAsked && !isNow && error === null;
  const isSlow = useAfter(isPending, DIMMED_AFTER_MS);
  if (error !== null) return <Refusal error={error} values={values} />;
  if (!isAsked && data === null) return <Notice>{waiting}</Notice>;
  return (
    <div class={isSlow || !isAsked ? "loaded dimmed" : "loaded"} aria-busy={isPending}>
      <p class="visually-hidden" aria-live="polite">
        {isPending ? MODELS.asking : MODELS.computed}
      </p>
      {data !== null && children(data)}
    </div>
  );
}

/** Why there is no answer: what belongs to a field stands there. */
function Refusal({ error, values }: { readonly error: unknown; readonly values: ModelValues }) {
  if (!(error instanceof ApiProblem)) {
    return (
      <Notice tone="bad" title={MODELS.refused}>
        {wordsOf(error).detail}
      </Notice>
    );
  }
  const { faults, words } = placed(error, values);
  const all = [...words, ...Object.values(faults)].map((each) => <p key={each}>{sentence(each)}</p>);
  return (
    <Notice tone="bad" title={MODELS.refused}>
      {all}
    </Notice>
  );
}

interface Warned {
  readonly code: string;
  readonly detail: string;
  readonly securityId: string | null;
}

/** The warnings of an answer. */
export function ModelWarnings({ warnings }: { readonly warnings: readonly Warned[] }) {
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warn" title={MODELS.warnings}>
      <ul class="plain-list">
        {warnings.map(({ code, detail, securityId }) => (
          <li key={`${code} ${securityId}`}>{sentence(detail)}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** Whether the figures beside are of what is in the form. */
export function State({
  modelled: { isNow },
  isAsked,
}: {
  readonly modelled: Modelled<unknown>;
  readonly isAsked: boolean;
}) {
  if (isNow) return <Badge tone="good">{MODELS.computed}</Badge>;
  return isAsked ? <span class="note">{MODELS.asking}</span> : null;
}
