// Signing in: e-mail and password, then a code in the same form where a second factor is due; other ways where offered.
import { useState } from "preact/hooks";
import { answer, personApi } from "../api/client.ts";
import { type Session, session } from "../api/session.ts";
import { useStore } from "../api/store.ts";
import { Button } from "../parts/button.tsx";
import { PlainForm } from "../parts/forms/plain-form.tsx";
import { Notice } from "../parts/notice.tsx";
import { useAction } from "../parts/use-action.tsx";
import { SIGN_IN } from "../text/sign-in/sign-in.ts";
import { canUsePasskeys, signInByPasskey } from "./passkey.ts";

/** The form. `email` is given where it is known who signs in again. */
export function SignInForm({
  email,
  onSignedIn,
}: {
  readonly email: string;
  readonly onSignedIn: (session: Session) => void;
}) {
  const offered = useStore(session);
  /** By what the sign-in is completed; null until the password was right and is not enough. */
  const [ways, setWays] = useState<readonly string[] | null>(null);
  const needsCode = ways?.some((way) => way !== "PASSKEY") === true;
  const passkey = useAction(async () => onSignedIn((await signInByPasskey()).data));
  if (offered && !offered.canSignIn) return <Notice tone="warn">{SIGN_IN.needsTls}</Notice>;
  return (
    <PlainForm
      fields={[
        { name: "email", kind: "text", isEmail: true, autoComplete: "username", given: () => email },
        { name: "password", kind: "password" },
        { name: "code", kind: "code", isShown: () => needsCode, isBelow: true },
      ]}
      words={{
        email: { label: SIGN_IN.email },
        password: { label: SIGN_IN.password },
        code: { label: SIGN_IN.code, ...(ways?.includes("TOTP") ? { hint: SIGN_IN.codeHint } : {}) },
      }}
      submit={SIGN_IN.submit}
      label={SIGN_IN.title}
      send={(body) => answer(personApi.POST("/api/v1/auth/sign-in", { body }))}
      done={({ data }) => onSignedIn(data)}
      refused={({ slug, ways: told }) => {
        if (slug === "second-factor-required") {
          setWays(told);
          // The field has the focus, and no fault: it was not asked for before.
          return { name: "code", words: "" };
        }
        return slug === "sign-in-failed" ? { name: "password", words: SIGN_IN.wrong } : undefined;
      }}
    >
      {ways !== null && <Notice tone="good">{wordsOf(ways)}</Notice>}
      {ways?.includes("PASSKEY") && canUsePasskeys() && (
        <div class="other-ways">
          <Button kind="primary" {...passkey.button}>
            {SIGN_IN.passkey}
          </Button>
          {passkey.trouble}
        </div>
      )}
    </PlainForm>
  );
}

/** What is asked for besides the password. */
function wordsOf(ways: readonly string[]): string {
  if (ways.includes("TOTP")) return SIGN_IN.codeNeeded;
  const hasCodes = ways.includes("RECOVERY_CODE");
  if (ways.includes("PASSKEY")) return hasCodes ? SIGN_IN.passkeyNeeded : SIGN_IN.passkeyAlone;
  return hasCodes ? SIGN_IN.recoveryNeeded : SIGN_IN.factorLost;
}
