// `/o/{orgId}/models`: what can be modelled, and the scenarios that are kept.
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { write } from "../../api/client.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button, LinkButton } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Instant } from "../../parts/figure.tsx";
import { Card, PageHead } from "../../parts/page-head.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { MODELS } from "../../text/models/models.ts";
import { type Scenario, useScenarios } from "./keep.tsx";

const PLACES = { ROUND: "/models/round", WATERFALL: "/models/exit", CAP_TABLE: null } as const;
const COMPARED = { least: 2, most: 5 } as const;

/** The page. */
export function Page() {
  const { name, path } = useOrganization();
  return (
    <>
      <PageHead title={MODELS.title} of={name}>
        <LinkButton kind="primary" href={path("/models/round")}>
          {MODELS.round}
        </LinkButton>
        <LinkButton href={path("/models/exit")}>{MODELS.exit}</LinkButton>
        <LinkButton href={path("/models/compliance")}>{MODELS.compliance}</LinkButton>
      </PageHead>
      <p class="about">{MODELS.about}</p>
      <Scenarios />
    </>
  );
}

function Scenarios() {
  const { api, may, path } = useOrganization();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const query = useScenarios();
  const items = query.data?.items ?? [];
  const there = items.filter(({ id }) => chosen.includes(id));
  const isOne = new Set(there.map(({ model }) => model)).size === 1;
  const canCompare = isOne && there.length >= COMPARED.least && there.length <= COMPARED.most;
  const remove = (id: string) => write(api.DELETE("/api/v1/scenarios/{id}", { params: { path: { id } } }));
  const columns: readonly Column<Scenario>[] = [
    { id: "name", label: MODELS.name, cell: (each) => <Name scenario={each} /> },
    { id: "model", label: MODELS.model, cell: ({ model }) => MODELS.models[model] },
    { id: "description", label: MODELS.description, isWide: true, cell: ({ description }) => description },
    { id: "changed", label: MODELS.changed, isWide: true, cell: ({ updatedAt }) => <Instant value={updatedAt} /> },
    {
      id: "compare",
      label: MODELS.compare,
      cell: ({ id, name }) => (
        <input
          type="checkbox"
          aria-label={MODELS.choose(name)}
          checked={chosen.includes(id)}
          onChange={() => setChosen(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id])}
        />
      ),
    },
    ...(may("EDITOR")
      ? [
          {
            id: "remove",
            label: "",
            name: MODELS.remove,
            cell: ({ id, name }: Scenario) => (
              <ConfirmButton
                kind="quiet"
                label={MODELS.remove}
                sure={MODELS.removeOf(name)}
                words={MODELS.removeWords(name)}
                act={async () => {
                  await remove(id);
                  toast(MODELS.removed(name));
                }}
              />
            ),
          },
        ]
      : []),
  ];
  const compare = canCompare ? (
    <LinkButton href={path(`/models/compare?ids=${there.map(({ id }) => id).join(",")}`)}>{MODELS.compare}</LinkButton>
  ) : (
    <Button aria-disabled>{MODELS.compare}</Button>
  );
  return (
    <Card title={MODELS.scenarios} note={MODELS.compareHint} actions={items.length >= COMPARED.least && compare}>
      <Loaded query={query} what={MODELS.scenarios}>
        {({ items: rows }) =>
          rows.length === 0 ? (
            <Empty words={may("EDITOR") ? MODELS.none : MODELS.noneForViewers} />
          ) : (
            <Table label={MODELS.scenarios} columns={columns} rows={rows} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </Card>
  );
}

function Name({ scenario: { id, name, model } }: { readonly scenario: Scenario }) {
  const { path } = useOrganization();
  const place = PLACES[model];
  if (place === null) return <span>{name}</span>;
  return <Link href={`${path(place)}?scenario=${id}`}>{name}</Link>;
}
