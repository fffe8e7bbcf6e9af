// `/o/{orgId}/ledger/{id}`: one entry with all that it says, and its hash computed anew.
import { useEffect, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { answer } from "../../api/client.ts";
import { ENTRY_TYPES } from "../../api/entry-types.ts";
import { useQuery } from "../../api/query.ts";
import type { Entry } from "../../frame/lists/entry-list.tsx";
import { memberLabel, ValueOf } from "../../frame/lists/members-table.tsx";
import { PrintHead } from "../../frame/lists/register-list.tsx";
import { ClassLink, HolderLink, PlanLink, SecurityLink } from "../../frame/names.tsx";
import { isPage } from "../../frame/navigation.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button, LinkButton } from "../../parts/button.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Day, Instant, Quantity } from "../../parts/figure.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Badge, Notice } from "../../parts/notice.tsx";
import { Card, Facts, PageHead } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { FRAME } from "../../text/frame.ts";
import { LEDGER } from "../../text/ledger.ts";
import { REGISTER } from "../../text/register-words.ts";
import { canHash, hashOf } from "../ledger/hash.ts";
import { RecordedBy } from "../ledger/recorded-by.tsx";
import { subjectOf } from "../ledger/subject.ts";

/** The page. */
export function Page({ params: { id = "" } }: { readonly params: Readonly<Record<string, string>> }) {
  const { api, key, name, path } = useOrganization();
  const query = useQuery(key("transaction", id), async (signal) => {
    const asked = api.GET("/api/v1/transactions/{id}", { params: { path: { id } }, signal });
    return (await answer(asked)).data as Entry;
  });
  const entry = query.data;
  return (
    <>
      <PageHead
        title={entry ? LEDGER.entryOf(entry.sequence, ENTRY_TYPES[entry.type]) : LEDGER.title}
        of={name}
        meta={entry?.recordOnly && <Badge tone="plain">{LEDGER.recordOnly}</Badge>}
      >
        <LinkButton href={path("/ledger")}>{LEDGER.whole}</LinkButton>
        <Button onClick={() => print()}>{REGISTER.print}</Button>
      </PageHead>
      <Loaded
        query={query}
        what={LEDGER.one}
        noun={LEDGER.noun}
        list={{ label: FRAME.ledger, href: path("/ledger") }}
        lines={8}
      >
        {(found) => <Content entry={found} />}
      </Loaded>
    </>
  );
}

function Content({ entry }: { readonly entry: Entry }) {
  const { may, path } = useOrganization();
  const { id, type, sequence, metadata, securityId, stakeholderId, quantity, effectiveDate, createdAt } = entry;
  const subject = subjectOf(entry);
  const said = Object.entries(metadata ?? {});
  return (
    <>
      <PrintHead what={LEDGER.entryOf(sequence, ENTRY_TYPES[type])} />
      <div class="columns">
        <Card title={LEDGER.members}>
          <Facts
            facts={[
              [REGISTER.type, ENTRY_TYPES[type]],
              [LEDGER.code, <code key="code">{type}</code>],
              [LEDGER.security, <SecurityLink key="security" id={securityId} />],
              [REGISTER.holder, <HolderLink key="holder" id={stakeholderId} />],
              [REGISTER.quantity, <Quantity key="quantity" value={quantity} />],
              [LEDGER.effective, <Day key="effective" value={effectiveDate} />],
              [LEDGER.recordedAt, <Instant key="recorded" value={createdAt} />],
              ...(may("ADMIN") ? [[LEDGER.recordedBy, <RecordedBy key="by" entry={entry} />] as const] : []),
              [LEDGER.id, <Whole key="id" text={id} />],
            ]}
          />
          {may("ADMIN") && isPage("/audit-log") && subject !== null && (
            <Link href={path(`/audit-log?resourceId=${subject}`)}>{LEDGER.audit}</Link>
          )}
        </Card>
        <div class="stack">
          <Card title={LEDGER.metadata}>
            {said.length === 0 ? (
              <p class="note">{LEDGER.noMetadata}</p>
            ) : (
              <Facts
                facts={said.map(([member, value]) => [
                  memberLabel(member),
                  <Said key={member} {...{ member, value }} />,
                ])}
              />
            )}
          </Card>
          <Hashes entry={entry} />
        </div>
      </div>
    </>
  );
}

/** A member of the metadata: what names another record leads to it. */
function Said({ member, value }: { readonly member: string; readonly value: unknown }) {
  if (typeof value === "string" && /SecurityId$|^securityId$/.test(member)) return <SecurityLink id={value} />;
  if (typeof value === "string" && /[sS]takeholderId$/.test(member)) return <HolderLink id={value} />;
  if (typeof value === "string" && member === "stockClassId") return <ClassLink id={value} />;
  if (typeof value === "string" && member === "equityPlanId") return <PlanLink id={value} />;
  return <ValueOf value={value} />;
}

function Whole({ text }: { readonly text: string }) {
  return (
    <span class="coded">
      <code class="breakable">{text}</code>
      <Copy text={text} />
    </span>
  );
}

/** Both hashes whole, and whether the entry is what its own says. */
function Hashes({ entry }: { readonly entry: Entry }) {
  const [found, setFound] = useState<string | null>(null);
  useEffect(() => {
    let isLeft = false;
    if (canHash()) void hashOf(entry).then((hash) => isLeft || setFound(hash));
    return () => {
      isLeft = true;
    };
  }, [entry]);
  return (
    <Card title={LEDGER.hashes}>
      {!canHash() && <Notice>{LEDGER.cannotHash}</Notice>}
      {found === entry.hash && (
        <p class="well">
          <Icon name="check" /> {LEDGER.hashChecked}
        </p>
      )}
      {found !== null && found !== entry.hash && (
        <Notice tone="bad" title={LEDGER.hashDiffers}>
          {LEDGER.hashDiffersWords} <code class="breakable">{found}</code>
        </Notice>
      )}
      <Facts
        facts={[
          [LEDGER.hash, <Whole key="hash" text={entry.hash} />],
          [LEDGER.previousHash, <Whole key="previous" text={entry.previousHash} />],
        ]}
      />
    </Card>
  );
}
