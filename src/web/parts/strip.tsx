// Strip of key figures with labels, at the top of a page.
import type { ComponentChildren } from "preact";

/** A figure, what it is, and a note below. */
export interface StripFigure {
  readonly name: string;
  readonly figure: ComponentChildren;
  readonly note?: ComponentChildren;
}

/** The strip. */
export function FigureStrip({ figures }: { readonly figures: readonly StripFigure[] }) {
  return (
    <dl class="strip">
      {figures.map(({ name, figure, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="strip-figure">{figure}</dd>
          {note && <dd class="note">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
