// Stripe pattern of charts, for the pool and other shares without a holder.

/** A pattern; what is filled with `url(#id)` is striped. */
export function Stripes({ id }: { readonly id: string }) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="6" height="6" fill="var(--sunken)" />
      <rect width="2" height="6" fill="var(--c-pool)" />
    </pattern>
  );
}
