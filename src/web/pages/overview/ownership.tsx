// Ownership by class or holder: one bar and its table.
import { OwnershipBar } from "../../parts/charts/ownership-bar.tsx";
import { Percent, Quantity } from "../../parts/figure.tsx";
import { Meter } from "../../parts/meter.tsx";
import { Card } from "../../parts/page-head.tsx";
import { Segmented } from "../../parts/segmented.tsx";
import { Swatch } from "../../parts/swatch.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { OVERVIEW } from "../../text/overview.ts";
import { type CapTable, type Count, type Part, partsByClass, partsByHolder, type Series } from "./cap-table-figures.ts";

/** By what the whole is divided. */
export type By = "class" | "holder";

const BY = [
  { value: "class", label: OVERVIEW.byClass },
  { value: "holder", label: OVERVIEW.byHolder },
] as const;
const COUNT = [
  { value: "diluted", label: OVERVIEW.fullyDiluted },
  { value: "outstanding", label: OVERVIEW.countOutstanding },
] as const;

const nameColumn = (label: string): Column<Part> => ({
  id: "name",
  label,
  cell: ({ name, color, isStriped }) => (
    <>
      <Swatch color={color} isStriped={isStriped} />
      {name}
    </>
  ),
});
const SHARES: Column<Part> = {
  id: "shares",
  label: OVERVIEW.shares,
  isFigure: true,
  cell: ({ quantity }) => <Quantity value={quantity} isZeroDimmed />,
};
const SHARE: Column<Part> = {
  id: "share",
  label: OVERVIEW.share,
  isFigure: true,
  cell: ({ percent }) => <Percent value={percent} />,
};
const BY_CLASS: readonly Column<Part>[] = [
  nameColumn(OVERVIEW.classOrPlan),
  SHARES,
  {
    id: "limit",
    label: OVERVIEW.limit,
    isFigure: true,
    isWide: true,
    class: "dim",
    cell: ({ limit }) => limit !== null && <Quantity value={limit} />,
  },
  {
    id: "used",
    label: OVERVIEW.used,
    isWide: true,
    class: "used",
    cell: ({ limit, used, color }) =>
      limit !== null &&
      used !== null && <Meter used={used} limit={limit} color={color} label={usedLabel(used, limit)} />,
  },
  SHARE,
];
const BY_HOLDER: readonly Column<Part>[] = [nameColumn(OVERVIEW.holder), SHARES, SHARE];

function usedLabel(used: string, limit: string): string {
  return /^[\d.]+$/.test(limit) ? OVERVIEW.usedOf(used, limit) : "";
}

/** The card. */
export function Ownership({
  table,
  series,
  by,
  count,
  onBy,
  onCount,
}: {
  readonly table: CapTable;
  readonly series: readonly Series[];
  readonly by: By;
  readonly count: Count;
  readonly onBy: (by: By) => void;
  readonly onCount: (count: Count) => void;
}) {
  const parts = by === "class" ? partsByClass(table, series, count) : partsByHolder(table, count);
  const label = parts.map(({ name, percent }) => (percent === null ? name : OVERVIEW.part(name, percent))).join(", ");
  const switches = (
    <>
      <Segmented label={OVERVIEW.by} value={by} choices={BY} onChoose={onBy} />
      <Segmented label={OVERVIEW.count} value={count} choices={COUNT} onChoose={onCount} />
    </>
  );
  return (
    <Card title={OVERVIEW.ownership} actions={switches}>
      <OwnershipBar parts={parts} label={label} />
      <Table
        label={OVERVIEW.ownership}
        columns={by === "class" ? BY_CLASS : BY_HOLDER}
        rows={parts}
        keyOf={({ id }) => id}
      />
    </Card>
  );
}
