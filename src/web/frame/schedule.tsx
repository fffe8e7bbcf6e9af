// The chart of a schedule that is to be: of terms that are edited, or of a grant that is not recorded yet.
import { today } from "../clock.ts";
import { dayText } from "../locale.ts";
import { VestingChart } from "../parts/charts/vesting-chart.tsx";
import { stepsOfVesting } from "../parts/charts/vesting-points.ts";
import { TERMS } from "../text/records.ts";

/** The chart; nothing where nothing has a date. */
export function ScheduleChart({
  events,
  quantity,
  start,
}: {
  readonly events: readonly { readonly date: string; readonly quantity: string }[];
  readonly quantity: string;
  readonly start: string;
}) {
  const steps = stepsOfVesting(events);
  const last = steps.at(-1);
  if (last === undefined) return null;
  return (
    <VestingChart
      {...{ steps, start }}
      whole={quantity}
      day={today()}
      dayLabel={TERMS.today}
      label={TERMS.chart(quantity, start)}
      ends={[dayText(start), dayText(last.date)]}
    />
  );
}
