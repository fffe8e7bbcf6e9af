// Issuances ↔ securities (OCF.md section 7.8): `security_id` is the security's id, the object's own id that of its
// ledger entry. Pure: references are given as the object names them; whether they are there is for the caller to see.
import type { SecurityType } from "../../database/schema.ts";
import type { Row } from "../../database/sql.ts";
import type { NewSecurity } from "../../ledger/operation.ts";
import { isObject, type JsonObject, listOf, objectsOf, textOf, textsOf } from "../json.ts";
import type { SecurityFamily } from "../schemas/registry.ts";
import { currencyAmong } from "./currencies.ts";
import {
  amountText,
  approvalDates,
  commentsText,
  dateText,
  numberText,
  requiredAmount,
  requiredCount,
  requiredDate,
  requiredId,
} from "./values.ts";
import { isWaitingComment } from "./vestings.ts";

/** The columns that OCF carries and that nothing but an edit changes: what is outstanding now is the ledger's to say. */
export const SECURITY_COLUMNS = [
  "stakeholderId",
  "stockClassId",
  "equityPlanId",
  "vestingTermsId",
  "certificateId",
  "pricePerShare",
  "purchasePrice",
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
  readonly description: Pick<NewSecurity, "grantDate" | "certificateId" | "purchasePrice" | "optionType"> &
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
      purchasePrice: amountText(value, PAID[family]),
      optionType: optionTypeOf(value),
      expirationDate: dateText(value, family === "WARRANT" ? "warrant_expiration_date" : "expiration_date"),
      ...approvalDates(value),
      comments: commentsText({ comments: commentsBut(value, isWaitingComment) }),
      convertibleTerms: family === "CONVERTIBLE" ? JSON.stringify(convertibleTerms(value)) : null,
    },
  };
}

/** The comments without those of ours that say what has a column of its own. */
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
export function currencyOfIssuance(family: SecurityFamily, value: JsonObject): string | null {
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

const TYPES = ["NOTE", "SAFE", "CONVERTIBLE_SECURITY"] as const;
const DAY_COUNTS = ["ACTUAL_365", "30_360"] as const;

/** The members of `convertibleTerms` that the first mechanism of the triggers says. */
function convertibleTerms(value: JsonObject): Readonly<Record<string, unknown>> {
  const mechanism = mechanismOf(value);
  const rates = objectsOf(mechanism, "interest_rates");
  const terms = {
    convertibleType: TYPES.find((type) => type === value.convertible_type),
    valuationCap: amountText(mechanism, "conversion_valuation_cap"),
    discountPercent: percent(numberText(mechanism, "conversion_discount")),
    interestRate: rates[0] ? percent(numberText(rates[0], "rate")) : null,
    dayCount: DAY_COUNTS.find((word) => word === mechanism.day_count_convention),
    seniority: Number.isSafeInteger(value.seniority) ? value.seniority : null,
  };
  return Object.fromEntries(Object.entries(terms).filter(([, term]) => term !== null && term !== undefined));
}

function mechanismOf(value: JsonObject): JsonObject {
  const [trigger] = objectsOf(value, "conversion_triggers");
  const right = isObject(trigger?.conversion_right) ? trigger.conversion_right : {};
  return isObject(right.conversion_mechanism) ? right.conversion_mechanism : {};
}

/** OCF writes a share of one, the service percent: `"0.2"` is `"20"`. */
function percent(share: string | null): string | null {
  if (share === null) return null;
  const [whole = "0", fraction = ""] = share.split(".");
  const digits = whole + fraction.padEnd(2, "0").slice(0, 2);
  const rest = fraction.slice(2).replace(/0+$/, "");
  return `${digits.replace(/^0+(?=\d)/, "")}${rest === "" ? "" : `.${rest}`}`;
}
