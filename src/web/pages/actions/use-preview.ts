// The live preview of a form: it sends itself as a dry run, a moment after the last change. What came back counts only for
// exactly what is in the form.
import { useEffect, useState } from "preact/hooks";
import { type ApiProblem, isAbort } from "../../api/problem.ts";
import { type Told, tryOperation } from "../../frame/operation-calls.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import type { Body } from "../../parts/forms/body.ts";

const AFTER_MS = 250;

/** What is known of what the form would do. */
export type Preview =
  | { readonly state: "WAITING" | "CHECKING" }
  | { readonly state: "CHECKED"; readonly told: Told }
  | { readonly state: "REFUSED"; readonly error: unknown };

interface Result {
  readonly of: string;
  readonly told: Told | null;
  readonly error: unknown;
}

interface Asking {
  /** Hears of each answer: the refusal, or null. */
  readonly onAnswer: (refusal: unknown) => void;
  /** Whether nothing is asked: what was sent may be recorded already, and would be refused as a second one. */
  readonly isPaused: boolean;
}

/** Asks what a body would do; null asks nothing. */
export function usePreview(operation: string, body: Body | null, { onAnswer, isPaused }: Asking): Preview {
  const { api } = useOrganization();
  const [result, setResult] = useState<Result | null>(null);
  const wanted = body === null ? null : JSON.stringify(body);
  useEffect(() => {
    if (wanted === null || isPaused) return;
    const running = new AbortController();
    const ask = async () => {
      try {
        const told = await tryOperation(api, operation, JSON.parse(wanted) as Body, running.signal);
        if (running.signal.aborted) return;
        setResult({ of: wanted, told, error: null });
        onAnswer(null);
      } catch (error) {
        if (running.signal.aborted || isAbort(error)) return;
        setResult({ of: wanted, told: null, error });
        onAnswer(error as ApiProblem);
      }
    };
    const timer = setTimeout(() => void ask(), AFTER_MS);
    return () => {
      clearTimeout(timer);
      running.abort();
    };
  }, [wanted, operation, api, isPaused]);
  if (wanted === null || (isPaused && result?.of !== wanted)) return { state: "WAITING" };
  if (result === null || result.of !== wanted) return { state: "CHECKING" };
  return result.told === null ? { state: "REFUSED", error: result.error } : { state: "CHECKED", told: result.told };
}
