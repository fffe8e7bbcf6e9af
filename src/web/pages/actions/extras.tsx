// What the panel shows besides for some actions: what an exercise costs, what has vested.
import { isCalendarDate } from "../../../kernel/date.ts";
import { formatDecimal, multiply, parseDecimal } from "../../../kernel/decimal.ts";
import { ScheduleChart } from "../../frame/schedule.tsx";
import { Quantity } from "../../parts/figures.tsx";
import { readDecimal } from "../../parts/forms/decimal.ts";
import { Facts as FactList } from "../../parts/page.tsx";
import { PREVIEW } from "../../text/actions/preview.ts";
import { scheduleOf } from "../records/terms-rows.ts";
import type { ActionSpec, Facts, Values } from "./spec.ts";

type Vesting = NonNullable<Facts["vesting"]>;

/** The extras of an action; nothing where it has none. */
export function Extras({
  spec,
  values,
  facts,
}: {
  readonly spec: ActionSpec;
  readonly values: Values;
  readonly facts: Facts;
}) {
  const cost = spec.operation === "exercise" ? costOf(values) : null;
  const { vesting, security } = facts;
  const isVesting = vesting !== null && values.securityId !== "" && (vesting.unvested !== "0" || cost !== null);
  const scheduled = scheduledOf(values, facts);
  const accelerated = spec.operation === "accelerate-vesting" && vesting ? acceleratedOf(values, vesting) : null;
  return (
    <>
      {scheduled && (
        <>
          <h3>{PREVIEW.vesting}</h3>
          <ScheduleChart {...scheduled} />
        </>
      )}
      {isVesting && security && !cost && (
        <>
          <h3>{PREVIEW.vestingNow}</h3>
          <ScheduleChart
            events={vesting.events}
            quantity={vesting.quantity}
            start={security.vestingStartDate ?? security.grantDate}
          />
        </>
      )}
      {(cost !== null || isVesting) && (
        <FactList
          facts={[
            ...(cost === null ? [] : [[PREVIEW.cost, <Quantity key="cost" value={cost} />] as const]),
            ...(isVesting
              ? [
                  [PREVIEW.vested, <Quantity key="vested" value={vesting.vested} />] as const,
                  [PREVIEW.unvested, <Quantity key="unvested" value={vesting.unvested} />] as const,
                  ...(accelerated === null
                    ? []
                    : [[PREVIEW.vestedAfter, <Quantity key="after" value={accelerated} />] as const]),
                ]
              : []),
          ]}
        />
      )}
    </>
  );
}

/** The strike for all that is exercised; null where one of both cannot be read, or no money flows. */
function costOf({ quantity = "", exercisePrice = "", paymentMethod }: Values): string | null {
  const [count, price] = [readDecimal(quantity), readDecimal(exercisePrice)];
  if (count === null || price === null || paymentMethod === "NET_EXERCISE") return null;
  return formatDecimal(multiply(parseDecimal(count), parseDecimal(price)));
}

/** How a grant that is being made will vest; null where it has no terms, or not all that they need is there. */
function scheduledOf(values: Values, { terms, today }: Facts) {
  const own = terms.find(({ id }) => id === values.vestingTermsId);
  const quantity = readDecimal(values.quantity ?? "");
  const start = values.vestingStartDate || values.effectiveDate || today;
  if (own === undefined || quantity === null || quantity === "0" || !isCalendarDate(start)) return null;
  return { events: scheduleOf(own, quantity, start).events, quantity, start };
}

/** What has vested once so many more vest at once. */
function acceleratedOf({ quantity = "" }: Values, { vested, unvested }: Vesting): string | null {
  const more = readDecimal(quantity);
  if (more === null || parseDecimal(more) > parseDecimal(unvested)) return null;
  return formatDecimal(parseDecimal(vested) + parseDecimal(more));
}
