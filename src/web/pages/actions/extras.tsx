// Additional facts of the preview panel: exercise cost, vested quantity.
import { isCalendarDate } from "../../../kernel/date.ts";
import { formatDecimal, isDecimalText, multiply, parseDecimal, scale, sum } from "../../../kernel/numbers/decimal.ts";
import type { Told } from "../../frame/operation-calls.ts";
import { ScheduleChart } from "../../frame/schedule.tsx";
import { Quantity } from "../../parts/figure.tsx";
import { readDecimal } from "../../parts/forms/decimal.ts";
import { Facts as FactList } from "../../parts/page-head.tsx";
import { PREVIEW } from "../../text/actions/preview.ts";
import { scheduleOf } from "../records/terms-rows.ts";
import type { ActionSpec, Effect, Facts, Values } from "./spec.ts";

/** The extras of an action; nothing where it has none. */
export function Extras({
  spec,
  values,
  facts,
  told,
}: {
  readonly spec: ActionSpec;
  readonly values: Values;
  readonly facts: Facts;
  /** What the dry run told; null until it has. */
  readonly told: Told | null;
}) {
  const cost = spec.operation === "exercise" ? costOf(values) : null;
  const { vesting, security } = facts;
  const isVesting = vesting !== null && values.securityId !== "" && (vesting.unvested !== "0" || cost !== null);
  const scheduled = scheduledOf(values, facts);
  const start = security?.vestingStartDate ?? security?.grantDate ?? "";
  const after = told?.vesting;
  const rounded = spec.operation === "split" ? roundedOf(values, told?.effects ?? []) : null;
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
          <ScheduleChart events={vesting.events} quantity={vesting.quantity} start={start} />
        </>
      )}
      {after && security && (
        <>
          <h3>{PREVIEW.vestingAfter}</h3>
          <ScheduleChart events={after.events} quantity={after.quantity} start={startAfter(spec, values) ?? start} />
        </>
      )}
      {(cost !== null || isVesting || rounded !== null) && (
        <FactList
          facts={[
            ...(rounded === null ? [] : [[rounded.words, <Quantity key="rounded" value={rounded.by} />] as const]),
            ...(cost === null ? [] : [[PREVIEW.cost, <Quantity key="cost" value={cost} />] as const]),
            ...(isVesting
              ? [
                  [PREVIEW.vested, <Quantity key="vested" value={vesting.vested} />] as const,
                  [PREVIEW.unvested, <Quantity key="unvested" value={vesting.unvested} />] as const,
                  ...(after ? [[PREVIEW.vestedAfter, <Quantity key="after" value={after.vested} />] as const] : []),
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

/** From when a security vests that is given another start. */
function startAfter({ operation }: ActionSpec, { effectiveDate, conditionId }: Values): string | undefined {
  return operation === "start-vesting" && !conditionId ? effectiveDate : undefined;
}

/** What rounding takes from all securities together, or adds to them; null where it does neither. */
function roundedOf({ numerator = "", denominator = "" }: Values, effects: readonly Effect[]) {
  const [n, d] = [readDecimal(numerator), readDecimal(denominator)];
  if (n === null || d === null || parseDecimal(d) === 0n) return null;
  const quantities = effects.filter(({ resourceType, field }) => resourceType === "security" && field === "quantity");
  const of = (side: "before" | "after") =>
    sum(quantities.map((each) => String(each[side])).map((text) => (isDecimalText(text) ? parseDecimal(text) : 0n)));
  const taken = scale(of("before"), parseDecimal(n), parseDecimal(d)) - of("after");
  if (taken === 0n) return null;
  return taken > 0n
    ? { words: PREVIEW.roundedAway, by: formatDecimal(taken) }
    : { words: PREVIEW.roundedUp, by: formatDecimal(-taken) };
}
