// Convertibles: a list of their own, because they count nothing until they are converted.
import { Link } from "wouter-preact";
import { holderName, NO_HOLDER } from "../../../views/cap-table/layout/by-holder.ts";
import { answer, type Schemas } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { isPage } from "../../frame/navigation.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Money, None } from "../../parts/figure.tsx";
import { Card } from "../../parts/page-head.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { OVERVIEW } from "../../text/overview.ts";
import type { CapTable } from "./cap-table-figures.ts";

type Convertible = CapTable["convertibles"][number];

/** The card; nothing where there are none. */
export function Convertibles({ table }: { readonly table: CapTable }) {
  const { convertibles, stakeholders } = table;
  const names = new Map(stakeholders.map((holder) => [holder.id, holderName(holder.displayName)]));
  const columns: readonly Column<Convertible>[] = [
    {
      id: "holder",
      label: OVERVIEW.holder,
      cell: ({ stakeholderId }) => <HolderName id={stakeholderId} known={names.get(stakeholderId)} />,
    },
    { id: "certificate", label: OVERVIEW.certificate, cell: ({ securityId }) => <Certificate id={securityId} /> },
    {
      id: "principal",
      label: OVERVIEW.principal,
      isFigure: true,
      cell: ({ quantity }) => <Money value={quantity} />,
    },
  ];
  if (convertibles.length === 0) return null;
  return (
    <Card title={OVERVIEW.convertibleList} note={OVERVIEW.convertiblesNote}>
      <Table
        label={OVERVIEW.convertibleList}
        columns={columns}
        rows={convertibles}
        keyOf={({ securityId }) => securityId}
      />
    </Card>
  );
}

/** Who holds nothing else is not in the cap table, and is asked for. */
function HolderName({ id, known }: { readonly id: string | null; readonly known: string | undefined }) {
  const { api, key, path } = useOrganization();
  const isAsked = known === undefined && id !== null;
  const query = useQuery(isAsked ? key("stakeholder", id) : null, (signal) =>
    answer(api.GET("/api/v1/stakeholders/{id}", { params: { path: { id: id ?? "" } }, signal })),
  );
  const name = known ?? query.data?.displayName;
  if (id === null) return <>{NO_HOLDER}</>;
  if (!isPage("/stakeholders/:id")) return <>{name}</>;
  return <Link href={path(`/stakeholders/${id}`)}>{name}</Link>;
}

function Certificate({ id }: { readonly id: string }) {
  const { api, key, path } = useOrganization();
  const query = useQuery(key("security", id), (signal) =>
    answer<Schemas["Security"]>(api.GET("/api/v1/securities/{id}", { params: { path: { id } }, signal })),
  );
  const words = query.data?.certificateId ?? <None />;
  return isPage("/securities/:id") ? <Link href={path(`/securities/${id}`)}>{words}</Link> : words;
}
