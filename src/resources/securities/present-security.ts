// Securities in answers: a convertible's terms in full, whatever their stored form.
import type { Static } from "@sinclair/typebox";
import type { AheadEntry } from "../../ledger/writes/ahead-entries.ts";
import type { Row } from "../../storage/database/sql.ts";
import { readTerms } from "../../storage/records/terms-form.ts";
import { showTerms } from "../../storage/records/terms-shown.ts";
import { presenter } from "../present.ts";
import { type Security, SecurityColumns } from "./schema.ts";

const showMembers = presenter(SecurityColumns);
const NONE: readonly AheadEntry[] = [];

/** A security as answers show it, with the entries on it that are dated ahead. */
export function showSecurity(row: Row<"securities">, ahead = NONE): Static<typeof Security> {
  const { convertibleTerms } = row;
  const shown = { ...showMembers(row), ahead } as Static<typeof Security>;
  if (convertibleTerms === null) return shown;
  const terms = showTerms(readTerms(convertibleTerms));
  return { ...shown, convertibleTerms: terms as Static<typeof Security>["convertibleTerms"] };
}

/** The same for a record that SQLite has written as JSON. */
export function showSecurityText(written: string, ahead = NONE): string {
  const json = `${written.slice(0, -1)},"ahead":${JSON.stringify(ahead)}}`;
  if (json.includes('"convertibleTerms":null')) return json;
  const record = JSON.parse(json);
  return JSON.stringify({ ...record, convertibleTerms: showTerms(record.convertibleTerms) });
}
