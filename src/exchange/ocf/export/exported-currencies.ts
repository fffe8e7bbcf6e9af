// The currency of each exported amount: its record's own, else the organization's, else the default. If one of the
// latter stands in, the manifest's comments say so.

import { DEFAULT_CURRENCY } from "../../../kernel/text/currency.ts";
import type { Row } from "../../../storage/database/sql.ts";
import type { Note } from "../codec/values-to-ocf.ts";

/** Says the currencies of an organization's records. */
export class Currencies {
  readonly #own: string | null;

  constructor(organization: Pick<Row<"organizations">, "currency"> | null) {
    this.#own = organization?.currency ?? null;
  }

  /** The currency of amounts that are recorded in `currency`, null for none; `whose` they are, for the note. */
  of(currency: string | null, whose: string, note: Note): string {
    const stands = currency ?? this.#own ?? DEFAULT_CURRENCY;
    if (this.#own === null)
      note(`the organization has not said its currency: amounts of ${whose} exported in ${stands}`);
    else if (currency === null) {
      note(`no currency is recorded with amounts of ${whose}; the organization's, ${stands}, exported`);
    }
    return stands;
  }
}
