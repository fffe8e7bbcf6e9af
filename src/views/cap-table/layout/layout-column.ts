// A column of the cap table as every face prints it: its words and its cells. Pure.

/** A column of lines `L`. */
export interface LayoutColumn<L> {
  /** Identifies it within its table. */
  readonly key: string;
  /** The heading in files and on paper. */
  readonly heading: string;
  /** The heading where there is little room. */
  readonly short: string;
  readonly kind: "text" | "quantity" | "percent";
  /** A name, a decimal of every digit, a percentage of six places or a word such as `UNLIMITED`; null for no cell. */
  cell(line: L): string | null;
}

type Cell<L> = (line: L) => string | null;

/** A column of names or ids. */
export function textColumn<L>(key: string, heading: string, cell: Cell<L>): LayoutColumn<L> {
  return { key, heading, short: heading, kind: "text", cell };
}

/** A column of shares. */
export function quantityColumn<L>(key: string, heading: string, cell: Cell<L>, short = heading): LayoutColumn<L> {
  return { key, heading, short, kind: "quantity", cell };
}
