// `/join#…`: accepts an invitation.
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { answer, personApi } from "../../api/client.ts";
import { ApiProblem } from "../../api/problem.ts";
import { session, signOut, takeSession } from "../../api/session.ts";
import { useStore } from "../../api/store.ts";
import { type LinkTold, linkToken, useLink } from "../../frame/link.ts";
import { OtherWays } from "../../frame/other-ways.tsx";
import { SignInForm } from "../../frame/sign-in-form.tsx";
import { Bare, DeadLink } from "../../parts/bare-page.tsx";
import { Button } from "../../parts/button.tsx";
import { NEW_PASSWORD } from "../../parts/forms/new-password.tsx";
import { PlainForm } from "../../parts/forms/plain-form.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Loaded } from "../../parts/states.tsx";
import { ROLE_NAMES } from "../../text/common.ts";
import { FRAME } from "../../text/frame.ts";
import { JOIN, SIGNED_OUT } from "../../text/sign-in/joining.ts";
import { SIGN_IN } from "../../text/sign-in/sign-in.ts";

/** The page. */
export function Page() {
  const query = useLink();
  const isDead = query.error instanceof ApiProblem;
  return (
    <Bare title={JOIN.title}>
      {linkToken() === "" && <Notice tone="warn">{JOIN.noLink}</Notice>}
      {isDead && <DeadLink title={JOIN.dead} error={query.error} />}
      {linkToken() !== "" && !isDead && (
        <Loaded query={query} what={JOIN.checking}>
          {(link) => <Invitation link={link} />}
        </Loaded>
      )}
    </Bare>
  );
}

function Invitation({ link }: { readonly link: LinkTold }) {
  return (
    <>
      <p>
        {JOIN.invited(link.organization?.legalName ?? "")} {link.role && JOIN.as(ROLE_NAMES[link.role])}
      </p>
      <Ways link={link} />
    </>
  );
}

/** How the invitation can be accepted by who is, or is not, signed in here. */
function Ways({ link: { email } }: { readonly link: LinkTold }) {
  const current = useStore(session);
  // Both ways are offered, since the page must not reveal to a signed-out visitor whether the address has an account.
  const [signsIn, setSignsIn] = useState(false);
  if (current?.state === "SIGNED_IN") {
    // Also where the invited have no account yet: theirs would take the place of this session unseen.
    return current.account?.email.toLowerCase() === email.toLowerCase() ? <Accept /> : <AsOther email={email} />;
  }
  if (signsIn) {
    return (
      <>
        <p>{JOIN.signInFirst(email)}</p>
        <SignInForm email={email} onSignedIn={takeSession} />
        <OtherWays
          methods={current?.methods ?? []}
          providerName={current?.providerName ?? null}
          onSignedIn={takeSession}
        />
        <Button kind="quiet" onClick={() => setSignsIn(false)}>
          {JOIN.toNewAccount}
        </Button>
      </>
    );
  }
  return (
    <>
      <Button onClick={() => setSignsIn(true)}>{JOIN.toSignIn}</Button>
      <NewAccount email={email} />
      {current?.methods.includes("OIDC") && <ByProvider name={current.providerName ?? ""} />}
    </>
  );
}

/** The provider is told the hash of the link's secret alone. */
function ByProvider({ name }: { readonly name: string }) {
  const [hash, setHash] = useState<string | null>(null);
  useEffect(() => {
    void crypto.subtle.digest("SHA-256", new TextEncoder().encode(linkToken())).then((bytes) => {
      setHash([...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
    });
  }, []);
  if (hash === null) return null;
  return (
    <div class="other-ways">
      <a class="button plain" href={`/api/v1/auth/oidc?for=accept&link=${hash}`}>
        {JOIN.byProvider(name)}
      </a>
    </div>
  );
}

function AsOther({ email }: { readonly email: string }) {
  return (
    <Notice tone="warn" actions={<Button onClick={() => void signOut()}>{FRAME.signOut}</Button>}>
      {JOIN.asOther(email)}
    </Notice>
  );
}

function Accept() {
  const accept = useAccept();
  return <PlainForm fields={[]} words={{}} submit={JOIN.accept} send={() => accept({})} />;
}

function useAccept() {
  const [, navigate] = useLocation();
  return async (account: { readonly name?: string; readonly password?: string }) => {
    const { data } = await answer(personApi.POST("/api/v1/auth/accept", { body: { token: linkToken(), ...account } }));
    takeSession(data);
    navigate("/", { replace: true });
  };
}

function NewAccount({ email }: { readonly email: string }) {
  const accept = useAccept();
  if (session.value?.canSignIn === false) return <Notice tone="warn">{SIGN_IN.needsTls}</Notice>;
  return (
    <PlainForm
      fields={[
        { name: "email", kind: "text", autoComplete: "username", isFixed: () => true, given: () => email },
        { name: "name", kind: "text", autoComplete: "name" },
        NEW_PASSWORD,
      ]}
      words={{
        email: { label: SIGN_IN.email },
        name: { label: SIGNED_OUT.name },
        password: { label: SIGN_IN.password },
      }}
      submit={JOIN.submit}
      label={JOIN.title}
      send={({ name, password }) => accept({ name, password })}
    />
  );
}
