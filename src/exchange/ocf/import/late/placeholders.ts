// Placeholders: classes and plans that a package names and does not hold. Totals hang on them, so that they are made
// with little more than their id; a later import that holds them fills them in.

import { formatDecimal, parseDecimal } from "../../../../kernel/numbers/decimal.ts";
import { changeLoggedColumns, insertLoggedColumns } from "../../../../storage/database/log/logged.ts";
import { NOUNS } from "../../../../storage/database/log/logged-tables.ts";
import { findRecord } from "../../../../storage/database/records.ts";
import type { Columns, Row } from "../../../../storage/database/sql.ts";
import { faultOfId, Refusal } from "../../codec/values.ts";
import { pointerTo, shown } from "../../finding.ts";
import { exists } from "../changed/named-records.ts";
import type { ImportContext } from "../context.ts";
import type { Step } from "../plan.ts";

type PlaceholderTable = "share_classes" | "equity_plans";
type PlaceholderRow = Row<"share_classes"> | Row<"equity_plans">;

/** The comment by which a placeholder is recognized, until it is edited. */
const MARK = "Named by an imported security; the package did not hold it.";
const NAME_LENGTH_MAX = 100;
const NO_LIMIT = "NOT APPLICABLE";

/** The id, of an existing record or of a placeholder that is made for it, with a warning. */
export function ensureRecord(
  context: ImportContext,
  step: Step,
  { table, path: field }: { readonly table: PlaceholderTable; readonly path: string },
  id: string | null,
): string | null {
  if (id === null || exists(context, table, id)) return id;
  const fault = faultOfId(id);
  if (fault !== null) throw new Refusal(pointerTo(field), fault);
  const { tx, call, report, plan } = context;
  const name = [...id].slice(0, NAME_LENGTH_MAX).join("");
  const rank = Math.max(0, ...plan.seniority.values()) + 1;
  const columns = table === "share_classes" ? bareClass(name, rank, context.currency) : barePlan(name);
  const row = { ...columns, orgId: call.orgId, id, comments: MARK, createdAt: call.at, updatedAt: call.at };
  insertLoggedColumns(tx, call, table, row);
  const detail = `${field} names ${shown(id)}, and there is no ${NOUNS[table]} with that id: a placeholder was made.`;
  const fix = "Import the package that holds it, which fills the placeholder in; or edit it here.";
  report.warn("dangling-reference", { ...step, pointer: pointerTo(field) }, detail, fix);
  return id;
}

function bareClass(name: string, seniority: number, currency: string): Columns {
  return {
    name,
    currency,
    classType: "COMMON",
    defaultIdPrefix: "",
    initialSharesAuthorized: NO_LIMIT,
    currentSharesAuthorized: NO_LIMIT,
    votesPerShare: "0",
    seniority,
    isParticipating: 0,
    isImported: 1,
  };
}

function barePlan(planName: string): Columns {
  return {
    planName,
    initialSharesReserved: "0",
    totalSharesReserved: "0",
    currentSharesReserved: "0",
    stockClassIds: "[]",
    defaultCancellationBehavior: "RETIRE",
  };
}

/** The placeholder with this id, or null. */
export function findPlaceholder({ tx, call }: ImportContext, table: string, id: string): PlaceholderRow | null {
  let row: PlaceholderRow | null = null;
  if (table === "share_classes") row = findRecord(tx, "share_classes", call.orgId, id);
  if (table === "equity_plans") row = findRecord(tx, "equity_plans", call.orgId, id);
  return row?.comments === MARK ? row : null;
}

/** Gives a placeholder the columns of the record that it stood for; what adjustments have set since stays set. */
export function fillPlaceholder({ tx, call }: ImportContext, before: PlaceholderRow, columns: Columns): void {
  const table = "planName" in before ? "equity_plans" : "share_classes";
  const changes = {
    ...columns,
    ...("planName" in before ? planFigures(before, columns) : classFigures(before, columns)),
  };
  changeLoggedColumns(tx, call, table, before.id, changes);
}

function classFigures(before: Row<"share_classes">, { currentSharesAuthorized = NO_LIMIT }: Columns): Columns {
  const isAdjusted = before.currentSharesAuthorized !== NO_LIMIT;
  return { currentSharesAuthorized: isAdjusted ? before.currentSharesAuthorized : currentSharesAuthorized };
}

function planFigures(before: Row<"equity_plans">, { initialSharesReserved }: Columns): Columns {
  const { totalSharesReserved, currentSharesReserved } = before;
  if (totalSharesReserved !== "0") return { totalSharesReserved, currentSharesReserved };
  const reserve = parseDecimal(String(initialSharesReserved));
  const available = parseDecimal(currentSharesReserved) + reserve;
  return { totalSharesReserved: String(initialSharesReserved), currentSharesReserved: formatDecimal(available) };
}
