// Managing a webhook endpoint: a test, its state, a new secret, the event that fails, and the newest requests.
import { useState } from "preact/hooks";
import { answer, type Schemas, write } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Instant, None } from "../../parts/figure.tsx";
import { Facts } from "../../parts/page-head.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { WEBHOOKS } from "../../text/settings.ts";
import { SecretOnce } from "./new-webhook.tsx";
import { type Endpoint, Fare, nameOf } from "./webhook-fare.tsx";

type Delivery = Schemas["WebhookDelivery"];

interface ManageProps {
  readonly endpoint: Endpoint;
  readonly onClose: () => void;
}

/** The dialog. */
export function ManageWebhook({ endpoint, onClose }: ManageProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  if (secret !== null) return <SecretOnce secret={secret} onClose={() => setSecret(null)} />;
  const { url, types, lastSuccessAt, nextAttemptAt } = endpoint;
  return (
    <Dialog title={WEBHOOKS.manageTitle(nameOf(endpoint))} onClose={onClose}>
      <Facts
        facts={[
          [WEBHOOKS.url, <span class="breakable">{url}</span>],
          [WEBHOOKS.types, types.join(", ")],
          [WEBHOOKS.status, <Fare endpoint={endpoint} />],
          [WEBHOOKS.lastSuccess, lastSuccessAt ? <Instant value={lastSuccessAt} /> : <None />],
          [WEBHOOKS.nextAttempt, nextAttemptAt ? <Instant value={nextAttemptAt} /> : <None />],
        ]}
      />
      <Actions endpoint={endpoint} onClose={onClose} onSecret={setSecret} onLeave={setLeaving} />
      {!isLeaving && <Deliveries endpoint={endpoint} />}
    </Dialog>
  );
}

interface ActionsProps extends ManageProps {
  readonly onSecret: (secret: string) => void;
  /** Before the endpoint goes: what is shown of it is not to be read again. */
  readonly onLeave: (isLeaving: boolean) => void;
}

function Actions({ endpoint, onClose, onSecret, onLeave }: ActionsProps) {
  const { api } = useOrganization();
  const { id, status, failingSince } = endpoint;
  const params = { path: { id } };
  const test = useAction(async () => {
    await write(api.POST("/api/v1/webhook-endpoints/{id}/test", { params }));
    toast(WEBHOOKS.tested);
  });
  const isEnabled = status === "ENABLED";
  const turn = useAction(async () => {
    const body = { status: isEnabled ? "DISABLED" : "ENABLED" } as const;
    await write(api.PATCH("/api/v1/webhook-endpoints/{id}", { params, body }));
    toast(isEnabled ? WEBHOOKS.disabled : WEBHOOKS.enabled);
  });
  const skip = async () => {
    await write(api.POST("/api/v1/webhook-endpoints/{id}/seek", { params, body: { skip: true } }));
    toast(WEBHOOKS.skipped);
  };
  const rotate = async () => {
    const rotated = await write(api.POST("/api/v1/webhook-endpoints/{id}/rotate-secret", { params, body: {} }));
    onSecret(rotated.secret);
  };
  const remove = async () => {
    onLeave(true);
    try {
      await write(api.DELETE("/api/v1/webhook-endpoints/{id}", { params }));
    } catch (thrown) {
      onLeave(false);
      throw thrown;
    }
    toast(WEBHOOKS.removed);
    onClose();
  };
  return (
    <>
      <div class="submit-bar">
        <Button {...test.button}>{WEBHOOKS.test}</Button>
        <Button {...turn.button}>{isEnabled ? WEBHOOKS.disable : WEBHOOKS.enable}</Button>
        {failingSince !== null && <ConfirmButton label={WEBHOOKS.skip} words={WEBHOOKS.skipWords} act={skip} />}
        <ConfirmButton label={WEBHOOKS.rotate} words={WEBHOOKS.rotateWords} act={rotate} />
        <ConfirmButton kind="danger" label={WEBHOOKS.remove} words={WEBHOOKS.removeWords} act={remove} />
      </div>
      {test.trouble}
      {turn.trouble}
    </>
  );
}

function Deliveries({ endpoint: { id } }: Pick<ManageProps, "endpoint">) {
  const { api, key } = useOrganization();
  const query = useQuery(key("webhook-deliveries", id), (signal) =>
    answer(api.GET("/api/v1/webhook-endpoints/{id}/deliveries", { params: { path: { id }, query: {} }, signal })),
  );
  const columns: readonly Column<Delivery>[] = [
    {
      id: "event",
      label: WEBHOOKS.event,
      cell: ({ eventType, kind }) => (
        <>
          {eventType}
          {kind !== "ORDERED" && <div class="note small">{WEBHOOKS.kinds[kind]}</div>}
        </>
      ),
    },
    {
      id: "outcome",
      label: WEBHOOKS.outcome,
      cell: ({ state, responseStatus, error }) => (
        <>
          {WEBHOOKS.outcomes[state]} {responseStatus}
          {error !== null && <div class="note small">{WEBHOOKS.errors[error]}</div>}
        </>
      ),
    },
    {
      id: "sent",
      label: WEBHOOKS.sentAt,
      isWide: true,
      cell: ({ startedAt }) => (startedAt ? <Instant value={startedAt} /> : <None />),
    },
    {
      id: "again",
      label: "",
      name: WEBHOOKS.again,
      isFigure: true,
      cell: (row) => <Again endpointId={id} row={row} />,
    },
  ];
  return (
    <>
      <h3>{WEBHOOKS.deliveries}</h3>
      <Loaded query={query} what={WEBHOOKS.deliveries}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty words={WEBHOOKS.noDeliveries} />
          ) : (
            <Table label={WEBHOOKS.deliveries} columns={columns} rows={items} keyOf={(row) => row.id} />
          )
        }
      </Loaded>
    </>
  );
}

function Again({ endpointId, row }: { readonly endpointId: string; readonly row: Delivery }) {
  const { api } = useOrganization();
  const again = useAction(async () => {
    const params = { path: { id: endpointId, deliveryId: row.id } };
    await write(api.POST("/api/v1/webhook-endpoints/{id}/deliveries/{deliveryId}/redeliver", { params }));
    toast(WEBHOOKS.sentAgain);
  });
  if (row.state === "PENDING") return null;
  return (
    <>
      <Button kind="quiet" {...again.button}>
        {WEBHOOKS.again}
      </Button>
      {again.trouble}
    </>
  );
}
