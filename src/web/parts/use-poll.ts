// Polling: repeats a request every few seconds while a background job runs.
import { useEffect } from "preact/hooks";

const EVERY_MS = 3000;

/** Calls `ask` every 3 seconds, or as often as is said, as long as `isUnderWay` holds and the window is looked at. */
export function usePoll(isUnderWay: boolean, ask: () => void, everyMs = EVERY_MS): void {
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") ask();
    }, everyMs);
    return () => clearInterval(timer);
  });
}
