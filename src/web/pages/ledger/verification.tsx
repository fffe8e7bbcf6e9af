// How long the ledger is, its last hash, and whether all of it holds: the server verifies it, and says what it found.
import { answer, BACKGROUND, write } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import type { paths } from "../../api/types.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { instantText } from "../../locale.ts";
import { Button } from "../../parts/button.tsx";
import { Count, Hash } from "../../parts/figure.tsx";
import { Badge, Notice } from "../../parts/notice.tsx";
import { Loaded } from "../../parts/states.tsx";
import { FigureStrip } from "../../parts/strip.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { usePoll } from "../../parts/use-poll.ts";
import { LEDGER } from "../../text/ledger.ts";

type Ledger = paths["/api/v1/ledger"]["get"]["responses"][200]["content"]["application/json"]["data"];
type Verified = Ledger["verification"];

const EVERY_MS = 1000;
const SHOWN_MAX = 20;

/** The strip, and what was found. */
export function Verification() {
  const { api, key, may } = useOrganization();
  const query = useQuery<Ledger>(key("ledger"), async (signal) => {
    return (await answer(api.GET("/api/v1/ledger", { signal, headers: BACKGROUND }))).data;
  });
  const isRunning = query.data?.verification.state === "RUNNING";
  const { button, trouble } = useAction(() => write(api.POST("/api/v1/ledger/verify")));
  usePoll(isRunning, query.reload, EVERY_MS);
  const isBusy = button.isBusy || isRunning;
  return (
    <Loaded query={query} what={LEDGER.verification}>
      {({ entries, head, verification }) => (
        <section class="verification" aria-label={LEDGER.verification}>
          <FigureStrip
            figures={[
              { name: LEDGER.entries, figure: <Count value={entries} /> },
              { name: LEDGER.head, figure: <Hash value={head.hash} />, note: LEDGER.headNote },
              {
                name: LEDGER.verification,
                figure: <State of={verification} />,
                note: (
                  <>
                    {verification.at === null ? LEDGER.neverNote : LEDGER.verifiedAt(instantText(verification.at))}
                    {may("ADMIN") && (
                      <Button kind="quiet" {...{ ...button, isBusy }}>
                        {LEDGER.verify}
                      </Button>
                    )}
                  </>
                ),
              },
            ]}
          />
          {trouble}
          {verification.differences.length > 0 && <Differences of={verification.differences} />}
        </section>
      )}
    </Loaded>
  );
}

function State({ of: { state, entries, differences } }: { readonly of: Verified }) {
  if (state === "NEVER") return <Badge tone="plain">{LEDGER.never}</Badge>;
  if (state === "RUNNING") return <Badge tone="info">{LEDGER.verifying}</Badge>;
  if (state === "CLEAN") return <Badge tone="good">{LEDGER.clean(entries ?? 0)}</Badge>;
  return <Badge tone="bad">{LEDGER.different(differences.length)}</Badge>;
}

function Differences({ of }: { readonly of: Verified["differences"] }) {
  return (
    <Notice tone="bad" title={LEDGER.differences}>
      <ul>
        {of.slice(0, SHOWN_MAX).map(({ code, subject, detail, fix }) => (
          <li key={`${code} ${subject} ${detail}`}>
            <b>{subject}</b>: {detail} {fix}
          </li>
        ))}
      </ul>
      {of.length > SHOWN_MAX && <p>{LEDGER.moreDifferences(of.length - SHOWN_MAX)}</p>}
      <p>{LEDGER.differencesNext}</p>
    </Notice>
  );
}
