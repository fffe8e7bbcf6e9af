// Who recorded an entry, as the audit log tells it: the ledger itself does not. For administrators, who may read that.
import { answer } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import type { Entry } from "../../frame/lists/entry-list.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { None } from "../../parts/figure.tsx";
import { LEDGER } from "../../text/ledger.ts";
import { subjectOf } from "./subject.ts";

/** The person, key, command line or job that wrote what the entry is about, in the very moment of the entry. */
export function RecordedBy({ entry }: { readonly entry: Entry }) {
  const { api, key } = useOrganization();
  const { createdAt } = entry;
  const resourceId = subjectOf(entry);
  const day = createdAt.slice(0, "YYYY-MM-DD".length);
  const query = useQuery(resourceId === null ? null : key("audit", resourceId, day), async (signal) => {
    const params = { query: { resourceId: resourceId ?? "", from: day, to: day, limit: 100 } };
    return (await answer(api.GET("/api/v1/audit-log", { params, signal }))).items;
  });
  const written = query.data?.find(({ at }) => at === createdAt);
  if (!written) return <None />;
  return <>{written.actorName ?? LEDGER.actors[written.actor]}</>;
}
