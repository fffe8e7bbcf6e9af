// Asks again every few seconds while something is under way.
import { useEffect } from "preact/hooks";

const EVERY_MS = 3000;

/** Calls `ask` every 3 seconds as long as `isUnderWay` holds and the window is looked at. */
export function usePoll(isUnderWay: boolean, ask: () => void): void {
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") ask();
    }, EVERY_MS);
    return () => clearInterval(timer);
  });
}
