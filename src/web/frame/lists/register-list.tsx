// The list of a register: its filters, the rows that match, the same as a file, and all of them on paper.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { csvText } from "../../../kernel/files/csv.ts";
import { ROWS_MAX } from "../../api/list-pages.ts";
import { today } from "../../clock.ts";
import { Button } from "../../parts/button.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { save } from "../../parts/save.ts";
import { Empty, Loaded, NothingMatches } from "../../parts/states.tsx";
import { FilterBar } from "../../parts/tables/filter-bar.tsx";
import type { Sorting } from "../../parts/tables/sorting.ts";
import { type Column, sorted, Table } from "../../parts/tables/table.tsx";
import { csvName, csvRows } from "../../parts/tables/table-csv.ts";
import { VirtualTable } from "../../parts/tables/virtual-table.tsx";
import { COMMON } from "../../text/common.ts";
import { REGISTER } from "../../text/register-words.ts";
import { useOrganization } from "../page-organization.ts";
import { useColumns } from "./chosen-columns.ts";
import { type Filters, useAddressedSorting } from "./filters.ts";
import type { Register } from "./register-lists.ts";

/** Whether the page is being printed: then all rows have to be in it. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const [begin, end] = [() => setPrinting(true), () => setPrinting(false)];
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting;
}

/** The first line of a printed page. */
export function PrintHead({ what }: { readonly what: string }) {
  const { name } = useOrganization();
  return (
    <p class="only-print print-head">
      <b>{REGISTER.printOf(name, what)}</b> <span>{REGISTER.printedOn(today())}</span>
    </p>
  );
}

/** What a list takes. */
export interface ListProps<T, S> {
  /** What the list is called, and the name of its file. */
  readonly label: string;
  readonly file: string;
  /** Ends "Loading …". */
  readonly what: string;
  readonly register: Register<S>;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
  readonly filters: Filters<string>;
  readonly initial?: Sorting | null;
  /** The fields of the filters. */
  readonly fields: ComponentChildren;
  /** What belongs here where there is nothing, and the action that makes the first. */
  readonly none: string;
  readonly first?: ComponentChildren;
}

/** The list. */
export function RegisterList<T, S>(props: ListProps<T, S>) {
  const { label, file, what, register, rows, columns, keyOf, filters, initial = null, fields, none, first } = props;
  const { name } = useOrganization();
  const isPrinting = usePrinting();
  const { sorting, toggle } = useAddressedSorting(columns, initial);
  const download = () => {
    const text = csvText(csvRows(columns, sorted(rows, columns, sorting)));
    save(new Blob([text], { type: "text/csv" }), csvName(file, name, today()));
  };
  const { shown, group } = useColumns(file, columns);
  // What sorts them may be a column that is not shown.
  const ordered = shown.some(({ id }) => id === sorting?.id) ? rows : sorted(rows, columns, sorting);
  const actions = (
    <>
      <span class="wide">
        <Menu label={REGISTER.columns} align="end" groups={[group]} />
      </span>
      <Button onClick={() => print()}>{REGISTER.print}</Button>
      <Button onClick={download}>{REGISTER.csv}</Button>
    </>
  );
  return (
    <Card class="register">
      <PrintHead what={label} />
      <Loaded query={register.query} what={what} lines={12}>
        {({ items, isCut }) =>
          items.length === 0 && !filters.isAny ? (
            <Empty words={none}>{first}</Empty>
          ) : (
            <>
              <FilterBar shown={rows.length} total={items.length} actions={actions}>
                {fields}
              </FilterBar>
              {isCut && <Notice>{COMMON.tooMany(ROWS_MAX)}</Notice>}
              {rows.length === 0 && <NothingMatches onClear={filters.clear} />}
              {rows.length > 0 && isPrinting && (
                <Table label={label} columns={shown} rows={ordered} keyOf={keyOf} sorting={sorting} />
              )}
              {rows.length > 0 && (
                <VirtualTable
                  label={label}
                  columns={shown}
                  rows={ordered}
                  keyOf={keyOf}
                  sorting={sorting}
                  onSort={toggle}
                />
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
