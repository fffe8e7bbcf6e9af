// The vesting of one grant, or of several together: figures, chart, all dates.
import { answer, type Schemas } from "../api/client.ts";
import { useQuery } from "../api/query.ts";
import { today } from "../clock.ts";
import { dayText, percentOf, percentText } from "../locale.ts";
import { VestingChart } from "../parts/charts/vesting-chart.tsx";
import { nextStep, stepsOfVesting, type VestingEvent, type VestingStep } from "../parts/charts/vesting-points.ts";
import { Day, Quantity } from "../parts/figure.tsx";
import { FigureStrip } from "../parts/strip.tsx";
import { type Column, Table } from "../parts/tables/table.tsx";
import { VESTING } from "../text/vesting-words.ts";
import { useOrganization } from "./page-organization.ts";

/** What the API tells of the vesting of a security. */
export type Vesting = Schemas["SecurityVesting"];

/** Asks for the vesting of a security; null asks nothing. */
export function useVesting(id: string | null) {
  const { api, key } = useOrganization();
  return useQuery(id === null ? null : key("vesting", id), async (signal) => {
    const params = { path: { id: id ?? "" }, query: {} };
    return answer<Vesting>(api.GET("/api/v1/securities/{id}/vesting", { params, signal }));
  });
}

const COLUMNS: readonly Column<VestingStep>[] = [
  { id: "date", label: VESTING.date, cell: ({ date }) => <Day value={date} /> },
  { id: "vests", label: VESTING.vests, isFigure: true, cell: ({ quantity }) => <Quantity value={quantity} /> },
  { id: "total", label: VESTING.total, isFigure: true, cell: ({ total }) => <Quantity value={total} /> },
  {
    id: "state",
    label: VESTING.state,
    cell: ({ date }) => (date <= today() ? VESTING.hasVested : VESTING.toCome),
  },
];

/** Figures, chart and dates; `start` is the day on which it begins, `total` the same of several grants. */
export function VestingView({
  vesting,
  start,
}: {
  readonly vesting: Pick<Vesting, "quantity" | "vested" | "unvested" | "unscheduled" | "vestingStoppedOn"> & {
    readonly events: readonly VestingEvent[];
  };
  readonly start: string;
}) {
  const { quantity, vested, unvested, unscheduled, vestingStoppedOn, events } = vesting;
  const steps = stepsOfVesting(events);
  const next = nextStep(steps, today());
  const last = steps.at(-1)?.date ?? start;
  const share = percentOf(vested, quantity);
  const waiting = {
    name: VESTING.unscheduled,
    figure: <Quantity value={unscheduled} />,
    note: vestingStoppedOn === null ? VESTING.unscheduledNote : VESTING.stoppedOn(vestingStoppedOn),
  };
  return (
    <>
      <FigureStrip
        figures={[
          {
            name: VESTING.vestedToday,
            figure: <Quantity value={vested} />,
            note: share === null ? "" : VESTING.ofGrant(percentText(share), quantity),
          },
          {
            name: VESTING.toVest,
            figure: <Quantity value={unvested} />,
            note: next ? VESTING.next(next.quantity, next.date) : VESTING.nothingNext,
          },
          ...(unscheduled === "0" ? [] : [waiting]),
        ]}
      />
      {steps.length === 0 ? (
        <p class="note">{VESTING.noSchedule}</p>
      ) : (
        <>
          <VestingChart
            steps={steps}
            start={start}
            whole={quantity}
            day={today()}
            dayLabel={VESTING.today}
            label={VESTING.chart(vested, quantity, start, last)}
            ends={[dayText(start), dayText(last)]}
          />
          <details class="chart-table">
            <summary>{VESTING.allDates(steps.length)}</summary>
            <Table label={VESTING.title} columns={COLUMNS} rows={steps} keyOf={({ date }) => date} />
          </details>
        </>
      )}
    </>
  );
}
