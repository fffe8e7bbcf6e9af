// A bar of how much of a limit is used; what is above the limit is striped.
import { shareOf } from "./charts/geometry.ts";

/** `used` and `limit` are decimals; a limit that is no number shows no bar. `label` says it in words. */
export function Meter({
  used,
  limit,
  label,
  color = "c1",
}: {
  readonly used: string;
  readonly limit: string;
  readonly label: string;
  /** A colour's name among the tokens. */
  readonly color?: string;
}) {
  if (!/^[\d.]+$/.test(limit)) return null;
  const share = shareOf(used, limit);
  const isOver = share > 1;
  return (
    <span class="meter" role="img" aria-label={label} title={label}>
      <span style={{ width: `${100 * (isOver ? 1 / share : share)}%`, background: `var(--${color})` }} />
      {isOver && <span class="over" style={{ width: `${100 * (1 - 1 / share)}%` }} />}
    </span>
  );
}
