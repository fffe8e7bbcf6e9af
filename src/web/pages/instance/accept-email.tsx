// An operator accepts the e-mail address that a person asked for. No list names who asked: the operator hears both addresses
// from the person, and another wish than that is refused.
import { personApi, write } from "../../api/client.ts";
import { readSession } from "../../api/session.ts";
import { PlainForm } from "../../parts/forms/plain-form.tsx";
import { Card } from "../../parts/page-head.tsx";
import { toast } from "../../parts/toast.tsx";
import { INSTANCE } from "../../text/account.ts";

const FIELDS = [
  { name: "email", kind: "text", isEmail: true },
  { name: "pendingEmail", kind: "text", isEmail: true },
] as const;
const WORDS = { email: { label: INSTANCE.oldEmail }, pendingEmail: { label: INSTANCE.newEmail } };

/** The form; the client asks for a proof of who the operator is where the last one is old. */
export function AcceptEmail() {
  return (
    <Card title={INSTANCE.changedEmail}>
      <p class="note">{INSTANCE.changedEmailWords}</p>
      <PlainForm
        fields={FIELDS}
        words={WORDS}
        submit={INSTANCE.acceptEmail}
        kind="plain"
        label={INSTANCE.changedEmail}
        send={(body) => write(personApi.POST("/api/v1/instance/accept-email", { body }))}
        done={(_, put) => {
          put({ email: "", pendingEmail: "" });
          toast(INSTANCE.emailAccepted);
          // It may be the operator's own.
          void readSession();
        }}
      />
    </Card>
  );
}
