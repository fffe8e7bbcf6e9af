// The API's enumerations: of each body and record, the values of its members, by path. Made by .ci/api-types.ts of the
// API's document; change the schema, and run `bun run typecheck`.

export const AdjustConversionRequest = {
  rounding: ["FLOOR", "CEILING", "NORMAL"],
} as const;

export const ApiKey = {
  role: ["VIEWER", "EDITOR", "ADMIN"],
  scopes: ["read", "write", "import", "manage-keys"],
  "madeBy.actor": ["api-key", "person", "cli", "job"],
} as const;

export const ApiKeyCreate = {
  role: ["VIEWER", "EDITOR", "ADMIN"],
  scopes: ["read", "write", "import", "manage-keys"],
} as const;

export const Approval = {
  entityType: [
    "Stock Issuance",
    "Option Grant",
    "RSU Grant",
    "Warrant Issuance",
    "Convertible Issuance",
    "Stock Transfer",
    "Exercise",
    "Conversion",
    "Cancellation",
    "Repurchase",
    "Valuation",
    "Equity Plan",
    "Stock Split",
    "Other",
  ],
  state: ["Draft", "Submitted", "Approved", "Rejected", "Locked"],
} as const;

export const ApprovalCreate = {
  entityType: [
    "Stock Issuance",
    "Option Grant",
    "RSU Grant",
    "Warrant Issuance",
    "Convertible Issuance",
    "Stock Transfer",
    "Exercise",
    "Conversion",
    "Cancellation",
    "Repurchase",
    "Valuation",
    "Equity Plan",
    "Stock Split",
    "Other",
  ],
} as const;

export const ApprovalStep = {
  status: ["PENDING", "APPROVED", "REJECTED"],
  "decidedBy.actor": ["api-key", "person", "cli", "job"],
} as const;

export const ApprovalStepUpdate = {
  status: ["APPROVED", "REJECTED"],
} as const;

export const ApprovalUpdate = {
  entityType: [
    "Stock Issuance",
    "Option Grant",
    "RSU Grant",
    "Warrant Issuance",
    "Convertible Issuance",
    "Stock Transfer",
    "Exercise",
    "Conversion",
    "Cancellation",
    "Repurchase",
    "Valuation",
    "Equity Plan",
    "Stock Split",
    "Other",
  ],
} as const;

export const AuditEntriesPage = {
  "items.actor": ["api-key", "person", "cli", "job"],
  "items.resourceType": [
    "organization",
    "api key",
    "member",
    "webhook endpoint",
    "document",
    "stock legend",
    "stakeholder",
    "share class",
    "valuation",
    "equity plan",
    "vesting terms",
    "approval",
    "approval step",
    "security",
    "vesting milestone",
    "corporate action",
    "scenario",
    "acceptance",
    "ocf object",
    "transaction",
    "account",
    "invitation",
    "reset link",
    "log",
  ],
} as const;

export const BatchRequest = {
  "operations.method": ["POST", "PATCH", "DELETE"],
} as const;

export const BeginPasskeyRequest = {
  for: ["sign-in", "confirm"],
} as const;

export const CancelRequest = {
  cancellationReason: ["FORFEITURE", "EXPIRATION", "REPURCHASE", "TERMINATION"],
} as const;

export const CloseRoundRequest = {
  "model.newClass.votesBasis": ["PER_SHARE", "AS_CONVERTED"],
  "model.newClass.antiDilution": ["NONE", "BROAD_BASED", "BROAD_BASED_WITH_POOL", "FULL_RATCHET"],
  "model.newClass.antiDilutionCounts": ["CONVERSIONS", "NEW_MONEY_ONLY"],
  "model.newClass.participationCapBasis": ["BEYOND_PREFERENCE", "TOTAL"],
  "model.newClass.dividendType": ["NONE", "NON_CUMULATIVE", "CUMULATIVE"],
  "model.newClass.dividendCompounding": ["SIMPLE", "ANNUAL"],
  "model.valuation.kind": ["PRE_MONEY", "POST_MONEY", "PRICE"],
  "model.valuation.convertibles": ["IN_PRE_MONEY", "EXCLUDED", "ADDED_AT_COST"],
  "model.proRata.mode": ["WITHIN", "ON_TOP"],
  "model.pool.measure": ["AVAILABLE", "GRANTED_AND_AVAILABLE"],
  "model.pool.position": ["PRE_MONEY", "POST_MONEY"],
} as const;

export const CorporateAction = {
  type: [
    "Stock Split",
    "Reverse Split",
    "Option Pool Change",
    "Financing Round",
    "Instrument Conversion",
    "Termination",
  ],
  status: ["Draft", "In Review", "Approved", "Finalized"],
} as const;

export const CorporateActionCreate = {
  type: [
    "Stock Split",
    "Reverse Split",
    "Option Pool Change",
    "Financing Round",
    "Instrument Conversion",
    "Termination",
  ],
  status: ["Draft", "In Review", "Approved", "Finalized"],
} as const;

export const CorporateActionUpdate = {
  type: [
    "Stock Split",
    "Reverse Split",
    "Option Pool Change",
    "Financing Round",
    "Instrument Conversion",
    "Termination",
  ],
  status: ["Draft", "In Review", "Approved", "Finalized"],
} as const;

export const CorrectRequest = {
  optionType: ["ISO", "NSO"],
  "convertibleTerms.convertibleType": ["SAFE", "NOTE", "CONVERTIBLE_SECURITY"],
  "convertibleTerms.triggers.type": [
    "AUTOMATIC_ON_CONDITION",
    "AUTOMATIC_ON_DATE",
    "ELECTIVE_IN_RANGE",
    "ELECTIVE_ON_CONDITION",
    "ELECTIVE_AT_WILL",
    "UNSPECIFIED",
  ],
  "convertibleTerms.triggers.mechanism.type": ["SAFE", "NOTE", "PERCENT", "FIXED", "CUSTOM"],
  "convertibleTerms.triggers.mechanism.timing": ["PRE_MONEY", "POST_MONEY"],
  "convertibleTerms.triggers.mechanism.dayCount": ["ACTUAL_365", "30_360"],
  "convertibleTerms.triggers.mechanism.interestPayout": ["DEFERRED", "CASH"],
  "convertibleTerms.triggers.mechanism.compounding": ["SIMPLE", "COMPOUNDING"],
  "convertibleTerms.triggers.mechanism.accrualPeriod": ["DAILY", "MONTHLY", "QUARTERLY", "SEMI_ANNUAL", "ANNUAL"],
  "convertibleTerms.timing": ["PRE_MONEY", "POST_MONEY"],
  "convertibleTerms.dayCount": ["ACTUAL_365", "30_360"],
  "convertibleTerms.interestPayout": ["DEFERRED", "CASH"],
  "convertibleTerms.compounding": ["SIMPLE", "COMPOUNDING"],
  "convertibleTerms.accrualPeriod": ["DAILY", "MONTHLY", "QUARTERLY", "SEMI_ANNUAL", "ANNUAL"],
  verificationStatus: ["UNVERIFIED", "VERIFIED"],
} as const;

export const DecideOperatorResetRequest = {
  decision: ["ALLOW", "REFUSE"],
} as const;

export const DocumentCreate = {
  "relatedObjects.objectType": [
    "ISSUER",
    "STAKEHOLDER",
    "STOCK_CLASS",
    "STOCK_PLAN",
    "VALUATION",
    "VESTING_TERMS",
    "STOCK_LEGEND_TEMPLATE",
    "DOCUMENT",
    "SECURITY",
    "TRANSACTION",
  ],
} as const;

export const DocumentUpdate = {
  "relatedObjects.objectType": [
    "ISSUER",
    "STAKEHOLDER",
    "STOCK_CLASS",
    "STOCK_PLAN",
    "VALUATION",
    "VESTING_TERMS",
    "STOCK_LEGEND_TEMPLATE",
    "DOCUMENT",
    "SECURITY",
    "TRANSACTION",
  ],
} as const;

export const EquityPlan = {
  defaultCancellationBehavior: ["RETURN_TO_POOL", "RETIRE"],
  verificationStatus: ["UNVERIFIED", "VERIFIED"],
} as const;

export const EquityPlanCreate = {
  defaultCancellationBehavior: ["RETURN_TO_POOL", "RETIRE"],
} as const;

export const EquityPlanUpdate = {
  defaultCancellationBehavior: ["RETURN_TO_POOL", "RETIRE"],
  verificationStatus: ["UNVERIFIED", "VERIFIED"],
} as const;

export const ExerciseRequest = {
  paymentMethod: ["CASH", "CASHLESS", "NET_EXERCISE"],
} as const;

export const Import = {
  state: ["READING", "PREVIEWED", "COMMITTING", "COMMITTED", "FAILED"],
  mode: ["FULL", "OUTSTANDING"],
  "options.dateOrder": ["MDY", "DMY"],
  "options.decimal": ["POINT", "COMMA"],
  "options.existing": ["MUST_EQUAL", "SKIP"],
  "options.vesting": ["TERMS", "AS_VESTED"],
  failureCode: ["file-too-complex", "reader-ended"],
} as const;

export const ImportCreate = {
  format: ["AUTO", "CAPTABLE", "CARTA_TEMPLATE", "CARTA_LEDGERS", "OCX", "PULLEY", "MAPPING"],
  "options.dateOrder": ["MDY", "DMY"],
  "options.decimal": ["POINT", "COMMA"],
  "options.existing": ["MUST_EQUAL", "SKIP"],
  "options.vesting": ["TERMS", "AS_VESTED"],
} as const;

export const InvitationCreate = {
  role: ["STAKEHOLDER", "VIEWER", "EDITOR", "ADMIN"],
} as const;

export const IssueConvertibleRequest = {
  convertibleType: ["SAFE", "NOTE", "CONVERTIBLE_SECURITY"],
  "convertibleTerms.convertibleType": ["SAFE", "NOTE", "CONVERTIBLE_SECURITY"],
  "convertibleTerms.triggers.type": [
    "AUTOMATIC_ON_CONDITION",
    "AUTOMATIC_ON_DATE",
    "ELECTIVE_IN_RANGE",
    "ELECTIVE_ON_CONDITION",
    "ELECTIVE_AT_WILL",
    "UNSPECIFIED",
  ],
  "convertibleTerms.triggers.mechanism.type": ["SAFE", "NOTE", "PERCENT", "FIXED", "CUSTOM"],
  "convertibleTerms.triggers.mechanism.timing": ["PRE_MONEY", "POST_MONEY"],
  "convertibleTerms.triggers.mechanism.dayCount": ["ACTUAL_365", "30_360"],
  "convertibleTerms.triggers.mechanism.interestPayout": ["DEFERRED", "CASH"],
  "convertibleTerms.triggers.mechanism.compounding": ["SIMPLE", "COMPOUNDING"],
  "convertibleTerms.triggers.mechanism.accrualPeriod": ["DAILY", "MONTHLY", "QUARTERLY", "SEMI_ANNUAL", "ANNUAL"],
  "convertibleTerms.timing": ["PRE_MONEY", "POST_MONEY"],
  "convertibleTerms.dayCount": ["ACTUAL_365", "30_360"],
  "convertibleTerms.interestPayout": ["DEFERRED", "CASH"],
  "convertibleTerms.compounding": ["SIMPLE", "COMPOUNDING"],
  "convertibleTerms.accrualPeriod": ["DAILY", "MONTHLY", "QUARTERLY", "SEMI_ANNUAL", "ANNUAL"],
  dayCount: ["ACTUAL_365", "30_360"],
} as const;

export const IssueOptionsRequest = {
  optionType: ["ISO", "NSO"],
} as const;

export const Member = {
  role: ["STAKEHOLDER", "VIEWER", "EDITOR", "ADMIN"],
  "keysMade.kind": ["API_KEY", "WEBHOOK_ENDPOINT"],
  "keysMade.role": ["VIEWER", "EDITOR", "ADMIN"],
} as const;

export const MemberUpdate = {
  role: ["STAKEHOLDER", "VIEWER", "EDITOR", "ADMIN"],
} as const;

export const ModelCapTableRequest = {
  "add.type": ["STOCK", "STOCK_OPTION", "WARRANT", "CONVERTIBLE", "RESERVE"],
  "add.convertibleTerms.convertibleType": ["SAFE", "NOTE", "CONVERTIBLE_SECURITY"],
  "add.convertibleTerms.triggers.type": [
    "AUTOMATIC_ON_CONDITION",
    "AUTOMATIC_ON_DATE",
    "ELECTIVE_IN_RANGE",
    "ELECTIVE_ON_CONDITION",
    "ELECTIVE_AT_WILL",
    "UNSPECIFIED",
  ],
  "add.convertibleTerms.triggers.mechanism.type": ["SAFE", "NOTE", "PERCENT", "FIXED", "CUSTOM"],
  "add.convertibleTerms.triggers.mechanism.timing": ["PRE_MONEY", "POST_MONEY"],
  "add.convertibleTerms.triggers.mechanism.dayCount": ["ACTUAL_365", "30_360"],
  "add.convertibleTerms.triggers.mechanism.interestPayout": ["DEFERRED", "CASH"],
  "add.convertibleTerms.triggers.mechanism.compounding": ["SIMPLE", "COMPOUNDING"],
  "add.convertibleTerms.triggers.mechanism.accrualPeriod": ["DAILY", "MONTHLY", "QUARTERLY", "SEMI_ANNUAL", "ANNUAL"],
  "add.convertibleTerms.timing": ["PRE_MONEY", "POST_MONEY"],
  "add.convertibleTerms.dayCount": ["ACTUAL_365", "30_360"],
  "add.convertibleTerms.interestPayout": ["DEFERRED", "CASH"],
  "add.convertibleTerms.compounding": ["SIMPLE", "COMPOUNDING"],
  "add.convertibleTerms.accrualPeriod": ["DAILY", "MONTHLY", "QUARTERLY", "SEMI_ANNUAL", "ANNUAL"],
  "rounds.newClass.votesBasis": ["PER_SHARE", "AS_CONVERTED"],
  "rounds.newClass.antiDilution": ["NONE", "BROAD_BASED", "BROAD_BASED_WITH_POOL", "FULL_RATCHET"],
  "rounds.newClass.antiDilutionCounts": ["CONVERSIONS", "NEW_MONEY_ONLY"],
  "rounds.newClass.participationCapBasis": ["BEYOND_PREFERENCE", "TOTAL"],
  "rounds.newClass.dividendType": ["NONE", "NON_CUMULATIVE", "CUMULATIVE"],
  "rounds.newClass.dividendCompounding": ["SIMPLE", "ANNUAL"],
  "rounds.valuation.kind": ["PRE_MONEY", "POST_MONEY", "PRICE"],
  "rounds.valuation.convertibles": ["IN_PRE_MONEY", "EXCLUDED", "ADDED_AT_COST"],
  "rounds.proRata.mode": ["WITHIN", "ON_TOP"],
  "rounds.pool.measure": ["AVAILABLE", "GRANTED_AND_AVAILABLE"],
  "rounds.pool.position": ["PRE_MONEY", "POST_MONEY"],
} as const;

export const ModelExpenseRequest = {
  method: ["STRAIGHT_LINE", "STRAIGHT_LINE_BY_TRANCHE", "GRADED"],
  period: ["MONTH", "QUARTER", "YEAR"],
} as const;

export const ModelRoundRequest = {
  "add.type": ["STOCK", "STOCK_OPTION", "WARRANT", "CONVERTIBLE", "RESERVE"],
  "add.convertibleTerms.convertibleType": ["SAFE", "NOTE", "CONVERTIBLE_SECURITY"],
  "add.convertibleTerms.triggers.type": [
    "AUTOMATIC_ON_CONDITION",
    "AUTOMATIC_ON_DATE",
    "ELECTIVE_IN_RANGE",
    "ELECTIVE_ON_CONDITION",
    "ELECTIVE_AT_WILL",
    "UNSPECIFIED",
  ],
  "add.convertibleTerms.triggers.mechanism.type": ["SAFE", "NOTE", "PERCENT", "FIXED", "CUSTOM"],
  "add.convertibleTerms.triggers.mechanism.timing": ["PRE_MONEY", "POST_MONEY"],
  "add.convertibleTerms.triggers.mechanism.dayCount": ["ACTUAL_365", "30_360"],
  "add.convertibleTerms.triggers.mechanism.interestPayout": ["DEFERRED", "CASH"],
  "add.convertibleTerms.triggers.mechanism.compounding": ["SIMPLE", "COMPOUNDING"],
  "add.convertibleTerms.triggers.mechanism.accrualPeriod": ["DAILY", "MONTHLY", "QUARTERLY", "SEMI_ANNUAL", "ANNUAL"],
  "add.convertibleTerms.timing": ["PRE_MONEY", "POST_MONEY"],
  "add.convertibleTerms.dayCount": ["ACTUAL_365", "30_360"],
  "add.convertibleTerms.interestPayout": ["DEFERRED", "CASH"],
  "add.convertibleTerms.compounding": ["SIMPLE", "COMPOUNDING"],
  "add.convertibleTerms.accrualPeriod": ["DAILY", "MONTHLY", "QUARTERLY", "SEMI_ANNUAL", "ANNUAL"],
  "rounds.newClass.votesBasis": ["PER_SHARE", "AS_CONVERTED"],
  "rounds.newClass.antiDilution": ["NONE", "BROAD_BASED", "BROAD_BASED_WITH_POOL", "FULL_RATCHET"],
  "rounds.newClass.antiDilutionCounts": ["CONVERSIONS", "NEW_MONEY_ONLY"],
  "rounds.newClass.participationCapBasis": ["BEYOND_PREFERENCE", "TOTAL"],
  "rounds.newClass.dividendType": ["NONE", "NON_CUMULATIVE", "CUMULATIVE"],
  "rounds.newClass.dividendCompounding": ["SIMPLE", "ANNUAL"],
  "rounds.valuation.kind": ["PRE_MONEY", "POST_MONEY", "PRICE"],
  "rounds.valuation.convertibles": ["IN_PRE_MONEY", "EXCLUDED", "ADDED_AT_COST"],
  "rounds.proRata.mode": ["WITHIN", "ON_TOP"],
  "rounds.pool.measure": ["AVAILABLE", "GRANTED_AND_AVAILABLE"],
  "rounds.pool.position": ["PRE_MONEY", "POST_MONEY"],
  "newClass.votesBasis": ["PER_SHARE", "AS_CONVERTED"],
  "newClass.antiDilution": ["NONE", "BROAD_BASED", "BROAD_BASED_WITH_POOL", "FULL_RATCHET"],
  "newClass.antiDilutionCounts": ["CONVERSIONS", "NEW_MONEY_ONLY"],
  "newClass.participationCapBasis": ["BEYOND_PREFERENCE", "TOTAL"],
  "newClass.dividendType": ["NONE", "NON_CUMULATIVE", "CUMULATIVE"],
  "newClass.dividendCompounding": ["SIMPLE", "ANNUAL"],
  "valuation.kind": ["PRE_MONEY", "POST_MONEY", "PRICE"],
  "valuation.convertibles": ["IN_PRE_MONEY", "EXCLUDED", "ADDED_AT_COST"],
  "proRata.mode": ["WITHIN", "ON_TOP"],
  "pool.measure": ["AVAILABLE", "GRANTED_AND_AVAILABLE"],
  "pool.position": ["PRE_MONEY", "POST_MONEY"],
} as const;

export const ModelWaterfallRequest = {
  "add.type": ["STOCK", "STOCK_OPTION", "WARRANT", "CONVERTIBLE", "RESERVE"],
  "add.convertibleTerms.convertibleType": ["SAFE", "NOTE", "CONVERTIBLE_SECURITY"],
  "add.convertibleTerms.triggers.type": [
    "AUTOMATIC_ON_CONDITION",
    "AUTOMATIC_ON_DATE",
    "ELECTIVE_IN_RANGE",
    "ELECTIVE_ON_CONDITION",
    "ELECTIVE_AT_WILL",
    "UNSPECIFIED",
  ],
  "add.convertibleTerms.triggers.mechanism.type": ["SAFE", "NOTE", "PERCENT", "FIXED", "CUSTOM"],
  "add.convertibleTerms.triggers.mechanism.timing": ["PRE_MONEY", "POST_MONEY"],
  "add.convertibleTerms.triggers.mechanism.dayCount": ["ACTUAL_365", "30_360"],
  "add.convertibleTerms.triggers.mechanism.interestPayout": ["DEFERRED", "CASH"],
  "add.convertibleTerms.triggers.mechanism.compounding": ["SIMPLE", "COMPOUNDING"],
  "add.convertibleTerms.triggers.mechanism.accrualPeriod": ["DAILY", "MONTHLY", "QUARTERLY", "SEMI_ANNUAL", "ANNUAL"],
  "add.convertibleTerms.timing": ["PRE_MONEY", "POST_MONEY"],
  "add.convertibleTerms.dayCount": ["ACTUAL_365", "30_360"],
  "add.convertibleTerms.interestPayout": ["DEFERRED", "CASH"],
  "add.convertibleTerms.compounding": ["SIMPLE", "COMPOUNDING"],
  "add.convertibleTerms.accrualPeriod": ["DAILY", "MONTHLY", "QUARTERLY", "SEMI_ANNUAL", "ANNUAL"],
  "rounds.newClass.votesBasis": ["PER_SHARE", "AS_CONVERTED"],
  "rounds.newClass.antiDilution": ["NONE", "BROAD_BASED", "BROAD_BASED_WITH_POOL", "FULL_RATCHET"],
  "rounds.newClass.antiDilutionCounts": ["CONVERSIONS", "NEW_MONEY_ONLY"],
  "rounds.newClass.participationCapBasis": ["BEYOND_PREFERENCE", "TOTAL"],
  "rounds.newClass.dividendType": ["NONE", "NON_CUMULATIVE", "CUMULATIVE"],
  "rounds.newClass.dividendCompounding": ["SIMPLE", "ANNUAL"],
  "rounds.valuation.kind": ["PRE_MONEY", "POST_MONEY", "PRICE"],
  "rounds.valuation.convertibles": ["IN_PRE_MONEY", "EXCLUDED", "ADDED_AT_COST"],
  "rounds.proRata.mode": ["WITHIN", "ON_TOP"],
  "rounds.pool.measure": ["AVAILABLE", "GRANTED_AND_AVAILABLE"],
  "rounds.pool.position": ["PRE_MONEY", "POST_MONEY"],
  "deductions.of": ["EXIT_VALUE", "REMAINDER"],
  unvested: ["FORFEIT", "ACCELERATE"],
  detail: ["UNITS", "HOLDERS", "SECURITIES"],
} as const;

export const Organization = {
  votesRounding: ["DOWN", "NEAREST"],
  state: ["OPEN", "CLOSED"],
} as const;

export const OrganizationUpdate = {
  votesRounding: ["DOWN", "NEAREST"],
} as const;

export const PreviewVestingTermsRequest = {
  allocationMethod: [
    "CUMULATIVE_ROUNDING",
    "CUMULATIVE_ROUND_DOWN",
    "FRONT_LOADED",
    "BACK_LOADED",
    "FRONT_LOADED_TO_SINGLE_TRANCHE",
    "BACK_LOADED_TO_SINGLE_TRANCHE",
    "FRACTIONAL",
  ],
  triggerType: ["TIME_BASED", "EVENT_BASED", "HYBRID"],
  "vestingConditions.trigger.type": ["TIME_BASED", "EVENT_BASED"],
  "vestingConditions.trigger.periodType": ["DAYS", "MONTHS", "YEARS"],
  "schedule.vestingFrequency": ["MONTHLY", "QUARTERLY", "ANNUALLY"],
} as const;

export const RecordTransactionRequest = {
  type: [
    "STOCK_ISSUANCE",
    "STOCK_OPTION_ISSUANCE",
    "WARRANT_ISSUANCE",
    "CONVERTIBLE_ISSUANCE",
    "STOCK_TRANSFER",
    "STOCK_OPTION_TRANSFER",
    "WARRANT_TRANSFER",
    "CONVERTIBLE_TRANSFER",
    "STOCK_OPTION_EXERCISE",
    "WARRANT_EXERCISE",
    "CONVERTIBLE_CONVERSION",
    "STOCK_CANCELLATION",
    "STOCK_OPTION_CANCELLATION",
    "WARRANT_CANCELLATION",
    "CONVERTIBLE_CANCELLATION",
    "STOCK_REPURCHASE",
    "VESTING_START",
    "VESTING_ACCELERATION",
    "VESTING_EVENT",
    "STOCK_CLASS_ADJUSTMENT",
    "STOCK_PLAN_ADJUSTMENT",
    "STOCK_SPLIT",
    "STOCK_RETRACTION",
    "STAKEHOLDER_UPDATE",
    "VALUATION_UPDATE",
  ],
} as const;

export const Scenario = {
  model: ["CAP_TABLE", "ROUND", "WATERFALL"],
} as const;

export const ScenarioCreate = {
  model: ["CAP_TABLE", "ROUND", "WATERFALL"],
} as const;

export const ScenarioUpdate = {
  model: ["CAP_TABLE", "ROUND", "WATERFALL"],
} as const;

export const Security = {
  type: ["STOCK", "STOCK_OPTION", "WARRANT", "CONVERTIBLE"],
  status: ["ACTIVE", "CANCELLED", "EXERCISED", "CONVERTED", "REPURCHASED", "TRANSFERRED"],
  optionType: ["ISO", "NSO"],
  "convertibleTerms.convertibleType": ["SAFE", "NOTE", "CONVERTIBLE_SECURITY"],
  "convertibleTerms.triggers.type": [
    "AUTOMATIC_ON_CONDITION",
    "AUTOMATIC_ON_DATE",
    "ELECTIVE_IN_RANGE",
    "ELECTIVE_ON_CONDITION",
    "ELECTIVE_AT_WILL",
    "UNSPECIFIED",
  ],
  "convertibleTerms.triggers.mechanism.type": ["SAFE", "NOTE", "PERCENT", "FIXED", "CUSTOM"],
  "convertibleTerms.triggers.mechanism.timing": ["PRE_MONEY", "POST_MONEY"],
  "convertibleTerms.triggers.mechanism.dayCount": ["ACTUAL_365", "30_360"],
  "convertibleTerms.triggers.mechanism.interestPayout": ["DEFERRED", "CASH"],
  "convertibleTerms.triggers.mechanism.compounding": ["SIMPLE", "COMPOUNDING"],
  "convertibleTerms.triggers.mechanism.accrualPeriod": ["DAILY", "MONTHLY", "QUARTERLY", "SEMI_ANNUAL", "ANNUAL"],
  "convertibleTerms.dayCount": ["ACTUAL_365", "30_360"],
  tokenStatus: ["NOT_APPLICABLE", "PENDING_APPROVAL", "PENDING", "MINTED", "FAILED"],
  verificationStatus: ["UNVERIFIED", "VERIFIED"],
  acceptanceStatus: ["NOT_ASKED", "PENDING", "ACCEPTED"],
  "ahead.type": [
    "STOCK_ISSUANCE",
    "STOCK_OPTION_ISSUANCE",
    "WARRANT_ISSUANCE",
    "CONVERTIBLE_ISSUANCE",
    "STOCK_TRANSFER",
    "STOCK_OPTION_TRANSFER",
    "WARRANT_TRANSFER",
    "CONVERTIBLE_TRANSFER",
    "STOCK_OPTION_EXERCISE",
    "WARRANT_EXERCISE",
    "CONVERTIBLE_CONVERSION",
    "STOCK_CANCELLATION",
    "STOCK_OPTION_CANCELLATION",
    "WARRANT_CANCELLATION",
    "CONVERTIBLE_CANCELLATION",
    "STOCK_REPURCHASE",
    "VESTING_START",
    "VESTING_ACCELERATION",
    "VESTING_EVENT",
    "STOCK_CLASS_ADJUSTMENT",
    "STOCK_PLAN_ADJUSTMENT",
    "STOCK_SPLIT",
    "STOCK_RETRACTION",
    "STAKEHOLDER_UPDATE",
    "VALUATION_UPDATE",
  ],
} as const;

export const SecurityCreate = {
  type: ["STOCK", "STOCK_OPTION", "WARRANT", "CONVERTIBLE"],
  status: ["ACTIVE", "CANCELLED", "EXERCISED", "CONVERTED", "REPURCHASED", "TRANSFERRED"],
  optionType: ["ISO", "NSO"],
  "convertibleTerms.convertibleType": ["SAFE", "NOTE", "CONVERTIBLE_SECURITY"],
  "convertibleTerms.triggers.type": [
    "AUTOMATIC_ON_CONDITION",
    "AUTOMATIC_ON_DATE",
    "ELECTIVE_IN_RANGE",
    "ELECTIVE_ON_CONDITION",
    "ELECTIVE_AT_WILL",
    "UNSPECIFIED",
  ],
  "convertibleTerms.triggers.mechanism.type": ["SAFE", "NOTE", "PERCENT", "FIXED", "CUSTOM"],
  "convertibleTerms.triggers.mechanism.timing": ["PRE_MONEY", "POST_MONEY"],
  "convertibleTerms.triggers.mechanism.dayCount": ["ACTUAL_365", "30_360"],
  "convertibleTerms.triggers.mechanism.interestPayout": ["DEFERRED", "CASH"],
  "convertibleTerms.triggers.mechanism.compounding": ["SIMPLE", "COMPOUNDING"],
  "convertibleTerms.triggers.mechanism.accrualPeriod": ["DAILY", "MONTHLY", "QUARTERLY", "SEMI_ANNUAL", "ANNUAL"],
  "convertibleTerms.timing": ["PRE_MONEY", "POST_MONEY"],
  "convertibleTerms.dayCount": ["ACTUAL_365", "30_360"],
  "convertibleTerms.interestPayout": ["DEFERRED", "CASH"],
  "convertibleTerms.compounding": ["SIMPLE", "COMPOUNDING"],
  "convertibleTerms.accrualPeriod": ["DAILY", "MONTHLY", "QUARTERLY", "SEMI_ANNUAL", "ANNUAL"],
} as const;

export const SecurityUpdate = {
  type: ["STOCK", "STOCK_OPTION", "WARRANT", "CONVERTIBLE"],
  status: ["ACTIVE", "CANCELLED", "EXERCISED", "CONVERTED", "REPURCHASED", "TRANSFERRED"],
  optionType: ["ISO", "NSO"],
  "convertibleTerms.convertibleType": ["SAFE", "NOTE", "CONVERTIBLE_SECURITY"],
  "convertibleTerms.triggers.type": [
    "AUTOMATIC_ON_CONDITION",
    "AUTOMATIC_ON_DATE",
    "ELECTIVE_IN_RANGE",
    "ELECTIVE_ON_CONDITION",
    "ELECTIVE_AT_WILL",
    "UNSPECIFIED",
  ],
  "convertibleTerms.triggers.mechanism.type": ["SAFE", "NOTE", "PERCENT", "FIXED", "CUSTOM"],
  "convertibleTerms.triggers.mechanism.timing": ["PRE_MONEY", "POST_MONEY"],
  "convertibleTerms.triggers.mechanism.dayCount": ["ACTUAL_365", "30_360"],
  "convertibleTerms.triggers.mechanism.interestPayout": ["DEFERRED", "CASH"],
  "convertibleTerms.triggers.mechanism.compounding": ["SIMPLE", "COMPOUNDING"],
  "convertibleTerms.triggers.mechanism.accrualPeriod": ["DAILY", "MONTHLY", "QUARTERLY", "SEMI_ANNUAL", "ANNUAL"],
  "convertibleTerms.timing": ["PRE_MONEY", "POST_MONEY"],
  "convertibleTerms.dayCount": ["ACTUAL_365", "30_360"],
  "convertibleTerms.interestPayout": ["DEFERRED", "CASH"],
  "convertibleTerms.compounding": ["SIMPLE", "COMPOUNDING"],
  "convertibleTerms.accrualPeriod": ["DAILY", "MONTHLY", "QUARTERLY", "SEMI_ANNUAL", "ANNUAL"],
  verificationStatus: ["UNVERIFIED", "VERIFIED"],
} as const;

export const ShareClass = {
  classType: ["COMMON", "PREFERRED"],
  votesBasis: ["PER_SHARE", "AS_CONVERTED"],
  "conversionRights.rounding": ["FLOOR", "CEILING", "NORMAL"],
  antiDilution: ["NONE", "BROAD_BASED", "BROAD_BASED_WITH_POOL", "FULL_RATCHET"],
  antiDilutionCounts: ["CONVERSIONS", "NEW_MONEY_ONLY"],
  participationCapBasis: ["BEYOND_PREFERENCE", "TOTAL"],
  dividendType: ["NONE", "NON_CUMULATIVE", "CUMULATIVE"],
  dividendCompounding: ["SIMPLE", "ANNUAL"],
  tokenizationStatus: ["NOT_STARTED", "PENDING", "DEPLOYED", "FAILED"],
} as const;

export const ShareClassCreate = {
  classType: ["COMMON", "PREFERRED"],
  votesBasis: ["PER_SHARE", "AS_CONVERTED"],
  "conversionRights.rounding": ["FLOOR", "CEILING", "NORMAL"],
  antiDilution: ["NONE", "BROAD_BASED", "BROAD_BASED_WITH_POOL", "FULL_RATCHET"],
  antiDilutionCounts: ["CONVERSIONS", "NEW_MONEY_ONLY"],
  participationCapBasis: ["BEYOND_PREFERENCE", "TOTAL"],
  dividendType: ["NONE", "NON_CUMULATIVE", "CUMULATIVE"],
  dividendCompounding: ["SIMPLE", "ANNUAL"],
} as const;

export const ShareClassUpdate = {
  classType: ["COMMON", "PREFERRED"],
  votesBasis: ["PER_SHARE", "AS_CONVERTED"],
  "conversionRights.rounding": ["FLOOR", "CEILING", "NORMAL"],
  antiDilution: ["NONE", "BROAD_BASED", "BROAD_BASED_WITH_POOL", "FULL_RATCHET"],
  antiDilutionCounts: ["CONVERSIONS", "NEW_MONEY_ONLY"],
  participationCapBasis: ["BEYOND_PREFERENCE", "TOTAL"],
  dividendType: ["NONE", "NON_CUMULATIVE", "CUMULATIVE"],
  dividendCompounding: ["SIMPLE", "ANNUAL"],
} as const;

export const SplitRequest = {
  rounding: ["DOWN", "UP", "NEAREST", "FRACTIONAL"],
} as const;

export const Stakeholder = {
  type: ["INDIVIDUAL", "INSTITUTION"],
  status: ["CURRENT", "FORMER"],
  relationships: [
    "ADVISOR",
    "BOARD_MEMBER",
    "CONSULTANT",
    "EMPLOYEE",
    "EX_ADVISOR",
    "EX_CONSULTANT",
    "EX_EMPLOYEE",
    "EXECUTIVE",
    "FOUNDER",
    "INVESTOR",
    "OTHER",
  ],
  verificationStatus: ["UNVERIFIED", "VERIFIED"],
} as const;

export const StakeholderCreate = {
  type: ["INDIVIDUAL", "INSTITUTION"],
  status: ["CURRENT", "FORMER"],
  relationships: [
    "ADVISOR",
    "BOARD_MEMBER",
    "CONSULTANT",
    "EMPLOYEE",
    "EX_ADVISOR",
    "EX_CONSULTANT",
    "EX_EMPLOYEE",
    "EXECUTIVE",
    "FOUNDER",
    "INVESTOR",
    "OTHER",
  ],
} as const;

export const StakeholderUpdate = {
  type: ["INDIVIDUAL", "INSTITUTION"],
  status: ["CURRENT", "FORMER"],
  relationships: [
    "ADVISOR",
    "BOARD_MEMBER",
    "CONSULTANT",
    "EMPLOYEE",
    "EX_ADVISOR",
    "EX_CONSULTANT",
    "EX_EMPLOYEE",
    "EXECUTIVE",
    "FOUNDER",
    "INVESTOR",
    "OTHER",
  ],
  verificationStatus: ["UNVERIFIED", "VERIFIED"],
} as const;

export const TerminateServiceRequest = {
  cancellationReason: ["TERMINATION", "FORFEITURE"],
  relationships: [
    "ADVISOR",
    "BOARD_MEMBER",
    "CONSULTANT",
    "EMPLOYEE",
    "EX_ADVISOR",
    "EX_CONSULTANT",
    "EX_EMPLOYEE",
    "EXECUTIVE",
    "FOUNDER",
    "INVESTOR",
    "OTHER",
  ],
} as const;

export const Valuation = {
  type: ["409A", "BOARD", "FINANCING"],
  status: ["DRAFT", "PENDING_APPROVAL", "APPROVED", "EXPIRED"],
  verificationStatus: ["UNVERIFIED", "VERIFIED"],
} as const;

export const ValuationCreate = {
  type: ["409A", "BOARD", "FINANCING"],
  status: ["DRAFT", "PENDING_APPROVAL", "APPROVED", "EXPIRED"],
} as const;

export const ValuationUpdate = {
  type: ["409A", "BOARD", "FINANCING"],
  status: ["DRAFT", "PENDING_APPROVAL", "APPROVED", "EXPIRED"],
  verificationStatus: ["UNVERIFIED", "VERIFIED"],
} as const;

export const VestingMilestone = {
  status: ["PENDING", "COMPLETED"],
} as const;

export const VestingTerms = {
  allocationMethod: [
    "CUMULATIVE_ROUNDING",
    "CUMULATIVE_ROUND_DOWN",
    "FRONT_LOADED",
    "BACK_LOADED",
    "FRONT_LOADED_TO_SINGLE_TRANCHE",
    "BACK_LOADED_TO_SINGLE_TRANCHE",
    "FRACTIONAL",
  ],
  triggerType: ["TIME_BASED", "EVENT_BASED", "HYBRID"],
  "vestingConditions.trigger.type": ["TIME_BASED", "EVENT_BASED"],
  "vestingConditions.trigger.periodType": ["DAYS", "MONTHS", "YEARS"],
  "schedule.vestingFrequency": ["MONTHLY", "QUARTERLY", "ANNUALLY"],
  allocationType: [
    "CUMULATIVE_ROUNDING",
    "CUMULATIVE_ROUND_DOWN",
    "FRONT_LOADED",
    "BACK_LOADED",
    "FRONT_LOADED_TO_SINGLE_TRANCHE",
    "BACK_LOADED_TO_SINGLE_TRANCHE",
    "FRACTIONAL",
  ],
  periodLengthUnits: ["DAYS", "MONTHS", "YEARS"],
} as const;

export const VestingTermsCreate = {
  allocationMethod: [
    "CUMULATIVE_ROUNDING",
    "CUMULATIVE_ROUND_DOWN",
    "FRONT_LOADED",
    "BACK_LOADED",
    "FRONT_LOADED_TO_SINGLE_TRANCHE",
    "BACK_LOADED_TO_SINGLE_TRANCHE",
    "FRACTIONAL",
  ],
  triggerType: ["TIME_BASED", "EVENT_BASED", "HYBRID"],
  "vestingConditions.trigger.type": ["TIME_BASED", "EVENT_BASED"],
  "vestingConditions.trigger.periodType": ["DAYS", "MONTHS", "YEARS"],
  "schedule.vestingFrequency": ["MONTHLY", "QUARTERLY", "ANNUALLY"],
} as const;

export const VestingTermsUpdate = {
  allocationMethod: [
    "CUMULATIVE_ROUNDING",
    "CUMULATIVE_ROUND_DOWN",
    "FRONT_LOADED",
    "BACK_LOADED",
    "FRONT_LOADED_TO_SINGLE_TRANCHE",
    "BACK_LOADED_TO_SINGLE_TRANCHE",
    "FRACTIONAL",
  ],
  triggerType: ["TIME_BASED", "EVENT_BASED", "HYBRID"],
  "vestingConditions.trigger.type": ["TIME_BASED", "EVENT_BASED"],
  "vestingConditions.trigger.periodType": ["DAYS", "MONTHS", "YEARS"],
  "schedule.vestingFrequency": ["MONTHLY", "QUARTERLY", "ANNUALLY"],
} as const;

export const WebhookEndpoint = {
  include: ["ids", "record"],
  status: ["ENABLED", "DISABLED"],
  disabledReason: ["REQUESTED", "MAKER_REMOVED", "GONE", "FAILING"],
  "madeBy.actor": ["api-key", "person", "cli", "job"],
  lastError: [
    "dns",
    "address-not-allowed",
    "connect",
    "tls",
    "timeout",
    "redirect",
    "status",
    "response-too-large",
    "key-missing",
  ],
} as const;

export const WebhookEndpointCreate = {
  include: ["ids", "record"],
} as const;

export const WebhookEndpointUpdate = {
  include: ["ids", "record"],
  status: ["ENABLED", "DISABLED"],
} as const;

export const SCOPES_OF_ROLE = {
  VIEWER: ["read"],
  EDITOR: ["read", "write"],
  ADMIN: ["read", "write", "import", "manage-keys"],
} as const;
