// The values that a row made, read from the record right after its step: by field, as people read them. The preview
// shows these, never the cells; a cell that differs is reported, or ends the import.

import { showSecurity } from "../../../resources/securities/present-security.ts";
import { findAny } from "../../../storage/database/records.ts";
import type { Reader, Row } from "../../../storage/database/sql.ts";

/** A record's value in a field: its text for people, and its key for comparison. */
export interface Said {
  readonly text: string;
  /** The id of a name, the ids of a list; else the text. */
  readonly means: string;
}

/** The recorded values, by field; null: not recorded. */
export type Recorded = Readonly<Record<string, Said | null>>;

/** The values that differ from the row's own fields, by field; a text is empty if the record has no value. */
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

/** The key of a list of ids, in any order. */
export function meansOf(ids: readonly string[]): string {
  return [...ids].sort().join(";");
}

/** A security's recorded values, by the fields of its row. */
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
