// What a row made, read back from the record right after its step: by field, as people read it. The preview shows this,
// and never what the cells say; and what a cell says otherwise is told, or ends the import.

import { showSecurity } from "../../../resources/securities/present-security.ts";
import { findAny } from "../../../storage/database/records.ts";
import type { Reader, Row } from "../../../storage/database/sql.ts";

/** What a record says in a field: the text that people read, and what tells the same from another. */
export interface Said {
  readonly text: string;
  /** Of a name the id that it stands for, of a list its ids; else the text. */
  readonly means: string;
}

/** What is recorded, by field. Null: nothing is. */
export type Recorded = Readonly<Record<string, Said | null>>;

/** What is shown otherwise than the row's own fields say it, by field; a text is empty where nothing is recorded. */
export type Shown = ReadonlyMap<string, string>;

const plain = (text: string | number | null | undefined): Said | null =>
  text === null || text === undefined ? null : { text: String(text), means: String(text) };

/** The names of records, each read once. */
export class Names {
  readonly #db: Reader;
  readonly #orgId: string;
  readonly #known = new Map<string, string>();

  constructor(db: Reader, orgId: string) {
    this.#db = db;
    this.#orgId = orgId;
  }

  /** The legal name of a holder. */
  holder(id: string | null): Said | null {
    return this.#name(id, (each) => this.#holderRow(each).legalName);
  }

  /** The number that the company gave a holder. */
  holderNumber(id: string | null): Said | null {
    return id === null ? null : plain(findAny(this.#db, "stakeholders", this.#orgId, id)?.issuerAssignedId);
  }

  stockClass(id: string | null): Said | null {
    return this.#name(id, (each) => findAny(this.#db, "share_classes", this.#orgId, each)?.name);
  }

  plan(id: string | null): Said | null {
    return this.#name(id, (each) => findAny(this.#db, "equity_plans", this.#orgId, each)?.planName);
  }

  terms(id: string | null): Said | null {
    return this.#name(id, (each) => findAny(this.#db, "vesting_terms", this.#orgId, each)?.name);
  }

  certificate(id: string | null): Said | null {
    return id === null ? null : plain(findAny(this.#db, "securities", this.#orgId, id)?.certificateId);
  }

  /** Legends, joined as a cell has them. */
  legends(ids: readonly string[]): Said | null {
    const names = ids.map((id) => {
      return this.#name(id, (each) => findAny(this.#db, "stock_legends", this.#orgId, each)?.name)?.text ?? id;
    });
    return ids.length === 0 ? null : { text: names.join(";"), means: meansOf(ids) };
  }

  /** Classes, likewise. */
  classes(ids: readonly string[]): Said | null {
    const names = ids.map((id) => this.stockClass(id)?.text ?? id);
    return ids.length === 0 ? null : { text: names.join(";"), means: meansOf(ids) };
  }

  #holderRow(id: string): { readonly legalName?: string } {
    const row = findAny(this.#db, "stakeholders", this.#orgId, id);
    return row === null ? {} : JSON.parse(row.name);
  }

  #name(id: string | null, read: (id: string) => string | null | undefined): Said | null {
    if (id === null) return null;
    const text = this.#known.get(id) ?? read(id) ?? id;
    this.#known.set(id, text);
    return { text, means: id };
  }
}

/** What tells lists of ids apart, in whatever order they stand. */
export function meansOf(ids: readonly string[]): string {
  return [...ids].sort().join(";");
}

/** What is recorded of a security, by the fields of its row. */
export function recordedSecurity(row: Row<"securities">, names: Names): Recorded {
  const common = {
    certificate: plain(row.certificateId),
    holder: names.holder(row.stakeholderId),
    holderNumber: names.holderNumber(row.stakeholderId),
    issueDate: plain(row.grantDate),
    quantity: plain(row.quantity),
    boardApproval: plain(row.boardApprovalDate),
    comments: plain(row.comments),
  };
  if (row.type === "CONVERTIBLE") return { ...common, ...recordedTerms(row) };
  const vesting = { terms: names.terms(row.vestingTermsId), vestingStart: plain(row.vestingStartDate) };
  const stockClass = { class: names.stockClass(row.stockClassId) };
  if (row.type === "STOCK") {
    return {
      ...common,
      ...vesting,
      ...stockClass,
      plan: names.plan(row.equityPlanId),
      price: plain(row.pricePerShare),
      stockholderApproval: plain(row.stockholderApprovalDate),
      legends: names.legends(JSON.parse(row.stockLegendIds)),
    };
  }
  const option = { plan: names.plan(row.equityPlanId), optionType: plain(row.optionType) };
  return {
    ...common,
    ...vesting,
    ...stockClass,
    ...(row.type === "STOCK_OPTION" ? option : {}),
    exercisePrice: plain(row.exercisePrice),
    expires: plain(row.expirationDate),
  };
}

function recordedTerms(row: Row<"securities">): Recorded {
  const terms = showSecurity(row).convertibleTerms as Readonly<Record<string, string | number | null>> | null;
  return {
    kind: plain(terms?.convertibleType),
    valuationCap: plain(terms?.valuationCap),
    discount: plain(terms?.discountPercent),
    interest: plain(terms?.interestRate),
    dayCount: plain(terms?.dayCount),
    matures: plain(terms?.maturityDate),
    seniority: plain(terms?.seniority),
  };
}
