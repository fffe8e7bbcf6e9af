// Ledger operations: a pure `decide` over facts loaded for it. No database, clock or randomness here.
import type { Static, TObject } from "@sinclair/typebox";
import type { CalendarDate } from "../kernel/date.ts";
import type { Warning } from "../kernel/warning.ts";
import type { SecurityType } from "../storage/database/schema.ts";
import type { Row } from "../storage/database/sql.ts";

import type { LedgerState } from "./replay/state.ts";
import type { Conversions, TermsRecords } from "./terms-records.ts";
import type { EntryDraft } from "./types.ts";
import type { SecurityVesting } from "./vested/vesting-account.ts";

/**
 * The records that a command refers to; an unknown id is a `404` before `decide` runs. Null and undefined are skipped.
 */
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
  /** The stakeholder who leaves: loads all securities concerned, with the vesting of stock and options. */
  readonly leaver?: Reference;
  /** Load all classes and the open convertibles, for operations that change their conversion. */
  readonly classTerms?: boolean;
  /** Load all classes, and every entry that sets the conversion of one. */
  readonly conversions?: boolean;
  /** Load the vesting of these securities. */
  readonly vestingOf?: readonly Reference[];
}

type Reference = string | null | undefined;

/** A stakeholder, and the ledger's view of their holdings. */
export interface Holder {
  readonly row: Row<"stakeholders">;
  /** The ids of its open securities, oldest first. */
  readonly holds: readonly string[];
  /** The ids of open securities that others hold, of families that were first issued to it. */
  readonly elsewhere: readonly string[];
  /** Its holdings of families that were first issued to others. */
  readonly ofOthers: ReadonlySet<string>;
  /** Exercises of all these options, also of those that are closed. */
  readonly exercises: readonly { readonly id: string; readonly effectiveDate: CalendarDate }[];
}

/** A stakeholder whom a command names. */
export type NamedHolder = Pick<Row<"stakeholders">, "displayName" | "status" | "relationships">;

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

/** The surroundings that a decision may use. */
export interface DecisionContext {
  readonly orgId: string;
  /** The day of the request in UTC. */
  readonly today: CalendarDate;
  /** The organization's currency. */
  readonly currency: string;
  /** Whether the organization asks holders to accept what is issued to them. */
  readonly asksAcceptance: boolean;
  /** Whether it is a row of an imported file, which records what is on paper. */
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
  | "verificationStatus"
  | "acceptanceStatus"
  | "acceptanceAskedAt"
  | "acceptedAt";

/**
 * The description of a new security. The ledger's members (quantity, status, holder, class, plan, prices) come from the
 * entry that creates it. A null `certificateId` asks for the next free number of its class.
 */
export type NewSecurity = Omit<Row<"securities">, LedgerColumns>;

/** A descriptive member of a record that changes with the entries, as answers show it. */
export interface Described {
  readonly resourceType: "security" | "stakeholder" | "share-class";
  readonly id: string;
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The decision of an operation: entries in order, and the descriptions of the securities that they create. */
export interface Decision {
  readonly entries: readonly EntryDraft[];
  readonly newSecurities?: readonly NewSecurity[];
  /** Descriptive members that change with the entries. */
  readonly described?: readonly Described[];
  /** Members of the answer's `data` besides `transactionId`, for instance `securityId`; or the input of `data.tell`. */
  readonly answer?: Readonly<Record<string, unknown>>;
  /** Its warnings. */
  readonly warnings?: readonly Warning[];
  /** The record in the answer's `Location`: the new security. */
  readonly locatedSecurityId?: string;
}

/**
 * The earlier entries that an operation must not precede: those on a security, on the securities of a class, the
 * adjustments of a class's or plan's figure, the entries that set how a class converts, or the splits of a class.
 */
export type Followed =
  | { readonly securityId: string }
  | { readonly securitiesOf: string }
  | { readonly adjustmentsOf: string }
  | { readonly termsOf: string }
  | { readonly splitsOf: string };

/** An operation's own form of answer. */
export interface OperationData {
  readonly schema: TObject;
  /** The answer of a decision whose entries got these ids, in order; in a dry run each is null. */
  tell(answer: Readonly<Record<string, unknown>>, transactionIds: readonly (string | null)[]): Record<string, unknown>;
}

/** A typed ledger route: its body, the facts it needs, and its decision. One file each under `operations/`. */
export interface LedgerOperation<S extends TObject = TObject> {
  /** The last segment of `/api/v1/transactions/{route}`. */
  readonly route: string;
  readonly summary: string;
  readonly description: string;
  readonly body: S;
  readonly status: 200 | 201;
  /** The answer's `data`, if it differs from `transactionId` and `answers`; it has `warnings[]` as all have. */
  readonly data?: OperationData;
  /** Names of the ids and figures in the answer, besides `transactionId`. */
  readonly answers: readonly ("securityId" | "newSecurityId" | "securitiesAdjusted" | "resultingQuantity")[];
  readonly isExtension?: boolean;
  /** The types of the security in its body; left out: all. Forms offer these. */
  readonly securityTypes?: readonly SecurityType[];
  /** Whether it changes the vesting of the security in its body: a dry run then shows the new schedule. */
  readonly isOfVesting?: boolean;
  /** True if days after tomorrow are refused. */
  readonly isDatedByTomorrow?: boolean;
  /** Whether its new rows may wait for the end of a batch: it opens no savepoint (storage/database/writer.ts). */
  readonly rowsMayWait?: boolean;
  readonly example: Readonly<Record<string, unknown>>;
  needs(body: Static<S>): Needs;
  /**
   * The operation may not be dated before the latest of these entries, unless that entry is dated ahead; left out: any
   * day.
   */
  follows?(body: Static<S>, facts: Facts): Followed | readonly Followed[];
  /** Throws a `Problem` if the cap table does not allow it. */
  decide(facts: Facts, body: Static<S>, context: DecisionContext): Decision;
}

/** Declares an operation with its body's type inferred. */
export function ledgerOperation<S extends TObject>(operation: LedgerOperation<S>): LedgerOperation<S> {
  return operation;
}
