// The cap table: holders by classes, options and warrants, with totals; printed, and as a file.
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import {
  HELD_COLUMNS,
  type HolderLine,
  holderLines,
  poolLine,
  stockColumn,
  totalLine,
} from "../../../views/cap-table/layout/by-holder.ts";
import type { LayoutColumn } from "../../../views/cap-table/layout/layout-column.ts";
import { isPage } from "../../frame/navigation.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { quantityText } from "../../locale.ts";
import { Button } from "../../parts/button.tsx";
import { Percent, Quantity, Ratios } from "../../parts/figure.tsx";
import { Card } from "../../parts/page-head.tsx";
import { save } from "../../parts/save.ts";
import { Swatch } from "../../parts/swatch.tsx";
import { type Column, classOf, sorted, Table, useSorting } from "../../parts/tables/table.tsx";
import { OVERVIEW } from "../../text/overview.ts";
import { type CapTable, OPTIONS_ID, type RankedClass, seriesOf, WARRANTS_ID } from "./cap-table-figures.ts";

/** How many rows are shown at first, and then each time: a browser takes long to lay out thousands. */
const ROWS_STEP = 200;
/** From how many rows on the table scrolls under its head. */
const LONG = 24;

async function saveFile(source: PageSource, name: string): Promise<void> {
  const { csvOf } = await import("./cap-table-csv.ts");
  save(new Blob([csvOf(source)], { type: "text/csv" }), name);
}

interface PageSource {
  readonly table: CapTable;
  readonly ranks: readonly RankedClass[];
}

/** The card. */
export function CapTableCard({ table, ranks }: PageSource) {
  const { name } = useOrganization();
  const [limit, setLimit] = useState(ROWS_STEP);
  const columns = columnsOf({ table, ranks });
  const { sorting, toggle } = useSorting(columns);
  const { stakeholders, asOf } = table;
  const lines = useMemo(() => holderLines(table), [table]);
  const rows = sorted(lines, columns, sorting).slice(0, limit);
  const print = () => {
    setLimit(stakeholders.length);
    // After the rows are in the document.
    requestAnimationFrame(() => requestAnimationFrame(() => globalThis.print()));
  };
  const actions = (
    <>
      <Button onClick={print}>{OVERVIEW.print}</Button>
      <Button onClick={() => saveFile({ table, ranks }, fileName(name, asOf))}>{OVERVIEW.csv}</Button>
    </>
  );
  return (
    <Card
      title={OVERVIEW.capTable}
      note={OVERVIEW.note(asOf, OVERVIEW.holders(stakeholders.length))}
      actions={actions}
      class="cap-table"
    >
      <Table
        label={OVERVIEW.capTable}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id ?? ""}
        sorting={sorting}
        onSort={toggle}
        class={rows.length > LONG ? "long" : ""}
      >
        {[poolLine(table) ?? [], totalLine(table)].flat().map((line) => (
          <LastRow key={line.kind} line={line} columns={columns} />
        ))}
      </Table>
      <Ratios classes={table.shareClasses} />
      {rows.length < stakeholders.length && (
        <div class="show-all">
          <span class="note">{OVERVIEW.shownOf(rows.length, stakeholders.length)}</span>{" "}
          <Button onClick={() => setLimit(limit + ROWS_STEP)}>{OVERVIEW.showMore}</Button>
        </div>
      )}
    </Card>
  );
}

function fileName(organization: string, day: string): string {
  const words = organization.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return `cap-table-${words.replace(/^-|-$/g, "")}-${day}.csv`;
}

/** The columns of what is held, each with its colour: classes, those beyond the colours as one, options, warrants. */
function columnsHeld({ table, ranks }: PageSource) {
  const { shareClasses, totals } = table;
  return seriesOf(ranks).flatMap(({ id, name, color, classIds }) => {
    if (id === OPTIONS_ID || id === WARRANTS_ID) return totals[id] === "0" ? [] : [{ color, column: HELD_COLUMNS[id] }];
    const isShown = shareClasses.some((each) => classIds.includes(each.id));
    return isShown ? [{ color, column: stockColumn(id, name, classIds) }] : [];
  });
}

function columnsOf(source: PageSource): readonly Column<HolderLine>[] {
  const held = columnsHeld(source);
  const { name, asConverted, percentDiluted } = HELD_COLUMNS;
  return [
    shownAs(name, (_, line) => <HolderCell line={line} held={held.map(({ column }) => column)} />),
    ...held.map(({ color, column }) => ({
      ...shownAs(column, (value) => <Quantity value={value} isZeroDimmed />),
      name: column.heading,
      label: (
        <>
          <Swatch color={color} />
          {column.heading}
        </>
      ),
      isWide: true,
    })),
    shownAs(asConverted, (value) => <Quantity value={value} />),
    { ...shownAs(percentDiluted, (value) => <Percent value={value} />), label: percentDiluted.short },
  ];
}

/** A column of the lay-out on the page; a line without a cell has an empty one. */
function shownAs(
  { key, heading, kind, cell }: LayoutColumn<HolderLine>,
  shown: (value: string, line: HolderLine) => ComponentChildren,
): Column<HolderLine> {
  const inCell = (line: HolderLine) => {
    const value = cell(line);
    return value && shown(value, line);
  };
  return { id: key, label: heading, isFigure: kind !== "text", sortBy: cell, cell: inCell };
}

function HolderCell({ line, held }: { readonly line: HolderLine; readonly held: readonly LayoutColumn<HolderLine>[] }) {
  const { path } = useOrganization();
  const { id, name, kind } = line;
  const parts = held.flatMap(({ heading, cell }) => {
    const quantity = cell(line) ?? "0";
    return quantity === "0" ? [] : [`${quantityText(quantity)} ${heading}`];
  });
  return (
    <>
      {kind === "pool" && <Swatch color="c-pool" isStriped />}
      {id !== null && isPage("/stakeholders/:id") ? <Link href={path(`/stakeholders/${id}`)}>{name}</Link> : name}
      {kind === "holder" && <span class="only-narrow note">{parts.join(" · ")}</span>}
    </>
  );
}

/** What is available, and the sums: they stay last however the holders are sorted. */
function LastRow({ line, columns }: { readonly line: HolderLine; readonly columns: readonly Column<HolderLine>[] }) {
  const [name, ...figures] = columns;
  return (
    <tr class={line.kind === "total" ? "total" : undefined}>
      <th scope="row">{name?.cell(line)}</th>
      {figures.map((column) => (
        <td key={column.id} class={classOf(column)}>
          {column.cell(line)}
        </td>
      ))}
    </tr>
  );
}
