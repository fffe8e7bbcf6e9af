// Dialogs over the page: sign-in after the session ended, confirmation of identity. The request behind one waits for it,
// and form values stay.
import { useState } from "preact/hooks";
import { answer, personApi } from "../../api/client.ts";
import { type Session, session, takeSession } from "../../api/session.ts";
import type { Ask } from "../../api/waiting-asks.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { PlainForm } from "../../parts/forms/plain-form.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { ASKS } from "../../text/frame.ts";
import { SIGN_IN } from "../../text/sign-in/sign-in.ts";
import { OtherWays } from "../other-ways.tsx";
import { confirmByPasskey } from "../passkey.ts";
import { SignInForm } from "../sign-in-form.tsx";

/** The dialog of what is asked. */
export function AskDialog({ ask }: { readonly ask: Ask }) {
  return ask.kind === "SIGN_IN" ? <SignInAgain ask={ask} /> : <Confirm ask={ask} />;
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
