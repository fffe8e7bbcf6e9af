// Live computation of a model: sends the form a moment after the last keystroke. The previous answer stays until the next
// one arrives; an answer to an older form is dropped.
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiProblem, isAbort } from "../../api/problem.ts";

const AFTER_MS = 300;

/** What a model has answered. */
export interface Modelled<T> {
  /** The last answer; of what is asked now where `isNow`. */
  readonly data: T | null;
  readonly isNow: boolean;
  /** Why what is asked now has no answer. */
  readonly error: unknown;
  /** Asks the same once more: what it is computed from may have changed. */
  again(): void;
}

interface Last<T> {
  readonly of: string | null;
  readonly data: T | null;
  readonly error: unknown;
}

/** Asks for a body; null asks nothing. `onAnswer` hears of each answer: the refusal, or null. */
export function useModel<B, T>(
  body: B | null,
  ask: (body: B, signal: AbortSignal) => Promise<T>,
  onAnswer: (refusal: ApiProblem | null) => void = () => undefined,
): Modelled<T> {
  const [last, setLast] = useState<Last<T>>({ of: null, data: null, error: null });
  const latest = useRef({ ask, onAnswer });
  latest.current = { ask, onAnswer };
  const wanted = body === null ? null : JSON.stringify(body);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (wanted === null) return;
    const running = new AbortController();
    const run = async () => {
      try {
        const data = await latest.current.ask(JSON.parse(wanted) as B, running.signal);
        if (running.signal.aborted) return;
        setLast({ of: wanted, data, error: null });
        latest.current.onAnswer(null);
      } catch (error) {
        if (running.signal.aborted || isAbort(error)) return;
        setLast(({ data }) => ({ of: wanted, data, error }));
        if (error instanceof ApiProblem) latest.current.onAnswer(error);
      }
    };
    const timer = setTimeout(() => void run(), AFTER_MS);
    return () => {
      clearTimeout(timer);
      running.abort();
    };
  }, [wanted, turn]);
  const isAnswered = wanted !== null && last.of === wanted;
  const again = () => {
    setLast(({ data }) => ({ of: null, data, error: null }));
    setTurn((before) => before + 1);
  };
  return { data: last.data, isNow: isAnswered && last.error === null, error: isAnswered ? last.error : null, again };
}
