// Webhook endpoints: made, with the secret shown once; each with how it fares, and a dialog to manage it.
import { useState } from "preact/hooks";
import { answer } from "../../api/client.ts";
import { useWholeList } from "../../api/list-pages.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { Count, Instant, None } from "../../parts/figure.tsx";
import { Card } from "../../parts/page-head.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table, useSorting } from "../../parts/tables/table.tsx";
import { WEBHOOKS } from "../../text/settings.ts";
import { NewWebhook } from "./new-webhook.tsx";
import { ManageWebhook } from "./webhook-details.tsx";
import { type Endpoint, Fare, nameOf } from "./webhook-fare.tsx";

function columns(manage: (endpoint: Endpoint) => void): readonly Column<Endpoint>[] {
  return [
    {
      id: "url",
      label: WEBHOOKS.url,
      sortBy: nameOf,
      cell: (row) => (
        <>
          {nameOf(row)}
          {row.description && <div class="note small breakable">{row.url}</div>}
          <span class="only-narrow">
            <Fare endpoint={row} />
          </span>
        </>
      ),
    },
    { id: "types", label: WEBHOOKS.types, isWide: true, cell: ({ types }) => types.join(", ") },
    { id: "state", label: WEBHOOKS.status, isWide: true, cell: (row) => <Fare endpoint={row} /> },
    {
      id: "pending",
      label: WEBHOOKS.pending,
      isFigure: true,
      sortBy: ({ pendingEvents }) => String(pendingEvents),
      cell: ({ pendingEvents }) => <Count value={pendingEvents} />,
    },
    {
      id: "success",
      label: WEBHOOKS.lastSuccess,
      isWide: true,
      sortBy: ({ lastSuccessAt }) => lastSuccessAt,
      cell: ({ lastSuccessAt }) => (lastSuccessAt ? <Instant value={lastSuccessAt} /> : <None />),
    },
    {
      id: "manage",
      label: "",
      name: WEBHOOKS.manage,
      isFigure: true,
      cell: (row) => (
        <Button kind="quiet" onClick={() => manage(row)}>
          {WEBHOOKS.manage}
        </Button>
      ),
    },
  ];
}

/** The tab. */
export function Webhooks() {
  const { api, key } = useOrganization();
  const [isAdding, setAdding] = useState(false);
  const [managedId, setManaged] = useState<string | null>(null);
  const query = useWholeList(key("webhook-endpoints"), (page, signal) =>
    answer(api.GET("/api/v1/webhook-endpoints", { params: { query: page }, signal })),
  );
  const shown = columns(({ id }) => setManaged(id));
  const { sorting, toggle } = useSorting(shown);
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {WEBHOOKS.add}
    </Button>
  );
  return (
    <Card title={WEBHOOKS.title} note={WEBHOOKS.words} actions={add}>
      <Loaded query={query} what={WEBHOOKS.title}>
        {({ items }) => {
          const table = { label: WEBHOOKS.title, columns: shown, rows: items, sorting, onSort: toggle };
          const managed = items.find(({ id }) => id === managedId);
          return (
            <>
              {items.length === 0 ? <Empty words={WEBHOOKS.none} /> : <Table {...table} keyOf={({ id }) => id} />}
              {managed && <ManageWebhook endpoint={managed} onClose={() => setManaged(null)} />}
            </>
          );
        }}
      </Loaded>
      {isAdding && <NewWebhook onClose={() => setAdding(false)} />}
    </Card>
  );
}
