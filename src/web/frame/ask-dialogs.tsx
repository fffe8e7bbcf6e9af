// Dialogs over the page: sign-in after the session ended, confirmation of identity, idle warning. The request behind one
// waits for it, and form values stay.
import { useEffect, useRef, useState } from "preact/hooks";
import { answer, personApi } from "../api/client.ts";
import { readSession, type Session, session, takeSession } from "../api/session.ts";
import { useStore } from "../api/store.ts";
import { type Ask, asked } from "../api/waiting-asks.ts";
import { nowMs } from "../clock.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { PlainForm } from "../parts/forms/plain-form.tsx";
import { useAction } from "../parts/use-action.tsx";
import { ASKS } from "../text/frame.ts";
import { SIGN_IN } from "../text/sign-in/sign-in.ts";
import { OtherWays } from "./other-ways.tsx";
import { confirmByPasskey } from "./passkey.ts";
import { SignInForm } from "./sign-in-form.tsx";

/** Whatever is asked at the moment. */
export function Asks() {
  const ask = useStore(asked);
  if (ask?.kind === "SIGN_IN") return <SignInAgain ask={ask} />;
  if (ask?.kind === "CONFIRM") return <Confirm ask={ask} />;
  return <StillThere />;
}

function SignInAgain({ ask }: { readonly ask: Ask }) {
  const before = session.value?.account;
  const { methods = [], providerName = null } = session.value ?? {};
  const goOn = (signedIn: Session) => {
    takeSession(signedIn);
    if (before && signedIn.account?.id !== before.id) location.assign("/");
    else ask.answer(true);
  };
  return (
    <Dialog title={ASKS.signInTitle}>
      {/* Without a session before, it is an invitation to an address that has an account. */}
      <p>{before ? ASKS.signInWords : ASKS.accountWords}</p>
      <SignInForm email={before?.email ?? ""} onSignedIn={goOn} />
      <OtherWays methods={methods} providerName={providerName} onSignedIn={goOn} />
    </Dialog>
  );
}

const CONFIRM_WORDS = {
  password: { label: SIGN_IN.password },
  code: { label: SIGN_IN.code, hint: SIGN_IN.codeHint },
};

function Confirm({ ask }: { readonly ask: Ask }) {
  const account = session.value?.account;
  const hasPassword = account?.hasPassword === true;
  const hasTotp = account?.hasTotp === true;
  const [isByCode, setByCode] = useState(!hasPassword);
  const byPasskey = useAction(async () => {
    const { data } = await confirmByPasskey();
    takeSession(data);
    ask.answer(true);
  });
  const offersProvider = !hasPassword && session.value?.methods.includes("OIDC") === true;
  const other = (
    <>
      {hasPassword && hasTotp && (
        <Button kind="quiet" onClick={() => setByCode(!isByCode)}>
          {isByCode ? ASKS.byPassword : ASKS.byCode}
        </Button>
      )}
      {account?.hasPasskey && (
        <Button kind="quiet" {...byPasskey.button}>
          {ASKS.byPasskey}
        </Button>
      )}
      {offersProvider && (
        <a class="button quiet" href="/api/v1/auth/oidc?for=confirm">
          {ASKS.byProvider(session.value?.providerName ?? "")}
        </a>
      )}
    </>
  );
  return (
    <Dialog title={ASKS.confirmTitle} onClose={() => ask.answer(false)}>
      <p>{ASKS.confirmWords}</p>
      {byPasskey.trouble}
      <PlainForm
        fields={[
          { name: "password", kind: "password", isShown: () => !isByCode },
          { name: "code", kind: "code", isShown: () => isByCode },
        ]}
        words={CONFIRM_WORDS}
        submit={ASKS.confirm}
        beside={other}
        send={(body) => answer(personApi.POST("/api/v1/auth/confirm", { body }))}
        done={({ data }) => {
          takeSession(data);
          ask.answer(true);
        }}
      />
    </Dialog>
  );
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
