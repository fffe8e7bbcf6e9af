// What vests, as steps: nothing vests between two days. What has vested is filled, what is to come is tinted with a dashed
// edge; the hand is today, or the day that is looked at.
import { useId } from "preact/hooks";
import { addDays } from "../../../kernel/date.ts";
import { placeOf, px, shareOf, stepsOf } from "./geometry.ts";
import type { VestingStep } from "./vesting-points.ts";

interface VestingChartProps {
  readonly steps: readonly VestingStep[];
  /** The day on which the chart begins, before the first step: of the grant, or of the start of vesting. */
  readonly start: string;
  /** What the whole height stands for, a decimal. */
  readonly whole: string;
  /** The day of the hand, and what it is called. */
  readonly day: string;
  readonly dayLabel: string;
  /** The chart in words. */
  readonly label: string;
  /** A colour's name among the tokens. */
  readonly color?: string;
  /** The first and last day, as they are shown below. */
  readonly ends: readonly [first: string, last: string];
}

const WIDTH = 1000;
const HEIGHT = 200;
/** Past which part of the width the hand's label stands at its left. */
const TURN = 0.5;

/** The chart. */
export function VestingChart({ steps, start, whole, day, dayLabel, label, color = "c4", ends }: VestingChartProps) {
  const id = useId();
  const first = steps[0] && steps[0].date < start ? steps[0].date : start;
  const end = steps.at(-1)?.date ?? start;
  const last = end > first ? end : addDays(first, 1);
  const outline = stepsOf({
    dates: steps.map(({ date }) => date),
    tops: steps.map(({ total }) => [0, shareOf(total, whole)]),
    layer: 0,
    ...{ first, last, width: WIDTH, height: HEIGHT },
  });
  const place = day <= first ? 0 : placeOf(day, first, last);
  const at = `${px(place * 100)}%`;
  return (
    <figure class="vesting-chart">
      <div class="vesting-plot">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
          <defs>
            <clipPath id={`${id}-past`}>
              <rect width={px(place * WIDTH)} height={HEIGHT} />
            </clipPath>
          </defs>
          <path class="grid" d={[0.25, 0.5, 0.75, 1].map(gridLine).join("")} />
          <path class="to-come" d={outline} style={{ color: `var(--${color})` }} />
          <path class="past" d={outline} style={{ color: `var(--${color})` }} clip-path={`url(#${id}-past)`} />
        </svg>
        <div class="hand" style={{ insetInlineStart: at }} />
        <span class={place > TURN ? "hand-label turned" : "hand-label"} style={{ insetInlineStart: at }}>
          {dayLabel}
        </span>
      </div>
      <figcaption class="vesting-ends note">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </figcaption>
    </figure>
  );
}

/** A line across at a part of the height, as steps are drawn: a little is left free above. */
function gridLine(part: number): string {
  return `M0 ${px(HEIGHT - part * HEIGHT * 0.94)}H${WIDTH}`;
}
