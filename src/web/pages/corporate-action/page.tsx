// `/o/{org}/corporate-actions/{id}`: one corporate action, its papers, and the guided actions that do what it tells of.
import { useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { answer } from "../../api/client.ts";
import { useChangedOnceGone, useQuery } from "../../api/query.ts";
import { titleOf, useDocuments } from "../../frame/document-names.ts";
import { isPage } from "../../frame/navigation.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button, LinkButton } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Day, None } from "../../parts/figure.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Card, Facts, PageHead } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { ACTION_GROUPS } from "../../text/actions.ts";
import { CORPORATE_ACTIONS } from "../../text/corporate-actions.ts";
import { FRAME } from "../../text/frame.ts";
import { type CorporateAction, EditCorporateAction } from "../corporate-actions/corporate-action-form.tsx";
import { ActionBadge } from "../corporate-actions/page.tsx";

/** The guided actions that do what each kind tells of. */
const OPERATIONS: Readonly<Record<CorporateAction["type"], readonly string[]>> = {
  "Stock Split": ["split"],
  "Reverse Split": ["split"],
  "Option Pool Change": ["adjust-reserve"],
  "Financing Round": ["adjust-authorized", "issue-shares", "issue-convertible"],
  "Instrument Conversion": ["convert"],
  Termination: ["terminate-service", "cancel", "repurchase"],
};
const LABELS = new Map(ACTION_GROUPS.flatMap(({ actions }) => actions.map((each) => [each.operation, each.label])));

/** The page. */
export function Page({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const { api, key, name, path } = useOrganization();
  const id = params.id ?? "";
  const query = useQuery(key("corporate-action", id), async (signal) => {
    const found = await answer(api.GET("/api/v1/corporate-actions/{id}", { params: { path: { id } }, signal }));
    return found.data;
  });
  const action = query.data;
  return (
    <>
      <PageHead
        title={action?.title ?? CORPORATE_ACTIONS.title}
        of={name}
        meta={action && <ActionBadge status={action.status} />}
      >
        <LinkButton href={path("/corporate-actions")}>{CORPORATE_ACTIONS.toList}</LinkButton>
      </PageHead>
      <Loaded
        query={query}
        what={CORPORATE_ACTIONS.loading}
        noun={CORPORATE_ACTIONS.noun}
        list={{ label: FRAME.corporateActions, href: path("/corporate-actions") }}
      >
        {(found) => <One action={found} />}
      </Loaded>
    </>
  );
}

function One({ action }: { readonly action: CorporateAction }) {
  const { may } = useOrganization();
  const { type, effectiveDate, summary, metadata } = action;
  return (
    <div class="stack">
      <RecordOnly type={type} />
      <div class="columns">
        <Card>
          <Facts
            facts={[
              [CORPORATE_ACTIONS.type, CORPORATE_ACTIONS.types[type]],
              [CORPORATE_ACTIONS.date, <Day key="day" value={effectiveDate} />],
              [CORPORATE_ACTIONS.board, <Day key="board" value={metadata?.boardApprovalDate} />],
              [CORPORATE_ACTIONS.holders, <Day key="holders" value={metadata?.stockholderApprovalDate} />],
              [CORPORATE_ACTIONS.summary, summary ?? <None key="summary" />],
              [CORPORATE_ACTIONS.notes, metadata?.notes ?? <None key="notes" />],
            ]}
          />
          {may("EDITOR") && <Changes action={action} />}
        </Card>
        <Card title={CORPORATE_ACTIONS.documents}>
          <Papers ids={metadata?.documentIds ?? []} />
        </Card>
      </div>
    </div>
  );
}

function RecordOnly({ type }: Pick<CorporateAction, "type">) {
  const { may, path } = useOrganization();
  const mayRecord = may("EDITOR") && isPage("/record/:operation");
  const links = OPERATIONS[type].map((operation) => (
    <LinkButton key={operation} href={path(`/record/${operation}`)}>
      {LABELS.get(operation)}
    </LinkButton>
  ));
  return (
    <Notice actions={mayRecord && links}>
      {CORPORATE_ACTIONS.recordOnly} {mayRecord && CORPORATE_ACTIONS.goRecord}
    </Notice>
  );
}

function Papers({ ids }: { readonly ids: readonly string[] }) {
  const query = useDocuments();
  if (ids.length === 0) return <p class="note">{CORPORATE_ACTIONS.noDocuments}</p>;
  return (
    <Loaded query={query} what={CORPORATE_ACTIONS.documents} lines={2}>
      {({ items }) => (
        <ul class="plain-list">
          {ids.map((id) => {
            const found = items.find((each) => each.id === id);
            return <li key={id}>{found ? (titleOf(found) ?? CORPORATE_ACTIONS.untitled) : CORPORATE_ACTIONS.gone}</li>;
          })}
        </ul>
      )}
    </Loaded>
  );
}

function Changes({ action }: { readonly action: CorporateAction }) {
  const { api, path } = useOrganization();
  const [, navigate] = useLocation();
  const [isEditing, setEditing] = useState(false);
  const deleted = useChangedOnceGone();
  const remove = async () => {
    await answer(api.DELETE("/api/v1/corporate-actions/{id}", { params: { path: { id: action.id } } }));
    deleted();
    toast(CORPORATE_ACTIONS.removed);
    navigate(path("/corporate-actions"));
  };
  return (
    <div class="row spaced">
      <Button onClick={() => setEditing(true)}>{CORPORATE_ACTIONS.edit}</Button>
      <ConfirmButton kind="quiet" label={CORPORATE_ACTIONS.remove} words={CORPORATE_ACTIONS.removeWords} act={remove} />
      {isEditing && <EditCorporateAction id={action.id} onClose={() => setEditing(false)} />}
    </div>
  );
}
