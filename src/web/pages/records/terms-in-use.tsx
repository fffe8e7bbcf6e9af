// Which grants follow terms: whoever changes the terms sees whom it concerns.
import { answer } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { useOrganization } from "../../frame/organization.ts";
import { Quantity } from "../../parts/figures.tsx";
import { Card } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { SECURITY_WORDS } from "../../text/actions/fields.ts";
import { TERMS } from "../../text/records.ts";

const SHOWN = 20;

interface Following {
  readonly id: string;
  readonly name: string;
  readonly vested: string;
  readonly quantity: string;
}

const COLUMNS: readonly Column<Following>[] = [
  { id: "grant", label: TERMS.grant, cell: ({ name }) => name },
  { id: "vested", label: TERMS.vestedNow, isFigure: true, cell: ({ vested }) => <Quantity value={vested} /> },
  { id: "whole", label: TERMS.total, isFigure: true, cell: ({ quantity }) => <Quantity value={quantity} /> },
];

/** The grants; nothing where none follows. */
export function TermsInUse({ id }: { readonly id: string }) {
  const { api, key } = useOrganization();
  const following = useQuery(key("following", id), async (signal) => {
    const query = { vestingTermsId: id, status: "ACTIVE", limit: SHOWN } as const;
    const { items, nextCursor } = await answer(api.GET("/api/v1/securities", { params: { query }, signal }));
    const rows = await Promise.all(
      items.map(async (security): Promise<Following> => {
        const params = { path: { id: security.id } };
        const { vested, quantity } = await answer(api.GET("/api/v1/securities/{id}/vesting", { params, signal }));
        return { id: security.id, name: security.certificateId ?? SECURITY_WORDS.noNumber, vested, quantity };
      }),
    );
    return { rows, isMore: nextCursor !== null };
  });
  const { data } = following;
  if (data === undefined || data.rows.length === 0) return null;
  return (
    <Card title={TERMS.inUse(data.rows.length, data.isMore)}>
      <p class="note">{TERMS.inUseNote}</p>
      <Table
        label={TERMS.inUse(data.rows.length, data.isMore)}
        columns={COLUMNS}
        rows={data.rows}
        keyOf={(row) => row.id}
      />
    </Card>
  );
}
