// A person's calendars: addresses that a calendar program reads dates to come from.
import { useState } from "preact/hooks";
import { answer, personApi, write } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { changed } from "../../api/remembered.ts";
import { type Membership, session } from "../../api/session.ts";
import { useStore } from "../../api/store.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Instant } from "../../parts/figure.tsx";
import { Card, Facts } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { ACCOUNT } from "../../text/account.ts";

/** The card; none for a person who is a member nowhere. */
export function Calendars() {
  const [url, setUrl] = useState<string | null>(null);
  const memberships = useStore(session)?.organizations ?? [];
  const query = useQuery("own calendars", (signal) => answer(personApi.GET("/api/v1/auth/calendars", { signal })));
  if (memberships.length === 0) return null;
  return (
    <Card title={ACCOUNT.calendars}>
      <p class="note">{ACCOUNT.calendarsWords}</p>
      <Loaded query={query} what={ACCOUNT.calendars}>
        {({ items }) =>
          items.map(({ id, organizationName, names, createdAt }) => (
            <div class="part" key={id}>
              <h3>{organizationName}</h3>
              <Facts
                facts={[
                  [ACCOUNT.calendarShows, names ? ACCOUNT.withNames : ACCOUNT.withoutNames],
                  [ACCOUNT.added, <Instant key="added" value={createdAt} />],
                ]}
              />
              <EndCalendar id={id} />
            </div>
          ))
        }
      </Loaded>
      {memberships.map((membership) => (
        <NewCalendar key={membership.id} membership={membership} onMade={setUrl} />
      ))}
      {url !== null && <AddressDialog url={url} onClose={() => setUrl(null)} />}
    </Card>
  );
}

interface NewCalendarProps {
  readonly membership: Membership;
  readonly onMade: (url: string) => void;
}

function NewCalendar({ membership: { id: organizationId, legalName }, onMade }: NewCalendarProps) {
  const make = async (names: boolean) => {
    const { data } = await answer(personApi.POST("/api/v1/auth/calendars", { body: { organizationId, names } }));
    changed();
    onMade(data.url);
  };
  const named = useAction(() => make(true));
  const plain = useAction(() => make(false));
  return (
    <>
      <div class="row">
        <Button {...named.button}>{ACCOUNT.addCalendar(legalName)}</Button>
        <Button kind="quiet" {...plain.button}>
          {ACCOUNT.addPlainCalendar}
        </Button>
      </div>
      {named.trouble ?? plain.trouble}
    </>
  );
}

/** The address, which is shown this once; the dialog is left by its button alone. */
function AddressDialog({ url, onClose }: { readonly url: string; readonly onClose: () => void }) {
  return (
    <Dialog title={ACCOUNT.calendarMade}>
      <p>{ACCOUNT.calendarMadeWords}</p>
      <code class="secret breakable">{url}</code>
      <div class="row">
        <Copy text={url} label={ACCOUNT.copyAddress} />
      </div>
      <div class="submit-bar">
        <Button kind="primary" onClick={onClose}>
          {ACCOUNT.copiedAddress}
        </Button>
      </div>
    </Dialog>
  );
}

function EndCalendar({ id }: { readonly id: string }) {
  const end = async () => {
    await write(personApi.DELETE("/api/v1/auth/calendars/{id}", { params: { path: { id } } }));
    toast(ACCOUNT.calendarEnded);
  };
  return <ConfirmButton kind="quiet" label={ACCOUNT.end} words={ACCOUNT.endCalendarWords} act={end} />;
}
