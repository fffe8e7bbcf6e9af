// The organization of the API key used.
import type { Static } from "@sinclair/typebox";
import type { Row, Tx } from "../../database/sql.ts";
import type { Call } from "../../kernel/call.ts";
import { DEFAULT_CURRENCY } from "../../kernel/currency.ts";
import { type Route, writeRoute } from "../../route.ts";
import { presenter, toColumns } from "../present.ts";
import { Organization, OrganizationPatch } from "./schema.ts";
import { getOrganization, updateOrganization } from "./store.ts";

const show = presenter(Organization);

/** Shows an organization's row as the API answers it. */
export function showOrganization(row: Row<"organizations">): Record<string, unknown> {
  return show({ ...row, currency: row.currency ?? DEFAULT_CURRENCY });
}

/** Changes an organization by a validated PATCH body and returns its row; an empty patch changes nothing. */
export function changeOrganization(tx: Tx, call: Call, patch: Static<typeof OrganizationPatch>): Row<"organizations"> {
  const before = getOrganization(tx, call.orgId);
  const columns = toColumns(patch);
  if (Object.keys(columns).length === 0) return before;
  const isNamed = patch.legalName === undefined ? before.isNamed : 1;
  updateOrganization(tx, call, { ...columns, isNamed, updatedAt: call.at });
  return getOrganization(tx, call.orgId);
}

const common = { path: "/api/v1/organization", tag: "Organization", isExtension: true, status: 200 } as const;

/** `GET` and `PATCH /organization`. */
export const organizationRoutes: readonly Route[] = [
  {
    ...common,
    method: "GET",
    operationId: "getOrganization",
    summary: "Get the organization",
    role: "VIEWER",
    response: Organization,
    run: (db, { orgId }) => ({ status: 200, json: showOrganization(getOrganization(db, orgId)) }),
  },
  writeRoute({
    ...common,
    method: "PATCH",
    operationId: "updateOrganization",
    summary: "Change the organization",
    role: "ADMIN",
    body: OrganizationPatch,
    bodyExample: { legalName: "Acme, Inc.", countryOfFormation: "US", countrySubdivisionOfFormation: "DE" },
    response: Organization,
    run: (tx, call, { body }) => ({ status: 200, json: showOrganization(changeOrganization(tx, call, body)) }),
  }),
];
