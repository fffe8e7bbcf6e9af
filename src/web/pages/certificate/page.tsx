// `/o/{org}/mine/{security}`: a sheet with what the register has of one certificate, to be printed. Nothing is signed.
import { PaperButton } from "../../frame/export-menu.tsx";
import { type OwnHolding, type Portal, usePortal } from "../../frame/own-portal.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { moneyText, quantityText } from "../../locale.ts";
import { Button, LinkButton } from "../../parts/button.tsx";
import { Day, None } from "../../parts/figure.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Facts, PageHead } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { ERRORS } from "../../text/common.ts";
import { EXPORTS } from "../../text/exports.ts";
import { CERTIFICATE, MINE } from "../../text/mine.ts";

const PAPER = "/api/v1/portal/securities/{id}/certificate.pdf";

/** The page. */
export function Page({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const { name, path, membership } = useOrganization();
  const isHolder = membership.stakeholderIds.length > 0;
  const query = usePortal(isHolder);
  const holding = query.data?.holdings.find(({ securityId }) => securityId === params.id);
  const number = holding?.certificateId;
  return (
    <div class="mine">
      <PageHead title={number ? CERTIFICATE.title(number) : CERTIFICATE.titleWithout} of={name}>
        {holding && <PaperButton file={{ path: PAPER, id: holding.securityId }} label={EXPORTS.certificate} />}
        {holding && <Button onClick={() => print()}>{CERTIFICATE.print}</Button>}
        <LinkButton href={path("/mine")}>{CERTIFICATE.back}</LinkButton>
      </PageHead>
      {isHolder ? (
        <Loaded query={query} what={MINE.loading} lines={8}>
          {(portal) => (holding ? <Sheet portal={portal} holding={holding} /> : <NoCertificate />)}
        </Loaded>
      ) : (
        <NoCertificate />
      )}
    </div>
  );
}

function NoCertificate() {
  return (
    <Notice tone="warn" title={ERRORS.notFoundTitle}>
      {ERRORS.notFound(CERTIFICATE.noun)}
    </Notice>
  );
}

function Sheet({ portal, holding }: { readonly portal: Portal; readonly holding: OwnHolding }) {
  const { type, quantity, currency, stockClassName, equityPlanName, legends, entry } = holding;
  const holder = portal.stakeholders.find(({ id }) => id === holding.stakeholderId);
  const amount = type === "CONVERTIBLE" ? moneyText(quantity, currency) : quantityText(quantity);
  const from = stockClassName ?? equityPlanName;
  return (
    <article class="certificate">
      <p class="certificate-organization">{portal.organization.legalName}</p>
      <p class="note">{CERTIFICATE.certifies}</p>
      <p class="certificate-holder">{holder?.legalName}</p>
      <p class="note">{CERTIFICATE.holds}</p>
      <p class="certificate-quantity">
        {amount} {CERTIFICATE.lines[type]}
      </p>
      {from && (
        <p>
          {CERTIFICATE.of} {from}
        </p>
      )}
      <Facts facts={factsOf(holding)} />
      <div class="certificate-legends">
        <h2>{CERTIFICATE.legends}</h2>
        {legends.length === 0 && <p class="note">{CERTIFICATE.noLegends}</p>}
        {legends.map(({ name, text }) => (
          <p key={name}>
            <b>{name}.</b> {text}
          </p>
        ))}
      </div>
      <dl class="certificate-entry">
        <dt>{CERTIFICATE.entry}</dt>
        <dd>{entry ? <code class="breakable">{entry.id}</code> : <None />}</dd>
        <dt>{CERTIFICATE.hash}</dt>
        <dd>{entry ? <code class="breakable">{entry.hash}</code> : <None />}</dd>
      </dl>
      <p class="note">
        {CERTIFICATE.asOf(portal.asOf)}. {CERTIFICATE.notSigned}
      </p>
    </article>
  );
}

function factsOf({ type, certificateId, grantDate, pricePerShare, currency, ...option }: OwnHolding) {
  // Shares that came of an option still name its strike and expiry: they are no terms of shares.
  const isShares = type === "STOCK";
  const [exercisePrice, expirationDate] = isShares ? [null, null] : [option.exercisePrice, option.expirationDate];
  return [
    [CERTIFICATE.number, certificateId ?? <None />],
    [CERTIFICATE.date, <Day key="date" value={grantDate} />],
    ...(pricePerShare ? [[CERTIFICATE.price, moneyText(pricePerShare, currency)] as const] : []),
    ...(exercisePrice ? [[CERTIFICATE.strike, moneyText(exercisePrice, currency)] as const] : []),
    ...(expirationDate ? [[CERTIFICATE.expiry, <Day key="expiry" value={expirationDate} />] as const] : []),
  ] as const;
}
