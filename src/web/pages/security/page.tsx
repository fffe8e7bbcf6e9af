// `/o/{orgId}/securities/{id}`: one security, its terms, how it vests, where it came from and what became of it.
import { answer } from "../../api/client.ts";
import { ENTRY_TYPES } from "../../api/entry-types.ts";
import { OPERATIONS } from "../../api/operations.ts";
import { useQuery } from "../../api/query.ts";
import { PaperButton } from "../../frame/export-menu.tsx";
import { DocumentsOf } from "../../frame/lists/documents-of.tsx";
import { Price, type Security, SecurityStatus } from "../../frame/lists/security-columns.tsx";
import { certificateOf, GroupLink, HolderLink } from "../../frame/names.tsx";
import { isPage } from "../../frame/navigation.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { useVesting, VestingView } from "../../frame/vesting-of-grants.tsx";
import { dayText } from "../../locale.ts";
import { Day, Quantity } from "../../parts/figure.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Card, PageHead } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { FigureStrip } from "../../parts/strip.tsx";
import { Tabs, useTab } from "../../parts/tabs.tsx";
import { ACTION_GROUPS } from "../../text/actions.ts";
import { EXPORTS } from "../../text/exports.ts";
import { FRAME } from "../../text/frame.ts";
import { choicesOf, REGISTER } from "../../text/register-words.ts";
import { SECURITIES } from "../../text/securities.ts";
import { STAKEHOLDERS } from "../../text/stakeholders.ts";
import { VESTING } from "../../text/vesting-words.ts";
import type { Position } from "../stakeholder/position.ts";
import { Correction } from "./correction.tsx";
import { Milestones } from "./milestones.tsx";
import { SecurityHistory } from "./security-history.tsx";
import { Terms } from "./security-terms.tsx";

/** Whether an operation can be recorded of a security of a type. */
function takes(operation: string, type: Security["type"]): boolean {
  // It has a route of its own, beside those of the operations.
  if (operation === "correct") return true;
  const { securityTypes = [] } = TAKEN[operation] ?? {};
  return securityTypes.includes(type);
}
const TAKEN: Readonly<Record<string, { readonly group: string; readonly securityTypes?: readonly string[] }>> =
  OPERATIONS;

const CERTIFICATE = "/api/v1/securities/{id}/certificate.pdf";
/** What its paper is called: grants and convertibles have no certificate. */
const PAPERS: Readonly<Record<Security["type"], string>> = {
  STOCK: EXPORTS.certificate,
  STOCK_OPTION: EXPORTS.grant,
  WARRANT: EXPORTS.certificate,
  CONVERTIBLE: EXPORTS.grant,
};

/** The page. */
export function Page({ params: { id = "" } }: { readonly params: Readonly<Record<string, string>> }) {
  const { api, key, name, path } = useOrganization();
  const query = useQuery(key("security", id), (signal) =>
    answer<Security>(api.GET("/api/v1/securities/{id}", { params: { path: { id } }, signal })),
  );
  const security = query.data;
  return (
    <>
      <PageHead
        title={security ? certificateOf(security) : SECURITIES.title}
        of={name}
        meta={security && <SecurityStatus status={security.status} />}
      >
        {security && <PaperButton file={{ path: CERTIFICATE, id }} label={PAPERS[security.type]} />}
        {security && <Actions security={security} />}
      </PageHead>
      <Loaded
        query={query}
        what={SECURITIES.one}
        noun={SECURITIES.noun}
        list={{ label: FRAME.securities, href: path("/securities") }}
        lines={10}
      >
        {(found) => <Content security={found} />}
      </Loaded>
    </>
  );
}

/** Whether something of it vests, or did until service ended. */
function mayVest({ vestingTermsId, vestingStoppedOn }: Security): boolean {
  return vestingTermsId !== null || vestingStoppedOn !== null;
}

function Actions({ security }: { readonly security: Security }) {
  const { id, type, status } = security;
  const { may, path } = useOrganization();
  if (status !== "ACTIVE" || !may("EDITOR") || !isPage("/record/:operation")) return null;
  const fits = (operation: string) =>
    takes(operation, type) && (mayVest(security) || TAKEN[operation]?.group !== "vesting");
  const groups = ACTION_GROUPS.map(({ title, actions }) => ({
    title,
    items: actions
      .filter(({ operation }) => fits(operation))
      .map(({ operation, label }) => ({ label, href: path(`/record/${operation}?securityId=${id}`) })),
  })).filter(({ items }) => items.length > 0);
  return <Menu kind="primary" align="end" label={SECURITIES.act} groups={groups} />;
}

function Content({ security }: { readonly security: Security }) {
  const { path, may } = useOrganization();
  const { id, type, stakeholderId, vestingStartDate, grantDate } = security;
  const isVesting = mayVest(security);
  const all = choicesOf(SECURITIES.tabs);
  const tabs = all.filter(({ value }) => (value !== "vesting" || isVesting) && (value !== "details" || may("EDITOR")));
  const tab = useTab(tabs);
  const vesting = useVesting(isVesting ? id : null);
  return (
    <>
      <p class="page-about note">
        {REGISTER.securityTypesMany[type]} · {type !== "CONVERTIBLE" && <GroupLink of={security} />}
        {type !== "CONVERTIBLE" && " · "}
        <HolderLink id={stakeholderId} />
      </p>
      {security.ahead.map(({ transactionId, type: what, effectiveDate }) => (
        <p key={transactionId} class="page-about note">
          {SECURITIES.aheadOf(ENTRY_TYPES[what], dayText(effectiveDate))}
        </p>
      ))}
      <Figures security={security} vested={vesting.data?.vested ?? null} unvested={vesting.data?.unvested ?? null} />
      <Tabs label={SECURITIES.tabsLabel} tabs={tabs} current={tab} path={path(`/securities/${id}`)} />
      {tab === "terms" && <Terms security={security} />}
      {tab === "vesting" && (
        <div class="stack">
          <Card title={VESTING.title}>
            <Loaded query={vesting} what={VESTING.what}>
              {(told) => <VestingView vesting={told} start={vestingStartDate ?? grantDate} />}
            </Loaded>
          </Card>
          <Milestones securityId={id} />
        </div>
      )}
      {tab === "history" && <SecurityHistory security={security} />}
      {tab === "documents" && (
        <Card>
          <DocumentsOf objectType="SECURITY" objectId={id} />
        </Card>
      )}
      {tab === "details" && <Correction key={security.updatedAt} security={security} />}
    </>
  );
}

/** What there is of it now. What can be exercised is counted by the server, with the holder's position. */
function Figures({
  security,
  vested,
  unvested,
}: {
  readonly security: Security;
  readonly vested: string | null;
  readonly unvested: string | null;
}) {
  const { api, key } = useOrganization();
  const { id, type, status, quantity, stakeholderId, grantDate } = security;
  const isRight = (type === "STOCK_OPTION" || type === "WARRANT") && status === "ACTIVE" && stakeholderId !== null;
  const position = useQuery(isRight ? key("position", stakeholderId) : null, (signal) => {
    const params = { path: { id: stakeholderId ?? "" }, query: {} };
    return answer<Position>(api.GET("/api/v1/stakeholders/{id}/position", { params, signal }));
  });
  const held = position.data?.securities.find((each) => each.id === id);
  const until = held?.exercisableUntil;
  const note = status === "ACTIVE" ? SECURITIES.quantityNote : SECURITIES.ended(REGISTER.securityStatuses[status]);
  const isConvertible = type === "CONVERTIBLE";
  return (
    <FigureStrip
      figures={[
        {
          name: isConvertible ? SECURITIES.principal : REGISTER.quantity,
          figure: <Quantity value={quantity} />,
          note,
        },
        ...(vested === null ? [] : [{ name: STAKEHOLDERS.vested, figure: <Quantity value={vested} /> }]),
        ...(unvested === null ? [] : [{ name: STAKEHOLDERS.unvested, figure: <Quantity value={unvested} /> }]),
        ...(isRight
          ? [
              {
                name: SECURITIES.exercisable,
                figure: <Quantity value={held?.exercisable} />,
                note: until ? SECURITIES.exercisableUntil(dayText(until)) : null,
              },
            ]
          : []),
        ...(isConvertible
          ? []
          : [{ name: type === "STOCK" ? SECURITIES.paid : SECURITIES.strike, figure: <Price of={security} /> }]),
        { name: type === "STOCK_OPTION" ? SECURITIES.granted : SECURITIES.issued, figure: <Day value={grantDate} /> },
      ]}
    />
  );
}
