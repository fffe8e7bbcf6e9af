// `/o/{orgId}/stakeholders`: the register of stakeholders, with today's holdings.
import { useMemo } from "preact/hooks";
import { Link } from "wouter-preact";
import { answer, type Schemas } from "../../api/client.ts";
import { ExportMenu } from "../../frame/export-menu.tsx";
import { useFilters } from "../../frame/lists/filters.ts";
import { RegisterList } from "../../frame/lists/register-list.tsx";
import { useCapTable, useRegister } from "../../frame/lists/register-lists.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { RecordLink } from "../../frame/record-links.tsx";
import { RecordMenu } from "../../frame/record-menu.tsx";
import { None, Percent, Quantity, Ratios } from "../../parts/figure.tsx";
import { Badge } from "../../parts/notice.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { FilterChoice, FilterText } from "../../parts/tables/filter-bar.tsx";
import type { Column } from "../../parts/tables/table.tsx";
import { choicesOf, REGISTER } from "../../text/register-words.ts";
import { STAKEHOLDERS } from "../../text/stakeholders.ts";

type Stakeholder = Schemas["Stakeholder"];
type Share = Schemas["CapTable"]["stakeholders"][number];

/** A stakeholder with their holdings; null while those load. */
interface Row extends Stakeholder {
  readonly share: Share | null;
}

function NameCell({ row: { id, displayName, share } }: { readonly row: Row }) {
  const { path } = useOrganization();
  return (
    <>
      <Link href={path(`/stakeholders/${id}`)}>{displayName}</Link>
      {share && <span class="only-narrow note">{STAKEHOLDERS.holds(share.asConverted)}</span>}
    </>
  );
}

const [TYPES, STATUSES] = [choicesOf(REGISTER.holderTypes), choicesOf(REGISTER.holderStatuses)];
const RELATIONSHIPS = choicesOf(REGISTER.relationships);

const relationshipsOf = ({ relationships }: Stakeholder) =>
  relationships.map((each) => REGISTER.relationships[each]).join(", ");

const COLUMNS: readonly Column<Row>[] = [
  {
    id: "name",
    label: STAKEHOLDERS.name,
    width: "minmax(10rem, 1.6fr)",
    sortBy: ({ displayName }) => displayName,
    cell: (row) => <NameCell row={row} />,
  },
  {
    id: "email",
    label: STAKEHOLDERS.email,
    isWide: true,
    width: "minmax(0, 1.5fr)",
    sortBy: ({ email }) => email,
    cell: ({ email }) => email ?? <None />,
  },
  {
    id: "relationships",
    label: STAKEHOLDERS.relationships,
    isWide: true,
    sortBy: relationshipsOf,
    cell: (row) => <span title={relationshipsOf(row)}>{relationshipsOf(row) || <None />}</span>,
  },
  {
    id: "outstanding",
    label: STAKEHOLDERS.outstanding,
    isFigure: true,
    isWide: true,
    width: "minmax(6.5rem, 0.8fr)",
    sortBy: ({ share }) => share?.outstanding ?? "0",
    cell: ({ share }) => <Quantity value={share?.outstanding} isZeroDimmed />,
  },
  {
    id: "diluted",
    label: STAKEHOLDERS.fullyDiluted,
    isFigure: true,
    isWide: true,
    width: "minmax(6.5rem, 0.8fr)",
    sortBy: ({ share }) => share?.asConverted ?? "0",
    cell: ({ share }) => <Quantity value={share?.asConverted} isZeroDimmed />,
  },
  {
    id: "share",
    label: STAKEHOLDERS.share,
    name: STAKEHOLDERS.csvShare,
    isFigure: true,
    width: "4.5rem",
    sortBy: ({ share }) => share?.percentAsConverted ?? "0",
    cell: ({ share }) => <Percent value={share?.percentAsConverted} />,
  },
  {
    id: "status",
    label: REGISTER.status,
    isWide: true,
    width: "5.5rem",
    sortBy: ({ status }) => REGISTER.holderStatuses[status],
    cell: ({ status }) => <HolderStatus status={status} />,
  },
];

/** Whether a stakeholder is current or former. */
export function HolderStatus({ status }: Pick<Stakeholder, "status">) {
  return <Badge tone={status === "CURRENT" ? "good" : "plain"}>{REGISTER.holderStatuses[status]}</Badge>;
}

const TABLES = ["/api/v1/reports/stakeholders.csv", "/api/v1/reports/cap-table.csv"] as const;

/** The page. */
export function Page() {
  const { api, name } = useOrganization();
  const filters = useFilters(["q", "type", "status", "relationship"]);
  const { q, type, status, relationship } = filters.values;
  const typed = q.toLocaleLowerCase();
  const register = useRegister<Stakeholder>({
    name: "stakeholders",
    asked: { q, type, status },
    read: (query, page, signal) =>
      answer(api.GET("/api/v1/stakeholders", { params: { query: { ...page, ...query } }, signal })),
    matches: (each) =>
      (type === "" || each.type === type) &&
      (status === "" || each.status === status) &&
      (relationship === "" || each.relationships.some((one) => one === relationship)) &&
      `${each.displayName}\n${each.email ?? ""}`.toLocaleLowerCase().includes(typed),
    memo: [q, type, status, relationship],
  });
  const { data: table } = useCapTable();
  const rows = useMemo(() => {
    const shares = new Map((table?.stakeholders ?? []).map((each) => [each.id, each]));
    return register.rows.map((each): Row => ({ ...each, share: shares.get(each.id) ?? null }));
  }, [register.rows, table]);
  return (
    <>
      <PageHead title={STAKEHOLDERS.title} of={name}>
        <ExportMenu tables={TABLES} />
        <RecordLink record="stakeholder" />
        <RecordMenu />
      </PageHead>
      <Ratios classes={table?.shareClasses ?? []} />
      <RegisterList
        label={STAKEHOLDERS.title}
        file="stakeholders"
        what={STAKEHOLDERS.loading}
        {...{ register, rows, filters }}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        initial={{ id: "name", isDescending: false }}
        none={STAKEHOLDERS.none}
        first={<RecordLink record="stakeholder" kind="primary" />}
        fields={
          <>
            <FilterText label={STAKEHOLDERS.search} {...filters.field("q")} />
            <FilterChoice label={REGISTER.type} {...filters.field("type")} choices={TYPES} />
            <FilterChoice label={REGISTER.status} {...filters.field("status")} choices={STATUSES} />
            <FilterChoice
              label={STAKEHOLDERS.relationship}
              {...filters.field("relationship")}
              choices={RELATIONSHIPS}
            />
          </>
        }
      />
    </>
  );
}
