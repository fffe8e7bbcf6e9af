// Other ways to sign in: passkeys, and the provider, where they are offered.
import { useState } from "preact/hooks";
import { answer, personApi, write } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { changed } from "../../api/remembered.ts";
import { readSession, session, takeSession } from "../../api/session.ts";
import { useStore } from "../../api/store.ts";
import { canUsePasskeys } from "../../frame/passkey.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Instant } from "../../parts/figure.tsx";
import { PlainForm } from "../../parts/forms/plain-form.tsx";
import { Card, Facts } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { ACCOUNT } from "../../text/account.ts";
import { COMMON } from "../../text/common.ts";
import { addPasskey } from "./add-passkey.ts";
import { RecoveryCodes } from "./factors.tsx";

/** The cards; none where nothing of it is offered. */
export function OtherWays() {
  const current = useStore(session);
  const methods = current?.methods ?? [];
  return (
    <>
      {methods.includes("PASSKEY") && canUsePasskeys() && <Passkeys />}
      {methods.includes("OIDC") && <Identities providerName={current?.providerName ?? ""} />}
    </>
  );
}

function Passkeys() {
  const [isAdding, setAdding] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const query = useQuery("own passkeys", (signal) => answer(personApi.GET("/api/v1/auth/passkeys", { signal })));
  return (
    <Card title={ACCOUNT.passkeys}>
      <p class="note">{ACCOUNT.passkeysWords}</p>
      <Loaded query={query} what={ACCOUNT.passkeys}>
        {({ items }) =>
          items.map(({ id, name, createdAt, lastUsedAt }) => (
            <div class="part" key={id}>
              <h3>{name}</h3>
              <Facts
                facts={[
                  [ACCOUNT.added, <Instant key="added" value={createdAt} />],
                  [ACCOUNT.lastUsed, <Instant key="used" value={lastUsedAt} />],
                ]}
              />
              <RemovePasskey id={id} />
            </div>
          ))
        }
      </Loaded>
      <Button onClick={() => setAdding(true)}>{ACCOUNT.addPasskey}</Button>
      {isAdding && (
        <AddPasskey
          onClose={() => setAdding(false)}
          onDone={(made) => {
            setAdding(false);
            setCodes(made);
          }}
        />
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
    </Card>
  );
}

function AddPasskey({
  onClose,
  onDone,
}: {
  readonly onClose: () => void;
  readonly onDone: (codes: readonly string[] | null) => void;
}) {
  return (
    <Dialog title={ACCOUNT.addPasskey} onClose={onClose}>
      <PlainForm
        fields={[{ name: "name", kind: "text" }]}
        words={{ name: { label: ACCOUNT.passkeyName, hint: ACCOUNT.passkeyNameHint } }}
        submit={ACCOUNT.addPasskey}
        label={ACCOUNT.addPasskey}
        send={({ name }) => addPasskey(name)}
        done={({ data }) => {
          takeSession(data);
          changed();
          toast(ACCOUNT.passkeyAdded);
          onDone(data.recoveryCodes);
        }}
      />
    </Dialog>
  );
}

function RemovePasskey({ id }: { readonly id: string }) {
  const remove = async () => {
    await write(personApi.DELETE("/api/v1/auth/passkeys/{id}", { params: { path: { id } } }));
    await readSession();
    toast(ACCOUNT.passkeyRemoved);
  };
  return <ConfirmButton kind="quiet" label={COMMON.remove} words={ACCOUNT.removePasskeyWords} act={remove} />;
}

function Identities({ providerName }: { readonly providerName: string }) {
  const query = useQuery("own identities", (signal) => answer(personApi.GET("/api/v1/auth/identities", { signal })));
  return (
    <Card title={ACCOUNT.providers}>
      <Loaded query={query} what={ACCOUNT.providers}>
        {({ items }) =>
          items.length === 0 ? (
            <>
              <p class="note">{ACCOUNT.providerWords(providerName)}</p>
              <a class="button plain" href="/api/v1/auth/oidc?for=link">
                {ACCOUNT.linkProvider(providerName)}
              </a>
            </>
          ) : (
            items.map(({ id, subject, createdAt }) => (
              <div class="part" key={id}>
                <h3>{providerName}</h3>
                <Facts
                  facts={[
                    [ACCOUNT.identity, subject],
                    [ACCOUNT.added, <Instant key="added" value={createdAt} />],
                  ]}
                />
                <RemoveIdentity id={id} />
              </div>
            ))
          )
        }
      </Loaded>
    </Card>
  );
}

function RemoveIdentity({ id }: { readonly id: string }) {
  const remove = async () => {
    await write(personApi.DELETE("/api/v1/auth/identities/{id}", { params: { path: { id } } }));
    toast(ACCOUNT.identityRemoved);
  };
  return <ConfirmButton kind="quiet" label={COMMON.remove} words={ACCOUNT.removeIdentityWords} act={remove} />;
}
