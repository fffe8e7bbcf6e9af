// Securities as a split that is under way has decided them. Rows of a large split follow a few at a time
// (ledger/splits/split-pieces.ts); until then every query that names the table `securities` reads this view of it in
// its place, whatever it selects: sql.ts puts it in front. `main.securities` is what is stored, for what writes or
// proves rows.

/** Every column of a security's row. */
const COLUMNS = [
  ...(["seq", "orgId", "id", "createdAt", "updatedAt", "deletedAt", "type", "status", "stakeholderId"] as const),
  ...(["stockClassId", "equityPlanId", "vestingTermsId", "certificateId", "quantity", "pricePerShare"] as const),
  ...(["purchasePrice", "exercisePrice", "optionType", "grantDate", "expirationDate", "vestingStartDate"] as const),
  ...(["valuationId", "boardApprovalDate", "stockholderApprovalDate", "comments", "sourceDocumentId"] as const),
  ...(["approvalId", "originSecurityId", "stockLegendIds", "convertibleTerms", "isGated", "tokenStatus"] as const),
  ...(["tokenTransactionHash", "tokenError", "verificationStatus", "planCharge", "chargeBasis", "vestings"] as const),
  ...(["currency", "correctedPrice", "statedConsideration", "vestingStoppedOn", "asksAcceptance"] as const),
  ...(["acceptanceStatus", "acceptanceAskedAt", "acceptedAt"] as const),
] as const;

/** The columns that a split changes. */
export const SPLIT_COLUMNS = ["quantity", "pricePerShare", "exercisePrice", "planCharge", "updatedAt"] as const;
type SplitColumn = (typeof SPLIT_COLUMNS)[number];

const isOfPlan = `exists (select 1 from json_each(split."equityPlanIds") as plan
  where plan.value = stored."equityPlanId")`;

/** Whether a split multiplies the shares of a row `stored`: as `splitFilter` (ledger/splits/stock-split.ts) selects. */
const SHARES = `stored.status = 'ACTIVE' and stored.type <> 'CONVERTIBLE' and cast(stored.quantity as real) <> 0
  and (stored."stockClassId" = split."stockClassId" or stored."stockClassId" is null and ${isOfPlan})`;

const CHARGE = `stored."planCharge" is not null and ${isOfPlan}`;

/** Whether a split changes a row `stored`. */
export const IS_CONCERNED = `(${SHARES} or ${CHARGE})`;

const RATIO = "split.numerator, split.denominator, split.rounding";

/** The split whose turn at the row `stored` has not come. */
const TO_COME = `splits_under_way as split join long_writes as write
  on write."orgId" = split."orgId" and write.kind = 'split' and write.subject = split."transactionId"
  where split."orgId" = stored."orgId" and stored.seq > write."after" and stored.seq <= split."upTo"
  and not exists (select 1 from splits_apart as apart
    where apart."orgId" = stored."orgId" and apart."securitySeq" = stored.seq)`;

const AFTER: Readonly<Record<Exclude<SplitColumn, "updatedAt">, readonly [value: string, where: string]>> = {
  quantity: [`split_quantity(stored.quantity, ${RATIO})`, SHARES],
  pricePerShare: [`split_price(stored."pricePerShare", ${RATIO})`, `stored.type = 'STOCK' and ${SHARES}`],
  exercisePrice: [`split_price(stored."exercisePrice", ${RATIO})`, `stored.type <> 'STOCK' and ${SHARES}`],
  planCharge: [`split_charge(stored."planCharge", ${RATIO})`, CHARGE],
};

const isChanged = Object.entries(AFTER)
  .map(([column, [value, where]]) => `(${where} and ${value} is not stored."${column}")`)
  .join(" or ");

function decidedColumn(name: string): string {
  const stored = `stored."${name}"`;
  const found = name === "updatedAt" ? ["split.at", `(${isChanged})`] : AFTER[name as keyof typeof AFTER];
  if (found === undefined) return stored;
  const [value, where] = found;
  const decided = `select ${value} from ${TO_COME} and ${where}`;
  // Usually no split is under way, which SQLite finds out once for all rows.
  return `case when exists (select 1 from splits_under_way) then
    coalesce((${decided}), ${stored}) else ${stored} end as "${name}"`;
}

const VIEW = `securities as not materialized (select ${COLUMNS.map(decidedColumn).join(", ")}
  from main.securities as stored)`;

const NAMES = /(?<!\bmain"?\."?)\bsecurities\b/;

/** A query that reads securities as decided; any other text as it is. */
export function asDecided(query: string): string {
  if (!NAMES.test(query)) return query;
  const [, word, rest] = /^\s*(with recursive|with|select)\b([\s\S]*)$/i.exec(query) ?? [];
  if (word === undefined || rest === undefined) return query;
  return word.toLowerCase() === "select" ? `with ${VIEW} select${rest}` : `${word} ${VIEW},${rest}`;
}
