// The cap table as it is, and as it would be after an import: its sums, then each class and plan.
import { Quantity } from "../../parts/figure.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { OCF } from "../../text/ocf.ts";
import type { Report } from "./findings.ts";

type CapTables = NonNullable<Report["capTable"]>;
type Brief = CapTables["before"];

interface Line {
  readonly id: string;
  readonly label: string;
  readonly figure: string;
}

/** A line that was not there before has nothing there. */
type Change = Line & { readonly before: string | undefined };

function linesOf({ totals, shareClasses, equityPlans }: Brief): readonly Line[] {
  const sums = Object.keys(OCF.totals) as (keyof typeof OCF.totals)[];
  return [
    ...sums.map((id) => ({ id, label: OCF.totals[id], figure: totals[id] })),
    ...shareClasses.map(({ id, name, issued }) => ({ id: `class ${id}`, label: OCF.issued(name), figure: issued })),
    ...equityPlans.flatMap(({ id, name, granted, available }) => [
      { id: `granted ${id}`, label: OCF.granted(name), figure: granted },
      { id: `available ${id}`, label: OCF.available(name), figure: available },
    ]),
  ];
}

const COLUMNS: readonly Column<Change>[] = [
  { id: "sum", label: OCF.sum, cell: ({ label }) => label },
  { id: "before", label: OCF.now, isFigure: true, cell: ({ before }) => <Quantity value={before} /> },
  { id: "after", label: OCF.after, isFigure: true, cell: ({ figure }) => <Quantity value={figure} /> },
];

/** The table. */
export function BeforeAfter({ capTable: { before, after } }: { readonly capTable: CapTables }) {
  const was = new Map(linesOf(before).map(({ id, figure }) => [id, figure]));
  const rows = linesOf(after).map((line) => ({ ...line, before: was.get(line.id) }));
  return (
    <div class="stack">
      <h3>{OCF.capTable}</h3>
      <Table label={OCF.capTable} columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
    </div>
  );
}
