// `/sign-in`: sign-in with password, code, passkey or provider.
import { useEffect } from "preact/hooks";
import { Link, useLocation, useSearchParams } from "wouter-preact";
import { session, takeSession } from "../../api/session.ts";
import { useStore } from "../../api/store.ts";
import { OtherWays } from "../../frame/other-ways.tsx";
import { SignInForm } from "../../frame/sign-in-form.tsx";
import { Bare } from "../../parts/bare-page.tsx";
import { LinkButton } from "../../parts/button.tsx";
import { Notice } from "../../parts/notice.tsx";
import { PROVIDER_PROBLEM, PROVIDER_PROBLEMS, SIGNED_OUT } from "../../text/sign-in/joining.ts";
import { SIGN_IN } from "../../text/sign-in/sign-in.ts";

/** The address after sign-in: one of this server's pages, else the start. */
export function nextOf(asked: string | null): string {
  return asked !== null && /^\/(?![/\\])/.test(asked) ? asked : "/";
}

/** The page. */
export function Page() {
  const current = useStore(session);
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const isSignedIn = current?.state === "SIGNED_IN";
  const problem = params.get("problem");
  useEffect(() => {
    if (isSignedIn && problem === null) navigate(nextOf(params.get("next")), { replace: true });
  }, [isSignedIn, problem]);
  if (isSignedIn && problem === null) return null;
  return (
    <Bare title={SIGN_IN.title}>
      {problem !== null && <ProviderProblem reasons={[params.get("reason"), problem]} isSignedIn={isSignedIn} />}
      {!isSignedIn && (
        <>
          <SignInForm email="" onSignedIn={takeSession} />
          <OtherWays
            methods={current?.methods ?? []}
            providerName={current?.providerName ?? null}
            onSignedIn={takeSession}
          />
          {current?.sendsMail === true ? (
            <p>
              <Link href="/recover">{SIGNED_OUT.recover}</Link>
            </p>
          ) : (
            <p class="note">{SIGNED_OUT.forgot}</p>
          )}
        </>
      )}
    </Bare>
  );
}

/** Why the provider sent the user back to this page. */
function ProviderProblem({
  reasons,
  isSignedIn,
}: {
  readonly reasons: readonly (string | null)[];
  readonly isSignedIn: boolean;
}) {
  const known = reasons.flatMap((reason) => PROVIDER_PROBLEMS[reason ?? ""] ?? []);
  return (
    <Notice
      tone="warn"
      title={SIGNED_OUT.providerProblem}
      actions={isSignedIn && <LinkButton href="/">{SIGNED_OUT.goOn}</LinkButton>}
    >
      {known[0] ?? PROVIDER_PROBLEM}
    </Notice>
  );
}
