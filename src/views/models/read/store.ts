// The SQL of models: what they read of an organization besides its view.
import { all, ofOrganization, type Params } from "../../../storage/database/sql.ts";

/** What models look at of a security's description, by column. */
export const FACT_COLUMNS = [
  ...(["id", "type", "certificateId", "grantDate", "expirationDate", "convertibleTerms", "currency"] as const),
  ...(["originSecurityId", "stockClassId", "optionType", "valuationId", "deletedAt"] as const),
];

/** The same of every security, oldest first. */
export const listSecurityFacts = all((param: Params<{ orgId: string }>) =>
  ofOrganization("securities", param).select(FACT_COLUMNS).orderBy("seq"),
);

export type SecurityFacts = ReturnType<typeof listSecurityFacts>[number];

/** Issuances of options and stock, oldest first. */
export const listIssuances = all((param: Params<{ orgId: string }>) =>
  ofOrganization("transactions", param)
    .select(["sequence", "type", "securityId", "quantity", "effectiveDate", "metadata"])
    .where("type", "in", ["STOCK_OPTION_ISSUANCE", "STOCK_ISSUANCE"])
    .where("recordOnly", "=", 0)
    .orderBy("sequence"),
);

/** Issues of stock and convertibles, and what may take one back, oldest first. */
export const listMoneyEntries = all((param: Params<{ orgId: string }>) =>
  ofOrganization("transactions", param)
    .select(["id", "sequence", "type", "securityId", "effectiveDate", "metadata"])
    .where("type", "in", ["STOCK_ISSUANCE", "STOCK_RETRACTION", "CONVERTIBLE_ISSUANCE", "CONVERTIBLE_CANCELLATION"])
    .where("recordOnly", "=", 0)
    .orderBy("sequence"),
);

/** Valuations, in the order in which they were made. */
export const listValuations = all((param: Params<{ orgId: string }>) =>
  ofOrganization("valuations", param).selectAll().where("deletedAt", "is", null).orderBy("seq"),
);
