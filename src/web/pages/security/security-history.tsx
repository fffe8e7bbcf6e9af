// Where a security came from, what became of it, and what the ledger says of it.
import { answer } from "../../api/client.ts";
import { useWholeList } from "../../api/list-pages.ts";
import { useQuery } from "../../api/query.ts";
import { EntriesOf, readEntries } from "../../frame/lists/entry-list.tsx";
import type { Security } from "../../frame/lists/security-columns.tsx";
import { SecurityLink } from "../../frame/names.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { Card, Facts } from "../../parts/page-head.tsx";
import { SECURITIES } from "../../text/securities.ts";
import { successorsOf } from "./descent.ts";

/** More generations than this are not looked for. */
const GENERATIONS_MAX = 12;

/** The tab. */
export function SecurityHistory({ security }: { readonly security: Security }) {
  return (
    <div class="stack">
      <Descent security={security} />
      <Card>
        <EntriesOf of={{ securityId: security.id }} without="security" none={SECURITIES.historyNone} />
      </Card>
    </div>
  );
}

function Descent({ security }: { readonly security: Security }) {
  const { api, key } = useOrganization();
  const { id, originSecurityId } = security;
  const of = { securityId: id };
  const entries = useWholeList(key("transactions", JSON.stringify(of)), readEntries(api, of));
  const after = successorsOf(id, entries.data?.items ?? []);
  const before = useQuery(originSecurityId ? key("ancestors", id) : null, async (signal) => {
    const found: Security[] = [];
    for (let next = originSecurityId; next !== null && found.length < GENERATIONS_MAX; ) {
      const asked = api.GET("/api/v1/securities/{id}", { params: { path: { id: next } }, signal });
      const origin = await answer<Security>(asked);
      found.push(origin);
      next = origin.originSecurityId;
    }
    return found;
  });
  const ancestors = before.data?.map(({ id: each }) => each) ?? (originSecurityId ? [originSecurityId] : []);
  return (
    <Card title={SECURITIES.descent}>
      <Facts
        facts={[
          [SECURITIES.cameOf, ancestors.length === 0 ? SECURITIES.original : <Links key="before" ids={ancestors} />],
          [SECURITIES.became, after.length === 0 ? SECURITIES.stillThis : <Links key="after" ids={after} />],
        ]}
      />
    </Card>
  );
}

function Links({ ids }: { readonly ids: readonly string[] }) {
  return (
    <>
      {ids.map((id, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <SecurityLink id={id} />
        </span>
      ))}
    </>
  );
}
