// Modules that no first page shows: loaded after it, and before they are needed.
import { useEffect, useState } from "preact/hooks";
import { useAfter } from "./states.tsx";

const LATER_MS = 1000;

/** A module once it is loaded: a second after the page, or when it is needed. `onFail` is called where it cannot be then. */
export function useLoadedLater<T>(load: () => Promise<T>, isNeeded: boolean, onFail?: () => void): T | null {
  const [loaded, setLoaded] = useState<{ readonly module: T } | null>(null);
  const isWanted = useAfter(true, LATER_MS) || isNeeded;
  useEffect(() => {
    if (!isWanted || loaded !== null) return;
    load().then(
      (module) => setLoaded({ module }),
      () => isNeeded && onFail?.(),
    );
  }, [isWanted, isNeeded]);
  return loaded?.module ?? null;
}
