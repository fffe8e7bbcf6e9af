// Compares a package's issuer and currency with the organization's: an import warns of both first, because another
// company's shares, or amounts of another currency, make every total wrong.

import type { Call } from "../../../../kernel/call.ts";
import { isCurrency } from "../../../../kernel/text/currency.ts";
import { organizationCurrency } from "../../../../ledger/store.ts";
import { getOrganization, updateOrganization } from "../../../../resources/organization/store.ts";
import type { Reader, Row, Tx } from "../../../../storage/database/sql.ts";
import { type CurrencyCounts, mainCurrency } from "../../codec/codec-currencies.ts";
import { faultOfId } from "../../codec/values.ts";
import { shown } from "../../finding.ts";
import { textOf } from "../../json.ts";
import { issuerIn, type OcfPackage } from "../../package.ts";
import type { ImportPlan } from "../plan.ts";
import type { PackageIssuer, ReportBuilder } from "../report.ts";

export type { PackageIssuer };

/** The package's issuer; null if the package has no issuer with a usable id. */
export function issuerOfPackage(organization: Row<"organizations">, ocf: OcfPackage): PackageIssuer | null {
  const value = issuerIn(ocf)?.value;
  const id = value ? textOf(value, "id") : null;
  if (!value || id === null || faultOfId(id) !== null) return null;
  const { ocfIssuerId } = organization;
  // Its own id is what an organization's export names that no import gave another one.
  const isOther = ocfIssuerId !== null && id !== ocfIssuerId && id !== organization.id;
  return { id, legalName: textOf(value, "legal_name"), isOther };
}

/** Warns that the package is another company's, or that of a company with another name. */
export function warnOfIssuer(db: Reader, orgId: string, ocf: OcfPackage, report: ReportBuilder): void {
  const organization = getOrganization(db, orgId);
  const issuer = issuerOfPackage(organization, ocf);
  report.issuer = issuer;
  if (issuer === null) return;
  const { id, legalName, isOther } = issuer;
  const place = { file: issuerIn(ocf)?.file ?? null, objectType: "ISSUER", id };
  const name = legalName === null ? "an issuer without a name" : shown(legalName);
  const own = shown(organization.legalName);
  if (isOther) {
    const first = shown(organization.ocfIssuerId);
    const detail = `The package is of ${name} (issuer ${shown(id)}), and the organization ${own} of issuer ${first}.`;
    const fix = "Import each company's packages into an organization of its own.";
    report.warn("other-issuer", { ...place, pointer: "#/id" }, detail, fix);
  } else if (organization.isNamed === 1 && legalName !== null && legalName !== organization.legalName) {
    const detail = `The package's issuer is called ${name}, and the organization ${own}.`;
    const fix = "Make sure that they are one company. The organization keeps its name.";
    report.warn("other-name", { ...place, pointer: "#/legal_name" }, detail, fix);
  }
}

/** The organization's currency is the first import's, if it has not been set; its own export says nothing new. */
export function adoptCurrency(tx: Tx, call: Call, { issuer, currencies }: ImportPlan): void {
  const currency = mainCurrency(currencies);
  if (currency === null || !isCurrency(currency) || issuer?.id === call.orgId) return;
  if (getOrganization(tx, call.orgId).currency !== null) return;
  updateOrganization(tx, call, { currency, updatedAt: call.at });
}

/** Warns that amounts are in several currencies, or in another than the organization's. */
export function warnOfCurrencies(db: Reader, orgId: string, currencies: CurrencyCounts, report: ReportBuilder): void {
  const { currency } = getOrganization(db, orgId);
  const main = mainCurrency(currencies);
  const own = currency ?? (main !== null && isCurrency(main) ? main : organizationCurrency(db, orgId));
  if (currencies.size === 0 || (currencies.size === 1 && main === own)) return;
  const counted = [...currencies].map(([code, count]) => `${count} in ${code}`).join(", ");
  const detail = `The package's amounts are not all in the organization's currency, ${own}: ${counted}.`;
  const fix = "Nothing is converted: each amount stays in its currency. Add up only those that are in one.";
  report.warn("other-currency", {}, detail, fix);
}
