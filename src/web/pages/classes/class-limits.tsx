// How a limit changed: of a class the authorized shares, of a plan the reserve.
import { Link } from "wouter-preact";
import { useWholeList } from "../../api/list-pages.ts";
import { readEntries } from "../../frame/lists/entry-list.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { Day, Quantity } from "../../parts/figure.tsx";
import { Card } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { CLASSES } from "../../text/classes.ts";
import { LEDGER } from "../../text/ledger.ts";
import { type LimitOf, type LimitStep, limitSteps } from "./limit-steps.ts";

type Row = Omit<LimitStep, "entry"> & { readonly entry: LimitStep["entry"] | null };

function EntryCell({ entry, ratio }: Row) {
  const { path } = useOrganization();
  if (!entry) return <>{CLASSES.first}</>;
  return (
    <>
      <Link href={path(`/ledger/${entry.id}`)}>{LEDGER.entry(entry.sequence)}</Link>
      {ratio && <span class="under note">{CLASSES.split}</span>}
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { id: "entry", label: LEDGER.number, cell: (row) => <EntryCell {...row} /> },
  { id: "from", label: CLASSES.from, cell: ({ entry }) => <Day value={entry?.effectiveDate} /> },
  {
    id: "limit",
    label: CLASSES.limitNew,
    isFigure: true,
    cell: ({ limit, ratio }) =>
      ratio ? CLASSES.ratio(ratio.numerator, ratio.denominator) : <Quantity value={limit} />,
  },
];

/** The card; `first` is the limit as it was created with, `now` as it is. */
export function Limits({ of, first, now }: { readonly of: LimitOf; readonly first: string; readonly now: string }) {
  const { api, key } = useOrganization();
  const type = of.kind === "class" ? "STOCK_CLASS_ADJUSTMENT" : "STOCK_PLAN_ADJUSTMENT";
  const adjusted = useWholeList(key("transactions", type), readEntries(api, { type }));
  const split = useWholeList(key("transactions", "STOCK_SPLIT"), readEntries(api, { type: "STOCK_SPLIT" }));
  return (
    <Card title={CLASSES.limits}>
      <Loaded query={adjusted} what={CLASSES.limits}>
        {({ items }) => {
          const steps = limitSteps(of, [...items, ...(split.data?.items ?? [])]);
          const rows: readonly Row[] = [{ entry: null, limit: first, ratio: null }, ...steps];
          return (
            <Table label={CLASSES.limits} columns={COLUMNS} rows={rows} keyOf={({ entry }) => entry?.id ?? ""}>
              <tr class="total">
                <th scope="row">{CLASSES.now}</th>
                <td />
                <td class="num">
                  <Quantity value={now} />
                </td>
              </tr>
            </Table>
          );
        }}
      </Loaded>
    </Card>
  );
}
