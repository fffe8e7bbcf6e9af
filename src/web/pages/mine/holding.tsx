// One security in My holdings: quantity, vesting chart and dates, terms, certificate.

import { PaperButton } from "../../frame/export-menu.tsx";
import { type OwnHolding, useOwnAcceptances, useOwnVesting } from "../../frame/own-portal.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { VestingView } from "../../frame/vesting-of-grants.tsx";
import { moneyText } from "../../locale.ts";
import { LinkButton } from "../../parts/button.tsx";
import { Day, Instant, Quantity } from "../../parts/figure.tsx";
import { Badge } from "../../parts/notice.tsx";
import { Card, Facts } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { MINE } from "../../text/mine.ts";
import { REGISTER } from "../../text/register-words.ts";
import { hasSchedule } from "./expiries.ts";

const RECEIPT = "/api/v1/portal/acceptances/{id}/receipt.pdf";

type Fact = readonly [name: string, value: preact.ComponentChildren];

/** What something is, in a few words: `45,000.5 options`. */
export function headOf({ type, quantity, currency }: OwnHolding): string {
  return MINE.heads[type](quantity, currency);
}

/** The card; `holder` is named where the person is several stakeholders. */
export function HoldingCard({
  holding,
  holder,
}: {
  readonly holding: OwnHolding;
  readonly holder: string | undefined;
}) {
  const { path } = useOrganization();
  const { securityId, certificateId } = holding;
  const accepted = useOwnAcceptances().data?.find(
    (each) => each.securityId === securityId && each.state === "ACCEPTED",
  );
  return (
    <Card title={headOf(holding)} actions={certificateId && <Badge tone="plain">{certificateId}</Badge>} class="held">
      {hasSchedule(holding) && <OwnVesting holding={holding} />}
      <Facts
        facts={[
          ...factsOf(holding, holder),
          ...(accepted?.acceptedAt
            ? [[MINE.accepted, <Instant key="accepted" value={accepted.acceptedAt} />] as const]
            : []),
        ]}
      />
      <div class="row spaced">
        <LinkButton href={path(`/mine/${securityId}`)}>{MINE.certificate}</LinkButton>
        {accepted?.acceptanceId && (
          <PaperButton file={{ path: RECEIPT, id: accepted.acceptanceId }} label={MINE.receipt} />
        )}
      </div>
    </Card>
  );
}

function OwnVesting({ holding: { securityId, vestingStartDate, grantDate } }: { readonly holding: OwnHolding }) {
  const query = useOwnVesting(securityId);
  return (
    <Loaded query={query} what={MINE.vesting} lines={6}>
      {(vesting) => (
        <>
          <VestingView vesting={vesting} start={vestingStartDate ?? grantDate} />
          {vesting.waiting.map(({ milestone, quantity }) => (
            <p class="note" key={milestone ?? ""}>
              {milestone === null ? MINE.waitsForEvent(quantity) : MINE.waitsFor(quantity, milestone)}
            </p>
          ))}
        </>
      )}
    </Loaded>
  );
}

function factsOf(holding: OwnHolding, holder: string | undefined): readonly Fact[] {
  const { type, stockClassName, equityPlanName, pricePerShare, exercisePrice, currency, optionType } = holding;
  const facts: Fact[] = [];
  if (holder) facts.push([MINE.held, holder]);
  if (equityPlanName) facts.push([MINE.plan, equityPlanName]);
  if (stockClassName) facts.push([MINE.class, stockClassName]);
  facts.push([MINE.received[type], <Day key="granted" value={holding.grantDate} />]);
  // Shares that came of an option still name its kind and strike: they are no terms of shares.
  const isExercisable = type === "STOCK_OPTION" || type === "WARRANT";
  if (isExercisable && optionType) facts.push([MINE.kind, REGISTER.optionTypes[optionType]]);
  if (isExercisable && exercisePrice) facts.push([MINE.strike, MINE.aShare(exercisePrice, currency)]);
  else if (pricePerShare) facts.push([MINE.price, MINE.aShare(pricePerShare, currency)]);
  if (isExercisable) {
    facts.push([MINE.exercisable, <Quantity key="exercisable" value={holding.exercisable} />]);
    const expiry = holding.expirationDate;
    facts.push([MINE.expiry, expiry ? <Day key="expiry" value={expiry} /> : MINE.never]);
  }
  if (holding.value) facts.push([MINE.worth, <Worth key="worth" value={holding.value} />]);
  return facts;
}

function Worth({ value }: { value: NonNullable<OwnHolding["value"]> }) {
  const { amount, unvestedAmount, pricePerShare, asOf, currency } = value;
  return (
    <>
      <span class="figure">{moneyText(amount, currency)}</span>
      {unvestedAmount !== "0" && <div class="small">{MINE.worthUnvested(unvestedAmount, currency)}</div>}
      <div class="note small">{MINE.worthWords(pricePerShare, currency, asOf)}</div>
    </>
  );
}
