// What a guided action is made of, as data: its fields in the order in which they are asked, what is given, and where its
// refusals belong. The forms of the operations are in specs/, their words in text/actions/.
import type { OPERATIONS } from "../../api/operations.ts";
import type { components } from "../../api/types.ts";
import { type Spec, shownOf, type Values } from "../../parts/forms/field-spec.ts";
import type { Choice } from "../../text/actions/field-words.ts";

export type { Values };

type Schemas = components["schemas"];
export type Security = Schemas["Security"];
export type SecurityType = Security["type"];
export type CapTable = Schemas["CapTable"];
export type Effect = Schemas["Effect"];
export type Warning = Schemas["Warning"];

/** What the form knows of the organization while it is filled in. */
export interface Facts {
  /** The day in UTC. */
  readonly today: string;
  readonly classes: readonly Schemas["ShareClass"][];
  readonly plans: readonly Schemas["EquityPlan"][];
  readonly terms: readonly Schemas["VestingTerms"][];
  readonly valuations: readonly Schemas["Valuation"][];
  /** The holders that the form names. */
  readonly holders: ReadonlyMap<string, Pick<Schemas["Stakeholder"], "displayName" | "status">>;
  /** The security that is chosen. */
  readonly security: Security | null;
  /** How that vests, as of the form's date. */
  readonly vesting: Schemas["SecurityVesting"] | null;
  /** What of the chosen security can be exercised on the form's date, as its holder's position says. */
  readonly exercisable: string | null;
  /** The 409A in force for the chosen plan on the form's date, priced in that day's shares; null until it is known. */
  readonly inForce: Schemas["ValuationInForce"] | null;
  /** The securities that the leaving of the chosen holder concerns. */
  readonly leaving: readonly Security[];
  /** The next free certificate number. */
  readonly nextCertificate: string | null;
  readonly table: CapTable | null;
}

/** One field of a form of the organization. */
export interface FieldSpec extends Spec<Facts> {
  /** A holder who is in the register already, and need not be made first. */
  readonly isKnown?: boolean;
  /** Asked for a new record alone: it is changed in another way. */
  readonly isForNew?: boolean;
  /** Asked where a record is changed alone: a new one has it by itself. */
  readonly isForChanges?: boolean;
  /** Of a class: whether preferred ones alone are offered. */
  readonly isPreferred?: boolean;
  /** Which securities are offered. */
  readonly securityTypes?: readonly SecurityType[];
}

/** A field of a guided form or a record's: its choices have their usual labels. */
export interface GuidedField extends FieldSpec {
  readonly choices?: readonly Choice[];
}

/** The headings under which fields stand. */
export type GroupName = "basics" | "who" | "what" | "when" | "terms" | "paper" | "limits" | "rights" | "contact";

/** Fields under a heading. */
export interface FieldGroup {
  readonly name: GroupName;
  readonly fields: readonly GuidedField[];
}

/** The operations: the last part of `/api/v1/transactions/…`. */
export type Operation = keyof typeof OPERATIONS | "correct";

/** A guided action. */
export interface ActionSpec {
  readonly operation: Operation;
  readonly groups: readonly FieldGroup[];
  /** What is sent besides the fields. */
  readonly also?: (values: Values, facts: Facts) => Readonly<Record<string, unknown>>;
  /** The type of the security that is made, where a number is to be suggested for it. */
  readonly makes?: SecurityType;
}

/** The fields of a form, in order. */
export function fieldsOf(groups: readonly FieldGroup[]): readonly FieldSpec[] {
  return groups.flatMap(({ fields }) => fields);
}

/** The fields that are to be seen. */
export function shownFields(groups: readonly FieldGroup[], values: Values, facts: Facts): readonly FieldSpec[] {
  return shownOf(fieldsOf(groups), values, facts);
}
