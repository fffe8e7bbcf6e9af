// Signing in: e-mail and password, then a code in the same form where a second factor is due; other ways where offered.
import { useRef, useState } from "preact/hooks";
import { answer, personApi } from "../api/client.ts";
import { type Session, session } from "../api/session.ts";
import { useStore } from "../api/store.ts";
import { Button } from "../parts/button.tsx";
import { PasswordField, TextField } from "../parts/forms/field.tsx";
import { Form } from "../parts/forms/form.tsx";
import { useForm } from "../parts/forms/use-form.ts";
import { Notice } from "../parts/notice.tsx";
import { useAction } from "../parts/use-action.tsx";
import { COMMON } from "../text/common.ts";
import { SIGN_IN } from "../text/sign-in.ts";
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
  const element = useRef<HTMLDivElement>(null);
  const form = useForm({
    initial: { email, password: "", code: "" },
    check: (values): { email?: string; password?: string; code?: string } => ({
      ...(values.email ? {} : { email: COMMON.required }),
      ...(values.password ? {} : { password: COMMON.required }),
      ...(needsCode && !values.code ? { code: COMMON.required } : {}),
    }),
    send: ({ email: address, password, code }) =>
      answer(
        personApi.POST("/api/v1/auth/sign-in", {
          body: { email: address, password, ...(code ? { code: code.replace(/\s/g, "") } : {}) },
        }),
      ),
    done: ({ data }) => onSignedIn(data),
    fieldOf: ({ slug, ways: told }) => {
      if (slug === "second-factor-required") {
        setWays(told);
        requestAnimationFrame(() => element.current?.querySelector<HTMLInputElement>("[name=code]")?.focus());
        return { name: "code", words: "" };
      }
      return slug === "sign-in-failed" ? { name: "password", words: SIGN_IN.wrong } : undefined;
    },
  });
  const passkey = useAction(async () => onSignedIn((await signInByPasskey()).data));
  if (offered && !offered.canSignIn) return <Notice tone="warn">{SIGN_IN.needsTls}</Notice>;
  return (
    <div ref={element}>
      <Form form={form} submit={SIGN_IN.submit} label={SIGN_IN.title}>
        <TextField label={SIGN_IN.email} {...form.field("email")} type="email" autoComplete="username" />
        <PasswordField label={SIGN_IN.password} {...form.field("password")} autoComplete="current-password" />
        {ways !== null && <Notice tone="good">{wordsOf(ways)}</Notice>}
        {ways?.includes("PASSKEY") && canUsePasskeys() && (
          <div class="other-ways">
            <Button kind="primary" {...passkey.button}>
              {SIGN_IN.passkey}
            </Button>
            {passkey.trouble}
          </div>
        )}
        {needsCode && (
          <TextField
            label={SIGN_IN.code}
            {...form.field("code")}
            autoComplete="one-time-code"
            hint={ways?.includes("TOTP") ? SIGN_IN.codeHint : undefined}
          />
        )}
      </Form>
    </div>
  );
}

/** What is asked for besides the password. */
function wordsOf(ways: readonly string[]): string {
  if (ways.includes("TOTP")) return SIGN_IN.codeNeeded;
  const hasCodes = ways.includes("RECOVERY_CODE");
  if (ways.includes("PASSKEY")) return hasCodes ? SIGN_IN.passkeyNeeded : SIGN_IN.passkeyAlone;
  return hasCodes ? SIGN_IN.recoveryNeeded : SIGN_IN.factorLost;
}
