// Grants that follow vesting terms, with their vested quantity before and after a change of the terms.
import { useEffect, useState } from "preact/hooks";
import { answer } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import type { components } from "../../api/types.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Quantity } from "../../parts/figure.tsx";
import { Card } from "../../parts/page-head.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { SECURITY_WORDS } from "../../text/actions/field-words.ts";
import { TERMS } from "../../text/records.ts";

type Answer = components["schemas"]["PreviewVestingTermsResult"];
type Following = Answer["securities"][number];

const AFTER_MS = 250;

const COLUMNS: readonly Column<Following>[] = [
  { id: "grant", label: TERMS.grant, cell: ({ certificateId }) => certificateId ?? SECURITY_WORDS.noNumber },
  {
    id: "vested",
    label: TERMS.vestedNow,
    isFigure: true,
    cell: ({ vestedBefore }) => <Quantity value={vestedBefore} />,
  },
  {
    id: "after",
    label: TERMS.vestedAfter,
    isFigure: true,
    cell: ({ vestedBefore, vestedAfter }) =>
      vestedAfter === vestedBefore ? (
        <Quantity value={vestedAfter} />
      ) : (
        <strong>
          <Quantity value={vestedAfter} />
        </strong>
      ),
  },
  { id: "whole", label: TERMS.total, isFigure: true, cell: ({ quantity }) => <Quantity value={quantity} /> },
];

/** The grants; nothing where none follows. `changes` is what a save would send, once that makes a schedule. */
export function TermsInUse({ id, changes }: { readonly id: string; readonly changes: object | null }) {
  const { api, key } = useOrganization();
  const wanted = JSON.stringify(changes ?? {});
  const [asked, setAsked] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), AFTER_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data } = useQuery(
    key("following", id, asked),
    async (signal) => {
      const body = JSON.parse(asked) as never;
      const told = await answer(
        api.POST("/api/v1/vesting-terms/{id}/preview", { params: { path: { id } }, body, signal }),
      );
      return told.data;
    },
    { keep: true },
  );
  if (data === undefined || data.count === 0) return null;
  const title = TERMS.inUse(data.count, data.isWhole);
  return (
    <Card title={title}>
      <p class="note">{TERMS.inUseNote(data.securities.length, data.count)}</p>
      <Table label={title} columns={COLUMNS} rows={data.securities} keyOf={({ securityId }) => securityId} />
    </Card>
  );
}
