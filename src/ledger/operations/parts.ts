// Shared parts of operations: members of bodies, quantity checks, descriptions of new securities. Pure.
import { Type } from "@sinclair/typebox";
import { date, EXTENSION, freeText, optional } from "../../kernel/fields.ts";
import { type Decimal, formatDecimal, parseDecimal } from "../../kernel/numbers/decimal.ts";
import { type Finding, problem, refuse } from "../../kernel/problem.ts";
import type { SecurityType } from "../../storage/database/schema.ts";
import type { Row } from "../../storage/database/sql.ts";
import type { Facts, NewSecurity } from "../operation.ts";
import type { Metadata, SecurityState, TransactionType } from "../types.ts";

/** The `dryRun` member of every typed route: the same path, rolled back. */
export const dryRun = Type.Optional(
  Type.Boolean({
    default: false,
    description: "True for a dry run: the same path, rolled back, answered with `200` and `effects`.",
    ...EXTENSION,
  }),
);

/** Whether the holder of an issued security is asked to accept it. */
export const asksAcceptance = Type.Optional(
  Type.Boolean({
    description: "Whether its holder is asked to accept it in the portal; by default as the organization says.",
    ...EXTENSION,
  }),
);

/** The column of it. */
export function asksColumn(asked: boolean | undefined, organization: boolean): 0 | 1 {
  return (asked ?? organization) ? 1 : 0;
}

/** The members that every extension route takes. */
export const recording = {
  effectiveDate: date({ description: "The day from which it counts." }),
  boardApprovalDate: optional(date({ description: "When the board approved." })),
  description: optional(freeText(2000, { description: "Free text, for people." })),
  dryRun,
};

type Required = "id" | "type" | "grantDate" | "currency";

const BARE: Omit<NewSecurity, Required> = {
  vestingTermsId: null,
  certificateId: null,
  statedConsideration: null,
  optionType: null,
  expirationDate: null,
  vestingStartDate: null,
  valuationId: null,
  boardApprovalDate: null,
  stockholderApprovalDate: null,
  comments: null,
  sourceDocumentId: null,
  approvalId: null,
  originSecurityId: null,
  stockLegendIds: "[]",
  convertibleTerms: null,
  vestings: null,
  isGated: 0,
  asksAcceptance: 0,
};

/** The description of a new security; members that are left out are null. */
export function describeSecurity(given: Pick<NewSecurity, Required> & Partial<NewSecurity>): NewSecurity {
  return { ...BARE, ...given };
}

/**
 * The description of a security made from `source`: it inherits vesting, option type, expiration, valuation, legends,
 * approval and the currency of its amounts, gets the next free certificate number, and names its origin.
 */
export function describeSuccessor(
  source: Row<"securities">,
  given: Pick<NewSecurity, "id" | "type" | "grantDate"> & Partial<NewSecurity>,
): NewSecurity {
  return describeSecurity({
    vestingTermsId: source.vestingTermsId,
    vestingStartDate: source.vestingStartDate,
    optionType: source.optionType,
    expirationDate: source.expirationDate,
    valuationId: source.valuationId,
    approvalId: source.approvalId,
    stockLegendIds: source.stockLegendIds,
    convertibleTerms: source.convertibleTerms,
    isGated: source.isGated,
    currency: source.currency,
    originSecurityId: source.id,
    ...given,
  });
}

/** Metadata without the members that are null or were not given. */
export function withoutNulls(members: Readonly<Record<string, unknown>>): Metadata {
  const given: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value !== null && value !== undefined) given[name] = value;
  }
  return given;
}

/** The loaded security's row. Throws `409 invalid-state` unless it is ACTIVE. */
export function activeSecurity(facts: Facts, id: string): { row: Row<"securities">; state: SecurityState } {
  const state = facts.state.security(id);
  if (state.status !== "ACTIVE") {
    throw problem("invalid-state", `The security is ${state.status}; this operation needs an ACTIVE one.`);
  }
  const row = facts.securities.get(id);
  if (!row) throw new Error(`security ${id} was not loaded`);
  return { row, state };
}

/** The finding for a quantity above the security's; empty if the quantity suffices. */
export function excess(security: SecurityState, quantity: Decimal): Finding[] {
  if (quantity <= security.quantity) return [];
  return [["#/quantity", `is more than the ${formatDecimal(security.quantity)} that the security holds`]];
}

/** The class of a plan's shares, if it has only one. */
export function onlyClassOf(facts: Facts, equityPlanId: string | null): string | null {
  if (equityPlanId === null) return null;
  const [only, ...others] = facts.state.plan(equityPlanId).stockClassIds;
  return only !== undefined && others.length === 0 && facts.classes.has(only) ? only : null;
}

/** An option's currency: its class's, else the organization's. */
export function optionCurrency(facts: Facts, stockClassId: string | null, organization: string): string {
  return (stockClassId === null ? null : facts.classes.get(stockClassId)?.currency) ?? organization;
}

/** Reads the body's quantity. Throws `422` at `#/quantity` if the security has less. */
export function quantityWithin(security: SecurityState, text: string): Decimal {
  const quantity = parseDecimal(text);
  refuse(excess(security, quantity));
  return quantity;
}

/** The ledger type of a verb for each security type, for instance `STOCK_TRANSFER`. */
export function typeFor<V extends "ISSUANCE" | "TRANSFER" | "CANCELLATION">(
  security: SecurityType,
  verb: V,
): TransactionType {
  return `${security}_${verb}`;
}
