// One bar of the whole: a segment for each part, its name and percentage inside where they fit, and always in the table
// beside it.
import { percentText } from "../../locale.ts";
import { px, sharesOf } from "./geometry.ts";

/** A part of the whole. */
export interface BarPart {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly isStriped: boolean;
  readonly quantity: string;
  readonly percent: string | null;
}

/** How large a part is for its words to fit. */
const ROOM = { name: 0.13, percent: 0.055 } as const;

/** The bar; `label` says its parts in words. */
export function OwnershipBar({ parts, label }: { readonly parts: readonly BarPart[]; readonly label: string }) {
  const shares = sharesOf(parts.map(({ quantity }) => quantity));
  return (
    <div class="ownership-bar" role="img" aria-label={label}>
      {parts.map(({ id, name, color, isStriped, percent }, index) => {
        const share = shares[index] ?? 0;
        if (share === 0) return null;
        const isNamed = share >= ROOM.name && !isStriped;
        const isTold = share >= ROOM.percent && !isStriped && percent !== null;
        return (
          <span
            key={id}
            class={isStriped ? "segment striped" : "segment"}
            title={percent === null ? name : `${name} ${percentText(percent)}`}
            style={{ width: `${px(share * 100)}%`, background: isStriped ? undefined : `var(--${color})` }}
          >
            {isNamed && <b>{name}</b>}
            {isTold && <span class={isNamed ? "" : "alone"}>{percentText(percent)}</span>}
          </span>
        );
      })}
    </div>
  );
}
