// Takes in the objects that are no transactions: a row each, its audit entry, and what counts along.
import { insertLoggedColumns } from "../../database/logged.ts";
import type { RecordTable } from "../../database/logged-tables.ts";
import type { Columns } from "../../database/sql.ts";
import { searchTextOf } from "../../resources/stakeholders/search-text.ts";
import { addToStakeholderCount } from "../../resources/stakeholders/store.ts";
import type { JsonObject } from "../json.ts";
import { DOCUMENT_COLUMNS, documentFromOcf } from "../mapping/document.ts";
import { STAKEHOLDER_COLUMNS, stakeholderFromOcf } from "../mapping/stakeholder.ts";
import { currencyOfClass, STOCK_CLASS_COLUMNS, stockClassFromOcf } from "../mapping/stock-class.ts";
import { STOCK_LEGEND_COLUMNS, stockLegendFromOcf } from "../mapping/stock-legend.ts";
import { STOCK_PLAN_COLUMNS, stockPlanFromOcf } from "../mapping/stock-plan.ts";
import { VALUATION_COLUMNS, valuationFromOcf } from "../mapping/valuation.ts";
import { mappedColumns } from "../mapping/values.ts";
import { VESTING_TERMS_COLUMNS, vestingTermsFromOcf } from "../mapping/vesting-terms.ts";
import { fillPlaceholder, findPlaceholder } from "./placeholders.ts";
import type { Step } from "./plan.ts";
import { resolve, sourceDocumentOf } from "./references.ts";
import type { Counted } from "./report.ts";
import { keptOnly, type Landed, type Scene } from "./scene.ts";

/** How one object type becomes a record. */
interface RecordKind {
  readonly table: RecordTable;
  readonly counted: Counted;
  readonly mapped: readonly string[];
  readonly hasSource: boolean;
  /** Throws `Refusal` where the service cannot do without something. */
  columns(value: JsonObject, scene: Scene, step: Step): Columns;
}

const KINDS: Readonly<Record<string, RecordKind>> = {
  DOCUMENT: {
    table: "documents",
    counted: "documents",
    mapped: DOCUMENT_COLUMNS,
    hasSource: false,
    columns: documentFromOcf,
  },
  STOCK_LEGEND_TEMPLATE: {
    table: "stock_legends",
    counted: "stockLegends",
    mapped: STOCK_LEGEND_COLUMNS,
    hasSource: false,
    columns: stockLegendFromOcf,
  },
  STAKEHOLDER: {
    table: "stakeholders",
    counted: "stakeholders",
    mapped: STAKEHOLDER_COLUMNS,
    hasSource: true,
    columns(value, scene) {
      const columns = stakeholderFromOcf(value);
      addToStakeholderCount(scene.tx, scene.call.orgId, 1);
      return { ...columns, searchText: searchTextOf(columns.displayName, columns.email) };
    },
  },
  STOCK_CLASS: {
    table: "share_classes",
    counted: "stockClasses",
    mapped: STOCK_CLASS_COLUMNS,
    hasSource: true,
    columns: (value, { plan, currency }, { id }) => ({
      ...stockClassFromOcf(value, plan.seniority.get(id) ?? 1),
      currency: currencyOfClass(value) ?? currency,
      isImported: 1,
    }),
  },
  STOCK_PLAN: {
    table: "equity_plans",
    counted: "stockPlans",
    mapped: STOCK_PLAN_COLUMNS,
    hasSource: true,
    columns(value, scene, step) {
      const columns = stockPlanFromOcf(value);
      const named: string[] = JSON.parse(columns.stockClassIds);
      const classIds = named.filter((id) => resolve(scene, step, "share_classes", "stock_class_ids", id) !== null);
      return { ...columns, stockClassIds: JSON.stringify(classIds) };
    },
  },
  VESTING_TERMS: {
    table: "vesting_terms",
    counted: "vestingTerms",
    mapped: VESTING_TERMS_COLUMNS,
    hasSource: false,
    columns: vestingTermsFromOcf,
  },
  VALUATION: {
    table: "valuations",
    counted: "valuations",
    mapped: VALUATION_COLUMNS,
    hasSource: true,
    columns(value, scene, step) {
      const columns = valuationFromOcf(value);
      const stockClassId = resolve(scene, step, "share_classes", "stock_class_id", columns.stockClassId);
      return { ...columns, stockClassId };
    },
  },
};

/** The table in which an object of this type has its record; null where only its original is kept. */
export function recordTableOf(objectType: string): RecordTable | null {
  return KINDS[objectType]?.table ?? null;
}

/** Takes in an object that is no transaction; of a type without a record (financings) the original is kept. */
export function importRecord(scene: Scene, step: Step): Landed {
  const kind = KINDS[step.objectType];
  if (!kind) return keptOnly("other");
  const { tx, call } = scene;
  const row: Columns = {
    ...kind.columns(step.value, scene, step),
    ...(kind.hasSource ? { sourceDocumentId: sourceDocumentOf(scene, step.objectType, step.id) } : {}),
    orgId: call.orgId,
    id: step.id,
    createdAt: call.at,
    updatedAt: call.at,
  };
  const placeholder = findPlaceholder(scene, kind.table, step.id);
  if (placeholder) fillPlaceholder(scene, placeholder, row);
  else insertLoggedColumns(tx, call, kind.table, row);
  return { counted: kind.counted, recordId: step.id, mapped: mappedColumns(row, kind.mapped) };
}
