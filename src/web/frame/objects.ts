// Names of records that a document can be about: holders, classes, plans, securities, the company.
import { answer, type Schemas } from "../api/client.ts";
import { useWholeList } from "../api/list-pages.ts";
import type { Option } from "../parts/forms/field-spec.ts";
import { DOCUMENTS } from "../text/documents.ts";
import { useHolders } from "./holders.ts";
import { useClasses, usePlans } from "./lists/register-lists.ts";
import { certificateOf } from "./names.tsx";
import { useOrganization } from "./page-organization.ts";

/** The choices; a value is a type and an id with a blank between. Securities are many: they are asked for by fields alone. */
export function useObjectOptions({ withSecurities }: { readonly withSecurities: boolean }): readonly Option[] {
  const { api, id, name, key } = useOrganization();
  const holders = useHolders();
  const classes = useClasses().data?.items ?? [];
  const plans = usePlans().data?.items ?? [];
  const securities = useWholeList<Schemas["Security"]>(
    withSecurities ? key("securities", "all") : null,
    (query, signal) => answer(api.GET("/api/v1/securities", { params: { query }, signal })),
  );
  const { kinds } = DOCUMENTS;
  return [
    { value: `ISSUER ${id}`, label: name, hint: kinds.ISSUER },
    ...holders.options.map(({ value, label }) => ({ value: `STAKEHOLDER ${value}`, label, hint: kinds.STAKEHOLDER })),
    ...classes.map((each) => ({ value: `STOCK_CLASS ${each.id}`, label: each.name, hint: kinds.STOCK_CLASS })),
    ...plans.map((each) => ({ value: `STOCK_PLAN ${each.id}`, label: each.planName, hint: kinds.STOCK_PLAN })),
    ...(securities.data?.items ?? []).map((each) => ({
      value: `SECURITY ${each.id}`,
      label: certificateOf(each),
      hint: holders.nameOf(each.stakeholderId ?? ""),
    })),
  ];
}
