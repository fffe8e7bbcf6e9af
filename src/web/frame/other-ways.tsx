// Sign-in without a password: passkey or OIDC provider.
import type { Session } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { useAction } from "../parts/use-action.tsx";
import { SIGN_IN } from "../text/sign-in/sign-in.ts";
import { canUsePasskeys, signInByPasskey } from "./passkey.ts";

/** The other ways; nothing where none is offered. The provider's leads away from the page. */
export function OtherWays({
  methods,
  providerName,
  onSignedIn,
}: {
  readonly methods: Session["methods"];
  readonly providerName: string | null;
  readonly onSignedIn: (session: Session) => void;
}) {
  const passkey = useAction(async () => onSignedIn((await signInByPasskey()).data));
  const hasPasskeys = methods.includes("PASSKEY") && canUsePasskeys();
  const hasProvider = methods.includes("OIDC");
  if (!hasPasskeys && !hasProvider) return null;
  return (
    <fieldset class="other-ways">
      <legend class="visually-hidden">{SIGN_IN.otherWays}</legend>
      {hasPasskeys && <Button {...passkey.button}>{SIGN_IN.passkey}</Button>}
      {hasProvider && (
        <a class="button plain" href="/api/v1/auth/oidc?for=sign-in">
          {SIGN_IN.provider(providerName ?? "")}
        </a>
      )}
      {passkey.trouble}
    </fieldset>
  );
}
