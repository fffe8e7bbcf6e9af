// How long, how many, how large: the limits of every body's members, written by hand. A text member of a body that is
// not here fails the test.

/** Code points by member, where the same name means the same everywhere. */
const EVERYWHERE: Readonly<Record<string, number>> = {
  comments: 2000,
  comment: 2000,
  notes: 2000,
  description: 2000,
  summary: 2000,
  reason: 2000,
  eventDescription: 2000,
  title: 200,
  certificateId: 50,
  email: 254,
  pendingEmail: 254,
  walletAddress: 42,
  transferReason: 500,
  evidenceNote: 1000,
  legalName: 200,
  firstName: 200,
  lastName: 200,
  condition: 2000,
  capitalizationText: 2000,
  nickname: 200,
};

/** Code points by URL segment and member. */
const BY_SEGMENT: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  organization: {
    dba: 200,
    phone: 200,
    taxId: 200,
    street: 200,
    city: 200,
    countrySubdivision: 200,
    postalCode: 200,
    portalContact: 200,
  },
  "api-keys": { name: 100 },
  "webhook-endpoints": { url: 2000, description: 200, types: 100, startAt: 200, cursor: 200 },
  stakeholders: { displayName: 100, issuerAssignedId: 100 },
  "share-classes": { name: 100, defaultIdPrefix: 20 },
  valuations: { provider: 200, reportId: 100 },
  "equity-plans": { planName: 100, planType: 20 },
  "vesting-terms": { name: 100 },
  "vesting-milestones": { name: 100, description: 500 },
  approvals: { name: 100 },
  documents: { path: 2000, uri: 2000, md5: 32 },
  "stock-legends": { name: 200, text: 2000 },
  scenarios: { name: 100 },
  batch: { name: 50 },
  transactions: { continues: 255 },
  models: {
    ...{ name: 100, className: 100, key: 50, defaultIdPrefix: 20, digest: 64 },
    ...{ exclude: 255, force: 255, accelerate: 255 },
  },
};

/** The longest that a text may be; ids take 255. Undefined: it is not written down. */
export function longest(segment: string, member: string): number | undefined {
  return BY_SEGMENT[segment]?.[member] ?? EVERYWHERE[member] ?? (/Ids?$|^id$/.test(member) ? 255 : undefined);
}

const POSITIVE = [
  "quantity",
  "resultingQuantity",
  "initialSharesReserved",
  "minimumProceeds",
  "exitMultiple",
  "conversionPrice",
];

/**
 * Members whose decimal may not be zero: quantities, members described as positive, what conversions divide by, and
 * what a ratio or price is adjusted to.
 */
export function isPositive(segment: string, path: readonly string[]): boolean {
  const member = path.findLast((part) => part !== "0") ?? "";
  if (POSITIVE.includes(member) || member === "denominator" || member === "sharesAuthorized") return true;
  if (segment === "transactions" && member === "numerator") return true;
  if (member === "percent") return path.includes("mechanism");
  if (member === "amount") return !path.includes("deductions");
  return segment === "valuations" && member === "pricePerShare";
}

/** The largest and the smallest that a figure may be, and what is beyond. */
interface Bounds {
  readonly within: readonly [most: string, least: string];
  readonly beyond: readonly string[];
}

const ANY: Bounds = { within: ["999999999999999.9999999999", "0.0000000001"], beyond: [] };
const MONEY: Bounds = { within: ["999999999999999.99", "0.01"], beyond: ["1.001"] };
const BELOW_100: Bounds = { within: ["99.99999999", "0.00000001"], beyond: ["100", "0.000000001"] };
const UP_TO_100: Bounds = { within: ["100", "0.00000001"], beyond: ["100.00000001", "0.000000001"] };

/** A slice's part of a deduction: all of it at most. */
const SLICE: Bounds = { within: ["100", "0.0000000001"], beyond: ["100.0000000001", "101"] };

/** The bounds of a figure of terms or of a model; of any other, 15 digits and 10 places. */
export function boundsOf(segment: string, path: readonly string[]): Bounds {
  const member = path.findLast((part) => part !== "0") ?? "";
  if (member === "discountPercent") return BELOW_100;
  if (member === "ratePercent" || member === "interestRate") return UP_TO_100;
  if (member === "percent" && path.includes("mechanism")) return BELOW_100;
  if (member === "percent" && path.includes("slices")) return SLICE;
  if (segment !== "models") return ANY;
  if (member === "exitValues" || path.includes("range")) return MONEY;
  return member === "amount" && !path.includes("valuation") ? MONEY : ANY;
}

/** The members that a create or an operation requires, by path. */
export const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  "/api-keys": ["name", "role"],
  "/webhook-endpoints": ["url"],
  "/webhook-endpoints/{id}/rotate-secret": [],
  "/webhook-endpoints/{id}/seek": [],
  "/invitations": ["email", "role"],
  "/members": ["role"],
  "/members/{id}/operator-reset": ["decision"],
  "/members/{id}/accept-email": [],
  "/members/{id}/reset-link": [],
  "/stakeholders": ["displayName", "name", "type"],
  "/share-classes": ["name", "classType", "defaultIdPrefix", "initialSharesAuthorized", "votesPerShare", "seniority"],
  "/securities": ["type", "stakeholderId", "certificateId", "quantity", "grantDate"],
  "/valuations": ["type", "stockClassId", "pricePerShare", "effectiveDate"],
  "/equity-plans": ["planName", "initialSharesReserved"],
  "/vesting-terms": ["name", "description", "vestingConditions"],
  "/vesting-milestones": ["name"],
  "/vesting-milestones/{id}/complete": [],
  "/corporate-actions": ["type", "title", "effectiveDate"],
  "/approvals": ["title", "entityType"],
  "/approvals/{id}/steps": ["name"],
  "/documents": [],
  "/securities/{id}/acceptances": ["acceptedOn"],
  "/portal/acceptances": ["securityId", "digest"],
  "/batch": ["operations"],
  "/stock-legends": ["name", "text"],
  "/transactions": ["type", "effectiveDate"],
  ...typed("issue-shares", "stakeholderId", "stockClassId", "quantity", "certificateId"),
  ...typed("issue-options", "stakeholderId", "stockPlanId", "quantity", "exercisePrice", "optionType", "certificateId"),
  ...typed("transfer", "securityId", "fromStakeholderId", "toStakeholderId", "quantity"),
  ...typed("exercise", "securityId", "quantity", "exercisePrice"),
  ...typed("cancel", "securityId", "quantity", "cancellationReason"),
  ...typed("issue-warrant", "stakeholderId", "quantity", "exercisePrice", "certificateId"),
  // The type, too, but `convertibleTerms` may say it in place of `convertibleType`.
  ...typed("issue-convertible", "stakeholderId", "quantity", "certificateId"),
  ...typed("convert", "securityId", "stockClassId"),
  ...typed("repurchase", "securityId", "quantity", "pricePerShare"),
  ...typed("retract", "securityId", "reason"),
  "/transactions/correct": ["securityId", "reason"],
  ...typed("split", "stockClassId", "numerator", "denominator"),
  ...typed("adjust-authorized", "stockClassId", "newSharesAuthorized"),
  ...typed("adjust-reserve", "equityPlanId", "newSharesReserved"),
  ...typed("adjust-conversion", "stockClassId", "ratio", "conversionPrice"),
  ...typed("start-vesting", "securityId"),
  ...typed("accelerate-vesting", "securityId", "quantity", "reason"),
  ...typed("record-vesting-event", "securityId"),
  ...typed("terminate-service", "stakeholderId"),
  "/cap-table/ocf-import": ["manifest", "entityFiles"],
  "/cap-table/ocf-validate": ["manifest", "entityFiles"],
  "/models/cap-table": [],
  "/models/round": ["newClass", "valuation", "investors"],
  "/models/waterfall": [],
  "/models/expense": ["method", "from", "to", "period", "grants"],
  "/models/round/close": ["model", "digest"],
  "/imports": ["documentId"],
  "/scenarios": ["name", "model", "input"],
  "/scenarios/compare": ["scenarioIds"],
};

function typed(route: string, ...members: readonly string[]): Record<string, readonly string[]> {
  return { [`/transactions/${route}`]: [...members, "effectiveDate"] };
}

/** Members with a default other than null, by path: null is refused for them. */
export const DEFAULTED: Readonly<Record<string, readonly string[]>> = {
  "/organization": [
    "requireSecondFactor",
    "portalShowsOwnership",
    "portalShowsValue",
    "asksAcceptance",
    "votesRounding",
  ],
  "/webhook-endpoints": ["types", "include", "checkpoints", "startAt"],
  "/webhook-endpoints/{id}/rotate-secret": ["overlapHours"],
  "/invitations": ["stakeholderIds", "isMailed"],
  "/members/{id}/reset-link": ["isMailed"],
  "/members": ["stakeholderIds"],
  "/stakeholders": ["status", "relationships"],
  "/share-classes": [
    ...["isParticipating", "stockLegendIds", "conversionRights", "antiDilution", "participationCapBasis"],
    ...["dividendType", "votesBasis"],
  ],
  "/securities": ["status", "stockLegendIds", "vestingStartDate", "asksAcceptance"],
  "/valuations": ["status"],
  "/imports": ["format"],
  "/equity-plans": ["stockClassIds", "defaultCancellationBehavior", "adoptedDate"],
  "/vesting-terms": ["allocationMethod", "triggerType"],
  "/corporate-actions": ["status"],
  "/documents": ["relatedObjects", "isSharedWithHolders"],
  "/transactions/issue-shares": ["asksAcceptance", "vestingStartDate"],
  "/transactions/issue-options": ["asksAcceptance", "vestingStartDate", "expirationDate"],
  "/transactions/issue-warrant": ["asksAcceptance", "vestingStartDate"],
  "/transactions/issue-convertible": ["asksAcceptance"],
  "/transactions/exercise": ["paymentMethod", "earlyExercise"],
  "/transactions/convert": ["notByRight"],
  "/transactions/repurchase": ["returnToPool"],
  "/transactions/cancel": ["returnToPool"],
  "/transactions/split": ["rounding"],
  "/transactions/correct": ["stakeholderId", "quantity", "stockLegendIds", "vestingStartDate", "verificationStatus"],
  "/transactions/terminate-service": ["cancellationReason"],
  "/models/cap-table": ["add", "rounds"],
  "/models/round": ["add", "rounds", "shiftSeniority", "pricePlaces"],
  "/models/waterfall": [
    ...["add", "rounds", "deductions", "unvested", "accelerate", "mfnElections", "classOverrides", "detail"],
    "breakpoints",
  ],
  "/models/round/close": ["newClassAuthorized", "authorizedShares"],
};

/** Members that only a PATCH takes and that may not be null. */
export const PATCH_ONLY = ["verificationStatus", "status"];
