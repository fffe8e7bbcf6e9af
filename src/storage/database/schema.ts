// The tables as Kysely sees them. One interface a table; a column's name is the API field's name. Keep in step with
// migrations/ (test/storage/database/schema.test.ts compares the two).
import type { Generated } from "kysely";
import type { API_KEY_FIELDS } from "../records/api-key.ts";
import type { APPROVAL_FIELDS } from "../records/approval.ts";
import type { Bit, ColumnsOf, Json } from "../records/columns.ts";
import type { CORPORATE_ACTION_FIELDS } from "../records/corporate-action.ts";
import type { DOCUMENT_FIELDS } from "../records/document.ts";
import type { EQUITY_PLAN_FIELDS } from "../records/equity-plan.ts";
import type { ORGANIZATION_FIELDS, OrganizationState } from "../records/organization.ts";
import type { SCENARIO_FIELDS } from "../records/scenario.ts";
import type { SHARE_CLASS_FIELDS } from "../records/share-class.ts";
import type { STAKEHOLDER_FIELDS } from "../records/stakeholder.ts";
import type { STOCK_LEGEND_FIELDS } from "../records/stock-legend.ts";
import type { VALUATION_FIELDS } from "../records/valuation.ts";
import type { VESTING_MILESTONE_FIELDS } from "../records/vesting-milestone.ts";
import type { VESTING_TERMS_FIELDS } from "../records/vesting-terms.ts";
import type { AcceptanceStatus, AcceptanceTables } from "./tables/acceptance-schema.ts";
import type { ChainTables } from "./tables/chain-schema.ts";
import type { CheckpointTables } from "./tables/checkpoint-schema.ts";
import type { ImportPiecesTable, ImportsTable } from "./tables/imports-schema.ts";
import type { LongWriteTables } from "./tables/long-writes-schema.ts";
import type { PeopleTables } from "./tables/people-schema.ts";
import type { WebhookTables } from "./tables/webhooks-schema.ts";

/** The columns that every record of the API has. */
export interface RecordColumns {
  readonly seq: Generated<number>;
  readonly orgId: string;
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: Generated<string | null>;
}

export interface OrganizationsTable extends ColumnsOf<typeof ORGANIZATION_FIELDS> {
  readonly seq: Generated<number>;
  readonly id: string;
  /** Null until it is set; answers then show the default (kernel/text/currency.ts). */
  readonly currency: string | null;
  /** The id of the first imported issuer; null before that. */
  readonly ocfIssuerId: string | null;
  /** 0 for the organization that `serve` creates in an empty database, until a user or an import names it. */
  readonly isNamed: Bit;
  readonly requireSecondFactor: Generated<Bit>;
  readonly portalShowsOwnership: Generated<Bit>;
  readonly portalShowsValue: Generated<Bit>;
  /** Whether new securities ask their holders to accept them. */
  readonly asksAcceptance: Generated<Bit>;
  readonly votesRounding: Generated<"DOWN" | "NEAREST">;
  /** CLOSED: no write but of `closed.ts`; reads go on. */
  readonly state: Generated<OrganizationState>;
  readonly stakeholderCount: Generated<number>;
  readonly openOptions: Generated<string>;
  /** Bytes of documents, of OCF originals, and of previews and problems of imports: kept by triggers. */
  readonly storedBytes: Generated<number>;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface SettingsTable {
  readonly name: string;
  readonly value: string;
}

export interface ApiKeysTable extends Omit<ColumnsOf<typeof API_KEY_FIELDS>, "scopes"> {
  readonly seq: Generated<number>;
  readonly orgId: string;
  readonly id: string;
  readonly prefix: string;
  /** Lowercase hex SHA-256 of the key; the key itself is not stored. */
  readonly keyHash: string;
  readonly createdAt: string;
  /** Its author: `actor`, `accountId`, `apiKeyId` and the `name` then; null if that was not recorded. */
  readonly madeBy: Json | null;
  /** Its limits: a list of scopes. */
  readonly scopes: Json;
  readonly lastUsedAt: string | null;
  /** The address of that use. */
  readonly lastUsedAddress: string | null;
  readonly revokedAt: string | null;
}

export interface DocumentsTable extends RecordColumns, ColumnsOf<typeof DOCUMENT_FIELDS> {
  readonly sha256: string | null;
  readonly size: number | null;
  readonly contentType: string | null;
}

export interface DocumentContentsTable {
  readonly orgId: string;
  readonly documentId: string;
  readonly content: Uint8Array;
}

export interface StockLegendsTable extends RecordColumns, ColumnsOf<typeof STOCK_LEGEND_FIELDS> {}

export interface StakeholdersTable extends RecordColumns, ColumnsOf<typeof STAKEHOLDER_FIELDS> {
  /** The holder's place in the HD wallet and its address, assigned when a token first needs it. */
  readonly custodialIndex: number | null;
  readonly custodialAddress: string | null;
  /** displayName and email, case-folded beyond ASCII: the text that `q` searches. */
  readonly searchText: string;
  /** The legal name in comparison form. */
  readonly nameKey: string;
  readonly verificationStatus: Generated<VerificationStatus>;
}

export type VerificationStatus = "UNVERIFIED" | "VERIFIED";
export type TokenizationStatus = "NOT_STARTED" | "PENDING" | "DEPLOYED" | "FAILED";

export interface ShareClassesTable extends RecordColumns, Omit<ColumnsOf<typeof SHARE_CLASS_FIELDS>, "votesBasis"> {
  readonly votesBasis: Generated<"PER_SHARE" | "AS_CONVERTED">;
  readonly currentSharesAuthorized: string;
  /** Outstanding ACTIVE stock of the class, and sums of open options and warrants (ledger/rules/open-awards.ts). */
  readonly issued: Generated<string>;
  readonly openOptions: Generated<string>;
  readonly openWarrants: Generated<string>;
  /** Where the search for the next free certificate number starts. */
  readonly nextCertificateNumber: Generated<number>;
  /** The currency of its amounts; null for older rows without one, which show the organization's. */
  readonly currency: string | null;
  /** Whether it gets a token only on request: it was imported, or created or found while the chain was off. */
  readonly isImported: Generated<Bit>;
  readonly tokenizationStatus: Generated<TokenizationStatus>;
  readonly tokenAddress: string | null;
  readonly tokenError: string | null;
}

export interface ValuationsTable extends RecordColumns, Omit<ColumnsOf<typeof VALUATION_FIELDS>, "stockClassId"> {
  readonly stockClassId: string | null;
  readonly verificationStatus: Generated<VerificationStatus>;
}

export interface EquityPlansTable extends RecordColumns, Omit<ColumnsOf<typeof EQUITY_PLAN_FIELDS>, "adoptedDate"> {
  /** The reserve with all adjustments and splits: initial and later figures, before grants. */
  readonly totalSharesReserved: string;
  /** What is available to grant: total reserve − granted + returned. */
  readonly currentSharesReserved: string;
  readonly openOptions: Generated<string>;
  readonly adoptedDate: string | null;
  readonly verificationStatus: Generated<VerificationStatus>;
}

export interface VestingTermsTable extends RecordColumns, ColumnsOf<typeof VESTING_TERMS_FIELDS> {}

export interface ApprovalsTable extends RecordColumns, ColumnsOf<typeof APPROVAL_FIELDS> {
  readonly state: "Draft" | "Submitted" | "Approved" | "Rejected" | "Locked";
  readonly lockedAt: string | null;
}

export interface ApprovalStepsTable {
  readonly seq: Generated<number>;
  readonly orgId: string;
  readonly id: string;
  readonly approvalId: string;
  readonly name: string;
  readonly status: "PENDING" | "APPROVED" | "REJECTED";
  readonly order: number;
  readonly decidedAt: string | null;
  /** The decider; null while pending. */
  readonly decidedBy: Json | null;
  readonly comment: string | null;
  readonly createdAt: string;
  readonly deletedAt: Generated<string | null>;
}

export type SecurityType = "STOCK" | "STOCK_OPTION" | "WARRANT" | "CONVERTIBLE";
export type SecurityStatus = "ACTIVE" | "CANCELLED" | "EXERCISED" | "CONVERTED" | "REPURCHASED" | "TRANSFERRED";
export type TokenStatus = "NOT_APPLICABLE" | "PENDING_APPROVAL" | "PENDING" | "MINTED" | "FAILED";

export interface SecuritiesTable extends RecordColumns {
  readonly type: SecurityType;
  readonly status: SecurityStatus;
  readonly stakeholderId: string | null;
  readonly stockClassId: string | null;
  readonly equityPlanId: string | null;
  readonly vestingTermsId: string | null;
  readonly certificateId: string | null;
  /** The outstanding quantity. */
  readonly quantity: string;
  readonly pricePerShare: string | null;
  /** The total paid: as stated, else computed (ledger/rules/consideration.ts). */
  readonly purchasePrice: string | null;
  /** The total paid as a person or a package stated it; null if neither did. */
  readonly statedConsideration: string | null;
  readonly exercisePrice: string | null;
  /** The corrected price or strike, as a `CorrectedPrice` (ledger/replay/state.ts); null if it was not corrected. */
  readonly correctedPrice: Json | null;
  /** The currency of its amounts; null for older rows without one, which show the organization's. */
  readonly currency: string | null;
  readonly optionType: "ISO" | "NSO" | null;
  readonly grantDate: string;
  readonly expirationDate: string | null;
  readonly vestingStartDate: string | null;
  readonly valuationId: string | null;
  readonly boardApprovalDate: string | null;
  readonly stockholderApprovalDate: string | null;
  readonly comments: string | null;
  readonly sourceDocumentId: string | null;
  readonly approvalId: string | null;
  readonly originSecurityId: string | null;
  readonly stockLegendIds: Json;
  readonly convertibleTerms: Json | null;
  /** Its use of the plan's reserve; null for zero (ledger/rules/charges.ts). */
  readonly planCharge: string | null;
  /** `charge/quantity` before the security was used up; null while it has a quantity. */
  readonly chargeBasis: string | null;
  /** Vesting that came with an imported issuance and wins over the terms: parcels as ledger/vesting/parcels-json.ts writes them. */
  readonly vestings: Json | null;
  /**
   * The day on which vesting of some of its shares stopped; null if all of them vest (ledger/vested/recorded-stops.ts).
   */
  readonly vestingStoppedOn: Generated<string | null>;
  /** 1 while its tokens wait for a locked approval: until then they are not minted. */
  readonly isGated: Generated<Bit>;
  readonly tokenStatus: Generated<TokenStatus>;
  readonly tokenTransactionHash: string | null;
  readonly tokenError: string | null;
  readonly verificationStatus: Generated<VerificationStatus>;
  readonly asksAcceptance: Generated<Bit>;
  /** Follows from the other two, and is stored because lists filter by it. */
  readonly acceptanceStatus: Generated<AcceptanceStatus>;
  /** When its holder was last asked, by whatever made it wait; null if it was never asked. */
  readonly acceptanceAskedAt: string | null;
  /** Of the acceptance that holds; null if none does. */
  readonly acceptedAt: string | null;
}

export interface VestingMilestonesTable extends RecordColumns, ColumnsOf<typeof VESTING_MILESTONE_FIELDS> {
  readonly completedAt: string | null;
  readonly evidenceNote: string | null;
  /** The ledger's length when it was attached to its security; null if that was not recorded. */
  readonly heldFrom: number | null;
  readonly status: "PENDING" | "COMPLETED";
}

export interface CorporateActionsTable extends RecordColumns, ColumnsOf<typeof CORPORATE_ACTION_FIELDS> {}

export interface ScenariosTable extends RecordColumns, ColumnsOf<typeof SCENARIO_FIELDS> {}

export interface TransactionsTable {
  readonly seq: Generated<number>;
  readonly orgId: string;
  readonly id: string;
  /** 1, 2, 3 … per organization, without gaps. */
  readonly sequence: number;
  readonly type: string;
  readonly securityId: string | null;
  readonly stakeholderId: string | null;
  readonly quantity: string | null;
  readonly effectiveDate: string;
  readonly metadata: Json | null;
  readonly recordOnly: Bit;
  readonly createdAt: string;
  readonly previousHash: string;
  readonly hash: string;
}

export interface AuditLogTable {
  readonly seq: Generated<number>;
  readonly orgId: string;
  readonly id: string;
  /** 1, 2, 3 … per organization, without gaps. */
  readonly sequence: number;
  readonly at: string;
  readonly actor: "api-key" | "person" | "cli" | "job";
  readonly apiKeyId: string | null;
  readonly accountId: string | null;
  readonly actorName: string | null;
  /** The person's session; null for others. */
  readonly sessionId: string | null;
  readonly requestId: string | null;
  readonly method: string | null;
  readonly path: string | null;
  readonly resourceType: string;
  readonly resourceId: string | null;
  readonly before: Json | null;
  readonly after: Json | null;
  readonly previousHash: string;
  readonly hash: string;
}

export interface IdempotencyKeysTable {
  readonly seq: Generated<number>;
  readonly orgId: string;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly bodyHash: string;
  readonly status: number;
  readonly body: string;
  readonly location: string | null;
  readonly createdAt: string;
}

export interface OutboxTable {
  readonly seq: Generated<number>;
  readonly orgId: string;
  readonly id: string;
  readonly kind: string;
  readonly stockClassId: string;
  readonly securityId: string | null;
  readonly transactionId: string | null;
  readonly payload: Json;
  readonly state: Generated<"QUEUED" | "RUNNING" | "DONE" | "FAILED" | "DROPPED">;
  readonly attempts: Generated<number>;
  readonly nextAttemptAtMs: Generated<number>;
  readonly error: string | null;
  readonly createdAt: string;
}

export interface OcfObjectsTable {
  readonly seq: Generated<number>;
  readonly orgId: string;
  readonly objectType: string;
  readonly id: string;
  readonly recordId: string | null;
  readonly fileKey: string;
  readonly raw: Json;
  readonly mapped: Json | null;
}

/** Every table by name. */
export interface Schema
  extends AcceptanceTables,
    ChainTables,
    CheckpointTables,
    LongWriteTables,
    PeopleTables,
    WebhookTables {
  readonly organizations: OrganizationsTable;
  readonly settings: SettingsTable;
  readonly api_keys: ApiKeysTable;
  readonly documents: DocumentsTable;
  readonly document_contents: DocumentContentsTable;
  readonly stock_legends: StockLegendsTable;
  readonly stakeholders: StakeholdersTable;
  readonly share_classes: ShareClassesTable;
  readonly valuations: ValuationsTable;
  readonly equity_plans: EquityPlansTable;
  readonly vesting_terms: VestingTermsTable;
  readonly approvals: ApprovalsTable;
  readonly approval_steps: ApprovalStepsTable;
  readonly securities: SecuritiesTable;
  readonly vesting_milestones: VestingMilestonesTable;
  readonly corporate_actions: CorporateActionsTable;
  readonly scenarios: ScenariosTable;
  readonly transactions: TransactionsTable;
  readonly audit_log: AuditLogTable;
  readonly idempotency_keys: IdempotencyKeysTable;
  readonly outbox: OutboxTable;
  readonly ocf_objects: OcfObjectsTable;
  readonly imports: ImportsTable;
  readonly import_pieces: ImportPiecesTable;
}
