// Milestones that a security waits for: each can be marked as reached, with a note how that is known.
import { useState } from "preact/hooks";
import { answer, type Schemas, write } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Day, Instant, Quantity } from "../../parts/figure.tsx";
import { Badge } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { COMMON } from "../../text/common.ts";
import { REGISTER } from "../../text/register-words.ts";
import { SECURITIES } from "../../text/securities.ts";
import { SpecForm } from "../records/spec-form.tsx";

type Milestone = Schemas["VestingMilestone"];

/** The card; nothing where there are none. */
export function Milestones({ securityId }: { readonly securityId: string }) {
  const { api, key, may } = useOrganization();
  const [reached, setReached] = useState<Milestone | null>(null);
  const query = useQuery(key("milestones", securityId), async (signal) => {
    const params = { query: { securityId, limit: 100 } };
    return (await answer(api.GET("/api/v1/vesting-milestones", { params, signal }))).items;
  });
  const columns: readonly Column<Milestone>[] = [
    {
      id: "name",
      label: SECURITIES.milestone,
      cell: ({ name, description }) => <NameCell {...{ name, description }} />,
    },
    { id: "quantity", label: REGISTER.quantity, isFigure: true, cell: ({ quantity }) => <Quantity value={quantity} /> },
    { id: "target", label: SECURITIES.target, isWide: true, cell: ({ targetDate }) => <Day value={targetDate} /> },
    {
      id: "status",
      label: REGISTER.status,
      cell: (row) => {
        if (row.status === "COMPLETED") {
          return (
            <>
              <Badge tone="good">{SECURITIES.reached}</Badge> <Instant value={row.completedAt} />
              {row.evidenceNote && <p class="note">{row.evidenceNote}</p>}
            </>
          );
        }
        if (!may("EDITOR")) return <Badge tone="plain">{SECURITIES.pending}</Badge>;
        return <Button onClick={() => setReached(row)}>{SECURITIES.complete}</Button>;
      },
    },
  ];
  const rows = query.data ?? [];
  if (rows.length === 0) return null;
  return (
    <Card title={SECURITIES.milestones}>
      <Table label={SECURITIES.milestones} columns={columns} rows={rows} keyOf={({ id }) => id} />
      {reached && <Reached milestone={reached} onClose={() => setReached(null)} />}
    </Card>
  );
}

function NameCell({ name, description }: Pick<Milestone, "name" | "description">) {
  return (
    <>
      {name}
      {description && <p class="note">{description}</p>}
    </>
  );
}

function Reached({
  milestone: { id, name },
  onClose,
}: {
  readonly milestone: Milestone;
  readonly onClose: () => void;
}) {
  const { api } = useOrganization();
  return (
    <Dialog title={SECURITIES.completeTitle(name)} onClose={onClose}>
      <p>{SECURITIES.completeWords}</p>
      <SpecForm
        fields={[{ name: "evidenceNote", kind: "long", isOptional: true }]}
        words={{ evidenceNote: { label: SECURITIES.note } }}
        submit={SECURITIES.complete}
        label={SECURITIES.complete}
        beside={<Button onClick={onClose}>{COMMON.cancel}</Button>}
        send={(body, key) => {
          const params = { path: { id }, header: { "Idempotency-Key": key } };
          return write(api.POST("/api/v1/vesting-milestones/{id}/complete", { params, body }));
        }}
        done={() => {
          toast(SECURITIES.completed(name));
          onClose();
        }}
      />
    </Dialog>
  );
}
