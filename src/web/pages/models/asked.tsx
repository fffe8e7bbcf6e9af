// Result panel beside the form of a model: the answer, a problem, or what the form still lacks.
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
  refused,
  children,
}: {
  readonly modelled: Modelled<T>;
  /** Whether the form says enough to ask. */
  readonly isAsked: boolean;
  readonly values: ModelValues;
  readonly waiting: string;
  /** What a refusal is called, and what leads on from it. */
  readonly refused?: RefusedWords;
  readonly children: (data: T) => ComponentChildren;
}) {
  const isPending = isAsked && !isNow && error === null;
  const isSlow = useAfter(isPending, DIMMED_AFTER_MS);
  if (error !== null) return <Refusal error={error} values={values} {...refused} />;
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

interface RefusedWords {
  readonly title?: string;
  readonly actions?: ComponentChildren;
}

/** Why there is no answer: what belongs to a field stands there too. */
export function Refusal({
  error,
  values,
  title = MODELS.refused,
  actions,
}: RefusedWords & { readonly error: unknown; readonly values: ModelValues }) {
  return (
    <Notice tone="bad" title={title} actions={actions}>
      {error instanceof ApiProblem
        ? placedWords(error, values).map((each) => <p key={each}>{sentence(each)}</p>)
        : wordsOf(error).detail}
    </Notice>
  );
}

function placedWords(error: ApiProblem, values: ModelValues): readonly string[] {
  const { faults, words } = placed(error, values);
  return [...words, ...Object.values(faults)];
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
