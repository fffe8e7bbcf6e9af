// Below a field that two people have changed: both values, one to be chosen.
import { useId } from "preact/hooks";
import { CHANGES } from "../../text/actions/changes.ts";
import type { Dispute } from "./use-form.ts";

/** Both values, as `show` makes them readable. */
export function DisputeChoice({
  dispute: { label, yours, theirs, choice, choose },
  show,
}: {
  readonly dispute: Dispute;
  readonly show: (value: unknown) => string;
}) {
  const name = useId();
  const sides = [
    ["YOURS", CHANGES.yours, yours],
    ["THEIRS", CHANGES.theirs, theirs],
  ] as const;
  return (
    <div class="dispute" role="radiogroup" aria-label={CHANGES.which(label)}>
      {sides.map(([side, words, value]) => (
        <label key={side} class="check">
          <input type="radio" name={name} checked={choice === side} onChange={() => choose(side)} />{" "}
          <span>
            <span class="label">{words}</span> {show(value)}
          </span>
        </label>
      ))}
    </div>
  );
}
