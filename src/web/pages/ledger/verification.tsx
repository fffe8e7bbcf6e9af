// How long the ledger is, its last hash, and whether all of it holds: each entry is hashed anew in the browser.
import { useState } from "preact/hooks";
import { nowText } from "../../clock.ts";
import { type Entry, readEntries } from "../../frame/entries.tsx";
import { useOrganization } from "../../frame/organization.ts";
import { instantText } from "../../locale.ts";
import { Button } from "../../parts/button.tsx";
import { Count, Hash, Instant } from "../../parts/figures.tsx";
import { Badge, Notice } from "../../parts/notice.tsx";
import { FigureStrip } from "../../parts/strip.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { LEDGER } from "../../text/ledger.ts";
import { type ChainDifference, canHash, checkChain } from "./hash.ts";

interface Verified {
  readonly at: string;
  readonly entries: number;
  readonly differences: readonly ChainDifference[];
}

const PAGE = 100;
const SHOWN_MAX = 20;

/** The strip and what was found; `head` is the newest entry. */
export function Verification({ head }: { readonly head: Entry }) {
  const { api } = useOrganization();
  const [verified, setVerified] = useState<Verified | null>(null);
  const { button, trouble } = useAction(async () => {
    const read = readEntries(api, {});
    const entries: Entry[] = [];
    let cursor: string | undefined;
    do {
      const page = await read({ limit: PAGE, ...(cursor ? { cursor } : {}) }, new AbortController().signal);
      entries.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    setVerified({ at: nowText(), entries: entries.length, differences: await checkChain(entries) });
  });
  return (
    <section class="verification" aria-label={LEDGER.verification}>
      <FigureStrip
        figures={[
          { name: LEDGER.entries, figure: <Count value={head.sequence} />, note: <LastAt entry={head} /> },
          { name: LEDGER.head, figure: <Hash value={head.hash} />, note: LEDGER.headNote },
          {
            name: LEDGER.verification,
            figure: <State verified={verified} />,
            note: verified === null ? LEDGER.verifyNote : LEDGER.verifiedAt(instantText(verified.at)),
          },
          {
            name: LEDGER.check,
            figure: canHash() && <Button {...button}>{button.isBusy ? LEDGER.verifying : LEDGER.verify}</Button>,
            note: canHash() ? LEDGER.checkNote : LEDGER.cannotHash,
          },
        ]}
      />
      {trouble}
      {verified !== null && verified.differences.length > 0 && <Differences of={verified.differences} />}
    </section>
  );
}

function LastAt({ entry: { createdAt } }: { readonly entry: Entry }) {
  return (
    <>
      {LEDGER.last} <Instant value={createdAt} />
    </>
  );
}

function State({ verified }: { readonly verified: Verified | null }) {
  if (verified === null) return <Badge tone="plain">{LEDGER.unverified}</Badge>;
  const { differences, entries } = verified;
  if (differences.length === 0) return <Badge tone="good">{LEDGER.clean(entries)}</Badge>;
  return <Badge tone="bad">{LEDGER.different(differences.length)}</Badge>;
}

function Differences({ of }: { readonly of: readonly ChainDifference[] }) {
  return (
    <Notice tone="bad" title={LEDGER.differences}>
      <ul>
        {of.slice(0, SHOWN_MAX).map(({ sequence, what }) => (
          <li key={`${sequence} ${what}`}>
            {LEDGER.entry(sequence)}: {LEDGER.differenceWords[what]}
          </li>
        ))}
      </ul>
      <p>{LEDGER.differencesNext}</p>
    </Notice>
  );
}
