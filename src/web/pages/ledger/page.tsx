// `/o/{orgId}/ledger`: every entry, the newest first, and whether all of them hold.
import { useMemo } from "preact/hooks";
import { ENTRY_TYPES } from "../../api/entry-types.ts";
import { REGISTERS } from "../../api/registers.ts";
import type { paths } from "../../api/types.ts";
import { ExportMenu } from "../../frame/export-menu.tsx";
import { DeclaredList, useDeclared } from "../../frame/lists/declared-list.tsx";
import { type Entry, entryColumns, readEntries } from "../../frame/lists/entry-list.tsx";
import { useHolderNames, useSecurityNames } from "../../frame/names.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { RecordMenu } from "../../frame/record-menu.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { LEDGER } from "../../text/ledger.ts";
import { choicesOf } from "../../text/register-words.ts";
import { Verification } from "./verification.tsx";

type Query = NonNullable<paths["/api/v1/transactions"]["get"]["parameters"]["query"]>;

const TYPES = choicesOf(ENTRY_TYPES);

const TABLES = ["/api/v1/reports/transactions.csv"] as const;

/** The page. */
export function Page() {
  const { api, name } = useOrganization();
  const [holders, securities] = [useHolderNames(), useSecurityNames()];
  const { register, ...list } = useDeclared<"transactions", Entry>("transactions", {
    read: (asked, page, signal) => readEntries(api, asked as Query)(page, signal),
    filters: {
      q: {
        asked: null,
        matches: ({ securityId, stakeholderId, sequence }, typed) =>
          [holders.get(stakeholderId ?? ""), securities.get(securityId ?? ""), String(sequence)]
            .join("\n")
            .toLocaleLowerCase()
            .includes(typed.toLocaleLowerCase()),
      },
      type: { choices: TYPES },
      from: { isDay: true, matches: ({ effectiveDate }, from) => effectiveDate >= from },
      to: { isDay: true, matches: ({ effectiveDate }, to) => effectiveDate <= to },
    },
    memo: [holders, securities],
  });
  const columns = useMemo(() => entryColumns(holders, securities), [holders, securities]);
  return (
    <>
      <PageHead title={REGISTERS.transactions.title} of={name}>
        <ExportMenu tables={TABLES} />
        <RecordMenu />
      </PageHead>
      <Verification />
      <DeclaredList
        of="transactions"
        file="ledger"
        what={LEDGER.loading}
        {...{ register, rows: register.rows, ...list, columns }}
        keyOf={({ id }) => id}
        initial={{ id: "number", isDescending: true }}
        first={<RecordMenu />}
      />
    </>
  );
}
