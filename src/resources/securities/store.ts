// The SQL of securities besides what all records have.

import type { SecurityType } from "../../storage/database/schema.ts";
import { all, ofOrganization, type Params } from "../../storage/database/sql.ts";

/** The certificate numbers of a type, but for what was made of other securities; deleted ones keep theirs. */
export const listNumbersOfType = all((param: Params<{ orgId: string; type: SecurityType }>) =>
  ofOrganization("securities", param)
    .select(["certificateId", "equityPlanId"])
    .where("type", "=", param("type"))
    .where("originSecurityId", "is", null),
);
