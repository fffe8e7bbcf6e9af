// `/o/{org}/corporate-actions`: splits, rounds and the like, as records with their papers.
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { answer } from "../../api/client.ts";
import { REGISTERS } from "../../api/registers.ts";
import { DeclaredList, declaredColumns, useDeclared } from "../../frame/lists/declared-list.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { Day } from "../../parts/figure.tsx";
import { Badge, type Tone } from "../../parts/notice.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import type { Column } from "../../parts/tables/table.tsx";
import { CORPORATE_ACTIONS } from "../../text/corporate-actions.ts";
import { choicesOf } from "../../text/register-words.ts";
import { type CorporateAction, NewCorporateAction } from "./corporate-action-form.tsx";

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
  return declaredColumns<"corporate-actions", CorporateAction>("corporate-actions", {
    title: {
      width: "minmax(0, 2fr)",
      sortBy: ({ title }) => title,
      cell: ({ id, title }) => <Link href={path(`/corporate-actions/${id}`)}>{title}</Link>,
    },
    type: {
      isWide: true,
      sortBy: ({ type }) => CORPORATE_ACTIONS.types[type],
      cell: ({ type }) => CORPORATE_ACTIONS.types[type],
    },
    status: {
      width: "7rem",
      sortBy: ({ status }) => CORPORATE_ACTIONS.statuses[status],
      cell: ({ status }) => <ActionBadge status={status} />,
    },
    date: {
      isWide: true,
      width: "8rem",
      isDay: true,
      sortBy: ({ effectiveDate }) => effectiveDate,
      cell: ({ effectiveDate }) => <Day value={effectiveDate} />,
    },
  });
}

const FILTERS = {
  q: {
    asked: null,
    matches: ({ title, summary }: CorporateAction, typed: string) =>
      `${title}\n${summary ?? ""}`.toLocaleLowerCase().includes(typed.toLocaleLowerCase()),
  },
  type: { choices: choicesOf(CORPORATE_ACTIONS.types) },
  status: { choices: choicesOf(CORPORATE_ACTIONS.statuses) },
};

/** The page. */
export function Page() {
  const { api, name, may, path } = useOrganization();
  const [isAdding, setAdding] = useState(false);
  const { register, ...list } = useDeclared<"corporate-actions", CorporateAction>("corporate-actions", {
    async read(query, page, signal) {
      const params = { query: { ...page, ...query } };
      const { data, nextCursor } = await answer(api.GET("/api/v1/corporate-actions", { params, signal }));
      return { items: data, nextCursor };
    },
    filters: FILTERS,
  });
  const add = may("EDITOR") && (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {CORPORATE_ACTIONS.add}
    </Button>
  );
  return (
    <>
      <PageHead title={REGISTERS["corporate-actions"].title} of={name}>
        {add}
      </PageHead>
      <p class="note lead">{CORPORATE_ACTIONS.recordOnly}</p>
      <DeclaredList
        of="corporate-actions"
        {...{ register, rows: register.rows, ...list }}
        columns={columnsOf(path)}
        keyOf={({ id }) => id}
        initial={{ id: "date", isDescending: true }}
        first={add}
      />
      {isAdding && <NewCorporateAction onClose={() => setAdding(false)} />}
    </>
  );
}
