// Prices over time, as steps: each holds until the next. The base line is zero.
import { placeOf, px, shareOf } from "./geometry.ts";

/** A price from a day on; a decimal. */
export interface PricePoint {
  readonly date: string;
  readonly price: string;
}

/** The prices of one thing, the earliest first. */
export interface PriceSeries {
  readonly name: string;
  /** A colour's name among the tokens. */
  readonly color: string;
  readonly points: readonly PricePoint[];
}

const WIDTH = 1000;
const HEIGHT = 160;
/** Of the height: a little is left free above. */
const FILLED = 0.92;

/** The chart. `top` is the highest price, `label` says it in words, `ends` stand below. */
export function PriceLine({
  series,
  first,
  last,
  top,
  label,
  ends,
}: {
  readonly series: readonly PriceSeries[];
  readonly first: string;
  readonly last: string;
  readonly top: string;
  readonly label: string;
  readonly ends: readonly [first: string, last: string];
}) {
  const outline = ({ points }: PriceSeries) =>
    points
      .map(({ date, price }, index) => {
        const x = px(placeOf(date, first, last) * WIDTH);
        const y = px(HEIGHT - shareOf(price, top) * HEIGHT * FILLED);
        return index === 0 ? `M${x} ${y}` : `H${x}V${y}`;
      })
      .concat(`H${WIDTH}`)
      .join("");
  return (
    <figure class="price-line">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {series.map((each) => (
          <path key={each.name} d={outline(each)} stroke={`var(--${each.color})`} />
        ))}
      </svg>
      <figcaption class="vesting-ends note">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </figcaption>
    </figure>
  );
}
