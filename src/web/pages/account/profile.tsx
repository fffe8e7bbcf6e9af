// Name, e-mail and password.
import { answer, personApi } from "../../api/client.ts";
import { type Session, takeSession } from "../../api/session.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { NewPassword } from "../../parts/forms/new-password.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { Notice } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { ACCOUNT } from "../../text/account.ts";
import { COMMON } from "../../text/common.ts";
import { emailFault, passwordFault } from "../set-up/page.tsx";

/** An account as its owner sees it. */
export type Account = NonNullable<Session["account"]>;

/** Name and e-mail; another e-mail needs a confirmation, which the client asks for. */
export function Profile({ account }: { readonly account: Account }) {
  const form = useForm({
    initial: { name: account.name, email: account.email },
    check: ({ name, email }) => ({
      name: name.trim() ? undefined : COMMON.required,
      email: emailFault(email.trim()),
    }),
    send({ name, email }) {
      const other = email.trim() === account.email ? {} : { email: email.trim() };
      return answer(personApi.PATCH("/api/v1/auth/account", { body: { name: name.trim(), ...other } }));
    },
    done({ data }) {
      takeSession(data);
      form.set({ email: data.account?.email ?? account.email });
      toast(ACCOUNT.profileSaved);
    },
  });
  const withdraw = useAction(async () => {
    const { data } = await answer(personApi.PATCH("/api/v1/auth/account", { body: { email: account.email } }));
    takeSession(data);
  });
  return (
    <Card title={ACCOUNT.profile}>
      {account.pendingEmail !== null && (
        <Notice actions={<Button {...withdraw.button}>{ACCOUNT.withdrawEmail}</Button>}>
          {ACCOUNT.pendingEmail(account.pendingEmail)}
          {withdraw.trouble}
        </Notice>
      )}
      <Form form={form} submit={ACCOUNT.saveProfile} kind="plain" label={ACCOUNT.profile}>
        <TextField label={ACCOUNT.name} {...form.field("name")} autoComplete="name" />
        <TextField label={ACCOUNT.email} {...form.field("email")} type="email" autoComplete="email" />
      </Form>
    </Card>
  );
}

/** Another password. */
export function Password({ account }: { readonly account: Account }) {
  const form = useForm({
    initial: { password: "" },
    check: ({ password }) => ({ password: passwordFault(password) }),
    send: ({ password }) => answer(personApi.POST("/api/v1/auth/password", { body: { password } })),
    done({ data }) {
      takeSession(data);
      form.set({ password: "" });
      toast(ACCOUNT.passwordSaved);
    },
  });
  return (
    <Card title={ACCOUNT.password}>
      <p class="note">{account.hasPassword ? ACCOUNT.passwordWords : ACCOUNT.hasNoPassword}</p>
      <Form form={form} submit={ACCOUNT.savePassword} kind="plain" label={ACCOUNT.password}>
        <NewPassword form={form} label={ACCOUNT.newPassword} />
      </Form>
    </Card>
  );
}
