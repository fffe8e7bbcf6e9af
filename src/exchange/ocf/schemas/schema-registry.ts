// The registry of OCF object types, 1.0 to 1.2 and the development version: each with its schema, its file, and for
// transactions the family of security and the action. Validation, import and export iterate it.
import type { TSchema } from "@sinclair/typebox";
import type { FileType } from "../file-types.ts";
import * as issuances from "./issuance-schemas.ts";
import * as records from "./record-schemas.ts";
import * as tx from "./transactions.ts";
import { VestingTerms, VestingTermsDevelopment } from "./vesting-schemas.ts";

/** The four families of securities. */
export type SecurityFamily = "STOCK" | "EQUITY_COMPENSATION" | "WARRANT" | "CONVERTIBLE";

/** What a transaction does to a security; null for objects and for transactions on classes, plans and people. */
export type SecurityAction =
  | "ISSUANCE"
  | "ACCEPTANCE"
  | "CANCELLATION"
  | "CONSOLIDATION"
  | "CONVERSION"
  | "EXERCISE"
  | "REISSUANCE"
  | "RELEASE"
  | "REPRICING"
  | "REPURCHASE"
  | "RETRACTION"
  | "TRANSFER";

/** One object type of OCF. The id of every object is its member `id`. */
export interface ObjectType {
  readonly objectType: string;
  /** Today's name where `objectType` is an older one (`TX_PLAN_SECURITY_…`), else the same. */
  readonly canonicalType: string;
  /** The file such objects stand in; null for the issuer, which stands in the manifest. */
  readonly fileType: FileType | null;
  readonly family: SecurityFamily | null;
  readonly action: SecurityAction | null;
  /** Whether OCF 1.2.0 knows the type; false for those of the development version. */
  readonly released: boolean;
  /** Whether the official file schema takes the type: two that exist are forgotten there. */
  readonly admittedToFile: boolean;
  readonly schema: TSchema;
  /** The development version's schema where it takes more than {@link schema}, else the same. */
  readonly developmentSchema: TSchema;
}

type Names = readonly string[];
const FAMILIES: readonly SecurityFamily[] = ["STOCK", "EQUITY_COMPENSATION", "WARRANT", "CONVERTIBLE"];
const ALIAS_PREFIX = "TX_PLAN_SECURITY_";
const CANONICAL_PREFIX = "TX_EQUITY_COMPENSATION_";

function object(objectType: string, fileType: FileType | null, schema: TSchema, developmentSchema = schema) {
  const rest = { family: null, action: null, released: true, admittedToFile: true };
  return { objectType, canonicalType: objectType, fileType, schema, developmentSchema, ...rest };
}

function transaction(objectType: string, schema: TSchema): ObjectType {
  return object(objectType, "OCF_TRANSACTIONS_FILE", schema);
}

/** A transaction on securities of a family, under its name and, for equity compensation, the older name too. */
function security(
  family: SecurityFamily,
  action: SecurityAction,
  schemaOf: TSchema | ((names: Names) => TSchema),
): ObjectType[] {
  const names = [`TX_${family}_${action}`];
  if (family === "EQUITY_COMPENSATION" && action !== "REPRICING") names.push(`${ALIAS_PREFIX}${action}`);
  const schema = typeof schemaOf === "function" ? schemaOf(names) : schemaOf;
  return names.map((name) => ({ ...transaction(name, schema), canonicalType: names[0] ?? name, family, action }));
}

const onEveryFamily = (action: SecurityAction, schemaOf: (names: Names) => TSchema): ObjectType[] =>
  FAMILIES.flatMap((family) => security(family, action, schemaOf));
const onShares = (action: SecurityAction, schemaOf: (names: Names) => TSchema): ObjectType[] =>
  FAMILIES.filter((family) => family !== "CONVERTIBLE").flatMap((family) => security(family, action, schemaOf));
const unreleased = (type: ObjectType): ObjectType => ({ ...type, released: false, admittedToFile: false });

const TRANSACTIONS: readonly ObjectType[] = [
  ...security("STOCK", "ISSUANCE", issuances.StockIssuance),
  ...security("EQUITY_COMPENSATION", "ISSUANCE", issuances.EquityCompensationIssuance),
  ...security("WARRANT", "ISSUANCE", issuances.WarrantIssuance),
  ...security("CONVERTIBLE", "ISSUANCE", issuances.ConvertibleIssuance),
  ...onEveryFamily("ACCEPTANCE", tx.acceptance),
  ...onEveryFamily("RETRACTION", tx.retraction),
  ...onShares("TRANSFER", tx.transfer),
  ...security("CONVERTIBLE", "TRANSFER", tx.ConvertibleTransfer),
  ...onShares("CANCELLATION", tx.cancellation),
  ...security("CONVERTIBLE", "CANCELLATION", tx.ConvertibleCancellation),
  ...security("EQUITY_COMPENSATION", "EXERCISE", tx.exercise),
  ...security("EQUITY_COMPENSATION", "RELEASE", tx.release),
  ...security("WARRANT", "EXERCISE", tx.WarrantExercise),
  ...security("CONVERTIBLE", "CONVERSION", tx.ConvertibleConversion),
  ...security("STOCK", "CONVERSION", tx.StockConversion),
  ...security("STOCK", "REPURCHASE", tx.StockRepurchase),
  ...security("STOCK", "REISSUANCE", tx.StockReissuance),
  transaction("TX_STOCK_CLASS_SPLIT", tx.StockClassSplit),
  transaction("TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT", tx.ClassAuthorizedAdjustment),
  transaction("TX_STOCK_CLASS_CONVERSION_RATIO_ADJUSTMENT", tx.ClassConversionRatioAdjustment),
  { ...transaction("TX_ISSUER_AUTHORIZED_SHARES_ADJUSTMENT", tx.IssuerAuthorizedAdjustment), admittedToFile: false },
  transaction("TX_STOCK_PLAN_POOL_ADJUSTMENT", tx.PlanPoolAdjustment),
  transaction("TX_STOCK_PLAN_RETURN_TO_POOL", tx.PlanReturnToPool),
  transaction("TX_VESTING_START", tx.vestingOn(["TX_VESTING_START"])),
  transaction("TX_VESTING_EVENT", tx.vestingOn(["TX_VESTING_EVENT"])),
  transaction("TX_VESTING_ACCELERATION", tx.VestingAcceleration),
  ...security("STOCK", "CONSOLIDATION", tx.StockConsolidation).map(unreleased),
  ...security("EQUITY_COMPENSATION", "REPRICING", tx.EquityCompensationRepricing).map(unreleased),
  unreleased(transaction("CE_STAKEHOLDER_RELATIONSHIP", tx.StakeholderRelationshipChange)),
  unreleased(transaction("CE_STAKEHOLDER_STATUS", tx.StakeholderStatusChange)),
];

const RECORDS: readonly ObjectType[] = [
  object("ISSUER", null, records.Issuer, records.IssuerDevelopment),
  object("STAKEHOLDER", "OCF_STAKEHOLDERS_FILE", records.Stakeholder, records.StakeholderDevelopment),
  object("STOCK_CLASS", "OCF_STOCK_CLASSES_FILE", records.StockClass),
  object("STOCK_PLAN", "OCF_STOCK_PLANS_FILE", records.StockPlan),
  object("STOCK_LEGEND_TEMPLATE", "OCF_STOCK_LEGEND_TEMPLATES_FILE", records.StockLegendTemplate),
  object("VESTING_TERMS", "OCF_VESTING_TERMS_FILE", VestingTerms, VestingTermsDevelopment),
  object("VALUATION", "OCF_VALUATIONS_FILE", records.Valuation),
  object("FINANCING", "OCF_FINANCINGS_FILE", records.Financing),
];

const namesOf = (types: readonly ObjectType[]) => types.map((type) => type.objectType);
const RELEASED_NAMES = ["DOCUMENT", ...namesOf([...RECORDS, ...TRANSACTIONS].filter((type) => type.released))];
const ALL_NAMES = ["DOCUMENT", ...namesOf([...RECORDS, ...TRANSACTIONS])];

/** All object types: records first, then transactions, in the order of this file. */
export const OBJECT_TYPES: readonly ObjectType[] = [
  ...RECORDS,
  object("DOCUMENT", "OCF_DOCUMENTS_FILE", records.documentOf(RELEASED_NAMES), records.documentOf(ALL_NAMES)),
  ...TRANSACTIONS,
];

const BY_NAME = new Map(OBJECT_TYPES.map((type) => [type.objectType, type]));

/** The object type of that name, or null if OCF does not have it. */
export function objectType(name: unknown): ObjectType | null {
  return typeof name === "string" ? (BY_NAME.get(name) ?? null) : null;
}

/** Today's name of an object type: the older `TX_PLAN_SECURITY_…` become `TX_EQUITY_COMPENSATION_…`. */
export function canonicalType(name: string): string {
  return name.startsWith(ALIAS_PREFIX) ? CANONICAL_PREFIX + name.slice(ALIAS_PREFIX.length) : name;
}
