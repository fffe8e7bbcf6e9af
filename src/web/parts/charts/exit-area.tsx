// Stacked amounts over a value that grows, with lines at breakpoints and a hand for one value: a range input, moved by
// pointer, finger and keys alike.
import { useId } from "preact/hooks";
import { areaOf, px, sharesOfLargest } from "./geometry.ts";
import { Stripes } from "./stripes.tsx";

/** A band, from below: one decimal for each step. */
export interface AreaBand {
  readonly id: string;
  readonly color: string;
  readonly isStriped?: boolean;
  readonly values: readonly string[];
}

const WIDTH = 1000;
const HEIGHT = 220;

/** The chart; `marks` are places from 0 to 1, `step` is where the hand stands of `steps`. */
export function ExitArea({
  bands,
  marks,
  step,
  steps,
  onStep,
  label,
  handLabel,
  handValue,
  ends,
}: {
  readonly bands: readonly AreaBand[];
  readonly marks: readonly number[];
  readonly step: number;
  readonly steps: number;
  readonly onStep: (step: number) => void;
  readonly label: string;
  readonly handLabel: string;
  readonly handValue: string;
  readonly ends: readonly [first: string, last: string];
}) {
  const id = useId();
  const count = bands[0]?.values.length ?? 0;
  const tops = sharesOfLargest(Array.from({ length: count }, (_, at) => bands.map(({ values }) => values[at] ?? "0")));
  return (
    <div class="exit-chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <defs>
          <Stripes id={`${id}-stripes`} />
        </defs>
        {bands.map((band, layer) => (
          <path
            key={band.id}
            d={areaOf(tops, layer, WIDTH, HEIGHT)}
            fill={band.isStriped ? `url(#${id}-stripes)` : `var(--${band.color})`}
          />
        ))}
        {marks.map((place) => (
          <path key={place} class="mark" d={`M${px(place * WIDTH)} 0V${HEIGHT}`} />
        ))}
      </svg>
      <div class="hand" style={{ insetInlineStart: `${px((step / steps) * 100)}%` }} />
      <input
        type="range"
        class="hand-input"
        aria-label={handLabel}
        aria-valuetext={handValue}
        min={0}
        max={steps}
        step={1}
        value={step}
        onInput={(event) => onStep(event.currentTarget.valueAsNumber)}
      />
      <div class="vesting-ends note" aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </div>
    </div>
  );
}
