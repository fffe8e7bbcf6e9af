// `/setup`: the first account, made with the key of `admin.key`.
import { useLocation } from "wouter-preact";
import { answer, personApi } from "../../api/client.ts";
import { session, takeSession } from "../../api/session.ts";
import { useStore } from "../../api/store.ts";
import { Bare } from "../../parts/bare-page.tsx";
import { LinkButton } from "../../parts/button.tsx";
import { NEW_PASSWORD } from "../../parts/forms/new-password.tsx";
import { PlainForm } from "../../parts/forms/plain-form.tsx";
import { Notice } from "../../parts/notice.tsx";
import { SET_UP, SIGNED_OUT } from "../../text/sign-in/joining.ts";
import { SIGN_IN } from "../../text/sign-in/sign-in.ts";

/** The page. */
export function Page() {
  const current = useStore(session);
  return <Bare title={SET_UP.title}>{current?.state === "SETUP" ? <SetUp /> : <Done />}</Bare>;
}

function Done() {
  return <Notice actions={<LinkButton href="/sign-in">{SET_UP.toSignIn}</LinkButton>}>{SET_UP.isDone}</Notice>;
}

const FIELDS = [
  { name: "key", kind: "text" },
  { name: "name", kind: "text", autoComplete: "name" },
  { name: "email", kind: "text", isEmail: true, autoComplete: "username" },
  NEW_PASSWORD,
] as const;
const WORDS = {
  key: { label: SET_UP.key, hint: SET_UP.keyHint },
  name: { label: SIGNED_OUT.name },
  email: { label: SIGN_IN.email },
  password: { label: SIGN_IN.password },
};

function SetUp() {
  const [, navigate] = useLocation();
  if (session.value?.canSignIn === false) return <Notice tone="warn">{SIGN_IN.needsTls}</Notice>;
  return (
    <>
      <p>{SET_UP.intro}</p>
      <PlainForm
        fields={FIELDS}
        words={WORDS}
        submit={SET_UP.submit}
        label={SET_UP.title}
        send={(body) => answer(personApi.POST("/api/v1/auth/setup", { body }))}
        refused={({ slug }) => (slug === "sign-in-failed" ? { name: "key" } : undefined)}
        done={({ data }) => {
          takeSession(data);
          navigate("/", { replace: true });
        }}
      />
    </>
  );
}
