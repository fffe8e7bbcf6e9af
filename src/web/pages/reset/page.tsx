// `/reset#…` and `/confirm-email#…`: sets a password anew, or proves an e-mail address, by a link.
import { useState } from "preact/hooks";
import { answer, personApi } from "../../api/client.ts";
import { ApiProblem } from "../../api/problem.ts";
import { readSession } from "../../api/session.ts";
import { nowMs } from "../../clock.ts";
import { type LinkTold, linkToken, useLink } from "../../frame/link.ts";
import { Bare, DeadLink } from "../../parts/bare-page.tsx";
import { Button, LinkButton } from "../../parts/button.tsx";
import { Instant } from "../../parts/figure.tsx";
import { NEW_PASSWORD } from "../../parts/forms/new-password.tsx";
import { PlainForm } from "../../parts/forms/plain-form.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Loaded } from "../../parts/states.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { PAGES } from "../../routes.ts";
import { CONFIRM_EMAIL, RESET, SET_UP, SIGNED_OUT } from "../../text/sign-in/joining.ts";
import { SIGN_IN } from "../../text/sign-in/sign-in.ts";

/** The page. */
export function Page() {
  const query = useLink();
  const [isDone, setDone] = useState(false);
  const hasToken = linkToken() !== "";
  const isDead = query.error instanceof ApiProblem;
  const isEmail = location.pathname === PAGES.confirmEmail.path;
  const words = isEmail ? CONFIRM_EMAIL : RESET;
  if (isDone) {
    return (
      <Bare title={words.title}>
        <Notice tone="good" actions={<LinkButton href="/sign-in">{SET_UP.toSignIn}</LinkButton>}>
          {words.done}
        </Notice>
      </Bare>
    );
  }
  return (
    <Bare title={words.title}>
      {!hasToken && <Notice tone="warn">{RESET.noLink}</Notice>}
      {isDead && <DeadLink title={RESET.dead} error={query.error} />}
      {hasToken && !isDead && (
        <Loaded query={query} what={RESET.checking}>
          {(link) =>
            link.kind === "EMAIL" ? (
              <ConfirmEmail email={link.email} onDone={() => setDone(true)} />
            ) : link.validFrom !== null && Date.parse(link.validFrom) > nowMs() ? (
              <Notice tone="warn" title={RESET.for(link.email)}>
                {RESET.waits} <Instant value={link.validFrom} />. {RESET.waitsWords}
              </Notice>
            ) : (
              <SetPassword link={link} onDone={() => setDone(true)} />
            )
          }
        </Loaded>
      )}
    </Bare>
  );
}

function ConfirmEmail({ email, onDone }: { readonly email: string; readonly onDone: () => void }) {
  const confirm = useAction(async () => {
    await answer(personApi.POST("/api/v1/auth/confirm-email", { body: { token: linkToken() } }));
    await readSession();
    onDone();
  });
  return (
    <>
      <p>{CONFIRM_EMAIL.words(email)}</p>
      <Button kind="primary" {...confirm.button}>
        {CONFIRM_EMAIL.submit}
      </Button>
      {confirm.trouble}
    </>
  );
}

function SetPassword({ link, onDone }: { readonly link: LinkTold; readonly onDone: () => void }) {
  return (
    <>
      <p>{RESET.for(link.email)}</p>
      <PlainForm
        fields={[NEW_PASSWORD, { name: "code", kind: "code", isShown: () => link.needsCode }]}
        words={{
          password: { label: SIGNED_OUT.newPassword },
          code: { label: SIGN_IN.code, hint: SIGN_IN.codeHint },
        }}
        submit={RESET.submit}
        label={RESET.title}
        send={async (body) => {
          await answer(personApi.POST("/api/v1/auth/reset", { body: { token: linkToken(), ...body } }));
          await readSession();
        }}
        done={onDone}
      />
    </>
  );
}
