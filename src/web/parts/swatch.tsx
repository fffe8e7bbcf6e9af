// The colour of a series beside its name.

/** A small square; the pool's is striped. */
export function Swatch({ color, isStriped = false }: { readonly color: string; readonly isStriped?: boolean }) {
  return (
    <span
      class={isStriped ? "swatch striped" : "swatch"}
      style={{ background: isStriped ? undefined : `var(--${color})` }}
      aria-hidden="true"
    />
  );
}
