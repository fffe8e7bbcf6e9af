// Imports the manifest's issuer: it fills the organization's empty fields, and overwrites nothing.

import { getOrganization, updateOrganization } from "../../../resources/organization/store.ts";
import type { Columns, Row } from "../../../storage/database/sql.ts";
import { ISSUER_COLUMNS, issuerFromOcf } from "../codec/issuer.ts";
import { mappedColumns } from "../codec/values.ts";
import type { ImportContext } from "./context.ts";
import { reportFaults } from "./faults.ts";
import type { Step } from "./plan.ts";
import { findOriginal, insertOriginal } from "./store.ts";

/** Fills the organization's empty fields, names the one without a name, and keeps the original. */
export function importIssuer(context: ImportContext, step: Step): void {
  const { tx, call, faults, report } = context;
  const { orgId } = call;
  // Our own export: what it says beyond the organization's fields are defaults that OCF forces.
  if (step.id === orgId) return;
  const before = getOrganization(tx, orgId);
  // Another company's package states nothing about this one.
  const isOther = report.issuer?.isOther === true;
  const changes = isOther ? {} : { ...fillings(before, issuerFromOcf(step.value)), ...rememberedBy(before, step.id) };
  if (Object.keys(changes).length > 0) updateOrganization(tx, call, { ...changes, updatedAt: call.at });
  if (findOriginal(tx, orgId, "ISSUER", step.id)) return;
  reportFaults(faults, step, [], report);
  insertOriginal(context, {
    objectType: "ISSUER",
    id: step.id,
    recordId: orgId,
    fileKey: "issuer",
    raw: JSON.stringify(step.value),
    mapped: mappedColumns(getOrganization(tx, orgId), ISSUER_COLUMNS),
  });
}

/** The issuer that came in first is the organization's. */
function rememberedBy({ ocfIssuerId }: Row<"organizations">, id: string): Columns {
  return ocfIssuerId === null ? { ocfIssuerId: id } : {};
}

/** The issuer's values for empty columns; its name counts if the organization has no name. */
function fillings(organization: Row<"organizations">, issuer: ReturnType<typeof issuerFromOcf>): Columns {
  const { legalName, ...others } = issuer;
  const empty = Object.entries(others).filter(
    ([name, value]) => value !== null && organization[name as keyof typeof others] === null,
  );
  const filled: Columns = Object.fromEntries(empty);
  return organization.isNamed === 0 && legalName ? { ...filled, legalName, isNamed: 1 } : filled;
}
