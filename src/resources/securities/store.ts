// SQL that only securities need.

import type { SecurityType } from "../../storage/database/schema.ts";
import { ofOrganization, type Params, type Reader, variants } from "../../storage/database/sql.ts";

const numbersOfType = variants((param: Params<{ orgId: string; type: SecurityType }>, isStock: boolean) => {
  const query = ofOrganization("securities", param)
    .select(["certificateId", "equityPlanId"])
    .where("type", "=", param("type"))
    .where("originSecurityId", "is", null);
  // The index of types leaves stock out.
  return isStock ? query : query.where("type", "<>", "STOCK");
});

/** The certificate numbers of a type, without securities made from others; deleted ones keep theirs. */
export function listNumbersOfType(db: Reader, orgId: string, type: SecurityType) {
  return numbersOfType(type === "STOCK").all(db, { orgId, type });
}
