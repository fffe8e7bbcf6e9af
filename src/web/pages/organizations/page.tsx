// `/organizations`: what the person is a member of; operators make new ones.
import { useState } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { answer, personApi } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { readSession, session } from "../../api/session.ts";
import type { paths } from "../../api/types.ts";
import { homeOf } from "../../frame/navigation.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Count, Instant } from "../../parts/figure.tsx";
import { PlainForm } from "../../parts/forms/plain-form.tsx";
import { Card, PageHead } from "../../parts/page-head.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table, useSorting } from "../../parts/tables/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { ORGANIZATIONS } from "../../text/account.ts";
import { ROLE_NAMES } from "../../text/common.ts";

type Mine = paths["/api/v1/organizations"]["get"]["responses"][200]["content"]["application/json"]["items"][number];

const countOf = (count: number | null) => (count === null ? null : String(count));

const COLUMNS: readonly Column<Mine>[] = [
  {
    id: "name",
    label: ORGANIZATIONS.name,
    sortBy: ({ legalName }) => legalName,
    cell: (row) => <Link href={homeOf({ ...row, needsSecondFactor: false, operatorResets: 0 })}>{row.legalName}</Link>,
  },
  { id: "role", label: ORGANIZATIONS.role, sortBy: ({ role }) => role, cell: ({ role }) => ROLE_NAMES[role] },
  {
    id: "holders",
    label: ORGANIZATIONS.holders,
    isFigure: true,
    isWide: true,
    sortBy: ({ stakeholderCount }) => countOf(stakeholderCount),
    cell: ({ stakeholderCount }) => <Count value={stakeholderCount} />,
  },
  {
    id: "approvals",
    label: ORGANIZATIONS.approvals,
    isFigure: true,
    isWide: true,
    sortBy: ({ openApprovals }) => countOf(openApprovals),
    cell: ({ openApprovals }) => <Count value={openApprovals} />,
  },
  {
    id: "failed",
    label: ORGANIZATIONS.failed,
    isFigure: true,
    isWide: true,
    sortBy: ({ failedTokens }) => countOf(failedTokens),
    cell: ({ failedTokens }) => <Count value={failedTokens} />,
  },
  {
    id: "last",
    label: ORGANIZATIONS.lastEntry,
    isWide: true,
    sortBy: ({ lastEntryAt }) => lastEntryAt,
    cell: ({ lastEntryAt }) => <Instant value={lastEntryAt} />,
  },
];

/** The page. */
export function Page() {
  const [isAdding, setAdding] = useState(false);
  const query = useQuery("organizations", (signal) => answer(personApi.GET("/api/v1/organizations", { signal })));
  const { sorting, toggle } = useSorting(COLUMNS);
  const mayAdd = session.value?.account?.isOperator === true;
  return (
    <>
      <PageHead title={ORGANIZATIONS.title}>
        {mayAdd && (
          <Button kind="primary" onClick={() => setAdding(true)}>
            {ORGANIZATIONS.add}
          </Button>
        )}
      </PageHead>
      <Card>
        <Loaded query={query} what={ORGANIZATIONS.title}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty words={ORGANIZATIONS.none} />
            ) : (
              <Table
                label={ORGANIZATIONS.label}
                columns={COLUMNS}
                rows={items}
                keyOf={({ id }) => id}
                sorting={sorting}
                onSort={toggle}
              />
            )
          }
        </Loaded>
      </Card>
      {isAdding && <NewOrganization onClose={() => setAdding(false)} />}
    </>
  );
}

function NewOrganization({ onClose }: { readonly onClose: () => void }) {
  const [, navigate] = useLocation();
  return (
    <Dialog title={ORGANIZATIONS.add} onClose={onClose}>
      <PlainForm
        fields={[{ name: "legalName", kind: "text", autoComplete: "organization" }]}
        words={{ legalName: { label: ORGANIZATIONS.legalName } }}
        submit={ORGANIZATIONS.create}
        label={ORGANIZATIONS.add}
        send={async (body) => {
          const made = await answer(personApi.POST("/api/v1/organizations", { body }));
          await readSession();
          return made;
        }}
        done={({ id, legalName }) => {
          toast(ORGANIZATIONS.created(legalName));
          navigate(`/o/${id}`);
        }}
      />
    </Dialog>
  );
}
