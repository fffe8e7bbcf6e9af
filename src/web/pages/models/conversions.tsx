// Every conversion of a round with its working, what does not convert and why, and prices that are adjusted.
import type { ComponentChildren } from "preact";
import { Money, Quantity } from "../../parts/figure.tsx";
import { Badge } from "../../parts/notice.tsx";
import { Card, Facts } from "../../parts/page-head.tsx";
import { ROUND } from "../../text/models/round.ts";
import { ModelHolder } from "./holder.tsx";
import type { RoundAnswer } from "./round-body.ts";

type Conversion = RoundAnswer["conversions"][number];

/** The conversions; nothing where there are none. */
export function Conversions({ round }: { readonly round: RoundAnswer }) {
  const { conversions, notConverted } = round;
  if (conversions.length === 0 && notConverted.length === 0) return null;
  const names = new Map(round.after.holders.map(({ stakeholderId, name }) => [stakeholderId, name]));
  const certificates = new Map(round.before.convertibles.map(({ securityId, name }) => [securityId, name]));
  return (
    <Card title={ROUND.conversions}>
      <ul class="conversions">
        {conversions.map((each) => (
          <li key={each.name}>
            <p>
              <strong>{each.name}</strong>{" "}
              <ModelHolder stakeholderId={each.stakeholderId} name={names.get(each.stakeholderId) ?? null} />
            </p>
            <p>
              {ROUND.conversion1(each.shares, each.className)} <Badge tone="plain">{ROUND.bases[each.basis]}</Badge>
            </p>
            <Facts facts={workingOf(each, certificates.get(each.adoptedSecurityId))} />
          </li>
        ))}
      </ul>
      {notConverted.length > 0 && (
        <>
          <h3>{ROUND.notConverted}</h3>
          <Facts facts={notConverted.map(({ name, reason }) => [name, ROUND.reasons[reason]] as const)} />
        </>
      )}
    </Card>
  );
}

/** The steps of a conversion, as they follow each other; what does not apply is left out. */
function workingOf(conversion: Conversion, adopted: string | undefined) {
  const { working } = ROUND;
  const { principal, interest, amount, capitalization, capPrice, discountPrice, roundPrice, conversionPrice } =
    conversion;
  const isByPrice = conversion.basis !== "PERCENT" && conversion.basis !== "FIXED";
  const money = (value: string) => <Money value={value} />;
  const steps: readonly (readonly [string, ComponentChildren] | null)[] = [
    [working.principal, money(principal)],
    interest === "0" ? null : [working.interest, money(interest)],
    interest === "0" ? null : [working.converted, money(amount)],
    adopted === undefined ? null : [working.adopted, adopted],
    capitalization === null ? null : [working.capitalization, <Quantity key="c" value={capitalization} />],
    capPrice === null ? null : [working.capPrice, money(capPrice)],
    discountPrice === null ? null : [working.discountPrice, money(discountPrice)],
    [working.roundPrice, money(roundPrice)],
    [working.price, <strong key="price">{money(conversionPrice)}</strong>],
    isByPrice ? [working.shares, ROUND.division(amount, conversionPrice, conversion.shares)] : null,
    conversion.cashInLieu === "0" ? null : [working.cash, money(conversion.cashInLieu)],
  ];
  return steps.filter((step) => step !== null);
}

/** Conversion prices that the round adjusts. */
export function Adjusted({ round: { antiDilution } }: { readonly round: RoundAnswer }) {
  if (antiDilution.length === 0) return null;
  return (
    <Card title={ROUND.adjusted}>
      <ul class="plain-list">
        {antiDilution.map(({ name, conversionPriceBefore, conversionPrice, additionalShares }) => (
          <li key={name}>{ROUND.adjustedWords(name, conversionPriceBefore, conversionPrice, additionalShares)}</li>
        ))}
      </ul>
    </Card>
  );
}
