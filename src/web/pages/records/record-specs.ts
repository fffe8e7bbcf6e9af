// The forms of records: holders, share classes, equity plans, valuations. As data, like those of the ledger's operations.

import { addMonths } from "../../../kernel/date.ts";
import { EquityPlanCreate, ShareClassCreate, StakeholderCreate, ValuationCreate } from "../../api/values.ts";
import { FIELD_FAULTS } from "../../text/common.ts";
import type { Facts, FieldGroup, FieldSpec, Values } from "../actions/spec.ts";
import { BOARD, STOCKHOLDERS } from "../actions/specs/common-specs.ts";

/** The records that have a form of fields. */
export type RecordKind = "stakeholder" | "share-class" | "equity-plan" | "valuation";

/** A record's form. */
export interface RecordSpec {
  readonly kind: RecordKind;
  /** Where the API has them. */
  readonly path: "stakeholders" | "share-classes" | "equity-plans" | "valuations";
  readonly groups: readonly FieldGroup[];
  /** Pages to go to when it is done, the first that there is; `:id` is the record's. */
  readonly pages: readonly string[];
}

const COMMENTS: FieldSpec = { name: "comments", kind: "long", isOptional: true };
const VALUATION_MONTHS = 12;

const ranksOf = (classes: Facts["classes"]) => classes.map(({ seniority }) => seniority).toSorted((a, b) => a - b);
const isPerson = ({ type }: Values) => type === "INDIVIDUAL";
const isPreferred = ({ classType }: Values) => classType === "PREFERRED";
const hasDividend = (values: Values) =>
  isPreferred(values) && Boolean(values.dividendType) && values.dividendType !== "NONE";

const WALLET = /^0x[0-9a-fA-F]{40}$/;
const walletFault = (text: string) => (WALLET.test(text) ? undefined : FIELD_FAULTS.wallet);

const stakeholder: RecordSpec = {
  kind: "stakeholder",
  path: "stakeholders",
  pages: ["/stakeholders/:id", "/stakeholders"],
  groups: [
    {
      name: "basics",
      fields: [
        { name: "displayName", kind: "text" },
        { name: "type", kind: "choice", choices: StakeholderCreate.type, given: () => "INDIVIDUAL" },
        { name: "name.legalName", kind: "text", isBeside: true, given: ({ displayName }) => displayName },
        { name: "name.firstName", kind: "text", isOptional: true, isShown: isPerson },
        { name: "name.lastName", kind: "text", isOptional: true, isShown: isPerson, isBeside: true },
        {
          name: "relationships",
          kind: "many",
          isOptional: true,
          choices: StakeholderCreate.relationships,
        },
        { name: "status", kind: "choice", choices: StakeholderCreate.status, isForChanges: true },
      ],
    },
    {
      name: "contact",
      fields: [
        { name: "email", kind: "text", isOptional: true },
        { name: "issuerAssignedId", kind: "text", isOptional: true, isBeside: true },
        { name: "walletAddress", kind: "text", isOptional: true, isForChanges: true, fault: walletFault },
        COMMENTS,
      ],
    },
  ],
};

const shareClass: RecordSpec = {
  kind: "share-class",
  path: "share-classes",
  pages: ["/classes-and-plans/classes/:id", "/classes-and-plans"],
  groups: [
    {
      name: "basics",
      fields: [
        { name: "name", kind: "text" },
        { name: "classType", kind: "choice", choices: ShareClassCreate.classType, given: () => "COMMON" },
        {
          name: "defaultIdPrefix",
          kind: "text",
          isBeside: true,
          given: (values) => (isPreferred(values) ? "PS-" : "CS-"),
        },
      ],
    },
    {
      name: "limits",
      fields: [
        { name: "initialSharesAuthorized", kind: "decimal", isForNew: true },
        { name: "parValue", kind: "decimal", isOptional: true },
        { name: "pricePerShare", kind: "decimal", isOptional: true, isBeside: true },
      ],
    },
    {
      name: "rights",
      fields: [
        { name: "votesPerShare", kind: "decimal", given: () => "1" },
        {
          name: "seniority",
          kind: "whole",
          isBeside: true,
          // After all that there are: one beside another by mistake would be paid together with it.
          given: (_, { classes }) => String((ranksOf(classes).at(-1) ?? 0) + 1),
        },
        {
          name: "liquidationPreferenceMultiple",
          kind: "decimal",
          isOptional: true,
          isShown: isPreferred,
          given: () => "1",
        },
        { name: "isParticipating", kind: "check", isShown: isPreferred },
        {
          name: "participationCapMultiple",
          kind: "decimal",
          isOptional: true,
          isShown: (values) => isPreferred(values) && values.isParticipating === "true",
        },
        {
          name: "participationCapBasis",
          kind: "choice",
          choices: ShareClassCreate.participationCapBasis,
          given: () => "BEYOND_PREFERENCE",
          isBeside: true,
          isShown: (values) =>
            isPreferred(values) && values.isParticipating === "true" && Boolean(values.participationCapMultiple),
        },
        {
          name: "votesBasis",
          kind: "choice",
          choices: ShareClassCreate.votesBasis,
          isShown: isPreferred,
          isOptional: true,
        },
        {
          name: "antiDilution",
          kind: "choice",
          choices: ShareClassCreate.antiDilution,
          given: () => "NONE",
          isShown: isPreferred,
        },
        {
          name: "antiDilutionCounts",
          kind: "choice",
          choices: ShareClassCreate.antiDilutionCounts,
          isOptional: true,
          isBeside: true,
          isShown: (values) => isPreferred(values) && values.antiDilution !== "NONE",
        },
        {
          name: "dividendType",
          kind: "choice",
          choices: ShareClassCreate.dividendType,
          given: () => "NONE",
          isShown: isPreferred,
        },
        { name: "dividendRatePercent", kind: "decimal", isShown: hasDividend },
        {
          name: "dividendCompounding",
          kind: "choice",
          choices: ShareClassCreate.dividendCompounding,
          isOptional: true,
          isBeside: true,
          isShown: hasDividend,
        },
        {
          name: "conversionRights.0.ratio.numerator",
          kind: "decimal",
          isOptional: true,
          isForNew: true,
          isShown: isPreferred,
        },
        {
          name: "conversionRights.0.ratio.denominator",
          kind: "decimal",
          isOptional: true,
          isForNew: true,
          isBeside: true,
          isShown: isPreferred,
        },
        {
          name: "conversionRights.0.conversionPrice",
          kind: "decimal",
          isOptional: true,
          isForNew: true,
          isShown: isPreferred,
        },
      ],
    },
    { name: "paper", fields: [BOARD, STOCKHOLDERS, COMMENTS] },
  ],
};

const equityPlan: RecordSpec = {
  kind: "equity-plan",
  path: "equity-plans",
  pages: ["/classes-and-plans/plans/:id", "/classes-and-plans"],
  groups: [
    {
      name: "basics",
      fields: [
        { name: "planName", kind: "text" },
        { name: "initialSharesReserved", kind: "decimal", isForNew: true },
        { name: "planType", kind: "text", isOptional: true, isBeside: true },
        {
          name: "stockClassIds",
          kind: "many",
          given: (_, { classes }) => classes.find(({ classType }) => classType === "COMMON")?.id,
        },
        {
          name: "defaultCancellationBehavior",
          kind: "choice",
          choices: EquityPlanCreate.defaultCancellationBehavior,
          given: () => "RETURN_TO_POOL",
        },
      ],
    },
    {
      name: "paper",
      fields: [
        { name: "adoptedDate", kind: "day", isOptional: true },
        { name: "expirationDate", kind: "day", isOptional: true, isBeside: true },
        BOARD,
        STOCKHOLDERS,
        COMMENTS,
      ],
    },
  ],
};

const valuation: RecordSpec = {
  kind: "valuation",
  path: "valuations",
  pages: ["/valuations"],
  groups: [
    {
      name: "basics",
      fields: [
        { name: "type", kind: "choice", choices: ValuationCreate.type, given: () => "409A" },
        {
          name: "stockClassId",
          kind: "class",
          isBeside: true,
          given: (_, { classes }) => classes.find(({ classType }) => classType === "COMMON")?.id,
        },
        { name: "pricePerShare", kind: "decimal" },
        {
          name: "status",
          kind: "choice",
          choices: ValuationCreate.status,
          isBeside: true,
          given: () => "DRAFT",
        },
        { name: "effectiveDate", kind: "day", given: (_, { today }) => today },
        {
          name: "expirationDate",
          kind: "day",
          isOptional: true,
          isBeside: true,
          given: ({ effectiveDate }) => (effectiveDate ? addMonths(effectiveDate, VALUATION_MONTHS) : undefined),
        },
      ],
    },
    {
      name: "paper",
      fields: [
        { name: "provider", kind: "text", isOptional: true },
        { name: "reportId", kind: "text", isOptional: true, isBeside: true },
        { name: "fairMarketValue", kind: "decimal", isOptional: true },
        { name: "enterpriseValue", kind: "decimal", isOptional: true, isBeside: true },
        BOARD,
        STOCKHOLDERS,
        COMMENTS,
      ],
    },
  ],
};

/** Every form of a record. */
export const RECORDS: readonly RecordSpec[] = [stakeholder, shareClass, equityPlan, valuation];

/** The form of an address; null for an unknown name. */
export function recordOf(kind: string | undefined): RecordSpec | null {
  return RECORDS.find((spec) => spec.kind === kind) ?? null;
}
