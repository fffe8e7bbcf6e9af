// `/sign-in`.
import { useEffect } from "preact/hooks";
import { useLocation, useSearchParams } from "wouter-preact";
import { session, takeSession } from "../api/session.ts";
import { useStore } from "../api/store.ts";
import { SignInForm } from "../frame/sign-in-form.tsx";
import { Bare } from "../parts/bare.tsx";
import { SIGN_IN } from "../text/sign-in.ts";

/** Where somebody goes after signing in: an address of ours, else the start. */
export function nextOf(asked: string | null): string {
  return asked !== null && /^\/(?![/\\])/.test(asked) ? asked : "/";
}

/** The page. */
export function Page() {
  const current = useStore(session);
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const isSignedIn = current?.state === "SIGNED_IN";
  useEffect(() => {
    if (isSignedIn) navigate(nextOf(params.get("next")), { replace: true });
  }, [isSignedIn]);
  if (isSignedIn) return null;
  const hasProvider = current?.methods.includes("OIDC") === true;
  return (
    <Bare title={SIGN_IN.title}>
      <SignInForm email="" onSignedIn={takeSession} />
      {hasProvider && (
        <div class="other-ways">
          <a class="button plain" href="/api/v1/auth/oidc?for=sign-in">
            {SIGN_IN.provider(current?.providerName ?? "")}
          </a>
        </div>
      )}
      <p class="note">{SIGN_IN.forgot}</p>
    </Bare>
  );
}
