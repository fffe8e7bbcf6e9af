// `/o/{orgId}/securities`: register of all securities, open and closed.
import { useMemo } from "preact/hooks";
import { answer } from "../../api/client.ts";
import type { paths } from "../../api/types.ts";
import { ExportMenu } from "../../frame/export-menu.tsx";
import { useFilters } from "../../frame/lists/filters.ts";
import { RegisterList } from "../../frame/lists/register-list.tsx";
import { useClasses, usePlans, useRegister } from "../../frame/lists/register-lists.ts";
import { type Security, securityColumns } from "../../frame/lists/security-columns.tsx";
import { certificateOf, useClassNames, useHolderNames } from "../../frame/names.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { RecordMenu } from "../../frame/record-menu.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { FilterChoice, FilterText } from "../../parts/tables/filter-bar.tsx";
import { choicesOf, REGISTER } from "../../text/register-words.ts";
import { SECURITIES } from "../../text/securities.ts";

type Query = NonNullable<paths["/api/v1/securities"]["get"]["parameters"]["query"]>;

const TYPES = choicesOf(REGISTER.securityTypesMany);
const STATUSES = choicesOf(REGISTER.securityStatuses);
const TOKENS = choicesOf(REGISTER.tokenStatuses);
const named = (items: readonly { readonly id: string; readonly name: string }[] = []) =>
  items.map(({ id, name }) => ({ value: id, label: name }));

const TABLES = [
  "/api/v1/reports/stock-ledger.csv",
  "/api/v1/reports/option-ledger.csv",
  "/api/v1/reports/warrants.csv",
  "/api/v1/reports/convertibles.csv",
] as const;

/** The page. */
export function Page() {
  const { api, name } = useOrganization();
  const filters = useFilters(["q", "type", "status", "stockClassId", "equityPlanId", "tokenStatus"]);
  const [holders, groups] = [useHolderNames(), useClassNames()];
  const [classes, plans] = [named(useClasses().data?.items), named(usePlans().data?.items)];
  const { q, ...exact } = filters.values;
  const typed = q.toLocaleLowerCase();
  const wanted = (Object.entries(exact) as [keyof typeof exact, string][]).filter(([, value]) => value !== "");
  const register = useRegister<Security>({
    name: "securities",
    asked: filters.values,
    read: (query, page, signal) =>
      answer(api.GET("/api/v1/securities", { params: { query: { ...page, ...(query as Query) } }, signal })),
    matches: (each) =>
      wanted.every(([member, value]) => each[member] === value) &&
      `${certificateOf(each)}\n${holders.get(each.stakeholderId ?? "") ?? ""}`.toLocaleLowerCase().includes(typed),
    memo: [JSON.stringify(filters.values), holders],
  });
  const columns = useMemo(() => {
    const all = securityColumns(holders, groups);
    const { certificate, type, holder, class: group, quantity, price, date, status, token } = all;
    return [certificate, holder, type, group, quantity, price, date, status, token];
  }, [holders, groups]);
  return (
    <>
      <PageHead title={SECURITIES.title} of={name}>
        <ExportMenu tables={TABLES} />
        <RecordMenu />
      </PageHead>
      <RegisterList
        label={SECURITIES.title}
        file="securities"
        what={SECURITIES.loading}
        {...{ register, rows: register.rows, filters, columns }}
        keyOf={({ id }) => id}
        initial={{ id: "date", isDescending: true }}
        none={SECURITIES.none}
        first={<RecordMenu />}
        fields={
          <>
            <FilterText label={SECURITIES.search} {...filters.field("q")} />
            <FilterChoice label={REGISTER.type} {...filters.field("type")} choices={TYPES} />
            <FilterChoice label={REGISTER.status} {...filters.field("status")} choices={STATUSES} />
            <FilterChoice label={SECURITIES.class} {...filters.field("stockClassId")} choices={classes} />
            <FilterChoice label={SECURITIES.plan} {...filters.field("equityPlanId")} choices={plans} />
            <FilterChoice label={SECURITIES.token} {...filters.field("tokenStatus")} choices={TOKENS} />
          </>
        }
      />
    </>
  );
}
