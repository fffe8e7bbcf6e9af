// What a ledger operation is: a pure `decide` over facts that were loaded for it. No database, clock or randomness here.
import type { Static, TObject } from "@sinclair/typebox";
import type { CalendarDate } from "../kernel/date.ts";
import type { Warning } from "../kernel/warning.ts";
import type { Row } from "../storage/database/sql.ts";

import type { LedgerState } from "./replay/state.ts";
import type { Conversions, TermsRecords } from "./terms-records.ts";
import type { EntryDraft } from "./types.ts";
import type { SecurityVesting } from "./vested/vesting-account.ts";

/** What a command refers to; each id that names nothing is a `404` before `decide` runs. Null and undefined are skipped. */
export interface Needs {
  readonly securities?: readonly Reference[];
  readonly stakeholders?: readonly Reference[];
  readonly classes?: readonly Reference[];
  readonly plans?: readonly Reference[];
  readonly vestingTerms?: readonly Reference[];
  readonly valuations?: readonly Reference[];
  readonly approvals?: readonly Reference[];
  readonly documents?: readonly Reference[];
  readonly stockLegends?: readonly Reference[];
  /** A certificate number that must be free. */
  readonly certificateId?: Reference;
  /** Load every open security of these classes (stock, and options and warrants into them) and their own plans: a split. */
  readonly openSecuritiesOf?: readonly Reference[];
  /** A stakeholder who leaves: all that this concerns is loaded, with the vesting of stock and options. */
  readonly leaver?: Reference;
  /** Load all classes and the open convertibles, for what changes how they convert. */
  readonly classTerms?: boolean;
  /** Load all classes, and every entry that says how one of them converts. */
  readonly conversions?: boolean;
  /** Load what the vesting engine needs of these securities. */
  readonly vestingOf?: readonly Reference[];
}

type Reference = string | null | undefined;

/** A stakeholder, and what the ledger says of what it holds. */
export interface Holder {
  readonly row: Row<"stakeholders">;
  /** The ids of its open securities, oldest first. */
  readonly holds: readonly string[];
  /** The ids of open securities that others hold, of families that were first issued to it. */
  readonly elsewhere: readonly string[];
  /** What it holds of families that were first issued to others. */
  readonly ofOthers: ReadonlySet<string>;
  /** Exercises of all these options, also of those that are closed. */
  readonly exercises: readonly { readonly id: string; readonly effectiveDate: CalendarDate }[];
}

/** A stakeholder whom a command names. */
export type NamedHolder = Pick<Row<"stakeholders">, "displayName" | "status">;

/** The records that a command names, and the ledger's view of them. */
export interface Facts {
  readonly state: LedgerState;
  readonly securities: ReadonlyMap<string, Row<"securities">>;
  readonly classes: ReadonlyMap<string, Row<"share_classes">>;
  readonly plans: ReadonlyMap<string, Row<"equity_plans">>;
  readonly stakeholders: ReadonlyMap<string, NamedHolder>;
  readonly isCertificateTaken: boolean;
  /** Of `Needs.classTerms`; empty otherwise. */
  readonly classTerms: TermsRecords;
  /** Of `Needs.conversions`; empty otherwise. */
  readonly conversions: Conversions;
  /** The stakeholder of `Needs.leaver`; null where the operation names no leaver. */
  readonly holder: Holder | null;
  /** How the securities of `Needs.vestingOf` vest; those that vested with their grant are not in it. */
  readonly vesting: ReadonlyMap<string, SecurityVesting>;
}

/** What a decision may know of its surroundings. */
export interface DecisionContext {
  readonly orgId: string;
  /** The day of the request in UTC. */
  readonly today: CalendarDate;
  /** The organization's currency. */
  readonly currency: string;
  /** Whether it is a row of a file, which says what is on paper. */
  readonly isImport: boolean;
  /** The id that a security made by this operation gets. */
  readonly newSecurityId: string;
}

type LedgerColumns =
  | "seq"
  | "orgId"
  | "createdAt"
  | "updatedAt"
  | "deletedAt"
  | "status"
  | "quantity"
  | "stakeholderId"
  | "stockClassId"
  | "equityPlanId"
  | "planCharge"
  | "chargeBasis"
  | "pricePerShare"
  | "purchasePrice"
  | "exercisePrice"
  | "correctedPrice"
  | "vestingStoppedOn"
  | "tokenStatus"
  | "tokenTransactionHash"
  | "tokenError"
  | "verificationStatus";

/**
 * The description of a security to be made. What the ledger determines (quantity, status, holder, class, plan, prices)
 * comes from the entry that makes it. A null `certificateId` asks for the next free number of its class.
 */
export type NewSecurity = Omit<Row<"securities">, LedgerColumns>;

/** A member of a record that describes it, and changes with the entries; as answers show it. */
export interface Described {
  readonly resourceType: "security" | "stakeholder" | "share-class";
  readonly id: string;
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What an operation decided: entries in order, and the descriptions of securities that they make. */
export interface Decision {
  readonly entries: readonly EntryDraft[];
  readonly newSecurities?: readonly NewSecurity[];
  /** What changes of descriptions with the entries. */
  readonly described?: readonly Described[];
  /** Members of the answer's `data` besides `transactionId`, for instance `securityId`; or what `data.tell` takes. */
  readonly answer?: Readonly<Record<string, unknown>>;
  /** What of it is allowed and odd. */
  readonly warnings?: readonly Warning[];
  /** Where the answer's `Location` points: the security made. */
  readonly locatedSecurityId?: string;
}

/**
 * What an operation follows in time: a security, the securities of a class, the adjustments of a class's or plan's
 * figure, the entries that set how a class converts, or the splits of a class.
 */
export type Followed =
  | { readonly securityId: string }
  | { readonly securitiesOf: string }
  | { readonly adjustmentsOf: string }
  | { readonly termsOf: string }
  | { readonly splitsOf: string };

/** An answer of an operation's own. */
export interface OperationData {
  readonly schema: TObject;
  /** The answer of a decision whose entries got these ids, in order; in a dry run each is null. */
  tell(answer: Readonly<Record<string, unknown>>, transactionIds: readonly (string | null)[]): Record<string, unknown>;
}

/** A typed ledger route: its body, what it needs loaded, and what it decides. One file each under `operations/`. */
export interface LedgerOperation<S extends TObject = TObject> {
  /** The last segment of `/api/v1/transactions/{route}`. */
  readonly route: string;
  readonly summary: string;
  readonly description: string;
  readonly body: S;
  readonly status: 200 | 201;
  /** The answer's `data`, where it is another than `transactionId` and `answers`; `warnings[]` it has as all have. */
  readonly data?: OperationData;
  /** Names of the ids and figures in the answer, besides `transactionId`. */
  readonly answers: readonly ("securityId" | "newSecurityId" | "securitiesAdjusted" | "resultingQuantity")[];
  readonly isExtension?: boolean;
  /** Whether it changes how the security that its body names vests: a dry run then tells how that would be. */
  readonly isOfVesting?: boolean;
  /** True where no day after tomorrow is taken. */
  readonly isDatedByTomorrow?: boolean;
  readonly example: Readonly<Record<string, unknown>>;
  needs(body: Static<S>): Needs;
  /** Whose latest entry the operation may not be dated before, unless that is yet to come; left out: any day is taken. */
  follows?(body: Static<S>, facts: Facts): Followed | readonly Followed[];
  /** Throws a `Problem` when the cap table does not allow it. */
  decide(facts: Facts, body: Static<S>, context: DecisionContext): Decision;
}

/** Declares an operation with its body's type inferred. */
export function ledgerOperation<S extends TObject>(operation: LedgerOperation<S>): LedgerOperation<S> {
  return operation;
}
