// The vesting terms of an organization, each with its editor.
import { Link } from "wouter-preact";
import { answer, type Schemas } from "../../api/client.ts";
import { useWholeList } from "../../api/list-pages.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { RecordLink } from "../../frame/record-links.tsx";
import { Card } from "../../parts/page-head.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { TERMS } from "../../text/records.ts";

/** The card. */
export function TermsCard() {
  const { api, key } = useOrganization();
  const terms = useWholeList(key("vesting-terms", "all"), (query, signal) =>
    answer(api.GET("/api/v1/vesting-terms", { params: { query }, signal })),
  );
  return (
    <Card title={TERMS.title} actions={<RecordLink record="vesting-terms" />}>
      <Loaded query={terms} what={TERMS.noun}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty words={TERMS.none} />
          ) : (
            <Table label={TERMS.title} columns={COLUMNS} rows={items} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </Card>
  );
}

type Terms = Schemas["VestingTerms"];

const COLUMNS: readonly Column<Terms>[] = [
  { id: "name", label: TERMS.name, cell: (terms) => <Name terms={terms} /> },
  { id: "description", label: TERMS.description, cell: ({ description }) => description },
];

function Name({ terms: { id, name } }: { readonly terms: Terms }) {
  const { may, path } = useOrganization();
  if (!may("EDITOR")) return <>{name}</>;
  return (
    <Link href={path(`/edit/vesting-terms/${id}?${new URLSearchParams({ return: path("/classes-and-plans") })}`)}>
      {name}
    </Link>
  );
}
