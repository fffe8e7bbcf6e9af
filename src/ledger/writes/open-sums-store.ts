// SQL of the sums of open options and warrants that classes, plans and the organization keep.

import { present } from "../../kernel/assert.ts";
import { formatDecimal, parseDecimal } from "../../kernel/numbers/decimal.ts";
import { changeUntold } from "../../storage/database/log/logged.ts";
import { build, nameOfRow, ofOrganization, type Params, type Tx, variants } from "../../storage/database/sql.ts";
import type { OpenSums, SumPlace } from "../rules/open-awards.ts";

type At = { readonly orgId: string; readonly id: string };

const sumAt = variants((param: Params<At>, table: SumPlace["table"], column: SumPlace["column"]) => {
  if (table === "organizations") {
    return build.selectFrom("organizations").select("openOptions as sum").where("id", "=", param("id"));
  }
  if (table === "equity_plans") {
    return ofOrganization("equity_plans", param).select("openOptions as sum").where("id", "=", param("id"));
  }
  return ofOrganization("share_classes", param).select(`${column} as sum`).where("id", "=", param("id"));
});

/** Moves the kept sums by the differences of a write. */
export function moveOpenSums(tx: Tx, orgId: string, differences: OpenSums): void {
  for (const [{ table, id, column }, difference] of differences.all()) {
    const sum = formatDecimal(parseDecimal(sumNow(tx, { table, id, column }, orgId)) + difference);
    changeUntold(tx, orgId, table, id, { [column]: sum });
  }
}

/** The sum as it is remembered in a batch, or as it is stored. */
function sumNow(tx: Tx, { table, id, column }: SumPlace, orgId: string): string {
  const known = table === "organizations" ? null : tx.waiting?.row(table, nameOfRow({ orgId, id }));
  if (known) return String(known[column]);
  return present(sumAt(table, column).first(tx, { orgId, id }), "the record that keeps the sum").sum;
}
