// What an import found: problems and warnings with sheet, cell and fix; what it does with the rows; sums of the file.

import { Count, Day } from "../../parts/figure.tsx";
import { Badge, Notice } from "../../parts/notice.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { labelIn } from "../../text/common.ts";
import { IMPORTS } from "../../text/imports.ts";
import type { Import } from "./import-calls.ts";

const SHOWN_MAX = 200;

type Remark = Import["problems"][number] & { readonly at: number; readonly isProblem: boolean };

function whereOf({ sheet, row, cell }: Remark): string {
  const place = cell ?? (row === null ? null : String(row));
  return [sheet, place].filter((part) => part !== null && part !== "").join("!");
}

const REMARKS: readonly Column<Remark>[] = [
  {
    id: "where",
    label: IMPORTS.where,
    cell: (remark) => (
      <>
        <code>{whereOf(remark)}</code>
        <div class="note">{remark.header}</div>
      </>
    ),
  },
  {
    id: "finding",
    label: IMPORTS.finding,
    class: "prose-cell",
    cell: ({ isProblem, value, detail, code, fix }) => (
      <>
        <Badge tone={isProblem ? "bad" : "warn"}>{code}</Badge> {value && <q>{value}</q>} {detail}
        <div class="note">{fix}</div>
      </>
    ),
  },
];

/** The verdict, and each problem and warning. */
export function Found({ given }: { readonly given: Import }) {
  const { format, rows, problemCount, warningCount, asOf } = given;
  const remarks = [
    ...given.problems.map((problem, at) => ({ ...problem, at, isProblem: true })),
    ...given.warnings.map((warning, at) => ({ ...warning, at, isProblem: false })),
  ];
  return (
    <>
      <Notice tone={problemCount > 0 ? "bad" : warningCount > 0 ? "warn" : "good"}>
        {IMPORTS.found(labelIn(IMPORTS.formats, format), rows)} {problemCount + warningCount === 0 && IMPORTS.clean}
        {problemCount > 0 && `${IMPORTS.problems(problemCount)}. `}
        {warningCount > 0 && `${IMPORTS.warnings(warningCount)}. `}
        {problemCount > 0 && IMPORTS.mustMend}
      </Notice>
      {asOf && (
        <p class="note">
          {IMPORTS.asOf} <Day value={asOf} />
        </p>
      )}
      {remarks.length > 0 && (
        <Table
          label={IMPORTS.finding}
          columns={REMARKS}
          rows={remarks.slice(0, SHOWN_MAX)}
          keyOf={({ isProblem, at }) => `${isProblem} ${at}`}
        />
      )}
      {problemCount + warningCount > SHOWN_MAX && <p class="note">{IMPORTS.more}</p>}
    </>
  );
}

type Kind = { readonly kind: string } & Import["counts"][string];

const COUNTS: readonly Column<Kind>[] = [
  { id: "kind", label: IMPORTS.kind, cell: ({ kind }) => IMPORTS.kinds[kind] ?? kind },
  { id: "create", label: IMPORTS.create, isFigure: true, cell: ({ create }) => <Count value={create} /> },
  { id: "unchanged", label: IMPORTS.unchanged, isFigure: true, cell: ({ unchanged }) => <Count value={unchanged} /> },
  { id: "differs", label: IMPORTS.differs, isFigure: true, cell: ({ differs }) => <Count value={differs} /> },
  { id: "leftOut", label: IMPORTS.leftOut, isFigure: true, cell: ({ leftOut }) => <Count value={leftOut} /> },
];

/** How many of each kind are made, there already, or left out. */
export function Counts({ given: { counts, closed } }: { readonly given: Import }) {
  const rows = Object.entries(counts).map(([kind, each]) => ({ kind, ...each }));
  if (rows.length === 0) return null;
  return (
    <>
      <Table label={IMPORTS.preview} columns={COUNTS} rows={rows} keyOf={({ kind }) => kind} />
      {closed > 0 && <p class="note">{IMPORTS.closed(closed)}</p>}
    </>
  );
}

type Total = Import["totals"][number];

const TOTALS: readonly Column<Total>[] = [
  { id: "name", label: IMPORTS.ofWhat, cell: ({ name }) => name },
  { id: "file", label: IMPORTS.inFile, isFigure: true, cell: ({ file }) => file },
  { id: "computed", label: IMPORTS.computed, isFigure: true, cell: ({ computed }) => computed },
];

/** Sums that the file states, beside those of its rows. */
export function Totals({ given: { totals } }: { readonly given: Import }) {
  if (totals.length === 0) return null;
  return <Table label={IMPORTS.totals} columns={TOTALS} rows={totals} keyOf={({ name, file }) => `${name} ${file}`} />;
}
