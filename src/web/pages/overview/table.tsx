// The cap table: holders by classes, options and warrants, with totals; printed, and as a file.
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { today } from "../../clock.ts";
import { isPage } from "../../frame/navigation.ts";
import { useOrganization } from "../../frame/organization.ts";
import { percentOf, quantityText } from "../../locale.ts";
import { Button } from "../../parts/button.tsx";
import { Percent, Quantity } from "../../parts/figures.tsx";
import { Card } from "../../parts/page.tsx";
import { save } from "../../parts/save.ts";
import { Swatch } from "../../parts/swatch.tsx";
import { type Column, Table, useSorting } from "../../parts/table.tsx";
import { OVERVIEW } from "../../text/overview.ts";
import {
  type CapTable,
  csvOf,
  type Holder,
  heldOf,
  nameOf,
  OPTIONS_ID,
  POOL_ID,
  type Series,
  total,
  WARRANTS_ID,
} from "./figures.ts";

/** More rows than this are shown when they are asked for: a browser takes long to lay them out. */
const ROWS_AT_FIRST = 200;
/** From how many rows on the table scrolls under its head. */
const LONG = 24;

/** The card. */
export function CapTableCard({ table, series }: { readonly table: CapTable; readonly series: readonly Series[] }) {
  const { name } = useOrganization();
  const [isWhole, setWhole] = useState(false);
  const shown = series.filter(({ id, classIds }) => isShown(table, id, classIds));
  const columns = columnsOf(shown);
  const { sorting, toggle } = useSorting(columns);
  const { stakeholders, asOf } = table;
  const isCut = !isWhole && stakeholders.length > ROWS_AT_FIRST;
  const rows = isCut ? stakeholders.slice(0, ROWS_AT_FIRST) : stakeholders;
  const print = () => {
    setWhole(true);
    // After the rows are in the document.
    requestAnimationFrame(() => requestAnimationFrame(() => globalThis.print()));
  };
  const file = `cap-table-${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")}-${asOf}.csv`;
  const actions = (
    <>
      <Button onClick={print}>{OVERVIEW.print}</Button>
      <Button onClick={() => save(new Blob([csvOf(table)], { type: "text/csv" }), file)}>{OVERVIEW.csv}</Button>
    </>
  );
  return (
    <Card
      title={OVERVIEW.capTable}
      note={OVERVIEW.note(asOf, OVERVIEW.holders(stakeholders.length))}
      actions={actions}
      class="cap-table"
    >
      <p class="only-print print-head">
        <b>{OVERVIEW.capTableOf(name, asOf)}</b> <span>{OVERVIEW.printed(today())}</span>
      </p>
      <Table
        label={OVERVIEW.capTable}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id ?? ""}
        sorting={sorting}
        onSort={toggle}
        class={rows.length > LONG ? "long" : ""}
      >
        <PoolRow table={table} columns={columns} />
        <TotalRow table={table} series={shown} />
      </Table>
      {isCut && (
        <div class="show-all">
          <Button onClick={() => setWhole(true)}>{OVERVIEW.showAll(stakeholders.length)}</Button>
        </div>
      )}
    </Card>
  );
}

function isShown({ shareClasses, totals }: CapTable, id: string, classIds: readonly string[]): boolean {
  if (id === OPTIONS_ID) return totals.options !== "0";
  if (id === WARRANTS_ID) return totals.warrants !== "0";
  return id !== POOL_ID && shareClasses.some((each) => classIds.includes(each.id));
}

function quantityOf(holder: Holder, { id, classIds }: Series): string {
  if (id === OPTIONS_ID) return holder.options;
  return id === WARRANTS_ID ? holder.warrants : heldOf(holder, classIds);
}

function columnsOf(series: readonly Series[]): readonly Column<Holder>[] {
  return [
    { id: "holder", label: OVERVIEW.holder, sortBy: nameOf, cell: (row) => <HolderCell row={row} series={series} /> },
    ...series.map(
      (each): Column<Holder> => ({
        id: each.id,
        name: each.name,
        label: (
          <>
            <Swatch color={each.color} />
            {each.name}
          </>
        ),
        isFigure: true,
        isWide: true,
        sortBy: (row) => quantityOf(row, each),
        cell: (row) => <Quantity value={quantityOf(row, each)} isZeroDimmed />,
      }),
    ),
    {
      id: "total",
      label: OVERVIEW.fullyDiluted,
      isFigure: true,
      sortBy: ({ fullyDiluted }) => fullyDiluted,
      cell: ({ fullyDiluted }) => <Quantity value={fullyDiluted} />,
    },
    {
      id: "share",
      label: OVERVIEW.share,
      isFigure: true,
      sortBy: ({ percentFullyDiluted }) => percentFullyDiluted,
      cell: ({ percentFullyDiluted }) => <Percent value={percentFullyDiluted} />,
    },
  ];
}

function HolderCell({ row, series }: { readonly row: Holder; readonly series: readonly Series[] }) {
  const { path } = useOrganization();
  const parts = series
    .map((each) => ({ name: each.name, quantity: quantityOf(row, each) }))
    .filter(({ quantity }) => quantity !== "0")
    .map(({ name, quantity }) => `${quantityText(quantity)} ${name}`);
  const isLinked = row.id !== null && isPage("/stakeholders/:id");
  return (
    <>
      {isLinked ? <Link href={path(`/stakeholders/${row.id}`)}>{nameOf(row)}</Link> : nameOf(row)}
      <span class="only-narrow note">{parts.join(" · ")}</span>
    </>
  );
}

function PoolRow({
  table: { totals },
  columns,
}: {
  readonly table: CapTable;
  readonly columns: readonly Column<Holder>[];
}) {
  if (totals.poolAvailable === "0") return null;
  const between = columns.slice(1, -2);
  return (
    <tr>
      <th scope="row">
        <Swatch color="c-pool" isStriped />
        {OVERVIEW.pool}
      </th>
      {between.map(({ id }) => (
        <td key={id} class="num wide" />
      ))}
      <td class="num">
        <Quantity value={totals.poolAvailable} />
      </td>
      <td class="num">
        <Percent value={percentOf(totals.poolAvailable, totals.fullyDiluted)} />
      </td>
    </tr>
  );
}

function TotalRow({ table, series }: { readonly table: CapTable; readonly series: readonly Series[] }) {
  const { totals, shareClasses } = table;
  const issuedOf = ({ classIds }: Series) =>
    total(shareClasses.filter(({ id }) => classIds.includes(id)).map(({ issued }) => issued));
  const sumOf = (each: Series) => {
    if (each.id === OPTIONS_ID) return totals.options;
    return each.id === WARRANTS_ID ? totals.warrants : issuedOf(each);
  };
  return (
    <tr class="total">
      <th scope="row">{OVERVIEW.total}</th>
      {series.map((each) => (
        <td key={each.id} class="num wide">
          <Quantity value={sumOf(each)} isZeroDimmed />
        </td>
      ))}
      <td class="num">
        <Quantity value={totals.fullyDiluted} />
      </td>
      <td class="num">
        <Percent value={percentOf(totals.fullyDiluted, totals.fullyDiluted)} />
      </td>
    </tr>
  );
}
