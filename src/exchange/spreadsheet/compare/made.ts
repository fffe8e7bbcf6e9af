// The values that a row made, read from the record right after its step: by field, as people read them. The preview
// shows these, never the cells; a cell that differs is reported, or ends the import.

import { findAny } from "../../../storage/database/records.ts";
import type { Reader } from "../../../storage/database/sql.ts";

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

/** A value that is its own text; null: not recorded. */
export const plain = (text: unknown): Said | null =>
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
