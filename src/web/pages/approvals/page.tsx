// `/o/{org}/approvals`: list of approvals with state and decided steps.
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { answer, type Schemas } from "../../api/client.ts";
import { REGISTERS } from "../../api/registers.ts";
import { DeclaredList, declaredColumns, useDeclared } from "../../frame/lists/declared-list.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { Day } from "../../parts/figure.tsx";
import { Badge, type Tone } from "../../parts/notice.tsx";
import { PageHead } from "../../parts/page-head.tsx";
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
  return declaredColumns<"approvals", Approval>("approvals", {
    title: {
      width: "minmax(0, 2fr)",
      sortBy: ({ title }) => title,
      cell: ({ id, title }) => <Link href={path(`/approvals/${id}`)}>{title}</Link>,
    },
    kind: {
      isWide: true,
      sortBy: ({ entityType }) => APPROVAL_KINDS[entityType],
      cell: ({ entityType }) => APPROVAL_KINDS[entityType],
    },
    state: {
      width: "7rem",
      sortBy: ({ state }) => APPROVALS.states[state],
      cell: ({ state }) => <StateBadge state={state} />,
    },
    steps: { isWide: true, width: "7rem", cell: ({ steps }) => stepsWords(steps) },
    due: {
      isWide: true,
      width: "8rem",
      isDay: true,
      sortBy: ({ dueDate }) => dueDate,
      cell: ({ dueDate }) => <Day value={dueDate} />,
    },
  });
}

function stepsWords(steps: Approval["steps"]): string {
  if (steps.length === 0) return APPROVALS.noSteps;
  return APPROVALS.decided(steps.filter(({ status }) => status !== "PENDING").length, steps.length);
}

const FILTERS = {
  q: {
    asked: null,
    matches: ({ title }: Approval, typed: string) => title.toLocaleLowerCase().includes(typed.toLocaleLowerCase()),
  },
  state: { choices: choicesOf(APPROVALS.states), asked: "status" },
  kind: {
    choices: choicesOf(APPROVAL_KINDS),
    asked: "entityType",
    matches: ({ entityType }: Approval, kind: string) => entityType === kind,
  },
};

/** The page. */
export function Page() {
  const { api, name, may, path } = useOrganization();
  const [isAdding, setAdding] = useState(false);
  const { register, ...list } = useDeclared<"approvals", Approval>("approvals", {
    async read(query, page, signal) {
      const params = { query: { ...page, ...query } };
      const { data, nextCursor } = await answer(api.GET("/api/v1/approvals", { params, signal }));
      return { items: data, nextCursor };
    },
    filters: FILTERS,
  });
  const add = may("EDITOR") && (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {APPROVALS.add}
    </Button>
  );
  return (
    <>
      <PageHead title={REGISTERS.approvals.title} of={name}>
        {add}
      </PageHead>
      <DeclaredList
        of="approvals"
        {...{ register, rows: register.rows, ...list }}
        columns={columnsOf(path)}
        keyOf={({ id }) => id}
        first={add}
      />
      {isAdding && <NewApproval onClose={() => setAdding(false)} />}
    </>
  );
}
