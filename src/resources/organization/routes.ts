// Routes of the API key's organization.
import type { Static } from "@sinclair/typebox";
import type { Call } from "../../kernel/call.ts";
import { problem } from "../../kernel/problem.ts";
import { DEFAULT_CURRENCY } from "../../kernel/text/currency.ts";
import type { Row, Tx } from "../../storage/database/sql.ts";
import { presenter, toColumns } from "../present.ts";
import { type Route, writeRoute } from "../route.ts";
import { Organization, OrganizationPatch } from "./schema.ts";
import { canProveTwice, getOrganization, updateOrganization } from "./store.ts";

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
  if (patch.requireSecondFactor === true && before.requireSecondFactor === 0) refuseShuttingOut(tx, call);
  const isNamed = patch.legalName === undefined ? before.isNamed : 1;
  updateOrganization(tx, call, { ...columns, isNamed, updatedAt: call.at });
  return getOrganization(tx, call.orgId);
}

/** Throws `403` if a caller without a second factor requires one of members: no member would be left to undo it. */
function refuseShuttingOut(tx: Tx, { accountId }: Call): void {
  if (accountId === null || canProveTwice(tx, { accountId })) return;
  throw problem(
    "second-factor-missing",
    "Set up a second factor of your own first: without one you would be shut out.",
  );
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
    isBatchable: false,
    operationId: "updateOrganization",
    summary: "Change the organization",
    description:
      "Only the members sent change; null clears an optional one. Only a member with a second factor can require it; " +
      "members without one then have no access until they set one up. A key may require it, too.",
    role: "ADMIN",
    body: OrganizationPatch,
    bodyExample: { legalName: "Acme, Inc.", countryOfFormation: "US", countrySubdivisionOfFormation: "DE" },
    response: Organization,
    run: (tx, call, { body }) => ({ status: 200, json: showOrganization(changeOrganization(tx, call, body)) }),
  }),
];
