// `/reset#…`: sets a password anew by a link.
import { useState } from "preact/hooks";
import { answer, personApi } from "../../api/client.ts";
import { ApiProblem } from "../../api/problem.ts";
import { readSession } from "../../api/session.ts";
import { nowMs } from "../../clock.ts";
import { type LinkTold, linkToken, useLink } from "../../frame/link.ts";
import { Bare } from "../../parts/bare-page.tsx";
import { LinkButton } from "../../parts/button.tsx";
import { Instant } from "../../parts/figure.tsx";
import { TextField } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { NewPassword } from "../../parts/forms/new-password.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { Notice } from "../../parts/notice.tsx";
import { DeadLink, Loaded } from "../../parts/states.tsx";
import { COMMON } from "../../text/common.ts";
import { RESET, SET_UP, SIGN_IN } from "../../text/sign-in.ts";
import { passwordFault } from "../set-up/page.tsx";

/** The page. */
export function Page() {
  const query = useLink();
  const [isDone, setDone] = useState(false);
  const hasToken = linkToken() !== "";
  const isDead = query.error instanceof ApiProblem;
  if (isDone) {
    return (
      <Bare title={RESET.title}>
        <Notice tone="good" actions={<LinkButton href="/sign-in">{SET_UP.toSignIn}</LinkButton>}>
          {RESET.done}
        </Notice>
      </Bare>
    );
  }
  return (
    <Bare title={RESET.title}>
      {!hasToken && <Notice tone="warn">{RESET.noLink}</Notice>}
      {isDead && <DeadLink title={RESET.dead} error={query.error} />}
      {hasToken && !isDead && (
        <Loaded query={query} what={RESET.checking}>
          {(link) =>
            link.validFrom !== null && Date.parse(link.validFrom) > nowMs() ? (
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

function SetPassword({ link, onDone }: { readonly link: LinkTold; readonly onDone: () => void }) {
  const form = useForm({
    initial: { password: "", code: "" },
    check: ({ password, code }) => ({
      password: passwordFault(password),
      code: link.needsCode && !code ? COMMON.required : undefined,
    }),
    async send({ password, code }) {
      const body = { token: linkToken(), password, ...(code ? { code } : {}) };
      await answer(personApi.POST("/api/v1/auth/reset", { body }));
      await readSession();
    },
    done: onDone,
    fieldOf: ({ slug, detail }) => (slug === "sign-in-failed" ? { name: "code", words: detail } : undefined),
  });
  return (
    <>
      <p>{RESET.for(link.email)}</p>
      <Form form={form} submit={RESET.submit} label={RESET.title}>
        <NewPassword form={form} label={SIGN_IN.newPassword} />
        {link.needsCode && (
          <TextField
            label={SIGN_IN.code}
            {...form.field("code")}
            hint={SIGN_IN.codeHint}
            autoComplete="one-time-code"
          />
        )}
      </Form>
    </>
  );
}
