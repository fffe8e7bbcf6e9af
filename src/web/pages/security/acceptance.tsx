// Acceptance of a security: whether its holder accepted it, the receipt, a signed copy on paper, and asking again.
import { useState } from "preact/hooks";
import { answer, type Schemas, write } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { today } from "../../clock.ts";
import { titleOf, useDocuments } from "../../frame/document-names.ts";
import { PaperButton } from "../../frame/export-menu.tsx";
import type { Security } from "../../frame/lists/security-columns.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Day, Instant } from "../../parts/figure.tsx";
import { Badge } from "../../parts/notice.tsx";
import { Card, Facts } from "../../parts/page-head.tsx";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { COMMON } from "../../text/common.ts";
import { REGISTER } from "../../text/register-words.ts";
import { SECURITIES } from "../../text/securities.ts";
import { SpecForm } from "../records/spec-form.tsx";

type Accepted = Schemas["Acceptance"];

const RECEIPT = "/api/v1/acceptances/{id}/receipt.pdf";
const TONES = { NOT_ASKED: "plain", PENDING: "warn", ACCEPTED: "good" } as const;

/** Whether there is anything to show of it, or to do. */
export function mayBeAccepted({ acceptanceStatus, status }: Security, isEditor: boolean): boolean {
  return acceptanceStatus !== "NOT_ASKED" || (isEditor && status === "ACTIVE");
}

/** The card; nothing where nothing was asked, for who cannot ask. */
export function Acceptance({ security }: { readonly security: Security }) {
  const { api, key, may } = useOrganization();
  const [isOnPaper, setOnPaper] = useState(false);
  const { id, status, acceptanceStatus, acceptanceAskedAt } = security;
  const isShown = mayBeAccepted(security, may("EDITOR"));
  const query = useQuery(isShown ? key("acceptances", id) : null, async (signal) => {
    const asked = api.GET("/api/v1/securities/{id}/acceptances", { params: { path: { id } }, signal });
    return (await answer(asked)).items;
  });
  if (!isShown) return null;
  const all = query.data ?? [];
  const holds = acceptanceStatus === "ACCEPTED" ? all[0] : undefined;
  const mayAct = may("EDITOR") && status === "ACTIVE" && acceptanceStatus !== "ACCEPTED";
  return (
    <Card
      title={SECURITIES.acceptance}
      actions={<Badge tone={TONES[acceptanceStatus]}>{REGISTER.acceptanceStatuses[acceptanceStatus]}</Badge>}
    >
      {holds && <Facts facts={factsOf(holds)} />}
      {acceptanceStatus === "PENDING" && (
        <Facts facts={[[SECURITIES.askedAt, <Instant key="asked" value={acceptanceAskedAt} />]]} />
      )}
      {acceptanceStatus !== "ACCEPTED" && all.length > 0 && <p class="note">{SECURITIES.acceptanceEnded}</p>}
      <div class="row spaced">
        {holds && <PaperButton file={{ path: RECEIPT, id: holds.id }} label={SECURITIES.receipt} />}
        {mayAct && <Ask security={security} />}
        {mayAct && <Button onClick={() => setOnPaper(true)}>{SECURITIES.onPaper}</Button>}
      </div>
      {isOnPaper && <OnPaper securityId={id} from={security.grantDate} onClose={() => setOnPaper(false)} />}
    </Card>
  );
}

function factsOf({ kind, name, email, acceptedAt, comments, documentId }: Accepted) {
  const when =
    kind === "PORTAL" ? <Instant key="at" value={acceptedAt} /> : <Day key="at" value={acceptedAt.slice(0, 10)} />;
  return [
    [SECURITIES.acceptedAt, when] as const,
    [SECURITIES.acceptedHow, SECURITIES.acceptanceKinds[kind]] as const,
    ...(name ? [[SECURITIES.acceptedBy, email ? `${name} (${email})` : name] as const] : []),
    ...(documentId ? [[SECURITIES.signedCopy, <DocumentName key="copy" id={documentId} />] as const] : []),
    ...(comments ? [[SECURITIES.acceptanceNote, comments] as const] : []),
  ];
}

function DocumentName({ id }: { readonly id: string }) {
  const found = useDocuments().data?.items.find((each) => each.id === id);
  return <>{found ? (titleOf(found) ?? REGISTER.none) : REGISTER.pending}</>;
}

/** Asks for the first time, or once more. */
function Ask({ security: { id, acceptanceStatus } }: { readonly security: Security }) {
  const { api } = useOrganization();
  const isAsked = acceptanceStatus === "PENDING";
  const params = { path: { id } };
  const { button, trouble } = useAction(async () => {
    if (isAsked) await write(api.POST("/api/v1/securities/{id}/ask-acceptance", { params }));
    else await write(api.PATCH("/api/v1/securities/{id}", { params, body: { asksAcceptance: true } }));
    toast(isAsked ? SECURITIES.askedAgain : SECURITIES.askedFor);
  });
  return (
    <>
      {trouble}
      <Button {...button}>{isAsked ? SECURITIES.askAgain : SECURITIES.askFor}</Button>
    </>
  );
}

function OnPaper({
  securityId,
  from,
  onClose,
}: {
  readonly securityId: string;
  readonly from: string;
  readonly onClose: () => void;
}) {
  const { api } = useOrganization();
  const about = (useDocuments().data?.items ?? []).filter(
    ({ size, relatedObjects }) => size !== null && relatedObjects.some(({ objectId }) => objectId === securityId),
  );
  const documents = about.map((each) => ({ value: each.id, label: titleOf(each) ?? each.id }));
  return (
    <Dialog title={SECURITIES.onPaper} onClose={onClose}>
      <p>{SECURITIES.onPaperWords}</p>
      <SpecForm
        key={documents.length}
        fields={[
          { name: "acceptedOn", kind: "day", given: () => (today() < from ? from : today()) },
          {
            name: "documentId",
            kind: "choice",
            isOptional: true,
            choices: documents.map(({ value }) => value),
            isShown: () => documents.length > 0,
          },
          { name: "comments", kind: "long", isOptional: true },
        ]}
        words={{
          acceptedOn: { label: SECURITIES.signedOn },
          documentId: {
            label: SECURITIES.signedDocument,
            hint: SECURITIES.signedDocumentHint,
            choices: Object.fromEntries(documents.map(({ value, label }) => [value, label])),
          },
          comments: { label: SECURITIES.acceptanceNote },
        }}
        submit={SECURITIES.onPaper}
        label={SECURITIES.onPaper}
        beside={<Button onClick={onClose}>{COMMON.cancel}</Button>}
        send={(body, key) => {
          const params = { path: { id: securityId }, header: { "Idempotency-Key": key } };
          return write(api.POST("/api/v1/securities/{id}/acceptances", { params, body }));
        }}
        done={() => {
          toast(SECURITIES.paperRecorded);
          onClose();
        }}
      />
    </Dialog>
  );
}
