// Every register with the fields of its records, by the last part of its address in the API.
import type { TProperties } from "@sinclair/typebox";
import { APPROVAL_FIELDS, APPROVAL_REGISTER } from "./approval.ts";
import { CORPORATE_ACTION_FIELDS, CORPORATE_ACTION_REGISTER } from "./corporate-action.ts";
import { DOCUMENT_FIELDS, DOCUMENT_REGISTER } from "./document.ts";
import { ENTRY_REGISTER } from "./entry-register.ts";
import { EQUITY_PLAN_FIELDS, EQUITY_PLAN_REGISTER } from "./equity-plan.ts";
import type { Register } from "./register.ts";
import { SECURITY_REGISTER } from "./security-register.ts";
import { SHARE_CLASS_FIELDS, SHARE_CLASS_REGISTER } from "./share-class.ts";
import { STAKEHOLDER_FIELDS, STAKEHOLDER_REGISTER } from "./stakeholder.ts";
import { STOCK_LEGEND_FIELDS, STOCK_LEGEND_REGISTER } from "./stock-legend.ts";
import { VALUATION_FIELDS, VALUATION_REGISTER } from "./valuation.ts";

/** The fields of the records of a kind, and how those are shown. */
export interface Registered {
  readonly fields: TProperties;
  readonly register: Register;
}

/** The registers. */
export const REGISTERS: Readonly<Record<string, Registered>> = {
  stakeholders: { fields: STAKEHOLDER_FIELDS, register: STAKEHOLDER_REGISTER },
  "share-classes": { fields: SHARE_CLASS_FIELDS, register: SHARE_CLASS_REGISTER },
  "equity-plans": { fields: EQUITY_PLAN_FIELDS, register: EQUITY_PLAN_REGISTER },
  "stock-legends": { fields: STOCK_LEGEND_FIELDS, register: STOCK_LEGEND_REGISTER },
  securities: { fields: {}, register: SECURITY_REGISTER },
  transactions: { fields: {}, register: ENTRY_REGISTER },
  approvals: { fields: APPROVAL_FIELDS, register: APPROVAL_REGISTER },
  "corporate-actions": { fields: CORPORATE_ACTION_FIELDS, register: CORPORATE_ACTION_REGISTER },
  documents: { fields: DOCUMENT_FIELDS, register: DOCUMENT_REGISTER },
  valuations: { fields: VALUATION_FIELDS, register: VALUATION_REGISTER },
};
