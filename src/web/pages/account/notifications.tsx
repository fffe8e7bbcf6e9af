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

type Change = Parameters<typeof save>[0];

function save(body: {
  readonly organizations?: { organizationId: string; approvals?: boolean; acceptances?: boolean; dates?: boolean }[];
  readonly instance?: boolean;
}) {
  return answer(personApi.PATCH("/api/v1/auth/notifications", { body }));
}

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
              <div class="part" key={organizationId}>
                <h3>{nameOf(organizationId)}</h3>
                <SpecForm
                  fields={TOPICS}
                  words={NOTIFICATIONS.topics}
                  given={given}
                  submit={NOTIFICATIONS.save}
                  kind="plain"
                  label={nameOf(organizationId)}
                  send={(chosen) => save({ organizations: [{ organizationId, ...chosen }] } as Change)}
                  done={saved}
                />
              </div>
            ))}
            {instance !== null && (
              <div class="part">
                <h3>{NOTIFICATIONS.server}</h3>
                <SpecForm
                  fields={[{ name: "instance", kind: "check" }]}
                  words={NOTIFICATIONS.ofServer}
                  given={{ instance }}
                  submit={NOTIFICATIONS.save}
                  kind="plain"
                  label={NOTIFICATIONS.server}
                  send={(chosen) => save(chosen as Change)}
                  done={saved}
                />
              </div>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function saved(): void {
  changed();
  toast(NOTIFICATIONS.saved);
}
