// Stacked steps over time, with a hand for one day: what is right of it is faded. The hand is a range input, so that it is
// moved by pointer, finger and keys alike.
import { useId } from "preact/hooks";
import { addDays, addMonths, dayNumber } from "../../../kernel/date.ts";
import { px, sharesOfLargest, stepsOf, yearMarks } from "./geometry.ts";
import { Stripes } from "./stripes.tsx";

/** A layer of the stack, from below. */
export interface Layer {
  readonly id: string;
  readonly color: string;
  readonly isStriped?: boolean;
}

/** Quantities, exact, from a day on; one for each layer. */
export interface StepPoint {
  readonly date: string;
  readonly values: readonly string[];
}

interface StepAreaProps {
  readonly layers: readonly Layer[];
  readonly points: readonly StepPoint[];
  /** The first and last day of the chart. */
  readonly first: string;
  readonly last: string;
  /** The day of the hand. */
  readonly day: string;
  readonly onDay: (day: string) => void;
  readonly label: string;
  readonly handLabel: string;
  /** What the hand's day is, in words. */
  readonly handValue: string;
}

const WIDTH = 1000;
const HEIGHT = 200;

/** The chart. */
export function StepArea({ layers, points, first, last, day, onDay, label, handLabel, handValue }: StepAreaProps) {
  const id = useId();
  const tops = sharesOfLargest(points.map(({ values }) => values));
  const dates = points.map(({ date }) => date);
  const paths = layers.map((_, layer) => stepsOf({ dates, tops, layer, first, last, width: WIDTH, height: HEIGHT }));
  const days = dayNumber(last) - dayNumber(first);
  const at = dayNumber(day) - dayNumber(first);
  const place = days === 0 ? 1 : at / days;
  const stack = layers.map(({ id: layerId, color, isStriped }, index) => (
    <path key={layerId} d={paths[index] ?? ""} fill={isStriped ? `url(#${id}-stripes)` : `var(--${color})`} />
  ));
  return (
    <div class="step-area">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <defs>
          <Stripes id={`${id}-stripes`} />
          <clipPath id={`${id}-past`}>
            <rect width={px(place * WIDTH)} height={HEIGHT} />
          </clipPath>
        </defs>
        <g opacity="0.3">{stack}</g>
        <g clip-path={`url(#${id}-past)`}>
          <rect width={WIDTH} height={HEIGHT} fill="var(--surface)" />
          {stack}
        </g>
      </svg>
      <div class="hand" style={{ insetInlineStart: `${px(place * 100)}%` }} />
      <input
        type="range"
        class="hand-input"
        aria-label={handLabel}
        aria-valuetext={handValue}
        min={0}
        max={days}
        step={1}
        value={at}
        onInput={(event) => onDay(addDays(first, event.currentTarget.valueAsNumber))}
        onKeyDown={(event) => {
          const months = event.key === "PageUp" ? 1 : event.key === "PageDown" ? -1 : 0;
          if (months === 0) return;
          event.preventDefault();
          onDay(within(addMonths(day, months), first, last));
        }}
      />
      <div class="year-marks" aria-hidden="true">
        {yearMarks(first, last).map((mark) => (
          <span key={mark.year} style={{ insetInlineStart: `${px(mark.place * 100)}%` }}>
            {mark.year}
          </span>
        ))}
      </div>
    </div>
  );
}

function within(day: string, first: string, last: string): string {
  if (day < first) return first;
  return day > last ? last : day;
}
