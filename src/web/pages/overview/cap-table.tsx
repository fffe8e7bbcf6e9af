// The cap table: holders by classes, options and warrants, with totals; printed, and as a file.
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { largestFirst } from "../../../kernel/numbers/ratios.ts";
import { isPage } from "../../frame/navigation.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { percentOf, quantityText } from "../../locale.ts";
import { Button } from "../../parts/button.tsx";
import { Percent, Quantity, Ratios } from "../../parts/figure.tsx";
import { Card } from "../../parts/page-head.tsx";
import { save } from "../../parts/save.ts";
import { Swatch } from "../../parts/swatch.tsx";
import { type Column, sorted, Table, useSorting } from "../../parts/tables/table.tsx";
import { OVERVIEW } from "../../text/overview.ts";
import {
  type CapTable,
  type Holder,
  heldOf,
  nameOf,
  OPTIONS_ID,
  POOL_ID,
  type Series,
  total,
  WARRANTS_ID,
} from "./cap-table-figures.ts";

/** How many rows are shown at first, and then each time: a browser takes long to lay out thousands. */
const ROWS_STEP = 200;
/** From how many rows on the table scrolls under its head. */
const LONG = 24;

async function saveFile(table: CapTable, name: string): Promise<void> {
  const { csvOf } = await import("./cap-table-csv.ts");
  save(new Blob([csvOf(table)], { type: "text/csv" }), name);
}

/** The card. */
export function CapTableCard({ table, series }: { readonly table: CapTable; readonly series: readonly Series[] }) {
  const { name } = useOrganization();
  const [limit, setLimit] = useState(ROWS_STEP);
  const shown = series.filter(({ id, classIds }) => isShown(table, id, classIds));
  const columns = columnsOf(shown);
  const { sorting, toggle } = useSorting(columns);
  const { stakeholders, asOf } = table;
  const rows = sorted(largestFirst(stakeholders), columns, sorting).slice(0, limit);
  const print = () => {
    setLimit(stakeholders.length);
    // After the rows are in the document.
    requestAnimationFrame(() => requestAnimationFrame(() => globalThis.print()));
  };
  const actions = (
    <>
      <Button onClick={print}>{OVERVIEW.print}</Button>
      <Button onClick={() => saveFile(table, fileName(name, asOf))}>{OVERVIEW.csv}</Button>
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
        <PoolRow table={table} columns={columns} />
        <TotalRow table={table} series={shown} />
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
      sortBy: ({ asConverted }) => asConverted,
      cell: ({ asConverted }) => <Quantity value={asConverted} />,
    },
    {
      id: "share",
      label: OVERVIEW.share,
      isFigure: true,
      sortBy: ({ percentAsConverted }) => percentAsConverted,
      cell: ({ percentAsConverted }) => <Percent value={percentAsConverted} />,
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
        <Percent value={totals.percentPoolAsConverted} />
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
        <Quantity value={totals.asConverted} />
      </td>
      <td class="num">
        <Percent value={percentOf(totals.asConverted, totals.asConverted)} />
      </td>
    </tr>
  );
}
