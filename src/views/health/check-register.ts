// Register for health checks: an organization's open securities, and the origin of each. Pure.
import type { Row } from "../../storage/database/sql.ts";

/** What the checks look at of a security. */
export type SecurityRow = Pick<
  Row<"securities">,
  | "id"
  | "type"
  | "status"
  | "stakeholderId"
  | "stockClassId"
  | "equityPlanId"
  | "vestingTermsId"
  | "certificateId"
  | "quantity"
  | "exercisePrice"
  | "grantDate"
  | "expirationDate"
  | "vestingStartDate"
  | "boardApprovalDate"
  | "approvalId"
  | "originSecurityId"
  | "convertibleTerms"
  | "optionType"
  | "tokenStatus"
  | "deletedAt"
>;

/** All securities of an organization. */
export class Register {
  /** Those that are not deleted, oldest first. */
  readonly kept: readonly SecurityRow[];
  /** The ACTIVE ones of them. */
  readonly open: readonly SecurityRow[];
  readonly #byId: ReadonlyMap<string, SecurityRow>;
  readonly #sources: ReadonlySet<string | null>;

  /** `rows` are all that there ever were, oldest first. */
  constructor(rows: readonly SecurityRow[]) {
    this.kept = rows.filter(({ deletedAt }) => deletedAt === null);
    this.open = this.kept.filter(({ status }) => status === "ACTIVE");
    this.#byId = new Map(rows.map((row) => [row.id, row]));
    this.#sources = new Set(this.kept.map(({ originSecurityId }) => originSecurityId));
  }

  /** A security, what it came of, and so on up to the first of its family. */
  line(security: SecurityRow): readonly SecurityRow[] {
    const line: SecurityRow[] = [];
    const seen = new Set<string>();
    for (let row: SecurityRow | undefined = security; row && !seen.has(row.id); ) {
      seen.add(row.id);
      line.push(row);
      row = this.#byId.get(row.originSecurityId ?? "");
    }
    return line;
  }

  /** Whether another security was made of this one. */
  isSource(id: string): boolean {
    return this.#sources.has(id);
  }

  /** The first of a security's family: the grant or issuance that it came of; itself where it came of none. */
  first(security: SecurityRow): SecurityRow {
    return this.line(security).at(-1) ?? security;
  }
}
