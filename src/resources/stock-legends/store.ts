// SQL that only stock legends need.
import { sql } from "kysely";
import { ofOrganization, type Params, type Reader, statement } from "../../storage/database/sql.ts";

/** `legend` is the id as JSON text, quotes included, so that no id is found inside a longer one. */
const naming = statement((param: Params<{ orgId: string; legend: string }>) => {
  const inTable = (table: "share_classes" | "securities") =>
    ofOrganization(table, param)
      .select("id")
      .where("deletedAt", "is", null)
      .where(sql<boolean>`instr("stockLegendIds", ${param("legend")}) > 0`);
  return inTable("share_classes").unionAll(inTable("securities")).limit(1);
});

/** Whether a share class or a security names the legend. */
export function isLegendNamed(db: Reader, orgId: string, legendId: string): boolean {
  return naming.first(db, { orgId, legend: JSON.stringify(legendId) }) !== null;
}
