// Codec of issuances ↔ securities: `security_id` is the security's id, the object's own id that of its ledger entry.
// References are given as the object names them; the caller checks that they exist. A balance of a partial operation,
// or a security that an operation made, is issued in OCF like any other. Pure.

import { type Decimal, formatDecimal, ONE, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import type { NewSecurity } from "../../../ledger/operation.ts";
import { isUndated, type Parcels } from "../../../ledger/vesting/parcels.ts";
import type { SecurityType } from "../../../storage/database/schema.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { isObject, type JsonObject, listOf, textOf, textsOf } from "../json.ts";
import type { SecurityFamily } from "../schemas/schema-registry.ts";
import { currencyAmong } from "./codec-currencies.ts";
import {
  convertibleTermsFromOcf,
  convertibleTermsOf,
  termsComment,
  toldInComments,
  triggersToOcf,
  unknownTrigger,
} from "./convertible.ts";
import { isRowComment } from "./found-again.ts";
import {
  amountText,
  approvalDates,
  commentsText,
  dateText,
  requiredAmount,
  requiredCount,
  requiredDate,
  requiredId,
} from "./values.ts";
import { commentsOf, compact, money, type Note } from "./values-to-ocf.ts";
import { isWaitingComment, vestingsToOcf } from "./vestings.ts";

/** The columns that OCF carries and that only an edit changes: the ledger determines what is outstanding now. */
export const SECURITY_COLUMNS = [
  "stakeholderId",
  "stockClassId",
  "equityPlanId",
  "vestingTermsId",
  "certificateId",
  "pricePerShare",
  "statedConsideration",
  "exercisePrice",
  "optionType",
  "grantDate",
  "expirationDate",
  "boardApprovalDate",
  "stockholderApprovalDate",
  "comments",
  "sourceDocumentId",
  "stockLegendIds",
  "convertibleTerms",
] as const satisfies readonly (keyof Row<"securities">)[];

/** The service's name for each OCF family. */
export const SECURITY_TYPES: Readonly<Record<SecurityFamily, SecurityType>> = {
  STOCK: "STOCK",
  EQUITY_COMPENSATION: "STOCK_OPTION",
  WARRANT: "WARRANT",
  CONVERTIBLE: "CONVERTIBLE",
};

/** OCF's family of each type of security. */
export const FAMILY = Object.fromEntries(
  Object.entries(SECURITY_TYPES).map(([family, type]) => [type, family]),
) as Readonly<Record<SecurityType, SecurityFamily>>;

/** What an issuance becomes. */
export interface ImportedIssuance {
  readonly securityId: string;
  readonly type: SecurityType;
  /** A decimal string: shares, or a convertible's principal. */
  readonly quantity: string;
  readonly pricePerShare: string | null;
  readonly exercisePrice: string | null;
  /** Of its amounts; null where none says one. */
  readonly currency: string | null;
  /** Ids as the object names them; null where it names none. */
  readonly references: {
    readonly stakeholderId: string | null;
    readonly stockClassId: string | null;
    readonly equityPlanId: string | null;
    readonly vestingTermsId: string | null;
  };
  /** Where the object names its class. */
  readonly classPath: readonly (string | number)[];
  readonly stockLegendIds: readonly string[];
  readonly description: Pick<NewSecurity, "grantDate" | "certificateId" | "statedConsideration" | "optionType"> &
    Pick<NewSecurity, "expirationDate" | "boardApprovalDate" | "stockholderApprovalDate" | "comments"> &
    Pick<NewSecurity, "convertibleTerms">;
}

/** Reads an issuance of the given family. Throws `Refusal` for what the ledger cannot do without. */
export function issuanceFromOcf(family: SecurityFamily, value: JsonObject): ImportedIssuance {
  const named = namedClass(family, value);
  return {
    securityId: requiredId(value, "security_id"),
    type: SECURITY_TYPES[family],
    quantity: quantityOf(family, value),
    pricePerShare: family === "STOCK" ? amountText(value, "share_price") : null,
    exercisePrice: family === "STOCK" || family === "CONVERTIBLE" ? null : amountText(value, "exercise_price"),
    currency: currencyOfIssuance(family, value),
    references: {
      stakeholderId: textOf(value, "stakeholder_id"),
      stockClassId: named.id,
      equityPlanId: textOf(value, "stock_plan_id"),
      vestingTermsId: textOf(value, "vesting_terms_id"),
    },
    classPath: named.path,
    stockLegendIds: textsOf(value, "stock_legend_ids"),
    description: {
      grantDate: requiredDate(value, "date"),
      certificateId: textOf(value, "custom_id"),
      statedConsideration: amountText(value, PAID[family]),
      optionType: optionTypeOf(value),
      expirationDate: dateText(value, family === "WARRANT" ? "warrant_expiration_date" : "expiration_date"),
      ...approvalDates(value),
      comments: commentsText({ comments: commentsBut(value, oursIn(family, value)) }),
      convertibleTerms: family === "CONVERTIBLE" ? JSON.stringify(convertibleTermsFromOcf(value)) : null,
    },
  };
}

/** Recognizes comments of ours whose content has a column of its own. */
function oursIn(family: SecurityFamily, value: JsonObject): (comment: string) => boolean {
  const isOfAny = (comment: string) => isWaitingComment(comment) || isRowComment(comment);
  if (family !== "CONVERTIBLE") return isOfAny;
  const { isOurs } = toldInComments(value);
  return (comment) => isOurs(comment) || isOfAny(comment);
}

/** The comments without those of ours whose content has a column of its own. */
function commentsBut(value: JsonObject, isOurs: (comment: string) => boolean): unknown {
  const { comments } = value;
  return Array.isArray(comments) ? comments.filter((line) => typeof line !== "string" || !isOurs(line)) : comments;
}

/** The field that says what was paid in all. */
const PAID = {
  STOCK: "cost_basis",
  EQUITY_COMPENSATION: "cost_basis",
  WARRANT: "purchase_price",
  CONVERTIBLE: "investment_amount",
} as const satisfies Record<SecurityFamily, string>;

const AMOUNTS = {
  STOCK: ["share_price", "cost_basis"],
  EQUITY_COMPENSATION: ["exercise_price", "base_price", "cost_basis"],
  WARRANT: ["exercise_price", "purchase_price"],
  CONVERTIBLE: ["investment_amount"],
} as const satisfies Record<SecurityFamily, readonly string[]>;

/** The currency of an issuance's amounts; null where none says one. */
function currencyOfIssuance(family: SecurityFamily, value: JsonObject): string | null {
  return currencyAmong(value, AMOUNTS[family]);
}

/** A warrant may leave open how many shares it is for. */
function quantityOf(family: SecurityFamily, value: JsonObject): string {
  if (family === "CONVERTIBLE") return requiredAmount(value, "investment_amount");
  if (family === "WARRANT" && (value.quantity === undefined || value.quantity === null)) return "0";
  return requiredCount(value, "quantity");
}

/** The class that an issuance names, and where; a warrant does in what its triggers convert it to. */
export function namedClass(
  family: SecurityFamily,
  value: JsonObject,
): { id: string | null; path: readonly (string | number)[] } {
  const path = ["stock_class_id"];
  if (family === "CONVERTIBLE") return { id: null, path };
  if (family !== "WARRANT") return { id: textOf(value, "stock_class_id"), path };
  for (const [i, trigger] of listOf(value, "exercise_triggers").entries()) {
    const right = isObject(trigger) && isObject(trigger.conversion_right) ? trigger.conversion_right : {};
    const id = textOf(right, "converts_to_stock_class_id");
    if (id !== null) return { id, path: ["exercise_triggers", i, "conversion_right", "converts_to_stock_class_id"] };
  }
  return { id: null, path };
}

function optionTypeOf(value: JsonObject): "ISO" | "NSO" | null {
  const word = value.compensation_type === "OPTION" ? `OPTION_${value.option_grant_type}` : value.compensation_type;
  if (word === "OPTION_ISO") return "ISO";
  return word === "OPTION_NSO" ? "NSO" : null;
}

/** A security as it is to be issued: its description, and the ledger's figures at that moment. */
export interface Issued {
  readonly row: Row<"securities">;
  /** The issuance's own id. */
  readonly objectId: string;
  /** The security's id in OCF: its own, or a balance's. */
  readonly securityId: string;
  readonly date: string;
  readonly quantity: Decimal;
  readonly pricePerShare: string | null;
  readonly exercisePrice: string | null;
  /** In which its amounts go out. */
  readonly currency: string;
  /** The plan, where the export holds it. */
  readonly equityPlanId: string | null;
  /** The class's issuance price, where it has one. */
  readonly classPrice: string | null;
  /** True for a balance: the payment for the whole is not repeated. */
  readonly isBalance: boolean;
  /** How it vests, where its terms over its quantity do not say it. */
  readonly parcels: Parcels | null;
  readonly comments: readonly (string | null)[];
}

/** The trigger by which a warrant that this service made is exercised. */
export function exerciseTriggerId(securityId: string): string {
  return `${securityId}:exercise`;
}

/** The trigger by which a convertible that this service made converts. */
export function conversionTriggerId(securityId: string): string {
  return `${securityId}:conversion`;
}

/**
 * The issuance of a security. `expiration_date` of an option is the one member that OCF requires and takes null for.
 */
export function issuanceToOcf(issued: Issued, note: Note): JsonObject {
  const { row } = issued;
  const members: Readonly<Record<SecurityType, (issued: Issued, note: Note) => Readonly<Record<string, unknown>>>> = {
    STOCK: stockMembers,
    STOCK_OPTION: optionMembers,
    WARRANT: warrantMembers,
    CONVERTIBLE: convertibleMembers,
  };
  const { vestings, comment } = vestingsToOcf(issued.parcels ?? []);
  if (row.certificateId === null) note("a security has no certificate number, which OCF requires; its id exported");
  const issuance = compact({
    object_type: `TX_${FAMILY[row.type]}_ISSUANCE`,
    id: issued.objectId,
    date: issued.date,
    security_id: issued.securityId,
    custom_id: row.certificateId ?? row.id,
    stakeholder_id: row.stakeholderId,
    board_approval_date: row.boardApprovalDate,
    stockholder_approval_date: row.stockholderApprovalDate,
    security_law_exemptions: [],
    ...members[row.type](issued, note),
    vestings,
    comments: commentsOf(row.comments, ...issued.comments, termsComment(row), comment),
  });
  return row.type === "STOCK_OPTION" ? { ...issuance, expiration_date: row.expirationDate } : issuance;
}

function stockMembers(issued: Issued, note: Note) {
  const { row, currency } = issued;
  return {
    stock_class_id: row.stockClassId,
    stock_plan_id: issued.equityPlanId,
    share_price: money(sharePrice(issued, note), currency),
    quantity: amountOf(issued),
    vesting_terms_id: termsIdOf(issued),
    cost_basis: issued.isBalance ? undefined : money(costBasis(row), currency),
    stock_legend_ids: JSON.parse(row.stockLegendIds),
  };
}

/** The stated payment. A net exercise is paid for more than its shares, so that no reader can compute it. */
function costBasis({ statedConsideration, originSecurityId, purchasePrice }: Issued["row"]): string | null {
  return statedConsideration ?? (originSecurityId === null ? null : purchasePrice);
}

function sharePrice(issued: Issued, note: Note): string {
  const { pricePerShare, classPrice, quantity, row } = issued;
  if (pricePerShare !== null) return pricePerShare;
  const paid = issued.isBalance || row.purchasePrice === null ? null : parseDecimal(row.purchasePrice) * ONE;
  if (paid !== null && quantity > ZERO && paid % quantity === 0n) return formatDecimal(paid / quantity);
  note(`the share price of an issuance is not known; ${classPrice === null ? '"0"' : "its class's"} exported`);
  return classPrice ?? "0";
}

function optionMembers(issued: Issued, note: Note) {
  const { row, exercisePrice, currency } = issued;
  if (exercisePrice === null) note('the strike price of an option is not known; "0" exported');
  if (row.optionType === null) note("the type of an option is not known; OPTION exported");
  return {
    stock_plan_id: issued.equityPlanId,
    stock_class_id: row.stockClassId,
    compensation_type: row.optionType === null ? "OPTION" : `OPTION_${row.optionType}`,
    quantity: amountOf(issued),
    exercise_price: money(exercisePrice ?? "0", currency),
    vesting_terms_id: termsIdOf(issued),
    termination_exercise_windows: [],
  };
}

function warrantMembers(issued: Issued, note: Note) {
  const { row, securityId, currency } = issued;
  if (row.purchasePrice === null) note('what was paid for a warrant is not known; "0" exported');
  const right = compact({
    type: "WARRANT_CONVERSION_RIGHT",
    conversion_mechanism: { type: "FIXED_AMOUNT_CONVERSION", converts_to_quantity: amountOf(issued) },
    converts_to_stock_class_id: row.stockClassId,
  });
  return {
    quantity: amountOf(issued),
    exercise_price: money(issued.exercisePrice, currency),
    purchase_price: money(row.purchasePrice ?? "0", currency),
    exercise_triggers: [
      { type: "ELECTIVE_AT_WILL", trigger_id: exerciseTriggerId(securityId), conversion_right: right },
    ],
    warrant_expiration_date: row.expirationDate,
    vesting_terms_id: termsIdOf(issued),
  };
}

function convertibleMembers(issued: Issued, note: Note) {
  const terms = convertibleTermsOf(issued.row);
  if (!terms?.convertibleType) note("the kind of a convertible is not known; CONVERTIBLE_SECURITY exported");
  const triggers = terms ? triggersToOcf(terms, issued.currency, note) : [];
  return {
    investment_amount: money(amountOf(issued), issued.currency),
    convertible_type: terms?.convertibleType ?? "CONVERTIBLE_SECURITY",
    conversion_triggers:
      triggers.length > 0 ? triggers : [unknownTrigger(conversionTriggerId(issued.securityId), note)],
    pro_rata: terms?.proRata,
    seniority: terms?.seniority ?? 1,
  };
}

/** The terms, where they say anything: exact days win over them, but for what still waits. */
function termsIdOf({ row, parcels }: Issued): string | null {
  return parcels === null || parcels.some(isUndated) ? row.vestingTermsId : null;
}

/** The quantity as it was sent where that is still the number, else computed. */
function amountOf({ row, quantity }: Issued): string {
  return parseDecimal(row.quantity) === quantity ? row.quantity : formatDecimal(quantity);
}
