// `/instance`: version, room, chain and backups, and changed e-mail addresses, for operators of the server.
import { answer, personApi } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { session } from "../../api/session.ts";
import type { paths } from "../../api/types.ts";
import { bytesText, countText } from "../../locale.ts";
import { Copy } from "../../parts/copy.tsx";
import { Count, Instant } from "../../parts/figure.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Card, Facts, PageHead } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { INSTANCE } from "../../text/account.ts";
import { AcceptEmail } from "./accept-email.tsx";

type Instance = paths["/api/v1/instance"]["get"]["responses"][200]["content"]["application/json"]["data"];

/** The page. */
export function Page() {
  if (session.value?.account?.isOperator !== true) {
    return (
      <>
        <PageHead title={INSTANCE.title} />
        <Notice tone="warn">{INSTANCE.onlyOperators}</Notice>
      </>
    );
  }
  return <OperatorsPage />;
}

function OperatorsPage() {
  const query = useQuery("instance", (signal) => answer(personApi.GET("/api/v1/instance", { signal })));
  return (
    <>
      <PageHead title={INSTANCE.title} />
      <Loaded query={query} what={INSTANCE.title}>
        {({ data }) => (
          <div class="columns">
            <Program instance={data} />
            <Storage instance={data} />
            <Chain chain={data.chain} />
            <Backups backups={data.backups} />
            <AcceptEmail />
          </div>
        )}
      </Loaded>
    </>
  );
}

function Program({ instance: { version, environment, organizations } }: { readonly instance: Instance }) {
  return (
    <Card title={INSTANCE.program}>
      <Facts
        facts={[
          [INSTANCE.version, version],
          [INSTANCE.environment, INSTANCE.environments[environment]],
          [INSTANCE.organizations, <Count key="count" value={organizations} />],
        ]}
      />
    </Card>
  );
}

function Storage({ instance: { dataDirectory, storage } }: { readonly instance: Instance }) {
  const own = new Map(session.value?.organizations?.map(({ id, legalName }) => [id, legalName]));
  return (
    <Card title={INSTANCE.storage}>
      <Facts
        facts={[
          [INSTANCE.used, bytesText(dataDirectory.bytesUsed)],
          [INSTANCE.free, bytesText(dataDirectory.bytesFree)],
          [INSTANCE.allowed, storage.bytesAllowed === null ? INSTANCE.noLimit : bytesText(storage.bytesAllowed)],
        ]}
      />
      <h3>{INSTANCE.stored}</h3>
      <Facts facts={storage.largest.map((each) => [own.get(each.id) ?? each.id, bytesText(each.bytesStored)])} />
    </Card>
  );
}

function Chain({ chain }: { readonly chain: Instance["chain"] }) {
  return (
    <Card title={INSTANCE.chain}>
      {chain === null ? (
        <p>{INSTANCE.chainOff}</p>
      ) : (
        <Facts
          facts={[
            [INSTANCE.where, chain.isEmbedded ? INSTANCE.embedded : INSTANCE.node],
            [INSTANCE.chainId, chain.id === null ? INSTANCE.notYet : String(chain.id)],
            [INSTANCE.differences, <Count key="count" value={chain.differences} />],
          ]}
        />
      )}
    </Card>
  );
}

function Backups({ backups }: { readonly backups: Instance["backups"] }) {
  const { isConfigured, everyHours, lastAt, lastBytes } = backups;
  const last = lastAt === null ? INSTANCE.never : <Instant value={lastAt} />;
  return (
    <Card title={INSTANCE.backups}>
      {!isConfigured && (
        <Notice tone="warn">
          <p>{INSTANCE.notConfigured}</p>
          <span class="coded">
            <code>{INSTANCE.command}</code>
            <Copy text={INSTANCE.command} />
          </span>
        </Notice>
      )}
      <Facts
        facts={[
          ...(everyHours === null
            ? []
            : [[INSTANCE.automatic, INSTANCE.every(INSTANCE.hours(countText(everyHours)))] as const]),
          [INSTANCE.last, last],
          ...(lastBytes === null ? [] : [[INSTANCE.size, bytesText(lastBytes)] as const]),
        ]}
      />
    </Card>
  );
}
