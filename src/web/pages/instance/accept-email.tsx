// An operator accepts the e-mail address that a person asked for. No list names who asked: the operator hears both addresses
// from the person, and another wish than that is refused.
import { personApi, write } from "../../api/client.ts";
import { readSession } from "../../api/session.ts";
import { TextField } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { Card } from "../../parts/page-head.tsx";
import { toast } from "../../parts/toast.tsx";
import { INSTANCE } from "../../text/account.ts";
import { emailFault } from "../set-up/page.tsx";

/** The form; the client asks for a proof of who the operator is where the last one is old. */
export function AcceptEmail() {
  const form = useForm({
    initial: { email: "", pendingEmail: "" },
    check: ({ email, pendingEmail }) => ({
      email: emailFault(email.trim()),
      pendingEmail: emailFault(pendingEmail.trim()),
    }),
    send: ({ email, pendingEmail }) =>
      write(
        personApi.POST("/api/v1/instance/accept-email", {
          body: { email: email.trim(), pendingEmail: pendingEmail.trim() },
        }),
      ),
    done() {
      form.set({ email: "", pendingEmail: "" });
      toast(INSTANCE.emailAccepted);
      // It may be the operator's own.
      void readSession();
    },
  });
  return (
    <Card title={INSTANCE.changedEmail}>
      <p class="note">{INSTANCE.changedEmailWords}</p>
      <Form form={form} submit={INSTANCE.acceptEmail} kind="plain" label={INSTANCE.changedEmail}>
        <TextField label={INSTANCE.oldEmail} {...form.field("email")} type="email" autoComplete="off" />
        <TextField label={INSTANCE.newEmail} {...form.field("pendingEmail")} type="email" autoComplete="off" />
      </Form>
    </Card>
  );
}
