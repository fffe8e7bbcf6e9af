// How much of a limit is used: a bar, and in words where it is too much.
import { lessOf } from "../../parts/charts/vesting-points.ts";
import { Meter } from "../../parts/meter.tsx";
import { CLASSES } from "../../text/classes.ts";

/** The bar, with words where more is used than there is. */
export function Use({
  used,
  limit,
  color,
}: {
  readonly used: string;
  readonly limit: string;
  readonly color?: string;
}) {
  if (!/^[\d.]+$/.test(limit)) return null;
  const over = lessOf(used, limit);
  return (
    <>
      <Meter used={used} limit={limit} label={CLASSES.usedOf(used, limit)} {...(color ? { color } : {})} />
      {over !== "0" && <p class="over-words">{CLASSES.over(over)}</p>}
    </>
  );
}
