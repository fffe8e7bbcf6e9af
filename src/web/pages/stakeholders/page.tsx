// `/o/{orgId}/stakeholders`: the register of stakeholders, with today's holdings.
import { useMemo } from "preact/hooks";
import { Link } from "wouter-preact";
import { answer, type Schemas } from "../../api/client.ts";
import { REGISTERS } from "../../api/registers.ts";
import { ExportMenu } from "../../frame/export-menu.tsx";
import { DeclaredList, declaredColumns, useDeclared } from "../../frame/lists/declared-list.tsx";
import { useCapTable } from "../../frame/lists/register-lists.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { RecordLink } from "../../frame/record-links.tsx";
import { RecordMenu } from "../../frame/record-menu.tsx";
import { None, Percent, Quantity, Ratios } from "../../parts/figure.tsx";
import { Badge } from "../../parts/notice.tsx";
import { PageHead } from "../../parts/page-head.tsx";
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

const COLUMNS = declaredColumns<"stakeholders", Row>("stakeholders", {
  name: {
    width: "minmax(10rem, 1.6fr)",
    sortBy: ({ displayName }) => displayName,
    cell: (row) => <NameCell row={row} />,
  },
  email: {
    isWide: true,
    width: "minmax(0, 1.5fr)",
    sortBy: ({ email }) => email,
    cell: ({ email }) => email ?? <None />,
  },
  outstanding: {
    isFigure: true,
    isWide: true,
    width: "minmax(6.5rem, 0.8fr)",
    sortBy: ({ share }) => share?.outstanding ?? "0",
    cell: ({ share }) => <Quantity value={share?.outstanding} isZeroDimmed />,
  },
  diluted: {
    isFigure: true,
    isWide: true,
    width: "minmax(6.5rem, 0.8fr)",
    sortBy: ({ share }) => share?.asConverted ?? "0",
    cell: ({ share }) => <Quantity value={share?.asConverted} isZeroDimmed />,
  },
  share: {
    name: STAKEHOLDERS.csvShare,
    isFigure: true,
    width: "4.5rem",
    sortBy: ({ share }) => share?.percentAsConverted ?? "0",
    cell: ({ share }) => <Percent value={share?.percentAsConverted} />,
  },
  status: {
    isWide: true,
    width: "5.5rem",
    sortBy: ({ status }) => REGISTER.holderStatuses[status],
    cell: ({ status }) => <HolderStatus status={status} />,
  },
});

const FILTERS = {
  q: {
    matches: ({ displayName, email }: Stakeholder, typed: string) =>
      `${displayName}\n${email ?? ""}`.toLocaleLowerCase().includes(typed.toLocaleLowerCase()),
  },
  type: { choices: choicesOf(REGISTER.holderTypes) },
  status: { choices: choicesOf(REGISTER.holderStatuses) },
  relationship: {
    choices: choicesOf(REGISTER.relationships),
    asked: null,
    matches: ({ relationships }: Stakeholder, value: string) => relationships.some((each) => each === value),
  },
};

/** Whether a stakeholder is current or former. */
export function HolderStatus({ status }: Pick<Stakeholder, "status">) {
  return <Badge tone={status === "CURRENT" ? "good" : "plain"}>{REGISTER.holderStatuses[status]}</Badge>;
}

const TABLES = ["/api/v1/reports/stakeholders.csv", "/api/v1/reports/cap-table.csv"] as const;

/** The page. */
export function Page() {
  const { api, name } = useOrganization();
  const { register, ...list } = useDeclared<"stakeholders", Stakeholder>("stakeholders", {
    read: (query, page, signal) =>
      answer(api.GET("/api/v1/stakeholders", { params: { query: { ...page, ...query } }, signal })),
    filters: FILTERS,
  });
  const { data: table } = useCapTable();
  const rows = useMemo(() => {
    const shares = new Map((table?.stakeholders ?? []).map((each) => [each.id, each]));
    return register.rows.map((each): Row => ({ ...each, share: shares.get(each.id) ?? null }));
  }, [register.rows, table]);
  return (
    <>
      <PageHead title={REGISTERS.stakeholders.title} of={name}>
        <ExportMenu tables={TABLES} />
        <RecordLink record="stakeholder" />
        <RecordMenu />
      </PageHead>
      <Ratios classes={table?.shareClasses ?? []} />
      <DeclaredList
        of="stakeholders"
        {...{ register, rows, ...list }}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        initial={{ id: "name", isDescending: false }}
        first={<RecordLink record="stakeholder" kind="primary" />}
      />
    </>
  );
}
