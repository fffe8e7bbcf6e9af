// The tokens of all share classes next to the ledger.
import { answer, type Schemas, write } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { useOrganization } from "../../frame/organization.ts";
import { useClasses } from "../../frame/register.ts";
import { Button } from "../../parts/button.tsx";
import { Address, Count, Instant, Quantity } from "../../parts/figures.tsx";
import { Badge, Notice, type Tone } from "../../parts/notice.tsx";
import { Card, Facts } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { CHAIN } from "../../text/settings.ts";

type ShareClass = Schemas["ShareClass"];
type Token = Schemas["TokenOfShareClass"];

const TONES: Readonly<Record<ShareClass["tokenizationStatus"], Tone | "plain">> = {
  NOT_STARTED: "plain",
  PENDING: "info",
  DEPLOYED: "good",
  FAILED: "bad",
};

/** The tab. */
export function Chain() {
  const query = useClasses();
  return (
    <>
      <p class="note lead">{CHAIN.tokensWords}</p>
      <Loaded query={query} what={CHAIN.tokens}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty words={CHAIN.none} />
          ) : (
            <div class="columns">
              {items.map((shareClass) => (
                <TokenCard key={shareClass.id} shareClass={shareClass} />
              ))}
            </div>
          )
        }
      </Loaded>
    </>
  );
}

function TokenCard({ shareClass }: { readonly shareClass: ShareClass }) {
  const { id, name, tokenizationStatus: status } = shareClass;
  const { api, key } = useOrganization();
  const query = useQuery(key("token", id), (signal) =>
    answer(api.GET("/api/v1/share-classes/{id}/token", { params: { path: { id } }, signal })),
  );
  return (
    <Card title={name} actions={<Badge tone={TONES[status]}>{CHAIN.statuses[status]}</Badge>}>
      <Loaded query={query} what={name}>
        {(token) => <TokenFacts token={token} shareClass={shareClass} />}
      </Loaded>
    </Card>
  );
}

function TokenFacts({ token, shareClass }: { readonly token: Token; readonly shareClass: ShareClass }) {
  const error = shareClass.tokenError ?? token.lastError;
  const differs = token.differences.length > 0;
  const hasFailed = shareClass.tokenizationStatus === "FAILED" || token.failedOperations > 0;
  return (
    <>
      {error && (
        <Notice tone="bad" title={CHAIN.error} actions={<Retry {...{ shareClass, hasFailed }} />}>
          <span class="breakable">{error}</span>
        </Notice>
      )}
      <Facts
        facts={[
          ...(token.isLocalDevelopmentChain ? [[CHAIN.chain, CHAIN.local] as const] : []),
          [CHAIN.address, <Address key="address" value={token.address} />],
          [CHAIN.ledger, <Quantity key="ledger" value={token.ledgerTotal} />],
          [CHAIN.supply, <Quantity key="supply" value={token.totalSupply} />],
          [CHAIN.waiting, <Quantity key="waiting" value={token.awaitingApproval} isZeroDimmed />],
          [CHAIN.pending, <Count key="pending" value={token.pendingOperations} />],
          [CHAIN.failed, <Count key="failed" value={token.failedOperations} />],
          [
            CHAIN.reconciled,
            token.lastReconciledAt ? <Instant key="compared" value={token.lastReconciledAt} /> : CHAIN.never,
          ],
          [
            CHAIN.differences,
            differs ? <Count key="differences" value={token.differences.length} /> : CHAIN.noDifference,
          ],
        ]}
      />
    </>
  );
}

function Retry({ shareClass, hasFailed }: { readonly shareClass: ShareClass; readonly hasFailed: boolean }) {
  const { api, may } = useOrganization();
  const retry = useAction(async () => {
    await write(api.POST("/api/v1/share-classes/{id}/retokenize", { params: { path: { id: shareClass.id } } }));
    toast(CHAIN.retried);
  });
  if (!may("EDITOR") || !hasFailed) return null;
  return (
    <>
      <Button {...retry.button}>{CHAIN.retry}</Button>
      {retry.trouble}
    </>
  );
}
