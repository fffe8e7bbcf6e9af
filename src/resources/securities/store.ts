// SQL that only securities need.

import type { SecurityType } from "../../storage/database/schema.ts";
import { all, ofOrganization, type Params } from "../../storage/database/sql.ts";

/** The certificate numbers of a type, without securities made from others; deleted ones keep theirs. */
export const listNumbersOfType = all((param: Params<{ orgId: string; type: SecurityType }>) =>
  ofOrganization("securities", param)
    .select(["certificateId", "equityPlanId"])
    .where("type", "=", param("type"))
    .where("originSecurityId", "is", null),
);
