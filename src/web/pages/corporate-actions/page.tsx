// `/o/{org}/corporate-actions`: splits, rounds and the like, as records with their papers.
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { answer } from "../../api/client.ts";
import { useFilters } from "../../frame/lists/filters.ts";
import { RegisterList } from "../../frame/lists/register-list.tsx";
import { useRegister } from "../../frame/lists/register-lists.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { Day } from "../../parts/figure.tsx";
import { Badge, type Tone } from "../../parts/notice.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { FilterChoice, FilterText } from "../../parts/tables/filter-bar.tsx";
import type { Column } from "../../parts/tables/table.tsx";
import { CORPORATE_ACTIONS } from "../../text/corporate-actions.ts";
import { choicesOf } from "../../text/register-words.ts";
import { type CorporateAction, CorporateActionForm } from "./corporate-action-form.tsx";

const TONES: Readonly<Record<CorporateAction["status"], Tone | "plain">> = {
  Draft: "plain",
  "In Review": "info",
  Approved: "good",
  Finalized: "good",
};

/** The state of a corporate action. */
export function ActionBadge({ status }: Pick<CorporateAction, "status">) {
  return <Badge tone={TONES[status]}>{CORPORATE_ACTIONS.statuses[status]}</Badge>;
}

function columnsOf(path: (below: string) => string): readonly Column<CorporateAction>[] {
  return [
    {
      id: "title",
      label: CORPORATE_ACTIONS.name,
      width: "minmax(0, 2fr)",
      sortBy: ({ title }) => title,
      cell: ({ id, title }) => <Link href={path(`/corporate-actions/${id}`)}>{title}</Link>,
    },
    {
      id: "type",
      label: CORPORATE_ACTIONS.type,
      isWide: true,
      sortBy: ({ type }) => CORPORATE_ACTIONS.types[type],
      cell: ({ type }) => CORPORATE_ACTIONS.types[type],
    },
    {
      id: "status",
      label: CORPORATE_ACTIONS.status,
      width: "7rem",
      sortBy: ({ status }) => CORPORATE_ACTIONS.statuses[status],
      cell: ({ status }) => <ActionBadge status={status} />,
    },
    {
      id: "date",
      label: CORPORATE_ACTIONS.date,
      isWide: true,
      width: "8rem",
      isDay: true,
      sortBy: ({ effectiveDate }) => effectiveDate,
      cell: ({ effectiveDate }) => <Day value={effectiveDate} />,
    },
  ];
}

/** The page. */
export function Page() {
  const { api, name, may, path } = useOrganization();
  const [isAdding, setAdding] = useState(false);
  const filters = useFilters(["q", "type", "status"]);
  const { q, type, status } = filters.values;
  const register = useRegister<CorporateAction>({
    name: "corporate-actions",
    asked: { type, status },
    async read(query, page, signal) {
      const params = { query: { ...page, ...query } };
      const { data, nextCursor } = await answer(api.GET("/api/v1/corporate-actions", { params, signal }));
      return { items: data, nextCursor };
    },
    matches: (each) =>
      (type === "" || each.type === type) &&
      (status === "" || each.status === status) &&
      `${each.title}\n${each.summary ?? ""}`.toLocaleLowerCase().includes(q.toLocaleLowerCase()),
    memo: [q, type, status],
  });
  const add = may("EDITOR") && (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {CORPORATE_ACTIONS.add}
    </Button>
  );
  return (
    <>
      <PageHead title={CORPORATE_ACTIONS.title} of={name}>
        {add}
      </PageHead>
      <p class="note lead">{CORPORATE_ACTIONS.recordOnly}</p>
      <RegisterList
        label={CORPORATE_ACTIONS.title}
        file="corporate-actions"
        what={CORPORATE_ACTIONS.loading}
        {...{ register, rows: register.rows, filters }}
        columns={columnsOf(path)}
        keyOf={({ id }) => id}
        initial={{ id: "date", isDescending: true }}
        none={CORPORATE_ACTIONS.none}
        first={add}
        fields={
          <>
            <FilterText label={CORPORATE_ACTIONS.search} {...filters.field("q")} />
            <FilterChoice
              label={CORPORATE_ACTIONS.type}
              {...filters.field("type")}
              choices={choicesOf(CORPORATE_ACTIONS.types)}
            />
            <FilterChoice
              label={CORPORATE_ACTIONS.status}
              {...filters.field("status")}
              choices={choicesOf(CORPORATE_ACTIONS.statuses)}
            />
          </>
        }
      />
      {isAdding && <CorporateActionForm onClose={() => setAdding(false)} />}
    </>
  );
}
