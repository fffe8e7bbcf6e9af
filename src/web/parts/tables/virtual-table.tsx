// A table of thousands of rows, of which only those in view are in the document: an ARIA table, every row 36 px high.
// biome-ignore-all lint/a11y/useSemanticElements: a table of the platform cannot leave rows out
// biome-ignore-all lint/a11y/useFocusableInteractive: what is focused are the links and buttons in its cells
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ariaSort, type Column, classOf, HeadLabel, type Sorting, sorted } from "./table.tsx";

const ROW_PX = 36;
const ROW_TOUCH_PX = 44;
/** Rows before and after what is in view, so that quick scrolling shows no gap. */
const SPARE_ROWS = 24;
const HEIGHT_AT_FIRST_PX = 720;

/** A list; it scrolls in itself and fills the room that it is given. `label` names it. */
export function VirtualTable<T>({
  label,
  columns,
  rows,
  keyOf,
  sorting,
  onSort,
}: {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly sorting: Sorting | null;
  readonly onSort?: (id: string) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(HEIGHT_AT_FIRST_PX);
  const [rowPx, setRowPx] = useState(ROW_PX);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const watch = new ResizeObserver(() => {
      setHeight(element.clientHeight);
      setRowPx(matchMedia("(max-width: 52rem)").matches ? ROW_TOUCH_PX : ROW_PX);
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  // Not while it scrolls: only what it is given changes the order.
  const ordered = useMemo(() => sorted(rows, columns, sorting), [rows, columns, sorting?.id, sorting?.isDescending]);
  const first = Math.max(0, Math.floor(top / rowPx) - SPARE_ROWS);
  const last = Math.min(ordered.length, Math.ceil((top + height) / rowPx) + SPARE_ROWS);
  const tracksOf = (shown: readonly Column<T>[]) => shown.map(({ width }) => width ?? "minmax(0, 1fr)").join(" ");
  const narrow = columns.filter(({ isWide }) => !isWide);
  return (
    <div
      class="virtual"
      role="table"
      aria-label={label}
      aria-rowcount={ordered.length + 1}
      ref={scroller}
      tabIndex={0}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      style={{
        "--tracks": tracksOf(columns),
        "--tracks-narrow": tracksOf(narrow),
        maxHeight: `${(ordered.length + 1) * rowPx}px`,
      }}
    >
      <div role="rowgroup" class="virtual-head">
        <div role="row" class="virtual-row" aria-rowindex={1}>
          {columns.map((column) => (
            <div key={column.id} role="columnheader" class={classOf(column)} aria-sort={ariaSort(column.id, sorting)}>
              <HeadLabel column={column} sorting={sorting} onSort={onSort} />
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" class="virtual-body" style={{ height: `${ordered.length * rowPx}px` }}>
        <div style={{ transform: `translateY(${first * rowPx}px)` }}>
          {ordered.slice(first, last).map((row, index) => (
            <div key={keyOf(row)} role="row" class="virtual-row" aria-rowindex={first + index + 2}>
              {columns.map((column, at) => (
                <div key={column.id} role={at === 0 ? "rowheader" : "cell"} class={classOf(column)}>
                  {column.cell(row)}
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
