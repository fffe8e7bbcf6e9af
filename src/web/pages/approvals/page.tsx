// `/o/{org}/approvals`: list of approvals with state and decided steps.
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { answer, type Schemas } from "../../api/client.ts";
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
import { APPROVAL_KINDS, APPROVALS } from "../../text/approvals.ts";
import { choicesOf } from "../../text/register-words.ts";
import { NewApproval } from "./approval-form.tsx";

/** An approval as the API shows it. */
export type Approval = Schemas["Approval"];

const TONES: Readonly<Record<Approval["state"], Tone | "plain">> = {
  Draft: "plain",
  Submitted: "info",
  Approved: "good",
  Rejected: "bad",
  Locked: "good",
};

/** The state of an approval. */
export function StateBadge({ state }: { readonly state: Approval["state"] }) {
  return <Badge tone={TONES[state]}>{APPROVALS.states[state]}</Badge>;
}

function columnsOf(path: (below: string) => string): readonly Column<Approval>[] {
  return [
    {
      id: "title",
      label: APPROVALS.name,
      width: "minmax(0, 2fr)",
      sortBy: ({ title }) => title,
      cell: ({ id, title }) => <Link href={path(`/approvals/${id}`)}>{title}</Link>,
    },
    {
      id: "kind",
      label: APPROVALS.kind,
      isWide: true,
      sortBy: ({ entityType }) => APPROVAL_KINDS[entityType],
      cell: ({ entityType }) => APPROVAL_KINDS[entityType],
    },
    {
      id: "state",
      label: APPROVALS.state,
      width: "7rem",
      sortBy: ({ state }) => APPROVALS.states[state],
      cell: ({ state }) => <StateBadge state={state} />,
    },
    { id: "steps", label: APPROVALS.steps, isWide: true, width: "7rem", cell: ({ steps }) => stepsWords(steps) },
    {
      id: "due",
      label: APPROVALS.due,
      isWide: true,
      width: "8rem",
      isDay: true,
      sortBy: ({ dueDate }) => dueDate,
      cell: ({ dueDate }) => <Day value={dueDate} />,
    },
  ];
}

function stepsWords(steps: Approval["steps"]): string {
  if (steps.length === 0) return APPROVALS.noSteps;
  return APPROVALS.decided(steps.filter(({ status }) => status !== "PENDING").length, steps.length);
}

/** The page. */
export function Page() {
  const { api, name, may, path } = useOrganization();
  const [isAdding, setAdding] = useState(false);
  const filters = useFilters(["q", "state", "kind"]);
  const { q, state, kind } = filters.values;
  const register = useRegister<Approval>({
    name: "approvals",
    asked: { status: state, entityType: kind },
    async read(query, page, signal) {
      const params = { query: { ...page, ...query } };
      const { data, nextCursor } = await answer(api.GET("/api/v1/approvals", { params, signal }));
      return { items: data, nextCursor };
    },
    matches: (each) =>
      (state === "" || each.state === state) &&
      (kind === "" || each.entityType === kind) &&
      each.title.toLocaleLowerCase().includes(q.toLocaleLowerCase()),
    memo: [q, state, kind],
  });
  const add = may("EDITOR") && (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {APPROVALS.add}
    </Button>
  );
  return (
    <>
      <PageHead title={APPROVALS.title} of={name}>
        {add}
      </PageHead>
      <RegisterList
        label={APPROVALS.title}
        file="approvals"
        what={APPROVALS.loading}
        {...{ register, rows: register.rows, filters }}
        columns={columnsOf(path)}
        keyOf={({ id }) => id}
        none={APPROVALS.none}
        first={add}
        fields={
          <>
            <FilterText label={APPROVALS.search} {...filters.field("q")} />
            <FilterChoice label={APPROVALS.state} {...filters.field("state")} choices={choicesOf(APPROVALS.states)} />
            <FilterChoice label={APPROVALS.kind} {...filters.field("kind")} choices={choicesOf(APPROVAL_KINDS)} />
          </>
        }
      />
      {isAdding && <NewApproval onClose={() => setAdding(false)} />}
    </>
  );
}
