// The SQL of models: what they read of an organization besides its view.
import { all, ofOrganization, type Params } from "../../database/sql.ts";

/** What models look at of a security's description. */
export const listSecurityFacts = all((param: Params<{ orgId: string }>) =>
  ofOrganization("securities", param)
    .select(["id", "type", "certificateId", "grantDate", "expirationDate", "convertibleTerms", "currency"])
    .select(["originSecurityId", "stockClassId", "optionType", "valuationId"])
    .orderBy("seq"),
);

/** The entries that tell terms of classes, oldest first. */
export const listTermsEntries = all((param: Params<{ orgId: string }>) =>
  ofOrganization("transactions", param)
    .select(["type", "sequence", "effectiveDate", "createdAt", "metadata"])
    .where("type", "in", ["STOCK_SPLIT", "STOCK_CLASS_ADJUSTMENT"])
    .where("recordOnly", "=", 0)
    .orderBy("sequence"),
);
