// `/o/{orgId}/ledger`: every entry, the newest first, and whether all of them hold.
import { useMemo } from "preact/hooks";
import { ENTRY_TYPES } from "../../api/entry-types.ts";
import type { paths } from "../../api/types.ts";
import { ExportMenu } from "../../frame/export-menu.tsx";
import { type Entry, entryColumns, readEntries } from "../../frame/lists/entry-list.tsx";
import { useFilters } from "../../frame/lists/filters.ts";
import { RegisterList } from "../../frame/lists/register-list.tsx";
import { useRegister } from "../../frame/lists/register-lists.ts";
import { useHolderNames, useSecurityNames } from "../../frame/names.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { RecordMenu } from "../../frame/record-menu.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { FilterChoice, FilterText } from "../../parts/tables/filter-bar.tsx";
import { LEDGER } from "../../text/ledger.ts";
import { choicesOf, REGISTER } from "../../text/register-words.ts";
import { Verification } from "./verification.tsx";

type Query = NonNullable<paths["/api/v1/transactions"]["get"]["parameters"]["query"]>;

const TYPES = choicesOf(ENTRY_TYPES);

const TABLES = ["/api/v1/reports/transactions.csv"] as const;

/** The page. */
export function Page() {
  const { api, name } = useOrganization();
  const filters = useFilters(["q", "type", "from", "to"]);
  const { q, type, from, to } = filters.values;
  const [holders, securities] = [useHolderNames(), useSecurityNames()];
  const typed = q.toLocaleLowerCase();
  const register = useRegister<Entry>({
    name: "transactions",
    asked: { type, from, to },
    read: (asked, page, signal) => readEntries(api, asked as Query)(page, signal),
    matches: ({ type: own, effectiveDate, securityId, stakeholderId, sequence }) =>
      (type === "" || own === type) &&
      (from === "" || effectiveDate >= from) &&
      (to === "" || effectiveDate <= to) &&
      [holders.get(stakeholderId ?? ""), securities.get(securityId ?? ""), String(sequence)]
        .join("\n")
        .toLocaleLowerCase()
        .includes(typed),
    memo: [q, type, from, to, holders, securities],
  });
  const columns = useMemo(() => entryColumns(holders, securities), [holders, securities]);
  return (
    <>
      <PageHead title={LEDGER.title} of={name}>
        <ExportMenu tables={TABLES} />
        <RecordMenu />
      </PageHead>
      <Verification />
      <RegisterList
        label={LEDGER.title}
        file="ledger"
        what={LEDGER.loading}
        {...{ register, rows: register.rows, filters, columns }}
        keyOf={({ id }) => id}
        initial={{ id: "number", isDescending: true }}
        none={LEDGER.none}
        first={<RecordMenu />}
        fields={
          <>
            <FilterText label={LEDGER.search} {...filters.field("q")} />
            <FilterChoice label={REGISTER.type} {...filters.field("type")} choices={TYPES} />
            <FilterText type="date" label={LEDGER.from} {...filters.field("from")} />
            <FilterText type="date" label={LEDGER.to} {...filters.field("to")} />
          </>
        }
      />
    </>
  );
}
