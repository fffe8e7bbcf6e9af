// Signing in: e-mail and password, then a code in the same form where a second factor is due; other ways where offered.
import { useRef, useState } from "preact/hooks";
import { answer, personApi } from "../api/client.ts";
import { type Session, session } from "../api/session.ts";
import { useStore } from "../api/store.ts";
import { PasswordField, TextField } from "../parts/forms/field.tsx";
import { Form } from "../parts/forms/form.tsx";
import { useForm } from "../parts/forms/use-form.ts";
import { Notice } from "../parts/notice.tsx";
import { COMMON } from "../text/common.ts";
import { SIGN_IN } from "../text/sign-in.ts";

/** The form. `email` is given where it is known who signs in again. */
export function SignInForm({
  email,
  onSignedIn,
}: {
  readonly email: string;
  readonly onSignedIn: (session: Session) => void;
}) {
  const offered = useStore(session);
  const [needsCode, setNeedsCode] = useState(false);
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
    fieldOf: ({ slug }) => {
      if (slug === "second-factor-required") {
        setNeedsCode(true);
        requestAnimationFrame(() => element.current?.querySelector<HTMLInputElement>("[name=code]")?.focus());
        return { name: "code", words: "" };
      }
      return slug === "sign-in-failed" ? { name: "password", words: SIGN_IN.wrong } : undefined;
    },
  });
  if (offered && !offered.canSignIn) return <Notice tone="warn">{SIGN_IN.needsTls}</Notice>;
  return (
    <div ref={element}>
      <Form form={form} submit={SIGN_IN.submit} label={SIGN_IN.title}>
        <TextField label={SIGN_IN.email} {...form.field("email")} type="email" autoComplete="username" />
        <PasswordField label={SIGN_IN.password} {...form.field("password")} autoComplete="current-password" />
        {needsCode && (
          <>
            <Notice tone="good">{SIGN_IN.codeNeeded}</Notice>
            <TextField
              label={SIGN_IN.code}
              {...form.field("code")}
              autoComplete="one-time-code"
              hint={SIGN_IN.codeHint}
            />
          </>
        )}
      </Form>
    </div>
  );
}
