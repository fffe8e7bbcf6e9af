// Terms, token and legends of a security.

import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { answer } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { memberLabel, ValueOf } from "../../frame/lists/members-table.tsx";
import { type Security, TokenStatus } from "../../frame/lists/security-columns.tsx";
import { ClassLink, HolderLink, PlanLink } from "../../frame/names.tsx";
import { isPage } from "../../frame/navigation.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { LinkButton } from "../../parts/button.tsx";
import { Day, Hash, Money, Quantity } from "../../parts/figure.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Card, Facts } from "../../parts/page-head.tsx";
import { labelIn } from "../../text/common.ts";
import { REGISTER } from "../../text/register-words.ts";
import { SECURITIES } from "../../text/securities.ts";

import { Acceptance, mayBeAccepted } from "./acceptance.tsx";

type Fact = readonly [name: string, value: ComponentChildren];

/** The tab. */
export function Terms({ security }: { readonly security: Security }) {
  const { convertibleTerms, comments } = security;
  const { may, path } = useOrganization();
  const isConvertible = security.type === "CONVERTIBLE";
  const isAlone = !isConvertible && isQuiet(security) && !mayBeAccepted(security, may("EDITOR"));
  return (
    <div class={isAlone ? "narrow" : "columns"}>
      <Card title={SECURITIES.identity}>
        <Facts facts={factsOf(security)} />
        {comments && <p class="comment">{comments}</p>}
      </Card>
      <div class="stack">
        {isConvertible && (
          <Card
            title={SECURITIES.convertible}
            actions={
              may("EDITOR") && (
                <LinkButton href={path(`/edit/convertible-terms/${security.id}`)}>{SECURITIES.changeTerms}</LinkButton>
              )
            }
          >
            <Facts
              facts={saidIn(convertibleTerms).map(([name, value]): Fact => {
                return [memberLabel(name), <ValueOf key={name} value={value} />];
              })}
            />
          </Card>
        )}
        <Acceptance security={security} />
        <Token security={security} />
        <Legends ids={security.stockLegendIds} />
      </div>
    </div>
  );
}

/** Whether it has neither a token nor legends. */
function isQuiet({ tokenStatus, stockLegendIds }: Security): boolean {
  return tokenStatus === "NOT_APPLICABLE" && stockLegendIds.length === 0;
}

/** What the first trigger says stands there, and beside it in short. */
const SHORT: readonly string[] = ["valuationCap", "discountPercent", "interestRate", "dayCount"];

/** The members of a convertible's terms that say something, codes in words. */
function saidIn(terms: Security["convertibleTerms"]): readonly (readonly [string, unknown])[] {
  const { triggers = [], ...own } = terms ?? {};
  const heads = Object.entries(own).filter(([name, value]) => value !== null && !SHORT.includes(name));
  const said = (value: unknown): unknown => {
    if (typeof value === "string") return labelIn(SECURITIES.codes, value);
    if (Array.isArray(value)) return value.map(said);
    if (value === null || typeof value !== "object") return value;
    const kept = Object.entries(value).filter(
      ([name, each]) => name !== "id" && each !== null && each !== false && !(Array.isArray(each) && each.length === 0),
    );
    return Object.fromEntries(kept.map(([name, each]) => [name, said(each)]));
  };
  return [...heads, ["triggers", triggers] as const].map(([name, value]) => [name, said(value)]);
}

/** Only what it has: an option has no price, and shares no expiry. */
function factsOf(security: Security): readonly Fact[] {
  const { stakeholderId, stockClassId, equityPlanId, optionType, pricePerShare, purchasePrice, exercisePrice } =
    security;
  const { currency, grantDate, expirationDate, vestingTermsId, vestingStartDate, planCharge, valuationId } = security;
  const facts: readonly (Fact | null)[] = [
    [SECURITIES.holder, <HolderLink key="holder" id={stakeholderId} />],
    stockClassId ? [SECURITIES.class, <ClassLink key="class" id={stockClassId} />] : null,
    equityPlanId ? [SECURITIES.plan, <PlanLink key="plan" id={equityPlanId} />] : null,
    optionType ? [SECURITIES.optionType, REGISTER.optionTypes[optionType]] : null,
    pricePerShare ? [SECURITIES.pricePerShare, <Money key="price" value={pricePerShare} currency={currency} />] : null,
    purchasePrice ? [SECURITIES.purchasePrice, <Money key="paid" value={purchasePrice} currency={currency} />] : null,
    exercisePrice ? [SECURITIES.strike, <Money key="strike" value={exercisePrice} currency={currency} />] : null,
    [
      security.type === "STOCK_OPTION" ? SECURITIES.granted : SECURITIES.issued,
      <Day key="granted" value={grantDate} />,
    ],
    expirationDate ? [SECURITIES.expiry, <Day key="expiry" value={expirationDate} />] : null,
    vestingTermsId ? [SECURITIES.vestingTerms, <TermsName key="terms" id={vestingTermsId} />] : null,
    vestingStartDate ? [SECURITIES.vestingStart, <Day key="start" value={vestingStartDate} />] : null,
    planCharge ? [SECURITIES.charge, <Quantity key="charge" value={planCharge} />] : null,
    valuationId ? [SECURITIES.valuation, <Valuation key="valuation" id={valuationId} />] : null,
    [REGISTER.boardApproval, <Day key="board" value={security.boardApprovalDate} />],
    [REGISTER.holderApproval, <Day key="holders" value={security.stockholderApprovalDate} />],
    security.approvalId ? [SECURITIES.approval, <Approval key="approval" id={security.approvalId} />] : null,
  ];
  return facts.filter((fact) => fact !== null);
}

function TermsName({ id }: { readonly id: string }) {
  const { api, key } = useOrganization();
  const query = useQuery(key("vesting-terms", id), (signal) =>
    answer(api.GET("/api/v1/vesting-terms/{id}", { params: { path: { id } }, signal })),
  );
  const { name, description } = query.data ?? { name: REGISTER.pending, description: null };
  return <span title={description ?? undefined}>{name}</span>;
}

function Valuation({ id }: { readonly id: string }) {
  const { api, key } = useOrganization();
  const query = useQuery(key("valuation", id), (signal) =>
    answer(api.GET("/api/v1/valuations/{id}", { params: { path: { id } }, signal })),
  );
  if (!query.data) return <>{REGISTER.pending}</>;
  const { type, effectiveDate, pricePerShare } = query.data;
  return (
    <>
      {type}, <Money value={pricePerShare} />, <Day value={effectiveDate} />
    </>
  );
}

function Approval({ id }: { readonly id: string }) {
  const { api, key, path } = useOrganization();
  const query = useQuery(key("approval", id), async (signal) => {
    const asked = api.GET("/api/v1/approvals/{id}", { params: { path: { id } }, signal });
    return (await answer(asked)).data;
  });
  const title = query.data?.title ?? REGISTER.pending;
  return isPage("/approvals/:id") ? <Link href={path(`/approvals/${id}`)}>{title}</Link> : title;
}

function Token({ security }: { readonly security: Security }) {
  const { tokenStatus, tokenTransactionHash, tokenError, stockClassId } = security;
  if (tokenStatus === "NOT_APPLICABLE") return null;
  return (
    <Card title={SECURITIES.tokenTitle} actions={<TokenStatus tokenStatus={tokenStatus} />}>
      {tokenError && <Notice tone="bad">{tokenError}</Notice>}
      <Facts
        facts={[
          [SECURITIES.tokenHash, <Hash key="hash" value={tokenTransactionHash} />],
          [SECURITIES.tokenWhere, stockClassId ? <ClassLink key="class" id={stockClassId} /> : REGISTER.none],
        ]}
      />
    </Card>
  );
}

function Legends({ ids }: { readonly ids: readonly string[] }) {
  const { api, key } = useOrganization();
  const query = useQuery(ids.length === 0 ? null : key("legends"), async (signal) => {
    const params = { query: { limit: 100 } };
    return (await answer(api.GET("/api/v1/stock-legends", { params, signal }))).items;
  });
  if (ids.length === 0) return null;
  return (
    <Card title={SECURITIES.legends}>
      {(query.data ?? [])
        .filter(({ id }) => ids.includes(id))
        .map(({ id, name, text }) => (
          <div key={id} class="legend">
            <h3>{name}</h3>
            <p>{text}</p>
          </div>
        ))}
    </Card>
  );
}
