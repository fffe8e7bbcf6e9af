// `/o/{org}/approvals/{id}`: one approval, its steps, the securities that wait for it, and what its state allows.
import { useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { answer, type Schemas, write } from "../../api/client.ts";
import { useWholeList } from "../../api/list-pages.ts";
import { useChangedOnceGone } from "../../api/query.ts";
import { demanding, type Tagged } from "../../api/tagged.ts";
import { HolderLink, SecurityLink } from "../../frame/names.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button, LinkButton } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Day, Instant, None, Quantity } from "../../parts/figure.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Card, Facts, PageHead } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { APPROVAL_KINDS, APPROVALS } from "../../text/approvals.ts";
import { FRAME } from "../../text/frame.ts";
import { REGISTER } from "../../text/register-words.ts";
import { EditApproval } from "../approvals/approval-form.tsx";
import { StateBadge } from "../approvals/page.tsx";
import { Steps } from "../approvals/steps.tsx";
import { useTagged } from "../records/change-form.tsx";

type Approval = Schemas["Approval"];
type Security = Schemas["Security"];

/** The page. */
export function Page({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const { name, path } = useOrganization();
  const query = useTagged<Approval>(`/approvals/${params.id ?? ""}`);
  const approval = query.data?.record;
  return (
    <>
      <PageHead
        title={approval?.title ?? APPROVALS.title}
        of={name}
        meta={approval && <StateBadge state={approval.state} />}
      >
        <LinkButton href={path("/approvals")}>{APPROVALS.toList}</LinkButton>
      </PageHead>
      <Loaded
        query={query}
        what={APPROVALS.loading}
        noun={APPROVALS.noun}
        list={{ label: FRAME.approvals, href: path("/approvals") }}
      >
        {(found) => <One tagged={found} />}
      </Loaded>
    </>
  );
}

interface OneProps {
  /** The approval as it is looked at: what is decided is decided of that. */
  readonly tagged: Tagged<Approval>;
}

function One({ tagged }: OneProps) {
  const { api, key, may } = useOrganization();
  const { record: approval } = tagged;
  const { id, state, entityType, dueDate, notes, lockedAt, updatedAt } = approval;
  const securities = useWholeList<Security>(key("securities", "approval", id), (page, signal) =>
    answer(api.GET("/api/v1/securities", { params: { query: { ...page, approvalId: id } }, signal })),
  );
  return (
    <div class="stack">
      <Notice tone={state === "Rejected" ? "bad" : "info"}>{APPROVALS.stateWords[state]}</Notice>
      <div class="columns">
        <Card>
          <Facts
            facts={[
              [APPROVALS.kind, APPROVAL_KINDS[entityType]],
              [APPROVALS.due, <Day key="due" value={dueDate} />],
              [APPROVALS.changed, <Instant key="changed" value={updatedAt} />],
              ...(lockedAt ? [[APPROVALS.lockedAt, <Instant key="locked" value={lockedAt} />] as const] : []),
              [APPROVALS.notes, notes ?? <None key="notes" />],
            ]}
          />
          {may("EDITOR") && <Moves tagged={tagged} securities={securities.data?.items ?? []} />}
        </Card>
        <Card title={APPROVALS.naming}>
          <Loaded query={securities} what={APPROVALS.naming} lines={2}>
            {({ items }) => <Naming securities={items} />}
          </Loaded>
        </Card>
      </div>
      <Steps tagged={tagged} />
    </div>
  );
}

const COLUMNS: readonly Column<Security>[] = [
  {
    id: "certificate",
    label: REGISTER.certificate,
    cell: ({ id, certificateId, type }) => (
      <SecurityLink id={id} known={certificateId ?? REGISTER.securityTypes[type]} />
    ),
  },
  { id: "holder", label: REGISTER.holder, cell: ({ stakeholderId }) => <HolderLink id={stakeholderId} /> },
  { id: "quantity", label: REGISTER.quantity, isFigure: true, cell: ({ quantity }) => <Quantity value={quantity} /> },
];

function Naming({ securities }: { readonly securities: readonly Security[] }) {
  if (securities.length === 0) return <p class="note">{APPROVALS.namingNone}</p>;
  return <Table label={APPROVALS.naming} columns={COLUMNS} rows={securities} keyOf={({ id }) => id} />;
}

/** What the state allows. */
function Moves({
  tagged: { record, tag },
  securities,
}: OneProps & {
  readonly securities: readonly Security[];
}) {
  const { id, state } = record;
  const { api, path } = useOrganization();
  const [, navigate] = useLocation();
  const [isEditing, setEditing] = useState(false);
  const deleted = useChangedOnceGone();
  const params = { path: { id } };
  const submit = useAction(async () => {
    await write(api.POST("/api/v1/approvals/{id}/submit", { params, headers: demanding(tag) }));
    toast(APPROVALS.submitted);
  });
  const lock = async () => {
    await write(api.POST("/api/v1/approvals/{id}/lock", { params, headers: demanding(tag) }));
    toast(APPROVALS.locked);
  };
  const remove = async () => {
    await answer(api.DELETE("/api/v1/approvals/{id}", { params }));
    deleted();
    toast(APPROVALS.removed);
    navigate(path("/approvals"));
  };
  const certificates = securities.map(({ certificateId, type }) => certificateId ?? REGISTER.securityTypes[type]);
  const lockWords = certificates.length > 0 ? APPROVALS.lockWords : APPROVALS.lockWordsNone;
  return (
    <>
      {state === "Approved" && (
        <div class="spaced">
          <ConfirmButton
            kind="primary"
            label={APPROVALS.lock}
            words={`${lockWords} ${certificates.join(", ")}`}
            act={lock}
          />
        </div>
      )}
      {state === "Draft" && (
        <div class="spaced row">
          <Button kind="primary" {...submit.button}>
            {APPROVALS.submit}
          </Button>
          <Button onClick={() => setEditing(true)}>{APPROVALS.edit}</Button>
          <ConfirmButton kind="quiet" label={APPROVALS.remove} words={APPROVALS.removeWords} act={remove} />
        </div>
      )}
      {submit.trouble}
      {/* What is being typed stays, also where another person submits the draft meanwhile. */}
      {isEditing && <EditApproval id={id} onClose={() => setEditing(false)} />}
    </>
  );
}
