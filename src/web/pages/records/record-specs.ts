// The forms of records: holders, share classes, equity plans, valuations. Which fields they have and in what order, the
// records' registers say (`api/registers.ts`); what a field does besides is here.

import { addMonths } from "../../../kernel/date.ts";
import { REGISTERS } from "../../api/registers.ts";
import { FIGURE_FAULTS } from "../../text/figure-faults.ts";
import type { Facts, FieldGroup, FieldSpec, GroupName, GuidedField, Values } from "../actions/spec.ts";

/** The records that have a form of fields. */
export type RecordKind = "stakeholder" | "share-class" | "equity-plan" | "valuation";

/** A record's form. */
export interface RecordSpec {
  readonly kind: RecordKind;
  /** Where the API has them. */
  readonly path: Path;
  readonly groups: readonly FieldGroup[];
  /** Pages to go to when it is done, the first that there is; `:id` is the record's. */
  readonly pages: readonly string[];
}

type Registers = typeof REGISTERS;
/** The registers with a form. */
type Path = { [P in keyof Registers]: keyof Registers[P]["form"] extends never ? never : P }[keyof Registers];
type Form<P extends Path> = Registers[P]["form"];
type FieldName<P extends Path> = Form<P>[keyof Form<P>] extends readonly { readonly name: infer N extends string }[]
  ? N
  : never;

/** What a field does besides asking: what is given, when it is shown, what is wrong with a text. */
type Does = Pick<FieldSpec, "given" | "isShown" | "fault">;
type DoesOf<P extends Path> = Readonly<Partial<Record<FieldName<P>, Does>>>;

const VALUATION_MONTHS = 12;

const ranksOf = (classes: Facts["classes"]) => classes.map(({ seniority }) => seniority).toSorted((a, b) => a - b);
const isPerson = ({ type }: Values) => type === "INDIVIDUAL";
const isPreferred = ({ classType }: Values) => classType === "PREFERRED";
const isCapped = (values: Values) => isPreferred(values) && values.isParticipating === "true";
const hasDividend = (values: Values) =>
  isPreferred(values) && Boolean(values.dividendType) && values.dividendType !== "NONE";
const firstCommon = (_: Values, { classes }: Facts) => classes.find(({ classType }) => classType === "COMMON")?.id;

const WALLET = /^0x[0-9a-fA-F]{40}$/;

const stakeholder: DoesOf<"stakeholders"> = {
  type: { given: () => "INDIVIDUAL" },
  "name.legalName": { given: ({ displayName }) => displayName },
  "name.firstName": { isShown: isPerson },
  "name.lastName": { isShown: isPerson },
  walletAddress: { fault: (text) => (WALLET.test(text) ? undefined : FIGURE_FAULTS.wallet) },
};

const shareClass: DoesOf<"share-classes"> = {
  classType: { given: () => "COMMON" },
  defaultIdPrefix: { given: (values) => (isPreferred(values) ? "PS-" : "CS-") },
  votesPerShare: { given: () => "1" },
  // After all that there are: one beside another by mistake would be paid together with it.
  seniority: { given: (_, { classes }) => String((ranksOf(classes).at(-1) ?? 0) + 1) },
  liquidationPreferenceMultiple: { isShown: isPreferred, given: () => "1" },
  isParticipating: { isShown: isPreferred },
  participationCapMultiple: { isShown: isCapped },
  participationCapBasis: {
    given: () => "BEYOND_PREFERENCE",
    isShown: (values) => isCapped(values) && Boolean(values.participationCapMultiple),
  },
  votesBasis: { isShown: isPreferred },
  antiDilution: { given: () => "NONE", isShown: isPreferred },
  antiDilutionCounts: { isShown: (values) => isPreferred(values) && values.antiDilution !== "NONE" },
  dividendType: { given: () => "NONE", isShown: isPreferred },
  dividendRatePercent: { isShown: hasDividend },
  dividendCompounding: { isShown: hasDividend },
  "conversionRights.0.ratio.numerator": { isShown: isPreferred },
  "conversionRights.0.ratio.denominator": { isShown: isPreferred },
  "conversionRights.0.conversionPrice": { isShown: isPreferred },
};

const equityPlan: DoesOf<"equity-plans"> = {
  stockClassIds: { given: firstCommon },
  defaultCancellationBehavior: { given: () => "RETURN_TO_POOL" },
};

const valuation: DoesOf<"valuations"> = {
  type: { given: () => "409A" },
  stockClassId: { given: firstCommon },
  status: { given: () => "DRAFT" },
  effectiveDate: { given: (_, { today }) => today },
  expirationDate: {
    given: ({ effectiveDate }) => (effectiveDate ? addMonths(effectiveDate, VALUATION_MONTHS) : undefined),
  },
};

function groupsOf<P extends Path>(path: P, does: DoesOf<P>): readonly FieldGroup[] {
  const form: Readonly<Partial<Record<GroupName, readonly GuidedField[]>>> = REGISTERS[path].form;
  return Object.entries(form).map(([name, fields]) => ({
    name: name as GroupName,
    fields: fields.map((field) => ({ ...field, ...does[field.name as FieldName<P>] })),
  }));
}

/** Every form of a record. */
export const RECORDS: readonly RecordSpec[] = [
  {
    ...{ kind: "stakeholder", path: "stakeholders", pages: ["/stakeholders/:id", "/stakeholders"] },
    groups: groupsOf("stakeholders", stakeholder),
  },
  {
    ...{ kind: "share-class", path: "share-classes" },
    pages: ["/classes-and-plans/classes/:id", "/classes-and-plans"],
    groups: groupsOf("share-classes", shareClass),
  },
  {
    ...{ kind: "equity-plan", path: "equity-plans" },
    pages: ["/classes-and-plans/plans/:id", "/classes-and-plans"],
    groups: groupsOf("equity-plans", equityPlan),
  },
  {
    ...{ kind: "valuation", path: "valuations", pages: ["/valuations"] },
    groups: groupsOf("valuations", valuation),
  },
];

/** The form of an address; null for an unknown name. */
export function recordOf(kind: string | undefined): RecordSpec | null {
  return RECORDS.find((spec) => spec.kind === kind) ?? null;
}
