// The columns of rows that are securities: stock, options, warrants and convertibles. A new column of the template is an
// entry here, and nowhere else.

import { showSecurity } from "../../../resources/securities/present-security.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { type Names, plain, type Recorded, type Said } from "../compare/made.ts";
import { said } from "../rows/read-field.ts";
import type { SheetRow } from "../rows/understand.ts";
import { asText, asWhole, columnsOf, composed, type Written } from "./column.ts";

/** The records that a row names. */
export interface NamedIds {
  readonly holderId: string;
  readonly classId: string | undefined;
  readonly planId: string | undefined;
  readonly termsId: string | undefined;
  readonly legends: readonly string[];
}

type Security = Row<"securities">;

/** A column of a security, in both directions. */
interface SecurityColumn extends Written {
  /**
   * Where its member goes: into the body of an issuance; into the description, which issuances do not take; into
   * either, the body of an issuance first; or nowhere: the operation that makes the security has it.
   */
  readonly part: "issue" | "describe" | "both" | "operation";
  /** The records that its cell names. */
  readonly names?: keyof NamedIds;
  /** The recorded value; `operation`: only what made the security knows it. */
  readonly recorded: ((row: Security, names: Names) => Said | null) | "operation";
}

type SecurityColumns = Readonly<Record<string, SecurityColumn>>;

/** A column whose member the issuance takes as it stands in the cell. */
function issued(member: string, recorded: SecurityColumn["recorded"]): SecurityColumn {
  return { part: "issue", member, read: asText, recorded };
}

/** A column that names a record. */
function naming(member: string, names: keyof NamedIds, recorded: SecurityColumn["recorded"]): SecurityColumn {
  return { part: "issue", member, read: composed, names, recorded };
}

/** A column of what makes the security. */
const OF_OPERATION: SecurityColumn = { part: "operation", member: null, read: composed, recorded: "operation" };

const common: SecurityColumns = {
  certificate: issued("certificateId", ({ certificateId }) => plain(certificateId)),
  holder: naming("stakeholderId", "holderId", ({ stakeholderId }, names) => names.holder(stakeholderId)),
  // It tells holders of one name apart, and is no member.
  holderNumber: {
    ...OF_OPERATION,
    recorded: ({ stakeholderId }, names) => names.holderNumber(stakeholderId),
  },
  issueDate: issued("effectiveDate", ({ grantDate }) => plain(grantDate)),
  quantity: issued("quantity", ({ quantity }) => plain(quantity)),
  boardApproval: issued("boardApprovalDate", ({ boardApprovalDate }) => plain(boardApprovalDate)),
  comments: { part: "describe", member: "comments", read: asText, recorded: ({ comments }) => plain(comments) },
  how: OF_OPERATION,
  from: OF_OPERATION,
};

const vesting: SecurityColumns = {
  terms: naming("vestingTermsId", "termsId", ({ vestingTermsId }, names) => names.terms(vestingTermsId)),
  vestingStart: issued("vestingStartDate", ({ vestingStartDate }) => plain(vestingStartDate)),
  class: naming("stockClassId", "classId", ({ stockClassId }, names) => names.stockClass(stockClassId)),
};

const plan = naming("stockPlanId", "planId", ({ equityPlanId }, names) => names.plan(equityPlanId));

const stock: SecurityColumns = {
  ...common,
  ...vesting,
  plan,
  price: issued("pricePerShare", ({ pricePerShare }) => plain(pricePerShare)),
  stockholderApproval: issued("stockholderApprovalDate", ({ stockholderApprovalDate }) =>
    plain(stockholderApprovalDate),
  ),
  legends: {
    part: "describe",
    member: "stockLegendIds",
    read: composed,
    names: "legends",
    recorded: ({ stockLegendIds }, names) => names.legends(JSON.parse(stockLegendIds)),
  },
  consideration: {
    part: "describe",
    member: "totalConsideration",
    // An exercise is paid by its strike, whatever the row says.
    read: (row, field) => (said(row, "how") === "EXERCISE" ? undefined : said(row, field)),
    recorded: "operation",
  },
  fromQuantity: OF_OPERATION,
};

const exercised: SecurityColumns = {
  exercisePrice: issued("exercisePrice", ({ exercisePrice }) => plain(exercisePrice)),
  expires: issued("expirationDate", ({ expirationDate }) => plain(expirationDate)),
};

const options: SecurityColumns = {
  ...common,
  ...vesting,
  plan,
  optionType: issued("optionType", ({ optionType }) => plain(optionType)),
  ...exercised,
};

const warrants: SecurityColumns = {
  ...common,
  ...vesting,
  ...exercised,
  consideration: { part: "both", member: "totalConsideration", read: asText, recorded: "operation" },
};

/** A column of a convertible's terms. */
function ofTerms(member: string, shown: string, read = asText): SecurityColumn {
  const recorded = (row: Security) => {
    const terms = showSecurity(row).convertibleTerms as Readonly<Record<string, string | number | null>> | null;
    return plain(terms?.[shown]);
  };
  return { part: "issue", member, read, recorded };
}

const convertibles: SecurityColumns = {
  ...common,
  kind: ofTerms("convertibleType", "convertibleType"),
  valuationCap: ofTerms("valuationCap", "valuationCap"),
  discount: ofTerms("discountPercent", "discountPercent"),
  interest: ofTerms("interestRate", "interestRate"),
  dayCount: ofTerms("dayCount", "dayCount"),
  matures: ofTerms("maturityDate", "maturityDate"),
  seniority: ofTerms("seniority", "seniority", asWhole),
};

const OF_TYPE: Readonly<Record<Security["type"], SecurityColumns>> = {
  STOCK: columnsOf("stock", stock),
  STOCK_OPTION: columnsOf("options", options),
  WARRANT: columnsOf("warrants", warrants),
  CONVERTIBLE: columnsOf("convertibles", convertibles),
};

/** The columns of the rows of a type of security. */
export function securityColumns(type: Security["type"]): SecurityColumns {
  return OF_TYPE[type];
}

/** The members of a body, or of a description, that the columns become. */
export function membersFrom(
  columns: SecurityColumns,
  row: SheetRow,
  { meant, isIn }: { readonly meant: NamedIds; readonly isIn: (column: SecurityColumn) => boolean },
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [field, column] of Object.entries(columns)) {
    const { member, names, read } = column;
    if (member === null || !isIn(column)) continue;
    const value = names === undefined ? read(row, field) : meant[names];
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) body[member] = value;
  }
  return body;
}

/** A security's recorded values, by the fields of its row. */
export function recordedSecurity(row: Security, names: Names): Recorded {
  const made = Object.entries(securityColumns(row.type)).flatMap(([field, { recorded }]) =>
    recorded === "operation" ? [] : [[field, recorded(row, names)] as const],
  );
  return Object.fromEntries(made);
}
