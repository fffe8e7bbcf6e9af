// `/setup`: the first account, made with the key of `admin.key`.
import { useLocation } from "wouter-preact";
import { answer, personApi } from "../../api/client.ts";
import { session, takeSession } from "../../api/session.ts";
import { useStore } from "../../api/store.ts";
import { Bare } from "../../parts/bare-page.tsx";
import { LinkButton } from "../../parts/button.tsx";
import { TextField } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { isLongEnough, NewPassword } from "../../parts/forms/new-password.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { Notice } from "../../parts/notice.tsx";
import { COMMON, FIELD_FAULTS } from "../../text/common.ts";
import { PASSWORD_RULES, SET_UP, SIGN_IN } from "../../text/sign-in.ts";

/** What is wrong with an e-mail address, as far as a page can tell. */
export function emailFault(email: string): string | undefined {
  if (email === "") return COMMON.required;
  return /^\S+@\S+$/.test(email) ? undefined : FIELD_FAULTS.email;
}

/** What is wrong with a new password, as far as a page can tell. */
export function passwordFault(password: string): string | undefined {
  if (password === "") return COMMON.required;
  return isLongEnough(password) ? undefined : `${PASSWORD_RULES.label} ${PASSWORD_RULES.length}.`;
}

/** The page. */
export function Page() {
  const current = useStore(session);
  return <Bare title={SET_UP.title}>{current?.state === "SETUP" ? <SetUp /> : <Done />}</Bare>;
}

function Done() {
  return <Notice actions={<LinkButton href="/sign-in">{SET_UP.toSignIn}</LinkButton>}>{SET_UP.isDone}</Notice>;
}

function SetUp() {
  const [, navigate] = useLocation();
  const form = useForm({
    initial: { key: "", name: "", email: "", password: "" },
    check: ({ key, name, email, password }) => ({
      key: key.trim() ? undefined : COMMON.required,
      name: name.trim() ? undefined : COMMON.required,
      email: emailFault(email.trim()),
      password: passwordFault(password),
    }),
    send: ({ key, name, email, password }) =>
      answer(
        personApi.POST("/api/v1/auth/setup", {
          body: { key: key.trim(), name: name.trim(), email: email.trim(), password },
        }),
      ),
    done({ data }) {
      takeSession(data);
      navigate("/", { replace: true });
    },
    fieldOf: ({ slug, detail }) => (slug === "sign-in-failed" ? { name: "key", words: detail } : undefined),
  });
  if (session.value?.canSignIn === false) return <Notice tone="warn">{SIGN_IN.needsTls}</Notice>;
  return (
    <>
      <p>{SET_UP.intro}</p>
      <Form form={form} submit={SET_UP.submit} label={SET_UP.title}>
        <TextField label={SET_UP.key} {...form.field("key")} hint={SET_UP.keyHint} autoComplete="off" />
        <TextField label={SIGN_IN.name} {...form.field("name")} autoComplete="name" />
        <TextField label={SIGN_IN.email} {...form.field("email")} type="email" autoComplete="username" />
        <NewPassword form={form} />
      </Form>
    </>
  );
}
