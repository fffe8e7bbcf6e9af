// What was issued of a class or under a plan, the newest first.
import { answer } from "../../api/client.ts";
import { useWholeList } from "../../api/list-pages.ts";
import { type Security, securityColumns } from "../../frame/lists/security-columns.tsx";
import { useHolderNames } from "../../frame/names.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { LinkButton } from "../../parts/button.tsx";
import { Card } from "../../parts/page-head.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { useSorting } from "../../parts/tables/table.tsx";
import { VirtualTable } from "../../parts/tables/virtual-table.tsx";
import { CLASSES } from "../../text/classes.ts";

/** The card. */
export function Issued({ of }: { readonly of: { readonly stockClassId: string } | { readonly equityPlanId: string } }) {
  const { api, key, path } = useOrganization();
  const names = useHolderNames();
  const query = useWholeList<Security>(key("securities", JSON.stringify(of)), (page, signal) =>
    answer(api.GET("/api/v1/securities", { params: { query: { ...page, ...of } }, signal })),
  );
  const { certificate, holder, type, quantity, price, date, status } = securityColumns<Security>(names);
  const columns = [certificate, holder, type, quantity, price, date, status];
  const { sorting, toggle } = useSorting(columns, { id: "date", isDescending: true });
  const list = path(`/securities?${new URLSearchParams({ ...of })}`);
  return (
    <Card title={CLASSES.securities} class="register" actions={<LinkButton href={list}>{CLASSES.allOf}</LinkButton>}>
      <Loaded query={query} what={CLASSES.securities}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty words={CLASSES.securitiesNone} />
          ) : (
            <VirtualTable
              label={CLASSES.securities}
              columns={columns}
              rows={items}
              keyOf={({ id }) => id}
              sorting={sorting}
              onSort={toggle}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
