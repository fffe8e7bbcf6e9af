// The live preview of a form: it sends itself as a dry run, a moment after the last change, and again as entries are recorded
// by others. What came back counts only for exactly what is in the form, and for the ledger as it is.
import { useEffect, useRef, useState } from "preact/hooks";
import { hear } from "../../api/happenings.ts";
import { type ApiProblem, isAbort } from "../../api/problem.ts";
import { changedElsewhere, readAgain } from "../../api/remembered.ts";
import { type Told, tryOperation } from "../../frame/operation-calls.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import type { Body } from "../../parts/forms/body.ts";

const AFTER_MS = 250;
const AGAIN_AFTER_MS = 500;

/** What is known of what the form would do. `isOld`: something was recorded since, and it is being checked again. */
export type Preview =
  | { readonly state: "WAITING" | "CHECKING" }
  | { readonly state: "CHECKED"; readonly told: Told; readonly isOld: boolean }
  | { readonly state: "REFUSED"; readonly error: unknown; readonly isOld: boolean };

interface Result {
  readonly of: string;
  readonly turn: number;
  readonly told: Told | null;
  readonly error: unknown;
}

interface Asking {
  /** Hears of each answer: the refusal, or null. */
  readonly onAnswer: (refusal: unknown) => void;
  /** Hears that something was recorded, or may have been: what is shown may differ from what comes. */
  readonly onOld: () => void;
  /** Whether nothing is asked: what was sent may be recorded already, and would be refused as a second one. */
  readonly isPaused: boolean;
}

/** Asks what a body would do; null asks nothing. `checkAgain` asks at once, as if something had been recorded. */
export function usePreview(
  operation: string,
  body: Body | null,
  { onAnswer, onOld, isPaused }: Asking,
): { readonly preview: Preview; checkAgain(): void } {
  const { api, id: orgId } = useOrganization();
  const [result, setResult] = useState<Result | null>(null);
  const [turn, setTurn] = useState(0);
  const isAtOnce = useRef(false);
  const old = useRef(onOld);
  old.current = onOld;
  const makeOld = (): void => {
    old.current();
    setTurn((before) => before + 1);
  };
  useEffect(
    () =>
      hear((where, happened) => {
        const isRecorded = happened?.some(({ type }) => type.startsWith("transaction.")) ?? true;
        if (where === orgId && isRecorded) makeOld();
      }),
    [orgId],
  );
  const wanted = body === null ? null : JSON.stringify(body);
  useEffect(() => {
    if (wanted === null || isPaused) return;
    const running = new AbortController();
    const ask = async () => {
      // Figures are computed of the dry run and of what the form knows: of one ledger.
      if (turn > 0) await readAgain();
      const told = await tryOperation(api, operation, JSON.parse(wanted) as Body, running.signal);
      return { told, error: null };
    };
    const take = async () => {
      const { told, error } = await ask().catch((thrown: unknown) => ({ told: null, error: thrown }));
      if (running.signal.aborted || isAbort(error)) return;
      setResult({ of: wanted, turn, told, error });
      onAnswer(error as ApiProblem | null);
    };
    const isAgain = result?.of === wanted && !isAtOnce.current;
    const timer = setTimeout(() => void take(), isAgain ? AGAIN_AFTER_MS : isAtOnce.current ? 0 : AFTER_MS);
    isAtOnce.current = false;
    return () => {
      clearTimeout(timer);
      running.abort();
    };
  }, [wanted, operation, api, isPaused, turn]);
  const checkAgain = (): void => {
    isAtOnce.current = true;
    changedElsewhere(orgId, []);
    makeOld();
  };
  return { preview: previewOf(result, wanted, { turn, isPaused }), checkAgain };
}

function previewOf(
  result: Result | null,
  wanted: string | null,
  { turn, isPaused }: { readonly turn: number; readonly isPaused: boolean },
): Preview {
  if (wanted === null || (isPaused && result?.of !== wanted)) return { state: "WAITING" };
  if (result === null || result.of !== wanted) return { state: "CHECKING" };
  const isOld = result.turn !== turn;
  return result.told === null
    ? { state: "REFUSED", error: result.error, isOld }
    : { state: "CHECKED", told: result.told, isOld };
}
