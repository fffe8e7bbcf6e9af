// List of ledger entries about a record, newest first.
import { Link } from "wouter-preact";
import { type Api, answer, type Schemas } from "../../api/client.ts";
import { ENTRY_TYPES } from "../../api/entry-types.ts";
import { useWholeList } from "../../api/list-pages.ts";
import type { paths } from "../../api/types.ts";
import { Day, Instant, Quantity } from "../../parts/figure.tsx";
import { Badge } from "../../parts/notice.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table, useSorting } from "../../parts/tables/table.tsx";
import { LEDGER } from "../../text/ledger.ts";
import { HolderLink, type Names, SecurityLink, useHolderNames, useSecurityNames } from "../names.tsx";
import { useOrganization } from "../page-organization.ts";
import { declaredColumns } from "./declared-list.tsx";

export type Entry = Schemas["Transaction"];

function EntryCell({ row }: { readonly row: Entry }) {
  const { path } = useOrganization();
  const { id, sequence, type, quantity } = row;
  return (
    <>
      <Link href={path(`/ledger/${id}`)} aria-label={LEDGER.entry(sequence)}>
        {sequence}
      </Link>
      <span class="only-narrow note">
        {ENTRY_TYPES[type]} {quantity !== null && <Quantity value={quantity} />}
      </span>
    </>
  );
}

/** The columns; `holders` and `securities` are the names that are known. */
export function entryColumns(holders: Names, securities: Names): readonly Column<Entry>[] {
  return declaredColumns<"transactions", Entry>("transactions", {
    number: {
      width: "minmax(4.5rem, 1fr)",
      sortBy: ({ sequence }) => String(sequence),
      cell: (row) => <EntryCell row={row} />,
    },
    date: {
      width: "6.5rem",
      isDay: true,
      sortBy: ({ effectiveDate }) => effectiveDate,
      cell: ({ effectiveDate }) => <Day value={effectiveDate} />,
    },
    type: {
      isWide: true,
      width: "minmax(10rem, 3fr)",
      sortBy: ({ type }) => ENTRY_TYPES[type],
      cell: ({ type, recordOnly }) => (
        <>
          {ENTRY_TYPES[type]} {recordOnly && <Badge tone="plain">{LEDGER.recordOnly}</Badge>}
        </>
      ),
    },
    security: {
      isWide: true,
      width: "minmax(0, 1.6fr)",
      sortBy: ({ securityId }) => securityId && (securities.get(securityId) ?? securityId),
      cell: ({ securityId: id }) => <SecurityLink id={id} known={securities.get(id ?? "")} />,
    },
    holder: {
      isWide: true,
      width: "minmax(0, 3fr)",
      sortBy: ({ stakeholderId }) => stakeholderId && (holders.get(stakeholderId) ?? stakeholderId),
      cell: ({ stakeholderId: id }) => <HolderLink id={id} known={holders.get(id ?? "")} />,
    },
    quantity: {
      isFigure: true,
      isWide: true,
      width: "minmax(6rem, 2fr)",
      sortBy: ({ quantity }) => quantity,
      cell: ({ quantity }) => <Quantity value={quantity} />,
    },
    recorded: {
      isWide: true,
      width: "minmax(9.5rem, 2.4fr)",
      isDay: true,
      sortBy: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <Instant value={createdAt} />,
    },
  });
}

type EntryQuery = NonNullable<paths["/api/v1/transactions"]["get"]["parameters"]["query"]>;

/** How a list of entries is read, page by page. */
export function readEntries(api: Api, of: EntryQuery) {
  return async (page: EntryQuery, signal: AbortSignal) => {
    const asked = api.GET("/api/v1/transactions", { params: { query: { ...page, ...of } }, signal });
    const { data: items, nextCursor } = await answer(asked);
    return { items, nextCursor };
  };
}

/** The entries that name a security or a stakeholder; `without` leaves a column out. */
export function EntriesOf({
  of,
  without,
  none,
}: {
  readonly of: { readonly securityId: string } | { readonly stakeholderId: string };
  readonly without: "security" | "holder";
  readonly none: string;
}) {
  const { api, key } = useOrganization();
  const query = useWholeList(key("transactions", JSON.stringify(of)), readEntries(api, of));
  const columns = entryColumns(useHolderNames(), useSecurityNames()).filter(({ id }) => id !== without);
  const { sorting, toggle } = useSorting(columns, { id: "number", isDescending: true });
  return (
    <Loaded query={query} what={LEDGER.loading}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty words={none} />
        ) : (
          <Table
            label={LEDGER.title}
            columns={columns}
            rows={items}
            keyOf={({ id }) => id}
            sorting={sorting}
            onSort={toggle}
          />
        )
      }
    </Loaded>
  );
}
