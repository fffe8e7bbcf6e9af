// Name, e-mail and password.
import { answer, personApi } from "../../api/client.ts";
import { type Session, session, takeSession } from "../../api/session.ts";
import { Button } from "../../parts/button.tsx";
import { NEW_PASSWORD } from "../../parts/forms/new-password.tsx";
import { PlainForm } from "../../parts/forms/plain-form.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { ACCOUNT } from "../../text/account.ts";

/** An account as its owner sees it. */
export type Account = NonNullable<Session["account"]>;

/** Name and e-mail; another e-mail needs a confirmation, which the client asks for. */
export function Profile({ account }: { readonly account: Account }) {
  const withdraw = useAction(async () => {
    const { data } = await answer(personApi.PATCH("/api/v1/auth/account", { body: { email: account.email } }));
    takeSession(data);
  });
  return (
    <Card title={ACCOUNT.profile}>
      {account.pendingEmail !== null && (
        <Notice actions={<Button {...withdraw.button}>{ACCOUNT.withdrawEmail}</Button>}>
          {session.value?.sendsMail === true && <p>{ACCOUNT.proofSent}</p>}
          {ACCOUNT.pendingEmail(account.pendingEmail)}
          {withdraw.trouble}
        </Notice>
      )}
      <PlainForm
        fields={[
          { name: "name", kind: "text", autoComplete: "name", given: () => account.name },
          { name: "email", kind: "text", isEmail: true, autoComplete: "email", given: () => account.email },
        ]}
        words={{ name: { label: ACCOUNT.name }, email: { label: ACCOUNT.email } }}
        submit={ACCOUNT.saveProfile}
        kind="plain"
        label={ACCOUNT.profile}
        send={({ name, email }) => {
          const other = email === account.email ? {} : { email };
          return answer(personApi.PATCH("/api/v1/auth/account", { body: { name, ...other } }));
        }}
        done={({ data }, put) => {
          takeSession(data);
          put({ email: data.account?.email ?? account.email });
          toast(ACCOUNT.profileSaved);
        }}
      />
    </Card>
  );
}

/** Another password. */
export function Password({ account }: { readonly account: Account }) {
  return (
    <Card title={ACCOUNT.password}>
      <p class="note">{account.hasPassword ? ACCOUNT.passwordWords : ACCOUNT.hasNoPassword}</p>
      <PlainForm
        fields={[NEW_PASSWORD]}
        words={{ password: { label: ACCOUNT.newPassword } }}
        submit={ACCOUNT.savePassword}
        kind="plain"
        label={ACCOUNT.password}
        send={(body) => answer(personApi.POST("/api/v1/auth/password", { body }))}
        done={({ data }, put) => {
          takeSession(data);
          put({ password: "" });
          toast(ACCOUNT.passwordSaved);
        }}
      />
    </Card>
  );
}
