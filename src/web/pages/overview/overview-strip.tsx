// The strip of figures on top.

import type { ComponentChildren } from "preact";
import { total } from "../../../kernel/numbers/decimal.ts";
import { POOL } from "../../../views/cap-table/layout/by-holder.ts";
import { answer } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { today } from "../../clock.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { quantityText } from "../../locale.ts";
import { Count, Money, Quantity } from "../../parts/figure.tsx";
import { OVERVIEW } from "../../text/overview.ts";
import { authorizedOf, type CapTable } from "./cap-table-figures.ts";

/** The strip. */
export function Strip({ table }: { readonly table: CapTable }) {
  const { totals, stakeholders, equityPlans, convertibles, asOf } = table;
  const authorized = authorizedOf(table);
  const [plan, ...otherPlans] = equityPlans;
  const planNote = otherPlans.length > 0 ? OVERVIEW.plans(equityPlans.length) : (plan?.name ?? OVERVIEW.noPlan);
  return (
    <dl class="strip">
      <Figure name={OVERVIEW.fullyDiluted} note={OVERVIEW.holders(stakeholders.length)}>
        <Quantity value={totals.asConverted} />
      </Figure>
      <Figure
        name={OVERVIEW.outstanding}
        note={OVERVIEW.ofAuthorized(authorized === null ? OVERVIEW.unlimited : quantityText(authorized))}
      >
        <Quantity value={totals.outstanding} />
      </Figure>
      <Figure name={OVERVIEW.rights} note={OVERVIEW.rightsNote}>
        <Quantity value={total([totals.options, totals.warrants])} />
      </Figure>
      <Figure name={POOL} note={planNote}>
        <Quantity value={totals.poolAvailable} />
      </Figure>
      <Figure name={OVERVIEW.convertibles} note={OVERVIEW.convertiblesNote}>
        <Count value={convertibles.length} />
      </Figure>
      <Latest409A asOf={asOf} />
    </dl>
  );
}

function Figure({
  name,
  note,
  children,
}: {
  readonly name: string;
  readonly note: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="strip-figure">{children}</dd>
      <dd class="note">{note}</dd>
    </div>
  );
}

/** The newest approved 409A valuation of a day: in that day's shares while it is in force, else in today's. */
function Latest409A({ asOf }: { readonly asOf: string }) {
  const { api, key } = useOrganization();
  const query = useQuery(key("valuations", "approved", asOf), async (signal) => {
    const params = { query: { status: "APPROVED", limit: 100 } } as const;
    const { items } = await answer(api.GET("/api/v1/valuations", { params, signal }));
    const known = items.filter(({ type, effectiveDate }) => type === "409A" && effectiveDate <= asOf);
    const latest = known.toSorted((a, b) => (a.effectiveDate < b.effectiveDate ? 1 : -1))[0];
    // Of today the list says it already.
    if (!latest?.stockClassId || asOf === today()) return { latest, price: latest?.pricePerShareToday };
    const ofDay = { query: { on: asOf, stockClassId: latest.stockClassId } };
    const { data } = await answer(api.GET("/api/v1/valuations/in-force", { params: ofDay, signal }));
    const isInForce = data.valuation?.id === latest.id;
    return { latest, price: isInForce ? data.pricePerShare : latest.pricePerShareToday };
  });
  const latest = query.data?.latest;
  const note = latest ? OVERVIEW.valuationNote(latest.effectiveDate) : OVERVIEW.noValuation;
  return (
    <Figure name={OVERVIEW.valuation} note={query.data ? note : ""}>
      <Money value={query.data?.price} />
    </Figure>
  );
}
