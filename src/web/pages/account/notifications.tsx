// What a person is told by mail: a form for each organization, and for operators one for the server.
import { answer, personApi } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { changed } from "../../api/remembered.ts";
import { session } from "../../api/session.ts";
import { useStore } from "../../api/store.ts";
import { Card } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { NOTIFICATIONS } from "../../text/account.ts";
import { SpecForm } from "../records/spec-form.tsx";

const TOPICS = [
  { name: "approvals", kind: "check" },
  { name: "acceptances", kind: "check" },
  { name: "dates", kind: "check" },
] as const;

const SERVER = [{ name: "instance", kind: "check" }] as const;

/** The card; none where the server sends no mail. */
export function Notifications() {
  const current = useStore(session);
  const sendsMail = current?.sendsMail === true;
  const query = useQuery(sendsMail ? "notifications" : null, async (signal) => {
    return (await answer(personApi.GET("/api/v1/auth/notifications", { signal }))).data;
  });
  if (!sendsMail) return null;
  const nameOf = (id: string) => current?.organizations.find((each) => each.id === id)?.legalName ?? id;
  return (
    <Card title={NOTIFICATIONS.title} note={NOTIFICATIONS.words}>
      <Loaded query={query} what={NOTIFICATIONS.title}>
        {({ organizations, instance }) => (
          <>
            {organizations.map(({ organizationId, ...given }) => (
              <Choices
                key={organizationId}
                title={nameOf(organizationId)}
                fields={TOPICS}
                given={given}
                body={(chosen) => ({ organizations: [{ organizationId, ...chosen }] })}
              />
            ))}
            {instance !== null && (
              <Choices title={NOTIFICATIONS.server} fields={SERVER} given={{ instance }} body={(chosen) => chosen} />
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

interface ChoicesProps {
  readonly title: string;
  readonly fields: readonly { readonly name: string; readonly kind: "check" }[];
  readonly given: object;
  readonly body: (chosen: object) => object;
}

function Choices({ title, fields, given, body }: ChoicesProps) {
  return (
    <div class="part">
      <h3>{title}</h3>
      <SpecForm
        fields={fields}
        words={NOTIFICATIONS.topics}
        given={given}
        submit={NOTIFICATIONS.save}
        kind="plain"
        label={title}
        send={(chosen) => answer(personApi.PATCH("/api/v1/auth/notifications", { body: body(chosen) }))}
        done={() => {
          changed();
          toast(NOTIFICATIONS.saved);
        }}
      />
    </div>
  );
}
