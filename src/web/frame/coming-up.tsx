// Dates to come, the next first: what expires, ends, is due or vests. The overview shows a company's, and My holdings a
// holder's.
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { answer } from "../api/client.ts";
import { useQuery } from "../api/query.ts";
import { Button } from "../parts/button.tsx";
import { Day } from "../parts/figure.tsx";
import { Card } from "../parts/page-head.tsx";
import { useAfter } from "../parts/states.tsx";
import { COMING } from "../text/frame.ts";
import { useOwnHeader } from "./own-portal.ts";
import { useOrganization } from "./page-organization.ts";

/** A date, as it is drawn. */
interface Coming {
  readonly id: string;
  readonly date: string;
  readonly title: string;
  readonly resourceType: string;
  readonly resourceId: string;
}

const SHOWN_AT_FIRST = 5;
const LATER_MS = 1000;

/** The company's; null where nothing is to come. */
export function CompanyComingUp() {
  const { api, key, path } = useOrganization();
  // After what the page cannot do without.
  const isLater = useAfter(true, LATER_MS);
  const query = useQuery(
    isLater ? key("dates") : null,
    async (signal) => (await answer(api.GET("/api/v1/dates", { signal }))).data,
  );
  return <ComingUp items={query.data?.items} addressOf={(item) => addressIn(path, item)} />;
}

/** The holder's own. */
export function OwnComingUp() {
  const { api, key } = useOrganization();
  const header = useOwnHeader();
  const query = useQuery(
    key("portal", "dates"),
    async (signal) => (await answer(api.GET("/api/v1/portal/dates", { params: { header }, signal }))).data,
  );
  return <ComingUp items={query.data?.items} />;
}

interface ComingUpProps {
  /** Undefined while they are not known. */
  readonly items: readonly Coming[] | undefined;
  /** The record's page; null for one without a page. */
  readonly addressOf?: (item: Coming) => string | null;
}

function ComingUp({ items = [], addressOf }: ComingUpProps) {
  const [isWhole, setWhole] = useState(false);
  if (items.length === 0) return null;
  const isCut = !isWhole && items.length > SHOWN_AT_FIRST + 1;
  return (
    <Card title={COMING.title} actions={<Link href="/account">{COMING.asCalendar}</Link>} class="coming">
      <ul class="findings">
        {(isCut ? items.slice(0, SHOWN_AT_FIRST) : items).map((item) => (
          <li key={item.id}>
            <span class="note">
              <Day value={item.date} />
            </span>
            <Titled item={item} address={addressOf?.(item) ?? null} />
          </li>
        ))}
      </ul>
      {isCut && (
        <Button kind="quiet" onClick={() => setWhole(true)}>
          {COMING.more(items.length - SHOWN_AT_FIRST)}
        </Button>
      )}
    </Card>
  );
}

function Titled({ item, address }: { readonly item: Coming; readonly address: string | null }) {
  return <div>{address === null ? item.title : <Link href={address}>{item.title}</Link>}</div>;
}

/** The page of a record that has a date; null for a milestone, which has none. */
function addressIn(path: (below: string) => string, { resourceType, resourceId }: Coming): string | null {
  if (resourceType === "security") return path(`/securities/${resourceId}`);
  if (resourceType === "equity-plan") return path(`/classes-and-plans/plans/${resourceId}`);
  if (resourceType === "approval") return path(`/approvals/${resourceId}`);
  return resourceType === "valuation" ? path("/valuations") : null;
}
