// The card with the prices over time; nothing where fewer than two days have one.
import { today } from "../../clock.ts";
import { dayText } from "../../locale.ts";
import { PriceLine } from "../../parts/charts/price-line.tsx";
import { Card } from "../../parts/page-head.tsx";
import { Swatch } from "../../parts/swatch.tsx";
import { VALUATIONS } from "../../text/valuations.ts";
import { highest, linesOf, type Valuation } from "./lines.ts";

const COLORS = ["c1", "c2", "c3", "c6", "c7", "c4", "c5"] as const;

/** The card. */
export function Prices({
  valuations,
  nameOf,
}: {
  readonly valuations: readonly Valuation[];
  readonly nameOf: (classId: string | null) => string;
}) {
  // Colours are never used twice: further classes are in the table alone.
  const lines = linesOf(valuations, nameOf).slice(0, COLORS.length);
  const points = lines.flatMap((line) => line.points);
  const days = [...new Set(points.map(({ date }) => date))].toSorted();
  const [first, end] = [days[0], days.at(-1)];
  if (first === undefined || end === undefined || days.length < 2) return null;
  const [last = end] = [end, today()].toSorted().reverse();
  const series = lines.map((line, index) => ({ ...line, color: COLORS[index] ?? "c1" }));
  const words = lines.map(({ name, points: [...each] }) => {
    const newest = each.at(-1);
    return newest ? VALUATIONS.line(name, newest.date, newest.price, null) : name;
  });
  return (
    <Card title={VALUATIONS.chart} note={VALUATIONS.chartNote}>
      <PriceLine
        series={series}
        first={first}
        last={last}
        top={highest(points.map(({ price }) => price))}
        label={VALUATIONS.chartOf(words)}
        ends={[dayText(first), dayText(last)]}
      />
      <ul class="chart-legend">
        {series.map(({ id, color }, index) => (
          <li key={id}>
            <Swatch color={color} />
            {words[index]}
          </li>
        ))}
      </ul>
    </Card>
  );
}
