// `/o/{orgId}/securities`: register of all securities, open and closed.
import { useMemo } from "preact/hooks";
import { answer } from "../../api/client.ts";
import { REGISTERS } from "../../api/registers.ts";
import type { paths } from "../../api/types.ts";
import { ExportMenu } from "../../frame/export-menu.tsx";
import { DeclaredList, useDeclared } from "../../frame/lists/declared-list.tsx";
import { useClasses, usePlans } from "../../frame/lists/register-lists.ts";
import { type Security, securityColumns } from "../../frame/lists/security-columns.tsx";
import { certificateOf, useClassNames, useHolderNames } from "../../frame/names.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { RecordMenu } from "../../frame/record-menu.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { choicesOf, REGISTER } from "../../text/register-words.ts";

type Query = NonNullable<paths["/api/v1/securities"]["get"]["parameters"]["query"]>;

const TYPES = choicesOf(REGISTER.securityTypesMany);
const STATUSES = choicesOf(REGISTER.securityStatuses);
const ACCEPTANCES = choicesOf(REGISTER.acceptanceStatuses);
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
  const [holders, groups] = [useHolderNames(), useClassNames()];
  const [classes, plans] = [named(useClasses().data?.items), named(usePlans().data?.items)];
  const { register, ...list } = useDeclared<"securities", Security>("securities", {
    read: (query, page, signal) =>
      answer(api.GET("/api/v1/securities", { params: { query: { ...page, ...(query as Query) } }, signal })),
    filters: {
      q: {
        matches: (each, typed) =>
          `${certificateOf(each)}\n${holders.get(each.stakeholderId ?? "") ?? ""}`
            .toLocaleLowerCase()
            .includes(typed.toLocaleLowerCase()),
      },
      type: { choices: TYPES },
      status: { choices: STATUSES },
      stockClassId: { choices: classes },
      equityPlanId: { choices: plans },
      tokenStatus: { choices: TOKENS },
      acceptanceStatus: { choices: ACCEPTANCES },
    },
    memo: [holders],
  });
  const columns = useMemo(() => Object.values(securityColumns(holders, groups)), [holders, groups]);
  return (
    <>
      <PageHead title={REGISTERS.securities.title} of={name}>
        <ExportMenu tables={TABLES} />
        <RecordMenu />
      </PageHead>
      <DeclaredList
        of="securities"
        {...{ register, rows: register.rows, ...list, columns }}
        keyOf={({ id }) => id}
        initial={{ id: "date", isDescending: true }}
        first={<RecordMenu />}
      />
    </>
  );
}
