// `/o/{orgId}/stakeholders/{id}`: what one stakeholder holds, how it vests, what happened, and what is known of them.
import { answer } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { REGISTERS } from "../../api/registers.ts";
import { PaperButton } from "../../frame/export-menu.tsx";
import { DocumentsOf } from "../../frame/lists/documents-of.tsx";
import { EntriesOf } from "../../frame/lists/entry-list.tsx";
import { PrintHead } from "../../frame/lists/register-list.tsx";
import { useClassNames } from "../../frame/names.tsx";
import { isPage } from "../../frame/navigation.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { RecordMenu } from "../../frame/record-menu.tsx";
import { percentText } from "../../locale.ts";
import { Button, LinkButton } from "../../parts/button.tsx";
import { Address, Quantity, Ratios } from "../../parts/figure.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Card, PageHead } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { FigureStrip } from "../../parts/strip.tsx";
import { Tabs, useTab } from "../../parts/tabs.tsx";
import { EXPORTS } from "../../text/exports.ts";
import { FRAME } from "../../text/frame.ts";
import { choicesOf, REGISTER } from "../../text/register-words.ts";
import { STAKEHOLDERS } from "../../text/stakeholders.ts";
import { HolderStatus } from "../stakeholders/page.tsx";
import { Access } from "./access.tsx";
import { HolderDetails } from "./details.tsx";
import { HolderVesting } from "./holder-vesting.tsx";
import { Holdings } from "./holdings.tsx";
import type { Position } from "./position.ts";

const TABS = choicesOf(STAKEHOLDERS.tabs);

const STATEMENT = "/api/v1/stakeholders/{id}/statement.pdf";

/** The page. */
export function Page({ params: { id = "" } }: { readonly params: Readonly<Record<string, string>> }) {
  const { api, key, name, path } = useOrganization();
  const query = useQuery(key("position", id), (signal) => {
    const params = { path: { id }, query: {} };
    return answer<Position>(api.GET("/api/v1/stakeholders/{id}/position", { params, signal }));
  });
  const stakeholder = query.data?.stakeholder;
  return (
    <>
      <PageHead
        title={stakeholder?.displayName ?? REGISTERS.stakeholders.title}
        of={name}
        meta={stakeholder && <HolderStatus status={stakeholder.status} />}
      >
        {stakeholder && <PaperButton file={{ path: STATEMENT, id }} label={EXPORTS.statement} />}
        {stakeholder && <Button onClick={() => print()}>{REGISTER.print}</Button>}
        <RecordMenu />
      </PageHead>
      <Loaded
        query={query}
        what={STAKEHOLDERS.one}
        noun={STAKEHOLDERS.noun}
        list={{ label: FRAME.stakeholders, href: path("/stakeholders") }}
        lines={10}
      >
        {(position) => <Content position={position} />}
      </Loaded>
    </>
  );
}

function Content({ position }: { readonly position: Position }) {
  const { may, path } = useOrganization();
  const { stakeholder, totals } = position;
  const { id, displayName, relationships, email, walletAddress } = stakeholder;
  const address = walletAddress ?? stakeholder.custodialAddress;
  const classNames = useClassNames();
  const classes = position.byClass.map(({ stockClassId, conversion }) => {
    return { name: classNames.get(stockClassId ?? "") ?? "", conversion };
  });
  const tab = useTab(TABS);
  const about = [...relationships.map((each) => REGISTER.relationships[each]), email].filter(Boolean).join(" · ");
  return (
    <>
      <PrintHead what={displayName} />
      <p class="page-about note">
        {about} {address && (walletAddress ? STAKEHOLDERS.wallet : STAKEHOLDERS.custodial)}{" "}
        {address && <Address value={address} />}
      </p>
      {may("ADMIN") && <Access stakeholder={stakeholder} />}
      <FormerWithUnvested position={position} />
      <FigureStrip
        figures={[
          {
            name: STAKEHOLDERS.fullyDiluted,
            figure: <Quantity value={totals.asConverted} />,
            note: STAKEHOLDERS.ofShares(percentText(totals.percentAsConverted)),
          },
          {
            name: STAKEHOLDERS.outstanding,
            figure: <Quantity value={totals.outstanding} />,
            note: STAKEHOLDERS.ofOutstanding(percentText(totals.percentOutstanding)),
          },
          { name: STAKEHOLDERS.vested, figure: <Quantity value={totals.vested} /> },
          { name: STAKEHOLDERS.unvested, figure: <Quantity value={totals.unvested} /> },
          {
            name: STAKEHOLDERS.exercisable,
            figure: <Quantity value={totals.exercisable} />,
            note: STAKEHOLDERS.exercisableNote,
          },
        ]}
      />
      <Ratios classes={classes} />
      <Tabs label={STAKEHOLDERS.tabsLabel} tabs={TABS} current={tab} path={path(`/stakeholders/${id}`)} />
      {tab === "holdings" && <Holdings position={position} />}
      {tab === "vesting" && <HolderVesting position={position} />}
      {tab === "transactions" && (
        <Card>
          <EntriesOf of={{ stakeholderId: id }} without="holder" none={STAKEHOLDERS.transactionsNone} />
        </Card>
      )}
      {tab === "documents" && (
        <Card>
          <DocumentsOf objectType="STAKEHOLDER" objectId={id} />
        </Card>
      )}
      {tab === "details" && <HolderDetails position={position} />}
    </>
  );
}

/** Warns of a former holder with unvested shares, since the company has to decide about them. */
function FormerWithUnvested({ position: { stakeholder, totals } }: { readonly position: Position }) {
  const { may, path } = useOrganization();
  if (stakeholder.status !== "FORMER" || totals.unvested === "0") return null;
  const isLinked = may("EDITOR") && isPage("/record/:operation");
  const leaver = path(`/record/terminate-service?stakeholderId=${stakeholder.id}`);
  return (
    <Notice
      tone="warn"
      title={STAKEHOLDERS.former}
      actions={isLinked && <LinkButton href={leaver}>{STAKEHOLDERS.recordLeaver}</LinkButton>}
    >
      {STAKEHOLDERS.formerWords(totals.unvested)}
    </Notice>
  );
}
