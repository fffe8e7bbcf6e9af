// History chart of the cap table, with a hand that selects the day shown.
import { total } from "../../../kernel/numbers/decimal.ts";
import { answer } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { today } from "../../clock.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { StepArea } from "../../parts/charts/step-area.tsx";
import { Day, Quantity } from "../../parts/figure.tsx";
import { Card } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { OVERVIEW } from "../../text/overview.ts";
import { type History, type RankedClass, type Series, seriesOf, valuesOf } from "./cap-table-figures.ts";

interface HistoryProps {
  readonly classes: readonly RankedClass[];
  /** The day of the hand. */
  readonly day: string;
  readonly onDay: (day: string) => void;
  readonly isToday: boolean;
}

/** The card. */
export function HistoryChart({ classes, day, onDay, isToday }: HistoryProps) {
  const { api, key } = useOrganization();
  const query = useQuery(
    key("history"),
    async (signal) => (await answer(api.GET("/api/v1/cap-table/history", { signal }))).data,
  );
  const title = day === today() ? OVERVIEW.today : OVERVIEW.asOf(day);
  const last = later(query.data?.last ?? today(), today());
  const controls = (
    <>
      <input
        type="date"
        class="day-input"
        aria-label={OVERVIEW.day}
        value={day}
        min={query.data?.first ?? undefined}
        max={last}
        onChange={({ currentTarget: { value } }) => value && onDay(value)}
      />
      {!isToday && <Button onClick={() => onDay(today())}>{OVERVIEW.today}</Button>}
    </>
  );
  return (
    <Card title={title} actions={controls} class="history">
      <Loaded query={query} what={OVERVIEW.history}>
        {(history) =>
          history.first !== null && <Chart {...{ history, classes, day, onDay, last }} first={history.first} />
        }
      </Loaded>
    </Card>
  );
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

function Chart({
  history,
  classes,
  day,
  onDay,
  first,
  last,
}: Omit<HistoryProps, "isToday"> & {
  readonly history: History;
  readonly first: string;
  readonly last: string;
}) {
  const series = seriesOf(classes);
  const points = history.points.map((point) => ({ date: point.date, values: valuesOf(point, series) }));
  const shown = day < first ? first : day > last ? last : day;
  const current = points.findLast(({ date }) => date <= shown);
  return (
    <>
      <StepArea
        layers={series}
        points={points}
        {...{ first, last, day: shown, onDay }}
        label={OVERVIEW.chart(first, last)}
        handLabel={OVERVIEW.hand}
        handValue={OVERVIEW.handValue(shown, total(current?.values ?? []))}
      />
      <details class="chart-table">
        <summary>{OVERVIEW.historyTable}</summary>
        <Table
          label={OVERVIEW.historyTable}
          columns={columnsOf(series)}
          rows={points.toReversed()}
          keyOf={({ date }) => date}
        />
      </details>
    </>
  );
}

type Row = { readonly date: string; readonly values: readonly string[] };

function columnsOf(series: readonly Series[]): readonly Column<Row>[] {
  return [
    { id: "date", label: OVERVIEW.date, cell: ({ date }) => <Day value={date} /> },
    ...series.map(({ id, name }, index) => ({
      ...{ id, label: name, isFigure: true },
      cell: ({ values }: Row) => <Quantity value={values[index]} isZeroDimmed />,
    })),
    { id: "total", label: OVERVIEW.total, isFigure: true, cell: ({ values }) => <Quantity value={total(values)} /> },
  ];
}
