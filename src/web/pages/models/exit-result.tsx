// What an exit pays: the chart over all values with its breakpoints, and the tables at one.
import { useState } from "preact/hooks";
import { formatDecimal, parseDecimal, sum } from "../../../kernel/numbers/decimal.ts";
import { moneyText } from "../../locale.ts";
import { ExitArea } from "../../parts/charts/exit-area.tsx";
import { placesAmong } from "../../parts/charts/geometry.ts";
import { Cents, Money, None, Percent, Quantity } from "../../parts/figure.tsx";
import { Card } from "../../parts/page-head.tsx";
import { Segmented } from "../../parts/segmented.tsx";
import { FigureStrip } from "../../parts/strip.tsx";
import { Swatch } from "../../parts/swatch.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { EXIT } from "../../text/models/exit.ts";
import { MODELS } from "../../text/models/models.ts";
import { type ExitAnswer, type ExitPoint, STEPS, stepOf, valueAt } from "./exit-body.ts";
import { bandsByClass, bandsByHolder } from "./exit-series.ts";
import { ModelHolder } from "./holder.tsx";

/** The chart; moving the hand chooses a value. */
export function ExitChart({
  exit,
  to,
  value,
  onValue,
}: {
  readonly exit: ExitAnswer;
  readonly to: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}) {
  const [by, setBy] = useState<"CLASS" | "HOLDER">("CLASS");
  const { points } = exit;
  const bands = by === "CLASS" ? bandsByClass(points) : bandsByHolder(points);
  const marks = placesAmong(
    (exit.breakpoints ?? []).map(({ distributable }) => distributable),
    points.map(({ distributable }) => distributable),
  );
  const rows = points.map((point, index) => ({ point, index })).filter(({ index }) => index % (STEPS / 10) === 0);
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { id: "value", label: EXIT.value, cell: ({ point }) => <Money value={point.exitValue} /> },
    ...bands.map(({ id, name, values }) => ({
      id,
      label: name,
      isFigure: true,
      cell: ({ index }: (typeof rows)[number]) => <Cents value={values[index]} />,
    })),
  ];
  return (
    <Card
      title={EXIT.chart}
      actions={
        <Segmented
          label={EXIT.by}
          value={by}
          onChoose={setBy}
          choices={[
            { value: "CLASS", label: EXIT.byClass },
            { value: "HOLDER", label: EXIT.byHolder },
          ]}
        />
      }
    >
      <ExitArea
        bands={bands}
        marks={marks}
        step={stepOf(value, to)}
        steps={STEPS}
        onStep={(step) => onValue(valueAt(step, to))}
        label={EXIT.chartLabel(to)}
        handLabel={EXIT.hand}
        handValue={EXIT.handValue(value)}
        ends={["0", moneyText(to)]}
      />
      <p class="legend-row">
        {bands.map(({ id, name, color, isStriped = false }) => (
          <span key={id}>
            <Swatch color={color} isStriped={isStriped} /> {name}
          </span>
        ))}
      </p>
      <details class="chart-table">
        <summary>{EXIT.chartTable}</summary>
        <Table label={EXIT.chartTable} columns={columns} rows={rows} keyOf={({ point }) => point.exitValue} />
      </details>
    </Card>
  );
}

type Unit = ExitPoint["units"][number];

const UNITS: readonly Column<Unit>[] = [
  {
    id: "unit",
    label: EXIT.unit,
    cell: ({ name, accruesFrom, outcome }) => (
      <>
        {EXIT.unitName(name, accruesFrom)}
        <div class="note small">{EXIT.outcomes[outcome]}</div>
      </>
    ),
  },
  { id: "quantity", label: EXIT.quantity, isFigure: true, isWide: true, cell: sharesOf },
  { id: "claim", label: EXIT.claim, isFigure: true, isWide: true, cell: ({ claim }) => <Cents value={claim} /> },
  { id: "proceeds", label: EXIT.proceeds, isFigure: true, cell: ({ proceeds }) => <Cents value={proceeds} /> },
  { id: "share", label: EXIT.share, isFigure: true, cell: ({ percent }) => <Percent value={percent} /> },
];

function sharesOf({ quantity, convertsTo }: Unit) {
  return quantity === null && convertsTo === null ? <None /> : <Quantity value={convertsTo ?? quantity} />;
}

type Holder = NonNullable<ExitPoint["holders"]>[number];

const HOLDERS: readonly Column<Holder>[] = [
  { id: "holder", label: MODELS.who, cell: (row) => <ModelHolder {...row} /> },
  { id: "proceeds", label: EXIT.proceeds, isFigure: true, cell: ({ proceeds }) => <Cents value={proceeds} /> },
  { id: "share", label: EXIT.share, isFigure: true, cell: ({ percent }) => <Percent value={percent} /> },
];

const totalOf = (rows: readonly { readonly proceeds: string }[]) =>
  formatDecimal(sum(rows.map(({ proceeds }) => parseDecimal(proceeds))));

/** Who gets what at one value. */
export function ExitAt({ point }: { readonly point: ExitPoint }) {
  const holders = point.holders ?? [];
  const deducted = point.deductions.map(({ amount }) => ({ proceeds: amount }));
  return (
    <>
      <FigureStrip
        figures={[
          { name: EXIT.value, figure: <Money value={point.exitValue} /> },
          {
            name: EXIT.distributable,
            figure: <Money value={point.distributable} />,
            note: deducted.length > 0 && EXIT.deducted(totalOf(deducted)),
          },
          { name: EXIT.common, figure: <Money value={point.commonPricePerShare} /> },
          ...(point.undistributed === "0"
            ? []
            : [{ name: EXIT.undistributed, figure: <Money value={point.undistributed} /> }]),
        ]}
      />
      <Card title={EXIT.holders}>
        <Table
          label={EXIT.holders}
          columns={HOLDERS}
          rows={holders}
          keyOf={({ stakeholderId, name }) => stakeholderId ?? `name ${name}`}
        >
          <tr class="total">
            <th scope="row">{MODELS.total}</th>
            <td class="num">
              <Cents value={totalOf(holders)} />
            </td>
            <td class="num" />
          </tr>
        </Table>
      </Card>
      <Card title={EXIT.units}>
        <Table
          label={EXIT.units}
          columns={UNITS}
          rows={point.units}
          keyOf={({ kind, name, securityId, claim }) => `${kind} ${name} ${securityId} ${claim}`}
        />
      </Card>
    </>
  );
}

type Breakpoint = NonNullable<ExitAnswer["breakpoints"]>[number];

const BREAKPOINTS: readonly Column<Breakpoint>[] = [
  { id: "from", label: EXIT.beyond, cell: ({ distributable }) => <Cents value={distributable} /> },
  {
    id: "events",
    label: EXIT.happens,
    class: "prose-cell",
    cell: ({ events }) =>
      events
        .map(({ event, unit, accruesFrom }) => EXIT.event(event, unit && EXIT.unitName(unit, accruesFrom)))
        .join("; "),
  },
  {
    id: "common",
    label: EXIT.common,
    isFigure: true,
    isWide: true,
    cell: ({ commonPricePerShare }) => <Money value={commonPricePerShare} />,
  },
  {
    id: "next",
    label: EXIT.next,
    isWide: true,
    class: "prose-cell",
    cell: ({ next }) =>
      next
        .map(({ name, accruesFrom, percent }) => EXIT.nextPart(EXIT.unitName(name, accruesFrom), percent))
        .join(", ") || EXIT.noHolder,
  },
];

/** The values at which something changes. */
export function Breakpoints({ exit: { breakpoints = [] } }: { readonly exit: ExitAnswer }) {
  return (
    <Card title={EXIT.breakpoints} note={EXIT.breakpointsHint}>
      <Table
        label={EXIT.breakpoints}
        columns={BREAKPOINTS}
        rows={breakpoints}
        keyOf={({ distributable, events }) => `${distributable} ${JSON.stringify(events)}`}
      />
    </Card>
  );
}
