// SQL that only share classes need.
import { changeLogged } from "../../database/logged.ts";
import { build, type Params, type Reader, type Row, statement, type Tx } from "../../database/sql.ts";
import type { Call } from "../../kernel/call.ts";

const active = statement((param: Params<{ orgId: string; stockClassId: string }>) =>
  build
    .selectFrom("securities")
    .select("id")
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"))
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .limit(1),
);

/** Whether any ACTIVE security is of this class. */
export function hasActiveSecurities(db: Reader, orgId: string, stockClassId: string): boolean {
  return active.first(db, { orgId, stockClassId }) !== null;
}

const all = statement((param: Params<{ orgId: string }>) =>
  build.selectFrom("share_classes").selectAll().where("orgId", "=", param("orgId")).where("deletedAt", "is", null),
);

/** Every class of the organization, oldest first. */
export function listAllClasses(db: Reader, orgId: string): Row<"share_classes">[] {
  return all.all(db, { orgId });
}

const valuationsOf = statement((param: Params<{ orgId: string; stockClassId: string }>) =>
  build
    .selectFrom("valuations")
    .select("id")
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId")),
);

const plansOf = statement((param: Params<{ orgId: string }>) =>
  build
    .selectFrom("equity_plans")
    .select(["id", "stockClassIds"])
    .where("orgId", "=", param("orgId"))
    .where("deletedAt", "is", null),
);

/** Takes a deleted class out of the valuations and plans that name it (DECISIONS section 7). */
export function forgetClass(tx: Tx, call: Call, stockClassId: string): void {
  const { orgId } = call;
  for (const { id } of valuationsOf.all(tx, { orgId, stockClassId })) {
    changeLogged(tx, call, "valuations", id, { stockClassId: null });
  }
  for (const plan of plansOf.all(tx, { orgId })) {
    const ids: string[] = JSON.parse(plan.stockClassIds);
    if (!ids.includes(stockClassId)) continue;
    const left = JSON.stringify(ids.filter((id) => id !== stockClassId));
    changeLogged(tx, call, "equity_plans", plan.id, { stockClassIds: left });
  }
}
