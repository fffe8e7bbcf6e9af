// Token of a share class: contract address, status, supply, and retry after a failure.
import { answer, BACKGROUND, type Schemas, write } from "../api/client.ts";
import { useQuery } from "../api/query.ts";
import { Button } from "../parts/button.tsx";
import { Address, Count, Instant, Quantity } from "../parts/figure.tsx";
import { Badge, Notice } from "../parts/notice.tsx";
import { Card, Facts } from "../parts/page-head.tsx";
import { Loaded } from "../parts/states.tsx";
import { toast } from "../parts/toast.tsx";
import { useAction } from "../parts/use-action.tsx";
import { usePoll } from "../parts/use-poll.ts";
import { CLASSES } from "../text/classes.ts";
import { useOrganization } from "./page-organization.ts";

export type ShareClass = Schemas["ShareClass"];

const TONES = { NOT_STARTED: "plain", PENDING: "info", DEPLOYED: "good", FAILED: "bad" } as const;

/** How far the token is, in words. */
export function TokenState({ status }: { readonly status: ShareClass["tokenizationStatus"] }) {
  return <Badge tone={TONES[status]}>{CLASSES.tokenStates[status]}</Badge>;
}

/** The card. While the token is being made, it is asked for again and again. */
export function TokenCard({ shareClass, title }: { readonly shareClass: ShareClass; readonly title: string }) {
  const { api, key } = useOrganization();
  const { id, tokenizationStatus: status, tokenError } = shareClass;
  const query = useQuery(key("token", id), (signal) => {
    const asked = { params: { path: { id } }, signal, headers: BACKGROUND };
    return answer<Schemas["TokenOfShareClass"]>(api.GET("/api/v1/share-classes/{id}/token", asked));
  });
  usePoll(status === "PENDING" || (query.data?.pendingOperations ?? 0) > 0, query.reload);
  const hasFailed = status === "FAILED" || (query.data?.failedOperations ?? 0) > 0;
  const error = query.data?.lastError ?? tokenError;
  return (
    <Card title={title} actions={<TokenState status={status} />}>
      {(hasFailed || error) && (
        <Notice tone="bad" actions={hasFailed && <Retry id={id} />}>
          <span class="breakable">{error}</span>
        </Notice>
      )}
      <Loaded query={query} what={title}>
        {(token) => <TokenFacts token={token} />}
      </Loaded>
    </Card>
  );
}

function Retry({ id }: { readonly id: string }) {
  const { api, may } = useOrganization();
  const again = useAction(async () => {
    await write(api.POST("/api/v1/share-classes/{id}/retokenize", { params: { path: { id } } }));
    toast(CLASSES.retried);
  });
  if (!may("EDITOR")) return null;
  return (
    <>
      <Button {...again.button}>{CLASSES.retry}</Button>
      {again.trouble}
    </>
  );
}

function TokenFacts({ token }: { readonly token: Schemas["TokenOfShareClass"] }) {
  return (
    <>
      {token.differences.length > 0 && <Notice tone="bad">{CLASSES.differences(token.differences.length)}</Notice>}
      <Facts
        facts={[
          [CLASSES.address, <Address key="address" value={token.address} />],
          [CLASSES.chain, token.isLocalDevelopmentChain ? CLASSES.local : String(token.chainId ?? "")],
          [CLASSES.supply, <Quantity key="supply" value={token.totalSupply} />],
          [CLASSES.ledgerTotal, <Quantity key="ledger" value={token.ledgerTotal} />],
          [CLASSES.awaiting, <Quantity key="awaiting" value={token.awaitingApproval} isZeroDimmed />],
          [CLASSES.pending, <Count key="pending" value={token.pendingOperations} />],
          [CLASSES.failed, <Count key="failed" value={token.failedOperations} />],
          [CLASSES.reconciled, <Instant key="reconciled" value={token.lastReconciledAt} />],
        ]}
      />
    </>
  );
}
