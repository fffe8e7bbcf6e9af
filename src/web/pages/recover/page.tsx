// `/recover`: asks for a link that sets a forgotten password; the answer is the same for every address.
import { useState } from "preact/hooks";
import { answer, personApi } from "../../api/client.ts";
import { Bare } from "../../parts/bare-page.tsx";
import { LinkButton } from "../../parts/button.tsx";
import { PlainForm } from "../../parts/forms/plain-form.tsx";
import { Notice } from "../../parts/notice.tsx";
import { RECOVER, SET_UP } from "../../text/sign-in/joining.ts";
import { SIGN_IN } from "../../text/sign-in/sign-in.ts";

/** The page. */
export function Page() {
  const [isAsked, setAsked] = useState(false);
  if (isAsked) {
    return (
      <Bare title={RECOVER.title}>
        <Notice tone="good" actions={<LinkButton href="/sign-in">{SET_UP.toSignIn}</LinkButton>}>
          {RECOVER.asked}
        </Notice>
      </Bare>
    );
  }
  return (
    <Bare title={RECOVER.title}>
      <p>{RECOVER.words}</p>
      <PlainForm
        fields={[{ name: "email", kind: "text", isEmail: true, autoComplete: "email" }]}
        words={{ email: { label: SIGN_IN.email } }}
        submit={RECOVER.submit}
        label={RECOVER.title}
        send={(body) => answer(personApi.POST("/api/v1/auth/recover", { body }))}
        done={() => setAsked(true)}
      />
    </Bare>
  );
}
