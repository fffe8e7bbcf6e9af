// What a page asks of its user over all else: to sign in again or to confirm, by forms that are loaded after the page, and
// whether they are still there.
import { useEffect, useRef, useState } from "preact/hooks";
import { readSession, session } from "../api/session.ts";
import { useStore } from "../api/store.ts";
import { asked } from "../api/waiting-asks.ts";
import { nowMs } from "../clock.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { useLoadedLater } from "../parts/use-loaded-later.ts";
import { ASKS } from "../text/frame.ts";

/** Whatever is asked at the moment. */
export function Asks() {
  const ask = useStore(asked);
  const forms = useLoadedLater(
    () => import("./over-page/over-page-chunk.ts"),
    ask !== null,
    () => ask?.answer(false),
  );
  if (ask === null) return <StillThere />;
  return forms && <forms.OVER_PAGE.AskDialog ask={ask} />;
}

const ASKED_BEFORE_MS = 300_000;
/** In short sessions, the idle warning comes in the last third at the earliest. */
const ASKED_OF = 3;
const LOOKED_EVERY_MS = 15_000;

/** Asks five minutes before a session ends because nothing was asked for. */
function StillThere() {
  const current = useStore(session);
  const [isAsked, setAsked] = useState(false);
  const longestMs = useRef(0);
  const isSignedIn = current?.state === "SIGNED_IN";
  useEffect(() => {
    if (!isSignedIn) return setAsked(false);
    const leftMs = (idleExpiresAt: string | null | undefined) => {
      const ms = Date.parse(idleExpiresAt ?? "") - nowMs();
      if (ms > longestMs.current) longestMs.current = ms;
      return ms;
    };
    const isNear = (ms: number) => ms < ASKED_BEFORE_MS && ms * ASKED_OF < longestMs.current;
    const look = async () => {
      if (!isNear(leftMs(session.value?.idleExpiresAt))) return;
      // Another request, or another tab, may have kept it alive.
      const { state, idleExpiresAt } = await readSession({ isBackground: true });
      setAsked(state === "SIGNED_IN" && isNear(leftMs(idleExpiresAt)));
    };
    const timer = setInterval(() => void look().catch(() => undefined), LOOKED_EVERY_MS);
    return () => clearInterval(timer);
  }, [isSignedIn]);
  if (!isAsked) return null;
  const stay = () => void readSession().finally(() => setAsked(false));
  return (
    <Dialog title={ASKS.idleTitle} onClose={stay}>
      <p>{ASKS.idleWords}</p>
      <div class="submit-bar">
        <Button kind="primary" onClick={stay}>
          {ASKS.stay}
        </Button>
      </div>
    </Dialog>
  );
}
